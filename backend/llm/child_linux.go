package llm

import (
	"os/exec"
	"syscall"
)

// gentleDeath has the kernel ask the server to end when we die. Killed
// outright, it would leave its runner processes behind.
func gentleDeath(cmd *exec.Cmd) { cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM }

func terminate(cmd *exec.Cmd) { _ = syscall.Kill(cmd.Process.Pid, syscall.SIGTERM) }

// killGroup ends the runners of a server that has ended itself; the group
// still has the server's number.
func killGroup(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
