//go:build !linux

package pgtest

import "os/exec"

// bootID returns a value that changes with each start of the machine.
func bootID() ([]byte, error) { return exec.Command("sysctl", "-n", "kern.boottime").Output() }
