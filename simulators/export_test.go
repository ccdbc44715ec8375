package simulators

import (
	"testing"
	"time"
)

// Expire lets the worlds expire that are idle at a time.
func (s *Simulators) Expire(at time.Time) { s.worlds.expire(at) }

// Build makes simulators that do not listen.
func Build(t testing.TB, o Options) *Simulators {
	t.Helper()
	s := build(o)
	t.Cleanup(s.stop)
	return s
}
