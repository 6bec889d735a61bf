// Package sign makes and checks the signature of a report: a CMS object as
// PAdES asks for it (ETSI EN 319 142-1, level B-B; RFC 5652, RFC 5035), and the
// identity that signs: one of the user's own making, kept encrypted, or one
// from a PKCS#12 file.
package sign
