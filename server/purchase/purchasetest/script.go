// Package purchasetest provides fakes for tests of the purchase: a ticket source, a payment gateway, buyers and a
// clock, all in memory and scriptable. The fakes return faults under the same rule as the real adapters: a fault of
// kind Unknown means that the provider may have acted, any other fault means that it did not.
package purchasetest

import (
	"slices"
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

// Plan changes the outcome of the next calls of an operation.
type Plan struct {
	Op    string // the operation, for example "lock" or "prepay"
	Err   error  // returned by the call; nil lets the call proceed
	Acted bool   // with Err: the provider acts before the call returns Err
	Times int    // number of calls; 0 means 1, a negative number means all calls
	Hook  func() // runs during the call, before the provider acts
}

// Script holds the plans of a provider and counts its calls.
type Script struct {
	mu    sync.Mutex
	plans []*Plan
	calls map[string]int
}

// On adds a plan. Plans of the same operation are applied in the order in which they were added.
func (s *Script) On(p Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Times == 0 {
		p.Times = 1
	}
	s.plans = append(s.plans, &p)
}

// Clear removes all plans.
func (s *Script) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = nil
}

// Forget removes the plans of one operation.
func (s *Script) Forget(op string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = slices.DeleteFunc(s.plans, func(p *Plan) bool { return p.Op == op })
}

// Calls returns how often an operation was called.
func (s *Script) Calls(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[op]
}

// run counts a call of op and runs act under the first remaining plan for op.
func (s *Script) run(op string, act func() error) error {
	s.mu.Lock()
	if s.calls == nil {
		s.calls = map[string]int{}
	}
	s.calls[op]++
	i := slices.IndexFunc(s.plans, func(p *Plan) bool { return p.Op == op && p.Times != 0 })
	var p *Plan
	if i >= 0 {
		p = s.plans[i]
		p.Times--
	}
	s.mu.Unlock()
	if p == nil {
		return act()
	}
	if p.Hook != nil {
		p.Hook()
	}
	if p.Err == nil {
		return act()
	}
	if p.Acted {
		if err := act(); err != nil {
			return err
		}
	}
	return p.Err
}
