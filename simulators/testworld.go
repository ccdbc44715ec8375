package simulators

import "sync"

// TB is the part of testing.TB that NewWorld needs.
type TB interface {
	Helper()
	Cleanup(f func())
	Fatalf(format string, args ...any)
}

// shared serves the worlds of a test binary. It lives as long as the process.
var shared = sync.OnceValues(func() (*Simulators, error) { return Start(Options{MaxWorlds: 10_000}) })

// NewWorld gives a test a world of its own, which goes with the test. All tests of a binary share one port.
func NewWorld(t TB, options ...WorldOptions) *World {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatalf("start the simulators: %v", err)
	}
	var o WorldOptions
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
