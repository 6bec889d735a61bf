package app

import "veristream/backend/audit"

// ProblemOf gives an error as the front end shows it.
func ProblemOf(err error) *Problem {
	if err == nil {
		return nil
	}
	return &Problem{Code: audit.CodeOf(err), Sentence: audit.SentenceOf(err), Details: audit.DetailsOf(err)}
}

// FormatError is how a service's error reaches the front end: as a Problem.
func FormatError(err error) any {
	if err == nil {
		return nil
	}
	return ProblemOf(err)
}
