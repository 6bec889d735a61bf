// Package ask answers questions over rules and documents from the passages
// that a search found. A language model may choose and phrase; what it may not
// do is be believed: each sentence stands on words that are found in a passage
// in code and shown in the passage's own characters, numbers in a sentence
// must stand in those words, and what fails is replaced by the passage's own
// sentence or taken out. Without a model the best sentences of the passages
// are the answer. Where nothing answers, it refuses and says what is missing.
package ask
