// Package ocr owns the text on the screen: reading it from frames, measuring
// how large and how legible it is, and following it from frame to frame, so that
// each text becomes one segment with the time at which it is first and last
// seen.
//
// Disclosure rules turn on size, contrast and time on screen, so those are
// measured here, relative to the frame, and never taken from the reader.
package ocr
