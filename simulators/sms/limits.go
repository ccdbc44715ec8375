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
	name   string // the vendor's name or code of the limit, for its error
}

// sent counts the messages of one API to each phone.
type sent struct {
	clock *testclock.Clock

	mu    sync.Mutex
	times map[string][]time.Time // by phone, business times of the last day
}

// add counts one more message to each phone and returns the business time at which they are sent. If a message would
// exceed a limit, add counts none of them and returns that limit. A phone that is listed twice gets two messages.
func (s *sent) add(limits []limit, phones ...string) (now time.Time, broken *limit) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = s.clock.Now()
	more := map[string]int{}
	for _, phone := range phones {
		for _, l := range limits {
			count := more[phone]
			for _, at := range s.times[phone] {
				if age := now.Sub(at); age >= 0 && age < l.window {
					count++
				}
			}
			if count >= l.most {
				return now, &l
			}
		}
		more[phone]++
	}
	for _, phone := range phones {
		recent := slices.DeleteFunc(s.times[phone], func(at time.Time) bool { return now.Sub(at) >= 24*time.Hour })
		s.times[phone] = append(recent, now)
	}
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
