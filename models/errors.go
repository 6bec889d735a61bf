package models

import (
	"errors"
	"fmt"
	"strings"
)

// What can go wrong with a model, to be tested with errors.Is.
var (
	ErrUnknown      = errors.New("no such model")
	ErrNotInstalled = errors.New("model is not installed")
	ErrDamaged      = errors.New("model file is damaged")
	ErrDigest       = errors.New("wrong SHA-256")
	ErrNoSpace      = errors.New("not enough disk space")
	ErrNoClient     = errors.New("package client is not installed")
	ErrNotAModel    = errors.New("not a model that can be used")
	ErrExists       = errors.New("a model of this name is already there")
)

// UnknownError says which name was asked for and which there are.
type UnknownError struct {
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("there is no model %q; there are: %s", e.Name, strings.Join(e.Known, ", "))
}

func (e *UnknownError) Unwrap() error { return ErrUnknown }

// SpaceError says how much room is missing, and where.
type SpaceError struct {
	Dir        string
	Need, Free int64
}

func (e *SpaceError) Error() string {
	return fmt.Sprintf("not enough disk space in %s: %s are needed, %s are free",
		e.Dir, FormatBytes(e.Need), FormatBytes(e.Free))
}

func (e *SpaceError) Unwrap() error { return ErrNoSpace }

// DigestError says that a file is not the one that the manifest names.
type DigestError struct {
	File      string
	Got, Want string
}

func (e *DigestError) Error() string {
	return fmt.Sprintf("%s has the wrong SHA-256: got %s, want %s", e.File, short(e.Got), short(e.Want))
}

func (e *DigestError) Unwrap() error { return ErrDigest }

// PullError lists what each source of a model answered.
type PullError struct {
	Model    string
	Attempts []Attempt
}

// Attempt is one source that did not work.
type Attempt struct {
	Source string
	Err    error
}

func (e *PullError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s could not be installed from any of its %d sources", e.Model, len(e.Attempts))
	if len(e.Attempts) == 1 {
		b.Reset()
		fmt.Fprintf(&b, "%s could not be installed", e.Model)
	}
	for _, a := range e.Attempts {
		fmt.Fprintf(&b, "\n  %s: %v", a.Source, a.Err)
	}
	return b.String()
}

// Unwrap lets errors.Is see every source's error.
func (e *PullError) Unwrap() []error {
	errs := make([]error, len(e.Attempts))
	for i, a := range e.Attempts {
		errs[i] = a.Err
	}
	return errs
}

// FormatBytes writes a number of bytes as people read it, in powers of ten.
func FormatBytes(n int64) string {
	switch f := float64(n); {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", f/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", f/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.0f kB", f/1e3)
	}
	return fmt.Sprintf("%d B", n)
}

func short(digest string) string {
	if len(digest) > 16 {
		return digest[:16] + "..."
	}
	return digest
}
