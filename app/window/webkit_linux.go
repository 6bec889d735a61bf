//go:build linux

package window

/*
#cgo !webkit2_41 pkg-config: webkit2gtk-4.0
#cgo webkit2_41 pkg-config: webkit2gtk-4.1
#include <webkit2/webkit2.h>

static gboolean keep_little(gpointer unused) {
	webkit_web_context_set_cache_model(webkit_web_context_get_default(), WEBKIT_CACHE_MODEL_DOCUMENT_VIEWER);
	return G_SOURCE_REMOVE;
}

static void keep_little_later(void) { g_idle_add(keep_little, NULL); }
*/
import "C"

// keepLittle lets the webview keep no pages and no loaded files in memory: the
// window has one page, and everything else comes from this computer.
func keepLittle() { C.keep_little_later() }
