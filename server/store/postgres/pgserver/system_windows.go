package pgserver

import (
	"errors"
	"io/fs"
	"os/exec"
	"syscall"
)

// Windows has no signal that stops a process. The code that uses these never runs: see supported.
const (
	sigStop     = syscall.SIGKILL
	sigContinue = syscall.SIGKILL
)

var supported = errors.New("postgres: a server is started on Linux and macOS only; " +
	"name one that runs elsewhere in MARQUEE_DB")

func asNobody() *syscall.SysProcAttr { return nil }

func ownedByThisUser(fs.FileInfo) bool { return true }

func detach(*exec.Cmd) {}
