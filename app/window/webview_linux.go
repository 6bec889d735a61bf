package window

/*
#include <stdlib.h>

// The webview's processes take their environment from C's; that of our other
// processes is Go's own copy.
static void inherit(const char *name, const char *value) { setenv(name, value, 0); }
*/
import "C"

import "unsafe"

// spare lets the webview's processes give memory back. The player has many
// threads, each with a heap of its own, in which the pictures of a film that was
// left by a seek stay as gaps: two heaps are enough, and large pieces are taken
// from the system and go back to it. What the user has set stays.
func spare() {
	for name, value := range map[string]string{
		"MALLOC_ARENA_MAX":       "2",
		"MALLOC_MMAP_THRESHOLD_": "131072",
		"MALLOC_TRIM_THRESHOLD_": "131072",
	} {
		n, v := C.CString(name), C.CString(value)
		C.inherit(n, v)
		C.free(unsafe.Pointer(n))
		C.free(unsafe.Pointer(v))
	}
}
