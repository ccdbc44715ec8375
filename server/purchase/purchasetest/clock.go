// Package purchasetest provides fakes for tests of the purchase: a ticket source, a payment gateway, buyers and a
// clock, all in memory and scriptable. The fakes return faults under the same rule as the real adapters: a fault of
// kind Unknown means that the provider may have acted, any other fault means that it did not.
package purchasetest

import (
	"sync"
	"time"
)

// Clock is a business clock that moves when Advance is called. It shows whole seconds, like stored times.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	runs func() time.Time // the clock to follow, used instead of now if it is set
}

// RunningClock returns a clock that follows another one; Advance moves it ahead of that one.
func RunningClock(follow func() time.Time) *Clock { return &Clock{runs: follow} }

// NewClock returns a clock that stands at 12:00 on 14 March 2026 in Shanghai.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)}
}

// Now returns the business time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs != nil {
		return c.runs()
	}
	return c.now
}

// Advance moves the clock forward.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if follow := c.runs; follow != nil {
		c.runs = func() time.Time { return follow().Add(d) }
		return
	}
	c.now = c.now.Add(d)
}
