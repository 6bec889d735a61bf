package audit

import (
	"context"
	"errors"
	"fmt"
)

// Code names a kind of failure that a user or a script can act on. It decides
// the exit code of the command line and the sentence in the window.
type Code string

// The codes. Each adapter uses the one that says what the user can do next.
const (
	CodeInput        Code = "input"         // the file or text given cannot be used
	CodeUsage        Code = "usage"         // the command or the facts are wrong
	CodeMissing      Code = "missing"       // something is not installed
	CodeNetwork      Code = "network"       // no network, or a server said no
	CodeStorage      Code = "storage"       // disk full, read-only, database corrupt or newer
	CodeModel        Code = "model"         // a model or its server failed
	CodeModelMissing Code = "model-missing" // a model is not there
	CodeMemory       Code = "memory"        // not enough memory
	CodeReply        Code = "reply"         // the language model's reply cannot be used
	CodeWorker       Code = "worker"        // a worker process died
	CodeDeadline     Code = "deadline"      // a step took longer than it may
	CodeCancelled    Code = "cancelled"     // the user stopped it
	CodeInternal     Code = "internal"      // a defect of ours
)

// Error is a failure with one clear sentence for the user, and the cause for
// the log. The sentence says what happened and, where it can, what to do.
type Error struct {
	Code     Code
	Sentence string
	Said     Message // the sentence for other languages; empty where it was not made by Errorf or Wrap
	Details  string  // raw text of a tool, shown behind "details"
	Err      error
}

// Errorf makes an Error without a cause.
func Errorf(code Code, format string, args ...any) *Error {
	return Wrap(nil, code, format, args...)
}

// Wrap gives err a code and a sentence and keeps it as the cause.
func Wrap(err error, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Sentence: fmt.Sprintf(format, args...), Said: Formed(format, args...), Err: err}
}

// WithDetails adds a tool's own words to the error.
func (e *Error) WithDetails(details string) *Error {
	e.Details = details
	return e
}

// Error gives the sentence and the cause.
func (e *Error) Error() string {
	if e.Err == nil {
		return e.Sentence
	}
	return e.Sentence + ": " + e.Err.Error()
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// CodeOf gives the code of an error: that of the first Error in its chain,
// CodeCancelled and CodeDeadline for a context's end, CodeInternal otherwise.
func CodeOf(err error) Code {
	var e *Error
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return CodeCancelled
	case errors.As(err, &e):
		return e.Code
	case errors.Is(err, context.DeadlineExceeded):
		return CodeDeadline
	}
	return CodeInternal
}

// SentenceOf gives the sentence to show for an error.
func SentenceOf(err error) string {
	var e *Error
	if errors.Is(err, context.Canceled) {
		return "Cancelled."
	}
	if errors.As(err, &e) {
		return e.Sentence
	}
	return err.Error()
}

// SaidOf gives the sentence of an error for other languages: one without a key
// where its words are no catalogue's.
func SaidOf(err error) Message {
	var e *Error
	switch {
	case errors.Is(err, context.Canceled):
		return Formed("Cancelled.")
	case errors.As(err, &e):
		return e.Said
	}
	return Message{}
}

// DetailsOf gives a tool's own words, where an error carries them.
func DetailsOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Details
	}
	return ""
}
