// Package testclock is the business clock of a world. It follows real time with an offset, and a test can freeze,
// advance and reset it. Timers that are set on it fire in order when the clock is advanced.
package testclock

import (
	"container/heap"
	"sync"
	"time"
)

// Clock is business time: real time plus an offset that only moves forward, except through Reset. It is shared
// by the simulated providers and, in bin/sim and in tests, by the shop. Wire timestamps (those under a
// signature) never use it.
//
// Timers keep an absolute business time. While Advance passes over them they fire in order, synchronously, with
// Now at their own time; a callback may set further timers, which fire too when they are due before the end.
// As real time passes they fire each on a goroutine of its own. A callback must not call Advance or Reset.
type Clock struct {
	moving sync.Mutex // held for the whole of an Advance, Reset, Freeze, Resume or Set

	mu        sync.Mutex
	real      func() time.Time
	offset    time.Duration
	base      time.Duration // the offset that Reset returns to
	frozen    bool
	stopped   time.Time // business time while frozen
	timers    timerHeap
	nextID    int64
	alarm     *time.Timer
	listeners []func()
	watchers  []func()
}

// New returns a clock that shows real time.
func New() *Clock { return &Clock{real: time.Now} }

// NewAt returns a clock that begins at a business time and goes on from there.
func NewAt(at time.Time) *Clock {
	c := New()
	c.offset = at.Sub(c.real())
	c.base = c.offset
	return c
}

// Now is the present business time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

func (c *Clock) now() time.Time {
	if c.frozen {
		return c.stopped
	}
	return c.real().Add(c.offset)
}

// State is what a snapshot keeps of a clock.
type State struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
}

// State is the present business time, and whether it stands still.
func (c *Clock) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return State{Now: c.now(), Frozen: c.frozen}
}

// Offset is how far business time is ahead of real time.
func (c *Clock) Offset() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.frozen {
		return c.stopped.Sub(c.real())
	}
	return c.offset
}

// Frozen reports whether business time stands still.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.frozen
}

// Freeze stops business time where it is, until Resume or Reset. A frozen clock can still be advanced.
func (c *Clock) Freeze() {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(State{Now: c.now(), Frozen: true})
	c.changed()
}

// Resume lets a frozen clock go on from where it stands.
func (c *Clock) Resume() {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.set(State{Now: c.now()})
	c.changed()
}

// Set puts the clock to a state, which may be in its past, and tells the listeners. Pending timers keep their times.
func (c *Clock) Set(to State) {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	c.set(to)
	c.mu.Unlock()
	c.tell()
}

// set is Set for who holds both locks.
func (c *Clock) set(to State) {
	c.offset, c.frozen, c.stopped = to.Now.Sub(c.real()), to.Frozen, to.Now
	c.arm()
}

// Advance moves business time forward by d, firing the timers on the way in the order of their times, and then
// tells the listeners. A d that is not positive only tells the listeners.
func (c *Clock) Advance(d time.Duration) {
	c.moving.Lock()
	defer c.moving.Unlock()
	if d > 0 {
		c.mu.Lock()
		target, left := c.offset+d, c.stopped.Add(d)
		for len(c.timers) > 0 {
			t := c.timers[0]
			step := t.at.Sub(c.real())
			if c.frozen && t.at.After(left) || !c.frozen && step > target {
				break
			}
			heap.Pop(&c.timers)
			if t.at.After(c.stopped) {
				c.stopped = t.at
			}
			if step > c.offset {
				c.offset = step
			}
			c.mu.Unlock()
			t.fire()
			c.mu.Lock()
		}
		c.offset, c.stopped = target, left
		c.arm()
		c.mu.Unlock()
	}
	c.tell()
}

// Reset returns to running time, which is real time unless the clock began at another, and tells the listeners.
// Pending timers keep their business times.
func (c *Clock) Reset() {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	c.offset, c.frozen = c.base, false
	c.arm()
	c.mu.Unlock()
	c.tell()
}

// OnAdvance calls f after every Advance and Reset, in the order of registration, before they return.
func (c *Clock) OnAdvance(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
}

// OnChange calls f whenever the clock was advanced, reset, set, frozen or resumed. f must not call the clock.
func (c *Clock) OnChange(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers = append(c.watchers, f)
}

// changed tells the watchers. The caller holds the lock.
func (c *Clock) changed() {
	for _, f := range c.watchers {
		f()
	}
}

func (c *Clock) tell() {
	c.mu.Lock()
	c.changed()
	listeners := c.listeners
	c.mu.Unlock()
	for _, f := range listeners {
		f()
	}
}
