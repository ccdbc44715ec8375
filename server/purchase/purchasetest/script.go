// Package orderstest stands in for the parties around orders in tests: a ticket source, a payment gateway,
// buyers and a clock, all in memory and scriptable. It keeps the same law as the real adapters: a definite
// fault means that nothing was done, one of kind Unknown that nobody can tell.
package purchasetest

import (
	"slices"
	"sync"
	"time"
)

// Clock is business time that moves when told to. It stands at whole seconds, as stored times do.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	runs func() time.Time // instead of now
}

// RunningClock follows a clock that moves by itself; Advance sets it ahead of that.
func RunningClock(follow func() time.Time) *Clock { return &Clock{runs: follow} }

// NewClock starts at noon of a day, in Shanghai.
func NewClock() *Clock {
	return &Clock{now: time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)}
}

// Now is the business time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.runs != nil {
		return c.runs()
	}
	return c.now
}

// Advance moves time on.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if follow := c.runs; follow != nil {
		c.runs = func() time.Time { return follow().Add(d) }
		return
	}
	c.now = c.now.Add(d)
}

// Plan makes an operation fail.
type Plan struct {
	Op    string // "lock", "prepay" …
	Err   error
	Acted bool   // the party acts, and only its answer is lost
	Times int    // 0: once; <0: for ever
	Hook  func() // runs in the middle of the call
}

// Script holds the plans of a party and counts its calls.
type Script struct {
	mu    sync.Mutex
	plans []*Plan
	calls map[string]int
}

// On plans a failure; plans for one operation are used up in order.
func (s *Script) On(p Plan) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.Times == 0 {
		p.Times = 1
	}
	s.plans = append(s.plans, &p)
}

// Clear drops all plans.
func (s *Script) Clear() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = nil
}

// Forget drops the plans for one operation.
func (s *Script) Forget(op string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plans = slices.DeleteFunc(s.plans, func(p *Plan) bool { return p.Op == op })
}

// Calls tells how often an operation was called.
func (s *Script) Calls(op string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls[op]
}

// run carries out act under the plan for op, if there is one.
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
