package pgtest

import "os"

// bootID returns what is another value after each start of the machine.
func bootID() ([]byte, error) { return os.ReadFile("/proc/sys/kernel/random/boot_id") }
