// Package clocktest has a business clock for tests.
package clocktest

import (
	"sync"
	"time"
)

// Clock is a business clock that a test can move. Several goroutines may use it at the same time.
type Clock struct {
	mu     sync.Mutex
	now    time.Time
	follow func() time.Time // the clock to follow, used instead of now if it is set
}

// New returns a clock that is stopped at the time at, until Advance moves it.
func New(at time.Time) *Clock { return &Clock{now: at} }

// Following returns a clock that shows the time of another one, plus what Advance has added.
func Following(now func() time.Time) *Clock { return &Clock{follow: now} }

// Now returns the business time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follow != nil {
		return c.follow()
	}
	return c.now
}

// Advance moves the clock by d, backward if d is negative.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if follow := c.follow; follow != nil {
		c.follow = func() time.Time { return follow().Add(d) }
		return
	}
	c.now = c.now.Add(d)
}
