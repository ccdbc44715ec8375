//go:build unix && !linux

package platform

import "syscall"

// killWithParent does nothing: macOS cannot kill a child when its parent ends.
func killWithParent(*syscall.SysProcAttr) {}
