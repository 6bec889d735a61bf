//go:build !linux

package llm

import (
	"os"
	"os/exec"
)

func gentleDeath(*exec.Cmd) {}

func terminate(cmd *exec.Cmd) { _ = cmd.Process.Signal(os.Interrupt) }

func killGroup(*exec.Cmd) {}
