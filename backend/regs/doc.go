// Package regs reads rules: the project's cards and a user's house rules
// (YAML, one card a paragraph), and the official texts that a user installs
// (eCFR XML, CFPB RegML and eRegs JSON, FINRA pages, HTML, PDF, Markdown, plain
// text). Out of each text comes a tree of paragraphs, every one with its own
// citation; what a marker leaves ambiguous is reported and not guessed away.
//
// It also fetches texts from their publishers, and checks cards against the
// text that is installed. It stores nothing itself: it declares the store that
// it needs.
package regs
