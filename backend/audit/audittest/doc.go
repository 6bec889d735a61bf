// Package audittest holds, for each seam of package audit, an in-memory fake
// and the conformance test that every implementation passes, the fakes too.
package audittest
