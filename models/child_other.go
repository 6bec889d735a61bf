//go:build unix && !linux

package models

import "syscall"

// childAttr puts a client into a process group of its own, so that it can be
// stopped with its children.
func childAttr() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
