package app

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"veristream/backend/audit"
)

// The events of the set-up.
const (
	EventDownloads = "downloads" // []Download: all of them, as they stand
	EventModels    = "models"    // nothing: models have come, gone, or are used for something else
)

// Equipment is what the program works with: models, the server of language
// models, and the computer's own means.
type Equipment interface {
	Machine(ctx context.Context) (Machine, error)
	Models(ctx context.Context) ([]Model, error)
	PullModel(ctx context.Context, name string, tell func(ModelProgress)) error
	ImportModel(ctx context.Context, path string, tell func(ModelProgress)) (name string, err error)
	RemoveModel(ctx context.Context, name string) error
	// UseModel takes a model for its kind of work; an empty name leaves the
	// choice to the program.
	UseModel(ctx context.Context, kind, name string) error
	Ollama(ctx context.Context) (Ollama, error)
	// TryModel asks the language model one small thing. It starts the server
	// where none runs.
	TryModel(ctx context.Context) (Trial, error)
	// Demo gives a small input that needs no model, and its facts.
	Demo(ctx context.Context) (NewAudit, error)
}

// Machine is what this computer has.
type Machine struct {
	Memory     int64 `json:"memory"` // bytes; 0: not known
	FreeMemory int64 `json:"free_memory"`
	FreeDisk   int64 `json:"free_disk"`
	Cores      int   `json:"cores"`
}

// Fit says whether a model fits into this computer's memory.
type Fit string

// How a model fits.
const (
	FitsWell  Fit = "well"
	FitsTight Fit = "tight" // beside little else
	FitsNot   Fit = "not"
)

// Model is a model that is installed or can be.
type Model struct {
	Name        string `json:"name"`
	Kind        string `json:"kind"`  // whisper, ocr, embedder, reranker, screener, llm
	State       string `json:"state"` // installed, built-in, unverified, partial, damaged, missing, ollama
	Description string `json:"description,omitempty"`
	Licence     string `json:"licence,omitempty"`
	Size        int64  `json:"size"`
	Memory      int64  `json:"memory"`
	SHA256      string `json:"sha256,omitempty"`
	Source      string `json:"source,omitempty"`
	Default     bool   `json:"default"`
	User        bool   `json:"user"`   // imported
	Used        bool   `json:"used"`   // for its kind of work, from the next audit on
	Chosen      bool   `json:"chosen"` // by the user
	Fits        Fit    `json:"fits"`
}

// Here says whether a model can be used.
func (m Model) Here() bool {
	return slices.Contains([]string{"installed", "built-in", "unverified"}, m.State)
}

// ModelProgress tells how far a download or an import is.
type ModelProgress struct {
	Stage  string `json:"stage"` // waiting, download, unpack, convert, verify, copy, source, done
	Source string `json:"source,omitempty"`
	Done   int64  `json:"done"`
	Total  int64  `json:"total"`
	Rate   int64  `json:"rate"`    // bytes a second; 0: not known
	LeftMS int64  `json:"left_ms"` // 0: not known
}

// DownloadState is how far a download is.
type DownloadState string

// The states of a download.
const (
	DownloadWaits  DownloadState = "waits"
	DownloadRuns   DownloadState = "runs"
	DownloadPaused DownloadState = "paused"
	DownloadDone   DownloadState = "done"
	DownloadFailed DownloadState = "failed"
)

// Download is a model on its way.
type Download struct {
	Name     string        `json:"name"`
	State    DownloadState `json:"state"`
	Progress ModelProgress `json:"progress"`
	Problem  *Problem      `json:"problem,omitempty"`
}

// Setup is what the set-up page shows.
type Setup struct {
	Machine   Machine    `json:"machine"`
	Models    []Model    `json:"models"`
	Downloads []Download `json:"downloads"`
	// Ready says that speech can be written down and claims can be judged.
	Ready bool `json:"ready"`
	// Wanted says that the page is to be shown of itself: there is something to
	// set up, and nobody has left the page for good.
	Wanted bool `json:"wanted"`
}

// Ollama is the server of language models.
type Ollama struct {
	State   string        `json:"state"` // running: it answers; managed: started by us when needed; missing
	Address string        `json:"address,omitempty"`
	Version string        `json:"version,omitempty"`
	Binary  string        `json:"binary,omitempty"`
	Models  []OllamaModel `json:"models"`
	Detail  string        `json:"detail,omitempty"`
	Fix     string        `json:"fix,omitempty"`
}

// OllamaModel is a model that the server keeps.
type OllamaModel struct {
	Ref     string `json:"ref"`
	Size    int64  `json:"size"`
	Details string `json:"details,omitempty"`
	Ours    bool   `json:"ours"` // registered from a file of ours
	Used    bool   `json:"used"`
}

// Trial is what came of asking the language model.
type Trial struct {
	Model string  `json:"model"`
	Reply string  `json:"reply"`
	MS    int64   `json:"ms"`
	Rate  float64 `json:"rate"` // tokens a second; 0: not known
}

// SetupService sets this computer up: it looks at it, brings models and tries
// them.
type SetupService struct {
	ctx       context.Context
	equipment Equipment
	archive   Archive
	prefs     *prefs
	shell     Shell
	runs      *runs
	downloads *downloads

	mu   sync.Mutex
	busy bool // an import runs
}

