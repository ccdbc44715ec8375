package testclock

import (
	"container/heap"
	"time"
)

// Timer is one pending call of AfterFunc.
type Timer struct {
	clock *Clock
	at    time.Time
	id    int64
	index int // place in the heap, -1 once fired or stopped
	fire  func()
}

// AfterFunc calls f once d of business time has passed.
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

// arm sets the real alarm to the earliest timer.
func (c *Clock) arm() {
	if c.alarm != nil {
		c.alarm.Stop()
		c.alarm = nil
	}
	if len(c.timers) > 0 && !c.frozen {
		c.alarm = time.AfterFunc(c.timers[0].at.Sub(c.now()), c.ring)
	}
}

// Stop forgets every pending timer.
func (c *Clock) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, t := range c.timers {
		t.index = -1
	}
	c.timers = nil
	c.arm()
}

// ring fires what real time has made due. It waits while the clock is being moved or resumed: what an Advance passes
// over fires there, in order, and what becomes due while the listeners are told fires after them.
func (c *Clock) ring() {
	c.moving.Lock() // and does not give up: whoever holds it may have armed this very alarm, and arms no other
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

func (h timerHeap) Len() int { return len(h) }

func (h timerHeap) Less(i, j int) bool {
	if h[i].at.Equal(h[j].at) {
		return h[i].id < h[j].id
	}
	return h[i].at.Before(h[j].at)
}

func (h timerHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *timerHeap) Push(x any) {
	t, _ := x.(*Timer)
	t.index = len(*h)
	*h = append(*h, t)
}

func (h *timerHeap) Pop() any {
	old := *h
	t := old[len(old)-1]
	old[len(old)-1] = nil
	t.index = -1
	*h = old[:len(old)-1]
	return t
}
