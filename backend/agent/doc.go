// Package agent decides what in a video may break a rule: it makes claims of
// segments, screens every claim against every behaviour with cheap signals,
// finds the rules that matter, asks the language model two questions per
// candidate, runs the tests over the whole video in code, and puts findings
// together. What a category is stands in data/*.yaml, not here.
//
// The order of things is that of the design's section 6. Nothing in this
// package trusts a model's words: package verify checks them afterwards.
package agent
