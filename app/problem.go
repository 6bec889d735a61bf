package app

import "veristream/backend/audit"

// ProblemOf gives an error as the front end shows it.
func ProblemOf(err error) *Problem {
	if err == nil {
		return nil
	}
	return &Problem{Code: audit.CodeOf(err), Sentence: audit.SentenceOf(err), Said: SaidOf(err), Details: audit.DetailsOf(err)}
}

// SaidOf gives the sentence of an error for other languages; nil where its words
// are no catalogue's.
func SaidOf(err error) *audit.Message {
	if m := audit.SaidOf(err); m.Key != "" {
		return &m
	}
	return nil
}

// NewImportFailure says of a file why it was not imported.
func NewImportFailure(file string, err error) ImportFailure {
	return ImportFailure{File: file, Sentence: audit.SentenceOf(err), Said: SaidOf(err)}
}

// FormatError is how a service's error reaches the front end: as a Problem.
func FormatError(err error) any {
	if err == nil {
		return nil
	}
	return ProblemOf(err)
}
