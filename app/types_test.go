package app_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"
	"testing"
	"time"

	"veristream/app"
	"veristream/backend/ask"
	"veristream/backend/audit"
	"veristream/backend/pipeline"
)

var update = flag.Bool("update", false, "write the generated types of the front end")

const typesFile = "../frontend/src/lib/api/types.gen.ts"

// literals are the values of Go's string types: reflection cannot see them.
var literals = map[reflect.Type][]string{
	reflect.TypeFor[audit.Source]():   {"speech", "screen", "description"},
	reflect.TypeFor[audit.Severity](): {"high", "medium", "low"},
	reflect.TypeFor[audit.Status]():   {"confirmed", "needs_review"},
	reflect.TypeFor[audit.WhyNot]():   {"paragraph", "rule_text", "facts", "graver", "video", "joined", "readings", "place"},
	reflect.TypeFor[pipeline.State](): {"waits", "runs", "done", "skipped", "failed"},
	reflect.TypeFor[app.RunState]():   {"queued", "working", "done", "failed", "cancelled"},
	reflect.TypeFor[ask.Confidence](): {"high", "medium", "low"},

	reflect.TypeFor[app.FileKind]():      {"recordings", "texts", "documents", "models", "reports", "identities"},
	reflect.TypeFor[app.ApprovalWith]():  {"second", "own", "file"},
	reflect.TypeFor[app.AskMode]():       {"careful", "standard", "fast", "passages"},
	reflect.TypeFor[app.AskStep]():       {"reading", "searching", "answering"},
	reflect.TypeFor[app.Fit]():           {"well", "tight", "not"},
	reflect.TypeFor[app.DownloadState](): {"waits", "runs", "paused", "done", "failed"},
	reflect.TypeFor[app.ExchangeState](): {"working", "done", "failed", "cancelled"},
}

func init() {
	for _, s := range pipeline.Stages() {
		t := reflect.TypeFor[pipeline.Stage]()
		literals[t] = append(literals[t], string(s))
	}
}

// TestTypes holds the front end's types to those of Go:
// go test ./app -run TestTypes -update
func TestTypes(t *testing.T) {
	g := &generator{seen: map[reflect.Type]string{}}
	for _, s := range []any{&app.LibraryService{}, &app.AuditService{}, &app.BatchService{}, &app.StorageService{}, &app.ReviewService{}, &app.SettingsService{}, &app.AskService{}, &app.RulesService{}, &app.ImportService{}, &app.ReportService{}, &app.SetupService{}} {
		g.service(reflect.TypeOf(s))
	}
	for _, event := range []any{app.RunUpdate{}, app.Drop{}, app.Problem{}, app.Exchange{}, app.ImportProgress{}, app.Download{}} {
		g.name(reflect.TypeOf(event))
	}
	got := g.file()
	if *update {
		if err := os.WriteFile(typesFile, got, 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(typesFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s does not fit the services; run: go test ./app -run TestTypes -update", typesFile)
	}
}

type generator struct {
	seen     map[reflect.Type]string
	types    []string
	services []string
}

func (g *generator) file() []byte {
	sort.Strings(g.types)
	var b bytes.Buffer
	b.WriteString("// Generated from the Go services by `go test ./app -run TestTypes -update`. Do not edit.\n")
	for _, part := range append(g.types, g.services...) {
		b.WriteString("\n" + part)
	}
	return b.Bytes()
}

func (g *generator) service(t reflect.Type) {
	var b strings.Builder
	fmt.Fprintf(&b, "export interface %s {\n", t.Elem().Name())
	for i := range t.NumMethod() {
		m := t.Method(i)
		var args []string
		for a := 1; a < m.Type.NumIn(); a++ {
			args = append(args, fmt.Sprintf("a%d: %s", a, g.name(m.Type.In(a))))
		}
		result := "void"
		if m.Type.NumOut() > 0 && m.Type.Out(0) != reflect.TypeFor[error]() {
			result = g.name(m.Type.Out(0))
		}
		fmt.Fprintf(&b, "  %s(%s): Promise<%s>;\n", m.Name, strings.Join(args, ", "), result)
	}
	b.WriteString("}\n")
	g.services = append(g.services, b.String())
}

// name gives the TypeScript name of a Go type and describes it on first sight.
func (g *generator) name(t reflect.Type) string {
	if name, ok := g.seen[t]; ok {
		return name
	}
	switch {
	case t == reflect.TypeFor[time.Time]():
		return "string"
	case t == reflect.TypeFor[time.Duration]():
		return "number"
	case len(literals[t]) > 0:
		quoted := make([]string, len(literals[t]))
		for i, v := range literals[t] {
			quoted[i] = "'" + v + "'"
		}
		g.seen[t] = t.Name()
		text := fmt.Sprintf("export type %s = %s;\n", t.Name(), strings.Join(quoted, " | "))
		if len(text) > 101 {
			text = fmt.Sprintf("export type %s =\n  | %s;\n", t.Name(), strings.Join(quoted, "\n  | "))
		}
		g.types = append(g.types, text)
		return t.Name()
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.name(t.Elem())
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Slice:
		return g.name(t.Elem()) + "[]"
	case reflect.Map:
		return fmt.Sprintf("Record<string, %s>", g.name(t.Elem()))
	case reflect.Struct:
		return g.structure(t)
	case reflect.Int, reflect.Int64, reflect.Float32, reflect.Float64:
		return "number"
	}
	panic("no TypeScript for " + t.String())
}

func (g *generator) structure(t reflect.Type) string {
	name := t.Name()
	if t == reflect.TypeFor[audit.Run]() {
		name = "RunInfo" // app.Run is the window's
	}
	g.seen[t] = name
	var b strings.Builder
	fmt.Fprintf(&b, "export interface %s {\n", name)
	for i := range t.NumField() {
		f := t.Field(i)
		tag, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == "-" || !f.IsExported() {
			continue
		}
		optional := ""
		if strings.Contains(options, "omitempty") {
			optional = "?"
		}
		fmt.Fprintf(&b, "  %s%s: %s;\n", tag, optional, g.name(f.Type))
	}
	b.WriteString("}\n")
	g.types = append(g.types, b.String())
	return name
}
