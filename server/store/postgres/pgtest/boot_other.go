//go:build !linux

package pgtest

import "os/exec"

// bootID returns what is another value after each start of the machine.
func bootID() ([]byte, error) { return exec.Command("sysctl", "-n", "kern.boottime").Output() }
