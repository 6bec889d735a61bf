// Package dirs says where VeriStream keeps its files. VERISTREAM_HOME moves
// all of them into one folder; otherwise the XDG base directories hold them.
package dirs

import (
	"os"
	"os/exec"
	"path/filepath"

	"github.com/adrg/xdg"

	"veristream/backend/audit"
)

// Dirs are the folders of one user's VeriStream.
type Dirs struct {
	Data   string // the database, the models, the user's rules
	Cache  string // what can be made again: sound, frames, proxies, native parts
	Config string // settings that a person may edit
	State  string // logs
}

// Find gives the folders for this user; it makes none of them.
func Find() Dirs {
	if home := os.Getenv("VERISTREAM_HOME"); home != "" {
		return Dirs{
			Data:   filepath.Join(home, "data"),
			Cache:  filepath.Join(home, "cache"),
			Config: filepath.Join(home, "config"),
			State:  filepath.Join(home, "state"),
		}
	}
	xdg.Reload() // tests change the environment
	return Dirs{
		Data:   filepath.Join(xdg.DataHome, "veristream"),
		Cache:  filepath.Join(xdg.CacheHome, "veristream"),
		Config: filepath.Join(xdg.ConfigHome, "veristream"),
		State:  filepath.Join(xdg.StateHome, "veristream"),
	}
}

// Database is the path of the SQLite file.
func (d Dirs) Database() string { return filepath.Join(d.Data, "veristream.db") }

// Models is the folder of the models.
func (d Dirs) Models() string { return filepath.Join(d.Data, "models") }

// HouseRules is the folder of the user's own rule cards.
func (d Dirs) HouseRules() string { return filepath.Join(d.Config, "rules") }

// LLM is the folder in which a server that we start keeps its models.
func (d Dirs) LLM() string { return filepath.Join(d.Data, "ollama") }

// Tools is the folder of tools that the user lets us install (yt-dlp).
func (d Dirs) Tools() string { return filepath.Join(d.Data, "tools") }

// YTDLP is the program that brings videos from sites: the one in the tools'
// folder, that of the set-up, or the one on the PATH, which distributions let
// grow old; empty where there is none.
func (d Dirs) YTDLP() string {
	own := filepath.Join(d.Tools(), "yt-dlp")
	if st, err := os.Stat(own); err == nil && !st.IsDir() {
		return own
	}
	if built := d.Native("yt-dlp"); len(built) > 0 {
		return built[0]
	}
	if path, err := exec.LookPath("yt-dlp"); err == nil {
		return path
	}
	return ""
}

// Running is the folder of the locks of audits that are running.
func (d Dirs) Running() string { return filepath.Join(d.Data, "running") }

// Fetched is the folder of one video that came from an address.
func (d Dirs) Fetched(key string) string { return filepath.Join(d.Cache, "fetched", key) }

// Work is the folder for one video's intermediate files.
func (d Dirs) Work(sha256 string) string { return filepath.Join(d.Cache, "work", sha256) }

// Native gives the folders in which a native part may lie, the nearest first:
// beside the executable, then where the set-up builds it.
func (d Dirs) Native(pattern string) []string {
	var out []string
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(exe), "lib", pattern))
		out = append(out, beside...)
	}
	for _, root := range nativeRoots() {
		found, _ := filepath.Glob(filepath.Join(root, "native", "*", "lib", pattern))
		out = append(out, found...)
		found, _ = filepath.Glob(filepath.Join(root, "native", "*", "bin", pattern))
		out = append(out, found...)
	}
	return out
}

// nativeRoots are the caches that the set-up fills. VERISTREAM_HOME does not
// move them: what it builds belongs to the machine and not to one user's data.
func nativeRoots() []string {
	var out []string
	if c := os.Getenv("VERISTREAM_CACHE"); c != "" {
		out = append(out, c)
	}
	return append(out, filepath.Join(xdg.CacheHome, "veristream"))
}

// Make makes the folders that a run writes to.
func (d Dirs) Make() error {
	for _, dir := range []string{d.Data, d.Cache, d.State} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return audit.Wrap(err, audit.CodeStorage, "The folder %s cannot be made; set VERISTREAM_HOME to a folder that can be written to.", dir)
		}
	}
	return nil
}
