//go:build unix && !linux

package platform

import "syscall"

// killWithParent does nothing: outside Linux no kernel ends a child with its parent.
func killWithParent(*syscall.SysProcAttr) {}
