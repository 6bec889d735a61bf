//go:build !linux

package window

// keepLittle is for WebKitGTK alone.
func keepLittle() {}
