// Package weights opens the model store in this user's folders and says in
// the user's words what went wrong with it. Package models knows neither the
// folders nor the domain's errors.
package weights

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"

	"veristream/app/dirs"
	"veristream/backend/audit"
	"veristream/models"
)

// Open gives the store of this user's models.
func Open(d dirs.Dirs, opts ...models.Option) (*models.Store, error) {
	s, err := models.Open(d.Models(), filepath.Join(d.Cache, "downloads"), opts...)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInternal, "The list of models inside the program cannot be read")
	}
	return s, nil
}

// Explain turns an error of the store into one with a code and a sentence.
func Explain(err error) error {
	var known *audit.Error
	var pull *models.PullError
	var space *models.SpaceError
	var unknown *models.UnknownError
	switch {
	case err == nil || errors.As(err, &known) || audit.CodeOf(err) == audit.CodeCancelled:
		return err
	case errors.As(err, &unknown):
		return audit.Errorf(audit.CodeUsage, "There is no model %q; there are: %s.", unknown.Name, strings.Join(unknown.Known, ", "))
	case errors.Is(err, models.ErrNotAModel), errors.Is(err, models.ErrExists):
		return audit.Errorf(audit.CodeInput, "%s.", upper(err.Error()))
	case errors.As(err, &pull):
		return explainPull(pull)
	case errors.As(err, &space):
		return audit.Errorf(audit.CodeStorage, "There is not enough disk space in %s: %s are needed, %s are free.",
			space.Dir, models.FormatBytes(space.Need), models.FormatBytes(space.Free))
	case errors.Is(err, models.ErrDamaged):
		return audit.Wrap(err, audit.CodeModelMissing, "A model file is not what it was when it was installed, and is not used")
	case errors.Is(err, models.ErrNotInstalled), errors.Is(err, models.ErrNoOllama):
		return audit.Errorf(audit.CodeModelMissing, "%s.", upper(err.Error()))
	case errors.Is(err, syscall.ENOSPC):
		return audit.Wrap(err, audit.CodeStorage, "The disk is full")
	case errors.Is(err, syscall.EROFS), errors.Is(err, syscall.EACCES), errors.Is(err, syscall.EPERM):
		return audit.Wrap(err, audit.CodeStorage, "The folder of the models cannot be written to (set VERISTREAM_HOME to another)")
	}
	return audit.Wrap(err, audit.CodeStorage, "The models folder cannot be used")
}

// explainPull says the most useful thing about a pull that failed everywhere:
// room on the disk comes before what to install, and that before the network.
func explainPull(pull *models.PullError) error {
	var space *models.SpaceError
	var lines []string
	for _, a := range pull.Attempts {
		lines = append(lines, a.Source+": "+a.Err.Error())
	}
	tried := strings.Join(lines, "\n")
	switch {
	case errors.As(pull, &space):
		return audit.Errorf(audit.CodeStorage, "%s was not installed: there is not enough disk space in %s: %s are needed, %s are free.",
			pull.Model, space.Dir, models.FormatBytes(space.Need), models.FormatBytes(space.Free)).WithDetails(tried)
	case errors.Is(pull, syscall.ENOSPC):
		return audit.Errorf(audit.CodeStorage, "%s was not installed: the disk is full.", pull.Model).WithDetails(tried)
	case errors.Is(pull, models.ErrDigest):
		return audit.Errorf(audit.CodeNetwork, "%s was not installed: what arrived is not the file that was meant, and was thrown away.", pull.Model).WithDetails(tried)
	case errors.Is(pull, models.ErrNoClient):
		return audit.Errorf(audit.CodeMissing, "%s was not installed: the publisher cannot be reached, and the client for its package is missing.", pull.Model).WithDetails(tried)
	}
	return audit.Errorf(audit.CodeNetwork, "%s was not installed: none of its sources could be reached.", pull.Model).WithDetails(tried)
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
