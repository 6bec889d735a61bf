package llm

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"

	"veristream/backend/audit"
)

// What can be wrong with a reply or a server, for errors.Is. Each stands under
// an audit.Error with the user's sentence.
var (
	ErrNoServer  = errors.New("no Ollama server")
	ErrRemote    = errors.New("server on another computer")
	ErrNoModel   = errors.New("model not on the server")
	ErrMemory    = errors.New("out of memory")
	ErrCutOff    = errors.New("reply cut off")
	ErrEmpty     = errors.New("empty reply")
	ErrInvalid   = errors.New("reply does not fit the schema")
	ErrTooLong   = errors.New("prompt longer than the context window")
	ErrTruncated = errors.New("server dropped part of the prompt")
	ErrServer    = errors.New("server failed")
)

// cause joins a sentinel with what was seen.
func cause(sentinel, err error) error {
	if err == nil {
		return sentinel
	}
	return errors.Join(sentinel, err)
}

// explain turns an error of the API into one with a code and a sentence.
func explain(ctx context.Context, err error, model string, deadline time.Duration) error {
	var known *audit.Error
	if err == nil || errors.As(err, &known) {
		return err
	}
	switch {
	case errors.Is(context.Cause(ctx), errDeadline):
		return audit.Wrap(context.DeadlineExceeded, audit.CodeDeadline,
			"The language model did not answer within %s", deadline.Round(time.Second))
	case ctx.Err() != nil:
		return ctx.Err()
	}
	msg := strings.ToLower(err.Error())
	var status api.StatusError
	switch {
	case errors.As(err, &status) && status.StatusCode == http.StatusNotFound:
		return audit.Wrap(cause(ErrNoModel, err), audit.CodeModelMissing,
			"The language model %s is not on the Ollama server", model)
	case saysMemory(msg):
		return audit.Wrap(cause(ErrMemory, err), audit.CodeMemory,
			"There is not enough memory for the language model %s; close other programs or choose a smaller model", model)
	case strings.Contains(msg, "exceeds the context") || strings.Contains(msg, "exceeds maximum context"):
		return audit.Wrap(cause(ErrTooLong, err), audit.CodeModel, "The text is too long for the language model %s", model)
	case lostServer(err):
		return audit.Wrap(cause(ErrServer, err), audit.CodeModel, "The Ollama server stopped while it was asked")
	}
	return audit.Wrap(cause(ErrServer, err), audit.CodeModel, "The Ollama server reported an error")
}

// saysMemory recognises how Ollama and the kernel say that memory ran out. A
// killed runner is nearly always the kernel's doing, for memory's sake.
func saysMemory(msg string) bool {
	for _, s := range []string{
		"requires more system memory", "out of memory", "signal: killed", "cannot allocate",
		"failed to allocate", "unable to allocate", "insufficient memory",
	} {
		if strings.Contains(msg, s) {
			return true
		}
	}
	return false
}

// lostServer recognises a connection that was refused or broke.
func lostServer(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED)
}

// errDeadline is the cause of a context that ended by a call's own deadline,
// not by the caller's.
var errDeadline = errors.New("deadline of the call")
