// Package doctor looks at this computer and says, for each part that an audit
// uses, which version is there or what to run to get it. It starts nothing and
// changes nothing.
package doctor

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"veristream/app/dirs"
	"veristream/app/weights"
	"veristream/backend/audit"
	"veristream/backend/llm"
	"veristream/backend/proc"
	"veristream/models"
)

// State says how a part is.
type State string

// The states. Only what is needed can be missing: the program does without the
// rest, and the check says what is lost.
const (
	OK      State = "ok"
	Warning State = "warning"
	Missing State = "missing"
)

// Check is what was found of one part.
type Check struct {
	Name    string `json:"name"`
	State   State  `json:"state"`
	Version string `json:"version,omitempty"`
	Detail  string `json:"detail,omitempty"`
	Fix     string `json:"fix,omitempty"` // what to run
	// Said is the detail for other languages.
	Said audit.Message `json:"-"`
}

// say gives the check its detail.
func (c *Check) say(format string, args ...any) {
	c.Detail, c.Said = fmt.Sprintf(format, args...), audit.Formed(format, args...)
}

// clear takes detail and fix away: there is nothing to say.
func (c *Check) clear() { c.Detail, c.Said, c.Fix = "", audit.Message{}, "" }

// Ready reports whether nothing that is needed is missing.
func Ready(checks []Check) bool {
	for _, c := range checks {
		if c.State == Missing {
			return false
		}
	}
	return true
}

// toolTimeout is how long a tool may take to tell its version.
const toolTimeout = 5 * time.Second

// Doctor looks at one user's computer.
type Doctor struct {
	dirs   dirs.Dirs
	store  *models.Store
	fixes  fixes
	root   string // of the file system, for tests
	server llm.ServerOptions
}

// New prepares a look at this user's computer.
func New(d dirs.Dirs) (*Doctor, error) {
	store, err := weights.Open(d)
	if err != nil {
		return nil, err
	}
	return &Doctor{
		dirs: d, store: store, root: "/", fixes: fixesFor(readFile("/etc/os-release")),
		server: weights.Server(d),
	}, nil
}

// Inspect makes all checks.
func (d *Doctor) Inspect(ctx context.Context) []Check {
	return []Check{
		d.tool(ctx, "ffmpeg", true, "reads video and sound", "-version"),
		d.tool(ctx, "ffprobe", true, "looks into files", "-version"),
		d.ytdlp(ctx),
		d.model("speech model", models.KindWhisper, "whisper-base"),
		d.onnxruntime(),
		d.model("embedder", models.KindEmbedder, "regulation-embedder"),
		d.model("reranker", models.KindReranker, "regulation-reranker"),
		d.ollama(ctx),
		d.languageModel(ctx),
		d.tesseract(ctx),
		d.tool(ctx, "pdftotext", false, "reads rule texts and documents in PDF", "-v"),
		d.codecs(ctx),
		d.disk(),
		d.memory(),
	}
}

var versionRE = regexp.MustCompile(`\d+(\.\d+)+[-+.\w]*|\b[nN]-\d+\S*`)

// tool checks a program on the PATH.
func (d *Doctor) tool(ctx context.Context, name string, needed bool, use string, args ...string) Check {
	c := Check{Name: name, Fix: d.fixes.install(name)}
	c.Detail, c.Said = use, audit.Message{Key: use}
	path, err := exec.LookPath(name)
	if err != nil {
		c.State = absent(needed)
		return c
	}
	return d.run(ctx, c, needed, path, args...)
}

// run asks a program for its version.
func (d *Doctor) run(ctx context.Context, c Check, needed bool, path string, args ...string) Check {
	ctx, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	out, stderr, err := proc.Run(proc.Command(ctx, path, args...))
	if err != nil {
		c.State = absent(needed)
		c.say("%s does not run: %s", path, firstLine(stderr, err.Error()))
		return c
	}
	text := string(out) + stderr
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if c.Version = versionRE.FindString(line); c.Version == "" {
		c.Version = versionRE.FindString(text)
	}
	c.State, c.Fix = OK, ""
	return c
}

// ytdlp tells of the one that fetching uses.
func (d *Doctor) ytdlp(ctx context.Context) Check {
	c := Check{Name: "yt-dlp", Fix: d.fixes.install("yt-dlp")}
	c.say("opens addresses; files need it not")
	path := d.dirs.YTDLP()
	if path == "" {
		c.State = Warning
		return c
	}
	return d.run(ctx, c, false, path, "--version")
}

func (d *Doctor) tesseract(ctx context.Context) Check {
	c := d.tool(ctx, "tesseract", false, "reads text on the screen", "--version")
	if c.State != OK {
		return c
	}
	lctx, cancel := context.WithTimeout(ctx, toolTimeout)
	defer cancel()
	out, stderr, err := proc.Run(proc.Command(lctx, "tesseract", "--list-langs"))
	if err != nil || !strings.Contains("\n"+string(out)+stderr+"\n", "\neng\n") {
		c.State, c.Fix = Warning, d.fixes.install("tesseract-eng")
		c.say("the language eng is not installed")
	}
	return c
}

func absent(needed bool) State {
	if needed {
		return Missing
	}
	return Warning
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func readFile(path string) string {
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(data)
}

func firstLine(texts ...string) string {
	for _, t := range texts {
		if line, _, _ := strings.Cut(strings.TrimSpace(t), "\n"); line != "" {
			return line
		}
	}
	return "no output"
}
