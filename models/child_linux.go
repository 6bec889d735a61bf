package models

import "syscall"

// childAttr puts a client into a process group of its own, so that it can be
// stopped with its children, and ends it with the thread that started it.
func childAttr() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
