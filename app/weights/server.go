package weights

import (
	"os"
	"os/exec"
	"path/filepath"

	"veristream/app/dirs"
	"veristream/backend/llm"
)

// Server says where this user's Ollama is: at OLLAMA_HOST if it answers there,
// else a program to start, the user's own before the one that the set-up built.
func Server(d dirs.Dirs) llm.ServerOptions {
	o := llm.ServerOptions{
		Host: os.Getenv("OLLAMA_HOST"), Dir: d.LLM(), LogFile: filepath.Join(d.State, "ollama.log"),
	}
	if own, err := exec.LookPath("ollama"); err == nil {
		o.Binaries = append(o.Binaries, own)
	}
	o.Binaries = append(o.Binaries, d.Native("ollama")...)
	return o
}
