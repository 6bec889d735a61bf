//go:build !linux

package window

// spare has nothing to do where the webview is not WebKitGTK.
func spare() {}
