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
	max    int
	name   string // the vendor's name or code of the limit, for its error
}

// limiter counts the messages of one API to each phone, and enforces its limits.
type limiter struct {
	clock  *testclock.Clock
	limits []limit

	mu     sync.Mutex
	sentAt map[string][]time.Time // by phone, business times of the last day
}

// newLimiter returns a limiter that has counted no messages.
func newLimiter(clock *testclock.Clock, limits []limit) *limiter {
	return &limiter{clock: clock, limits: limits, sentAt: map[string][]time.Time{}}
}

// add counts one more message to each phone and returns the business time at which they are sent. If a message would
// exceed a limit, add counts none of them and returns that limit. A phone that is listed twice gets two messages.
func (l *limiter) add(phones ...string) (now time.Time, broken *limit) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now = l.clock.Now()
	more := map[string]int{}
	for _, phone := range phones {
		for _, bound := range l.limits {
			count := more[phone]
			for _, at := range l.sentAt[phone] {
				if age := now.Sub(at); age >= 0 && age < bound.window {
					count++
				}
			}
			if count >= bound.max {
				return now, &bound
			}
		}
		more[phone]++
	}
	for _, phone := range phones {
		recent := slices.DeleteFunc(l.sentAt[phone], func(at time.Time) bool { return now.Sub(at) >= 24*time.Hour })
		l.sentAt[phone] = append(recent, now)
	}
	return now, nil
}

// save copies the counted messages for a snapshot.
func (l *limiter) save() map[string][]time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	saved := map[string][]time.Time{}
	for phone, times := range l.sentAt {
		saved[phone] = slices.Clone(times)
	}
	return saved
}

// load adds the messages of a snapshot.
func (l *limiter) load(saved map[string][]time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	maps.Copy(l.sentAt, saved)
}
