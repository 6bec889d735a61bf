package models_test

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"veristream/models"
)

// TestShippedManifest holds the manifest to what the rest of the program and
// its papers say about it.
func TestShippedManifest(t *testing.T) {
	m := shipped(t)
	kinds := map[models.Kind]bool{}
	for _, model := range m.Defaults() {
		kinds[model.Kind] = true
	}
	if len(kinds) < 4 || len(m.Defaults()) != len(kinds) {
		t.Errorf("a first set-up needs one model of each kind, has %d models of %d kinds", len(m.Defaults()), len(kinds))
	}
	digests := map[string]string{
		"whisper-base":       "af68f668f57fbbd9f1e4ddc5dcf1d964a33cb80e42ae3be231328ad0ed93e13f",
		"whisper-tiny.en":    "e07b0a4bf90e894ef67e69af4542f557cc9150b0727f49524294cda3e647e4e0",
		"qwen2.5-coder-1.5b": "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
		"qwen2.5-coder-0.5b": "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
	}
	for name, want := range digests {
		model, err := m.Find(name)
		if err != nil {
			t.Error(err)
			continue
		}
		last := model.Sources[len(model.Sources)-1]
		got := last.Files[0].SHA256
		if got == "" {
			got = model.SHA256
		}
		if got != want {
			t.Errorf("%s: package source has digest %s", name, got)
		}
		if model.Sources[0].Type != models.SourceHTTP {
			t.Errorf("%s: the publisher does not come first", name)
		}
	}
	for _, model := range m.Models {
		for _, src := range model.Sources {
			for _, f := range src.Files {
				if f.Path == "" {
					continue
				}
				data, err := fs.ReadFile(models.Embedded(), f.Path)
				if err != nil {
					t.Error(err)
					continue
				}
				for _, want := range model.Files {
					if want.Name == f.Name && (want.SHA256 != digest(data) || want.Size != int64(len(data))) {
						t.Errorf("%s: %s in the binary is not the file that the manifest names", model.Name, f.Path)
					}
				}
			}
		}
	}
}

func TestParseRefuses(t *testing.T) {
	good := func() *models.Manifest { return oneFile([]byte("x"), from("https://models.invalid/m")) }
	tests := []struct {
		name    string
		spoil   func(m *models.Manifest)
		message string
	}{
		{"nothing", func(*models.Manifest) {}, ""},
		{"schema", func(m *models.Manifest) { m.Schema = 2 }, "schema 2"},
		{"twice", func(m *models.Manifest) { m.Models = append(m.Models, m.Models[0]) }, "listed twice"},
		{"name", func(m *models.Manifest) { m.Models[0].Name = "../m" }, "name may only have"},
		{"kind", func(m *models.Manifest) { m.Models[0].Kind = "cat" }, "kind"},
		{"licence", func(m *models.Manifest) { m.Models[0].Licence = "" }, "licence"},
		{"digest", func(m *models.Manifest) { m.Models[0].SHA256 = "abc" }, "SHA-256 of m.bin is missing"},
		{"path for a file", func(m *models.Manifest) {
			m.Models[0].File, m.Models[0].Sources[0].Files[0].Name = "a/b", "a/b"
		}, "plain file name"},
		{"no source", func(m *models.Manifest) { m.Models[0].Sources = nil }, "no source"},
		{"url", func(m *models.Manifest) { m.Models[0].Sources[0].Files[0].URL = "file:///etc/passwd" }, "not a URL"},
		{"option as a package", func(m *models.Manifest) {
			m.Models[0].Sources = []models.Source{parts("--index-url")}
		}, "incomplete"},
		{"type", func(m *models.Manifest) { m.Models[0].Sources[0].Type = "ftp" }, "not known"},
		{"file from nowhere", func(m *models.Manifest) { m.Models[0].Sources[0].Files[0].URL = "" }, "comes from nowhere"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := good()
			tt.spoil(m)
			data, err := json.Marshal(m)
			if err != nil {
				t.Fatal(err)
			}
			_, err = models.Parse(data)
			if tt.message == "" && err != nil || tt.message != "" && (err == nil || !strings.Contains(err.Error(), tt.message)) {
				t.Errorf("error %v, want one with %q", err, tt.message)
			}
		})
	}
	if _, err := models.Parse([]byte(`{"schema":1,"modells":[]}`)); err == nil {
		t.Error("a misspelt key was accepted")
	}
}
