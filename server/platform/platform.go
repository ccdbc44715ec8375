// Package platform holds what differs between operating systems: locks on files, the free space of a disk, and child
// processes. The rest of the tree names no operating system outside tests.
package platform

import "errors"

// ErrLocked means that another process, or another open file of this one, holds the lock.
var ErrLocked = errors.New("the file is locked")
