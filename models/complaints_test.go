package models_test

import (
	"os"
	"path/filepath"
	"testing"

	"veristream/models"
)

// A half-downloaded model offered as usable: neither what a download that was cut
// off left, nor half a file where the whole one belongs, counts as installed.
func TestHalfDownloadedModelIsNotUsable(t *testing.T) {
	content := blob(1000, 1)
	for name, lay := range map[string]func(s *models.Store) error{
		"half a file in its place": func(s *models.Store) error {
			if err := os.MkdirAll(filepath.Join(s.Dir, "m"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(s.Dir, "m", "m.bin"), content[:500], 0o600)
		},
		"as long as the whole one, and wrong": func(s *models.Store) error {
			if err := os.MkdirAll(filepath.Join(s.Dir, "m"), 0o700); err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(s.Dir, "m", "m.bin"), append(content[:500:500], make([]byte, 500)...), 0o600)
		},
		"an installed one that was cut": func(s *models.Store) error {
			whole, _ := installed(t, content)
			*s = *whole
			return os.Truncate(filepath.Join(s.Dir, "m", "m.bin"), 500)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStore(t, oneFile(content, from("http://127.0.0.1:1/")))
			if err := lay(s); err != nil {
				t.Fatal(err)
			}
			if st := state(t, s); st == models.StateInstalled {
				t.Errorf("its state is %s", st)
			}
			if in, err := s.Get(t.Context(), "m"); err == nil {
				t.Errorf("it is given out: %+v", in)
			}
		})
	}
}
