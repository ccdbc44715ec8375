package simulators

import "time"

// Expire lets the worlds expire that are idle at a time.
func (s *Simulators) Expire(at time.Time) { s.worlds.expire(at) }
