package serve

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/exporters/stdout/stdouttrace"
	"go.opentelemetry.io/otel/sdk/resource"
	sdk "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"veristream/backend/audit"
)

// Traces are what the server tells of its requests (OpenTelemetry): how long
// each took and what came of it, never what was asked. They go into a file or to
// a collector on this computer, and nowhere else.
type Traces struct {
	provider *sdk.TracerProvider
	file     *os.File // nil: they go to a collector
}

const (
	serviceName   = "veristream"
	collectorPath = "/v1/traces" // OTLP/HTTP, where the address names no other
	sendPatience  = 5 * time.Second
	endPatience   = 5 * time.Second
)

// OpenTraces opens traces: to is a file, to which they are added as JSON, or the
// http address of a collector, which must be a loopback one. complain is told of
// what could not be sent, the first time.
func OpenTraces(ctx context.Context, to, version string, complain func(error)) (*Traces, error) {
	t := &Traces{}
	exporter, err := t.exporter(ctx, to)
	if err != nil {
		return nil, err
	}
	var once sync.Once
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { once.Do(func() { complain(err) }) }))
	// The resource names the program, not the computer; what the user says of it in
	// OTEL_RESOURCE_ATTRIBUTES the library adds.
	t.provider = sdk.NewTracerProvider(
		sdk.WithBatcher(exporter), sdk.WithSampler(sdk.AlwaysSample()),
		sdk.WithResource(resource.NewSchemaless(attribute.String("service.name", serviceName), attribute.String("service.version", version))),
	)
	return t, nil
}

func (t *Traces) exporter(ctx context.Context, to string) (sdk.SpanExporter, error) {
	if strings.Contains(to, "://") {
		u, err := collector(to)
		if err != nil {
			return nil, err
		}
		e, err := otlptracehttp.New(ctx, otlptracehttp.WithEndpoint(u.Host), otlptracehttp.WithURLPath(u.Path), otlptracehttp.WithInsecure(),
			otlptracehttp.WithHeaders(map[string]string{}), otlptracehttp.WithHTTPClient(loopbackClient()))
		if err != nil {
			return nil, fmt.Errorf("open the collector: %w", err)
		}
		return e, nil
	}
	f, err := os.OpenFile(to, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, audit.Wrap(err, audit.CodeInput, "The file %s for traces cannot be written to.", to)
	}
	t.file = f
	e, err := stdouttrace.New(stdouttrace.WithWriter(f))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the traces: %w", err), f.Close())
	}
	return e, nil
}

// collector reads the address of a collector and refuses one that is not on
// this computer.
func collector(to string) (*url.URL, error) {
	u, err := url.Parse(to)
	if err != nil || u.Scheme != "http" || u.Host == "" || u.User != nil || u.RawQuery != "" {
		return nil, audit.Errorf(audit.CodeUsage, "%q is not the address of a collector, such as http://127.0.0.1:4318.", to)
	}
	if u.Hostname() == "localhost" { // whatever the computer's own list of names says
		u.Host = net.JoinHostPort("127.0.0.1", port(u))
	}
	if ip := net.ParseIP(u.Hostname()); ip == nil || !ip.IsLoopback() {
		return nil, audit.Errorf(audit.CodeUsage, "Traces stay on this computer; %s is not a loopback address.", u.Hostname())
	}
	u.Host = net.JoinHostPort(u.Hostname(), port(u))
	if u.Path == "" || u.Path == "/" {
		u.Path = collectorPath
	}
	return u, nil
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	return "4318"
}

// loopbackClient reaches this computer and nothing else: by no proxy, and not by
// following where a collector sends it.
func loopbackClient() *http.Client {
	return &http.Client{
		Timeout:       sendPatience,
		Transport:     &http.Transport{DialContext: dialLoopback, MaxIdleConns: 1, IdleConnTimeout: time.Minute},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func dialLoopback(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("%s is not a loopback address", addr)
	}
	return (&net.Dialer{}).DialContext(ctx, network, addr)
}

// Tracer gives what spans are begun with.
func (t *Traces) Tracer() trace.Tracer { return t.provider.Tracer(serviceName) }

// Close writes what is not written yet.
func (t *Traces) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), endPatience)
	defer cancel()
	err := t.provider.Shutdown(ctx)
	if t.file != nil {
		err = errors.Join(err, t.file.Close())
	}
	if err != nil {
		return audit.Wrap(err, audit.CodeInput, "The last traces could not be written.")
	}
	return nil
}
