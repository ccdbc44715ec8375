// Package platform holds the code that differs between operating systems: locks on files, the free space of a disk, and
// child processes. Outside tests, no other package depends on the operating system.
package platform

import "errors"

// ErrLocked means that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("the file is locked")
