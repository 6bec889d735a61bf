// Package pdf writes PDF documents: text in any script with embedded subset
// fonts, pictures, links, bookmarks, a structure tree for screen readers,
// attachments, and the place that a signature fills. What it writes follows
// ISO 32000-2 and keeps to PDF/A-3.
//
// Text is shaped by go-text/typesetting (HarfBuzz), so that Arabic joins,
// directions mix and lines break where Unicode says that they may.
package pdf
