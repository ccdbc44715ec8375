package pgtest

import "os"

// bootID returns a value that changes with each start of the machine.
func bootID() ([]byte, error) { return os.ReadFile("/proc/sys/kernel/random/boot_id") }
