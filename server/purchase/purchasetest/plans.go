package purchasetest

import (
	"slices"
	"sync"
)

// Plan changes the outcome of the next calls of an operation.
type Plan struct {
	Op    string // the operation, for example "lock" or "prepay"
	Err   error  // returned by the call; nil lets the call proceed
	Acted bool   // only with Err: the provider acts before the call returns Err
	Times int    // number of calls; 0 means 1, a negative number means all calls
	Hook  func() // runs during the call, before the provider acts
}

// Plans holds the plans of one fake provider, and counts its calls.
type Plans struct {
	mu    sync.Mutex
	plans []*Plan
	calls map[string]int
}

// On adds a plan. Plans of the same operation are used up in the order in which they were added.
func (l *Plans) On(p Plan) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p.Times == 0 {
		p.Times = 1
	}
	l.plans = append(l.plans, &p)
}

// Clear removes all plans.
func (l *Plans) Clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.plans = nil
}

// Forget removes the plans of one operation.
func (l *Plans) Forget(op string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.plans = slices.DeleteFunc(l.plans, func(p *Plan) bool { return p.Op == op })
}

// Calls returns how often an operation was called.
func (l *Plans) Calls(op string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calls[op]
}

// run counts a call of the operation op and runs act as the first remaining plan for op requires.
func (l *Plans) run(op string, act func() error) error {
	l.mu.Lock()
	if l.calls == nil {
		l.calls = map[string]int{}
	}
	l.calls[op]++
	i := slices.IndexFunc(l.plans, func(p *Plan) bool { return p.Op == op && p.Times != 0 })
	var p *Plan
	if i >= 0 {
		p = l.plans[i]
		p.Times--
	}
	l.mu.Unlock()
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
