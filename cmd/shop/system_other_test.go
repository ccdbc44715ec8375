//go:build !linux

package main

import (
	"errors"
	"os/exec"
)

// limitFiles fails: the tests of full disks need Linux.
func limitFiles(uint64) error { return errors.New("limits of files are set on Linux only") }

// withoutRights does nothing: the tests of rights run as a user who is not root.
func withoutRights(*exec.Cmd) {}