// State gives everything that the set-up page shows.
func (s *SetupService) State() (Setup, error) {
	out := Setup{Models: []Model{}, Downloads: s.downloads.list(), Ready: true}
	if s.equipment == nil {
		return out, nil
	}
	var err error
	if out.Machine, err = s.equipment.Machine(s.ctx); err != nil {
		return out, fmt.Errorf("look at this computer: %w", err)
	}
	list, err := s.equipment.Models(s.ctx)
	if err != nil {
		return out, fmt.Errorf("list the models: %w", err)
	}
	for _, m := range list {
		m.Fits = fit(out.Machine, m)
		out.Models = append(out.Models, m)
	}
	out.Ready = ready(out.Models)
	set, err := loadSettings(s.prefs)
	if err != nil {
		return out, err
	}
	out.Wanted = !set.SetUp && !out.Ready && !s.hasAudits()
	return out, nil
}

// hasAudits says whether work was done here before: then nobody is led to the
// set-up page unasked.
func (s *SetupService) hasAudits() bool {
	rows, err := s.archive.Audits(s.ctx)
	return err != nil || len(rows) > 0
}

// ready says whether there is a model to hear with and one to judge with.
func ready(list []Model) bool {
	has := map[string]bool{}
	for _, m := range list {
		has[m.Kind] = has[m.Kind] || m.Here() || m.Used
	}
	return has["whisper"] && has["llm"]
}

// besides is what the rest of the program and of the computer need beside a
// model; more than that again is called room.
const (
	besides = 1_500_000_000
	room    = 2_000_000_000
)

func fit(c Machine, m Model) Fit {
	switch need := m.Memory + besides; {
	case c.Memory == 0 || need+room <= c.Memory:
		return FitsWell
	case need <= c.Memory:
		return FitsTight
	}
	return FitsNot
}

// Downloads gives what is on its way.
func (s *SetupService) Downloads() []Download { return s.downloads.list() }

// Pull brings models, one after the other, also when the page is left; after a
// restart it goes on.
func (s *SetupService) Pull(names []string) error {
	if s.equipment == nil {
		return audit.Errorf(audit.CodeUsage, "This build brings no models.")
	}
	return s.downloads.add(names)
}

// Pause stops a download; what has come stays.
func (s *SetupService) Pause(name string) error { return s.downloads.pause(name) }

// Forget takes a download off the list; what has come stays.
func (s *SetupService) Forget(name string) error { return s.downloads.forget(name) }

// ChooseModel asks the user for the file of a model.
func (s *SetupService) ChooseModel(title string) (string, error) {
	paths, err := s.shell.OpenFiles(title, FilesModels)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	return paths[0], nil
}

// Import copies a model of the user's into the models folder and gives its name.
func (s *SetupService) Import(path string) (string, error) {
	if s.equipment == nil {
		return "", audit.Errorf(audit.CodeUsage, "This build takes no models.")
	}
	s.mu.Lock()
	if s.busy {
		s.mu.Unlock()
		return "", audit.Errorf(audit.CodeUsage, "A model is being imported; wait for its end.")
	}
	s.busy = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.busy = false
		s.mu.Unlock()
	}()
	name, err := s.equipment.ImportModel(s.ctx, strings.TrimSpace(path), func(ModelProgress) {})
	if err != nil {
		return "", fmt.Errorf("import a model: %w", err)
	}
	s.shell.Emit(EventModels, nil)
	return name, nil
}

// Remove deletes the files of a model.
func (s *SetupService) Remove(name string) error {
	if s.equipment == nil || s.downloads.running(name) {
		return audit.Errorf(audit.CodeUsage, "%s is being downloaded; stop that first.", name)
	}
	if err := s.equipment.RemoveModel(s.ctx, name); err != nil {
		return fmt.Errorf("remove the model %s: %w", name, err)
	}
	s.shell.Emit(EventModels, nil)
	return nil
}

// Use takes a model for its kind of work, from the next audit on; an empty name
// leaves the choice to the program.
func (s *SetupService) Use(kind, name string) error {
	if s.equipment == nil {
		return audit.Errorf(audit.CodeUsage, "There is no model to choose.")
	}
	if err := s.equipment.UseModel(s.ctx, kind, name); err != nil {
		return fmt.Errorf("use the model %s: %w", name, err)
	}
	s.shell.Emit(EventModels, nil)
	return nil
}

// Ollama says where the language model runs and what is kept there.
func (s *SetupService) Ollama() (Ollama, error) {
	if s.equipment == nil {
		return Ollama{State: "missing", Models: []OllamaModel{}}, nil
	}
	o, err := s.equipment.Ollama(s.ctx)
	if err != nil {
		return o, fmt.Errorf("look for Ollama: %w", err)
	}
	o.Models = append([]OllamaModel{}, o.Models...)
	return o, nil
}

// trialTime is how long a model may take to be loaded and to answer.
const trialTime = 3 * time.Minute

// Try asks the language model one small thing.
func (s *SetupService) Try() (Trial, error) {
	if s.equipment == nil {
		return Trial{}, audit.Errorf(audit.CodeUsage, "There is no language model to try.")
	}
	ctx, cancel := context.WithTimeout(s.ctx, trialTime)
	defer cancel()
	t, err := s.equipment.TryModel(ctx)
	if err != nil {
		return t, fmt.Errorf("try the language model: %w", err)
	}
	return t, nil
}

// Demo starts an audit of the demo and gives the id of its run.
func (s *SetupService) Demo() (string, error) {
	if s.equipment == nil {
		return "", audit.Errorf(audit.CodeUsage, "This build has no demo.")
	}
	req, err := s.equipment.Demo(s.ctx)
	if err != nil {
		return "", fmt.Errorf("lay out the demo: %w", err)
	}
	id, err := s.runs.add(req)
	if err != nil {
		return "", fmt.Errorf("queue the demo: %w", err)
	}
	return id, nil
}
