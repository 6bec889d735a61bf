package serve

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"veristream/backend/audit"
)

// traced makes a span of each request, named after its route. An address that is
// no route of ours is not told: it may hold anything.
func (s *server) traced(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, span := s.opts.Tracer.Start(r.Context(), "request", trace.WithSpanKind(trace.SpanKindServer), trace.WithNewRoot())
		defer span.End()
		r = r.WithContext(ctx)
		rec := &recorder{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(rec, r)
		if r.Pattern != "" {
			span.SetName(r.Pattern)
			span.SetAttributes(attribute.String("http.route", r.Pattern))
		}
		span.SetAttributes(attribute.Int("http.response.status_code", rec.status))
		if rec.status >= http.StatusInternalServerError {
			span.SetStatus(codes.Error, http.StatusText(rec.status))
		}
	})
}

// recorder keeps the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Unwrap lets a response controller flush.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// step runs a part of a request in a span of its own. Of an error its code is
// told: its sentence may hold words of the question.
func (s *server) step(ctx context.Context, name string, do func(ctx context.Context) error) error {
	ctx, span := s.opts.Tracer.Start(ctx, name)
	defer span.End()
	err := do(ctx)
	if err != nil {
		span.SetStatus(codes.Error, string(audit.CodeOf(err)))
	}
	return err
}
