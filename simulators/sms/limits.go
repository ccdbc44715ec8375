package sms

import (
	"maps"
	"slices"
	"sync"
	"time"

	"marquee/simulators/testclock"
)

// limit is how many messages a vendor sends to one phone within a window of business time.
type limit struct {
	window time.Duration
	most   int
	name   string // the vendor's
}

// sent counts the messages of one dialect to each phone.
type sent struct {
	clock *testclock.Clock

	mu    sync.Mutex
	times map[string][]time.Time // by phone, business times of the last day
}

// add counts one more message to a phone and returns its business time, unless that breaks a limit: then it returns the
// limit, and the message does not count.
func (s *sent) add(phone string, limits []limit) (now time.Time, broken *limit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = s.clock.Now()
	for _, l := range limits {
		count := 0
		for _, at := range s.times[phone] {
			if age := now.Sub(at); age >= 0 && age < l.window {
				count++
			}
		}
		if count >= l.most {
			return now, &l
		}
	}
	recent := slices.DeleteFunc(s.times[phone], func(at time.Time) bool { return now.Sub(at) >= 24*time.Hour })
	s.times[phone] = append(recent, now)
	return now, nil
}

// save copies the counted messages for a snapshot.
func (s *sent) save() map[string][]time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	saved := map[string][]time.Time{}
	for phone, times := range s.times {
		saved[phone] = slices.Clone(times)
	}
	return saved
}

// load adds the messages of a snapshot.
func (s *sent) load(saved map[string][]time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.times, saved)
}
