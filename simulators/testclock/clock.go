// Package testclock is the business clock of a world (an isolated set of simulated providers). It follows real time
// with an offset, and a test can freeze, advance and reset it. Its timers fire in order when the clock is advanced.
package testclock

import (
	"container/heap"
	"sync"
	"time"
)

// Clock is business time: real time plus an offset. It only moves forward, except through Reset and Set. It is shared
// by the simulated providers and, in bin/sim and in tests, by the shop. The timestamp with which a call or a webhook is
// signed is real time.
//
// Timers have an absolute business time. Advance fires the timers that become due in order, synchronously, with Now at
// the timer's time. A callback may set more timers, which also fire if they become due during the same Advance. A timer
// that becomes due while the clock runs fires on a separate goroutine. A callback must not call Advance, Reset, Freeze,
// Resume or Set.
type Clock struct {
	moving sync.Mutex // held during an entire Advance, Reset, Freeze, Resume or Set

	mu        sync.Mutex
	real      func() time.Time
	offset    time.Duration
	base      time.Duration // the offset at the start, to which Reset returns
	frozen    bool
	stopped   time.Time // business time while frozen
	timers    timerHeap
	nextID    int64
	alarm     *time.Timer // fires when the earliest timer is due in real time; nil if frozen or without timers
	listeners []func()    // of OnAdvance
	watchers  []func()    // of OnChange
}

// Zone is the time zone of every clock: that of the vendors (UTC+8), wherever the simulators run.
var Zone = time.FixedZone("CST", 8*60*60)

// New returns a clock that shows real time.
func New() *Clock { return &Clock{real: func() time.Time { return time.Now().In(Zone) }} }

// NewAt returns a running clock that starts at a business time.
func NewAt(at time.Time) *Clock {
	c := New()
	c.offset = at.Sub(c.real())
	c.base = c.offset
	return c
}

// Now is the current business time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now()
}

// now is Now. The caller holds the lock.
func (c *Clock) now() time.Time {
	if c.frozen {
		return c.stopped
	}
	return c.real().Add(c.offset)
}

// State is a clock in a snapshot.
type State struct {
	// Now is business time.
	Now time.Time `json:"now"`
	// Frozen is true if business time is stopped.
	Frozen bool `json:"frozen"`
}

// State is the current business time, and whether it is frozen.
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

// Frozen reports whether business time is stopped.
func (c *Clock) Frozen() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.frozen
}

// Freeze stops business time until Resume or Reset. A frozen clock can still be advanced.
func (c *Clock) Freeze() {
	c.become(true)
}

// become freezes or resumes the clock at its current time.
func (c *Clock) become(frozen bool) {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	c.set(State{Now: c.now(), Frozen: frozen})
	c.mu.Unlock()
	c.notify()
}

// Resume makes a frozen clock run again.
func (c *Clock) Resume() {
	c.become(false)
}

// Set sets the time and the state of the clock, even to an earlier time, and calls the listeners. Pending timers keep
// their business times.
func (c *Clock) Set(to State) {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	c.set(to)
	c.mu.Unlock()
	c.notify()
}

// set is Set without calling the listeners. The caller holds both locks.
func (c *Clock) set(to State) {
	c.offset, c.frozen, c.stopped = to.Now.Sub(c.real()), to.Frozen, to.Now.In(Zone)
	c.arm()
}

// Advance moves business time forward by d, fires the timers that become due in the order of their times, and then
// calls the listeners. A d that is not positive only calls the listeners.
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
	c.notify()
}

// Reset makes the clock run with the offset with which it was created (New: real time), and calls the listeners.
// Pending timers keep their business times.
func (c *Clock) Reset() {
	c.moving.Lock()
	defer c.moving.Unlock()
	c.mu.Lock()
	c.offset, c.frozen = c.base, false
	c.arm()
	c.mu.Unlock()
	c.notify()
}

// OnAdvance calls f after the clock was advanced, reset, set, frozen or resumed, in the order of registration, before
// that call returns. f may read the clock.
func (c *Clock) OnAdvance(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.listeners = append(c.listeners, f)
}

// OnChange calls f whenever the clock was advanced, reset, set, frozen or resumed, before the functions of OnAdvance. f
// must not call the clock, which is locked then.
func (c *Clock) OnChange(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.watchers = append(c.watchers, f)
}

// notify calls the watchers and the listeners. The caller holds moving, but not the lock.
func (c *Clock) notify() {
	c.mu.Lock()
	for _, f := range c.watchers {
		f()
	}
	listeners := c.listeners
	c.mu.Unlock()
	for _, f := range listeners {
		f()
	}
}

// Timer is a function that AfterFunc has scheduled.
type Timer struct {
	clock *Clock
	at    time.Time
	id    int64
	index int // place in the heap; -1 after the timer was fired or stopped
	fire  func()
}

// AfterFunc calls f after d of business time.
func (c *Clock) AfterFunc(d time.Duration, f func()) *Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.nextID++
	t := &Timer{clock: c, at: c.now().Add(d), id: c.nextID, fire: f}
	heap.Push(&c.timers, t)
	if t.index == 0 {
		c.arm()
	}
	return t
}

// Stop prevents the call and reports whether it did.
func (t *Timer) Stop() bool {
	c := t.clock
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.index < 0 {
		return false
	}
	heap.Remove(&c.timers, t.index)
	return true
}

// arm sets the real-time alarm to the earliest timer. The caller holds the lock.
func (c *Clock) arm() {
	if c.alarm != nil {
		c.alarm.Stop()
		c.alarm = nil
	}
	if len(c.timers) > 0 && !c.frozen {
		c.alarm = time.AfterFunc(c.timers[0].at.Sub(c.now()), c.ring)
	}
}

// Stop removes every pending timer.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.timers {
		t.index = -1
	}
	c.timers = nil
	c.arm()
}

// ring is called by the alarm. It fires the timers that are due, after an Advance or another change of the clock in
// progress has finished: Advance itself fires, in order, the timers that it makes due.
func (c *Clock) ring() {
	c.moving.Lock() // TryLock would lose timers: a change in progress may have set this alarm, and sets no other
	defer c.moving.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	for len(c.timers) > 0 && !c.timers[0].at.After(c.now()) {
		t, _ := heap.Pop(&c.timers).(*Timer)
		go t.fire()
	}
	c.arm()
}

// timerHeap orders timers by time, then by age.
type timerHeap []*Timer

// Len implements heap.Interface.
func (h timerHeap) Len() int { return len(h) }

// Less orders timers of the same time by their ids.
func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].id < h[j].id
	}
	return h[i].at.Before(h[j].at)
}

// Swap keeps each timer's index, by which heap.Remove finds it.
func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

// Push implements heap.Interface.
func (h *timerHeap) Push(x any) {
	t, _ := x.(*Timer)
	t.index = len(*h)
	*h = append(*h, t)
}

// Pop implements heap.Interface. It clears the slot, so that the timer can be freed.
func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	t.index = -1
	*h = old[:len(old)-1]
	return t
}
