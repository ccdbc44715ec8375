//go:build unix && !linux

package platform

import "syscall"

// killWithParent does nothing, because only Linux can kill a child when its parent ends.
func killWithParent(*syscall.SysProcAttr) {}
