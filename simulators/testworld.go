package simulators

import (
	"sync"

	"marquee/simulators/control"
)

// TB is the part of testing.TB that NewWorld needs.
type TB interface {
	// Helper marks the calling function as a test helper.
	Helper()
	// Cleanup registers a function that runs when the test ends.
	Cleanup(f func())
	// Fatalf reports a failure and ends the test.
	Fatalf(format string, args ...any)
}

// shared serves the worlds of all tests of a binary, until the process ends.
var shared = sync.OnceValues(func() (*Simulators, error) { return Start(Options{MaxWorlds: 10_000}) })

// NewWorld returns a world for one test, deleted when the test ends. At most one of options is used. All tests of a
// test binary share one port.
func NewWorld(t TB, options ...control.NewWorld) *World {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("start the simulators: %v", err)
	}
	var o control.NewWorld
	if len(options) > 0 {
		o = options[0]
	}
	w, err := s.NewWorld(o)
	if err != nil {
		t.Fatalf("make a world: %v", err)
	}
	t.Cleanup(w.Close)
	return w
}

// StartForTest starts simulators for one test, on separate ports. They end with the test. A test of one world needs
// only NewWorld.
func StartForTest(t TB) *Simulators {
	t.Helper()
	s, err := Start(Options{})
	if err != nil {
		t.Fatalf("start the simulators: %v", err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Fatalf("close the simulators: %v", err)
		}
	})
	return s
}
