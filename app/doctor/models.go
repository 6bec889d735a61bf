package doctor

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"

	"veristream/backend/infer"
	"veristream/backend/llm"
	"veristream/models"
)

// model checks that a model of a kind is installed; usual is the one to fetch.
func (d *Doctor) model(part string, kind models.Kind, usual string) Check {
	c := Check{Name: part, State: Missing, Fix: "veristream models pull " + usual}
	c.say("not installed")
	all, err := d.store.List()
	if err != nil {
		c.say("the list of models cannot be read: %s", err)
		return c
	}
	var names []string
	damaged := ""
	for _, st := range all {
		if st.Kind != kind {
			continue
		}
		switch st.State {
		case models.StateInstalled, models.StateUnverified:
			names = append(names, st.Name)
		case models.StateBuiltIn:
			names = append(names, st.Name+" (inside the program)")
		case models.StateDamaged:
			damaged = st.Name
		}
	}
	switch {
	case len(names) > 0 && damaged != "":
		c.State, c.Version, c.Fix = Warning, strings.Join(names, ", "), "veristream models verify"
		c.say(fileDamaged, damaged)
	case len(names) > 0:
		c.State, c.Version = OK, strings.Join(names, ", ")
		c.clear()
	case damaged != "":
		c.say(fileDamaged, damaged)
	}
	return c
}

const fileDamaged = "the file of %s is damaged"

var libraryVersion = regexp.MustCompile(`\d+(\.\d+)+`)

// onnxruntime looks for the library that runs embedder and reranker.
func (d *Doctor) onnxruntime() Check {
	c := Check{Name: "ONNX Runtime", State: Missing, Fix: "build/setup"}
	c.say("runs embedder and reranker")
	if found := d.dirs.Native(infer.LibraryName); len(found) > 0 {
		c.State, c.Fix = OK, ""
		c.say("%s", found[0])
		// The library tells no version; the folder of the set-up has it.
		if real, err := filepath.EvalSymlinks(found[0]); err == nil {
			c.Version = libraryVersion.FindString(filepath.Base(real))
			if folder := filepath.Base(filepath.Dir(filepath.Dir(real))); c.Version == "" {
				c.Version = libraryVersion.FindString(folder)
			}
		}
	}
	return c
}

// ollama asks a server that runs; else it looks for a program to start.
func (d *Doctor) ollama(ctx context.Context) Check {
	c := Check{Name: "Ollama", Fix: d.fixes.install("ollama")}
	c.say("runs the language model; without it findings are not judged")
	running := llm.NewServer(llm.ServerOptions{Host: d.server.Host}) // no binaries: it starts nothing
	defer func() { _ = running.Close() }()
	st, err := running.State(ctx)
	if err == nil {
		c.State, c.Version, c.Fix = OK, st.Version, ""
		c.say("running at %s", st.Address)
		return c
	}
	for _, binary := range d.server.Binaries {
		if !exists(binary) {
			continue
		}
		if c = d.run(ctx, c, true, binary, "--version"); c.State == OK {
			c.say("not running; started from %s when needed", binary)
		}
		return c
	}
	c.State = Missing
	return c
}

// languageModel looks for a file of ours, then asks the user's own server.
func (d *Doctor) languageModel(ctx context.Context) Check {
	c := d.model("language model", models.KindLLM, "qwen2.5-coder-1.5b")
	if c.State != Missing {
		return c
	}
	running := llm.NewServer(llm.ServerOptions{Host: d.server.Host})
	defer func() { _ = running.Close() }()
	for _, m := range d.store.Manifest().Models {
		if ref := m.OllamaRef(); ref != "" {
			if has, err := running.Has(ctx, ref); err == nil && has {
				c.State, c.Version, c.Fix = OK, m.Name, ""
				c.say("kept by Ollama as %s", ref)
			}
		}
	}
	return c
}
