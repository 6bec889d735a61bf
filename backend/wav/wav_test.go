package wav_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"veristream/backend/wav"
)

func TestRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.wav")
	want := make([]int16, wav.Rate)
	for i := range want {
		want[i] = int16(i*7 - 30000)
	}
	if err := wav.Write(path, wav.Rate, want); err != nil {
		t.Fatal(err)
	}
	r, err := wav.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if r.DurationMS() != 1000 || r.Rate() != wav.Rate {
		t.Fatalf("got %d ms at %d Hz", r.DurationMS(), r.Rate())
	}
	got, err := r.ReadMS(250, 5000)
	if err != nil || !slices.Equal(got, want[4000:]) {
		t.Fatalf("got %d samples, %v", len(got), err)
	}
	if got, err := r.ReadMS(1000, 2000); err != nil || len(got) != 0 {
		t.Fatalf("behind the end: %d samples, %v", len(got), err)
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "text": "RIFF of another kind, long enough to read", "cut": "RIFF\x00\x00\x00\x00WAVEfmt ",
	} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := wav.Open(path); !errors.Is(err, wav.ErrFormat) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte("RIFF\x24\x00\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x80\x3e\x00\x00\x00\x7d\x00\x00\x02\x00\x10\x00data\x04\x00\x00\x00\x01\x00\x02\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		r, err := wav.Open(path)
		if err != nil {
			return
		}
		defer r.Close()
		if got, err := r.ReadMS(0, 1000); err != nil || int64(len(got)) > r.Samples() {
			t.Fatalf("%d samples of %d, %v", len(got), r.Samples(), err)
		}
	})
}
