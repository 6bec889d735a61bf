// Package align lays a design beside a handbook and a baseline of controls: for
// each element of the design the controls that apply, where the handbook covers
// them, and what is missing. Every link names the passage and the words that it
// stands on. A language model may give a short reason; it decides nothing.
package align
