// Package docs reads the user's own papers: annual reports as EDGAR keeps them
// (old HTML and inline XBRL), Markdown, PDF, DOCX, control catalogs, profiles
// and other nested data in JSON, XML and YAML, CSV and plain text. It tells a
// format by its content, and gives a document with its sections in order:
// prose under its headings, tables with their heads, controls with their ids.
// What it is unsure of is noted beside the document.
package docs
