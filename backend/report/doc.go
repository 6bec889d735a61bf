// Package report makes what leaves the computer: the report of an audit as a
// PDF with everything that it rests on attached, its signature and the check
// of it, and the plain exports (CSV, spreadsheet, document, subtitles, HTML and
// a folder of evidence).
//
// A report lists potential issues for a person's decision. It never says that
// a video complies with a rule, and it says that it is no legal advice.
package report
