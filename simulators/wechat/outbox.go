package wechat

import (
	"slices"
	"sync"
	"time"

	"marquee/simulators/journal"
)

// outbox is the notifications that the merchant does not have yet.
type outbox struct {
	mu      sync.Mutex // guards attempt and due of what is pending, too
	pending map[*notification]struct{}
	aside   []*notification // to be sent after the next one
}

// asideLife is how long, in business time, a notify waits for another to overtake it.
const asideLife = time.Minute

// notify starts the attempts. It does not wait.
func (s *Simulator) notify(n *notification) {
	note := &journal.Note{}
	late, delayed := s.take(note, n.operation, doNotifyDelay)
	swap, reordered := s.take(note, n.operation, doNotifyReorder)
	n.fault = note.Fault
	o := &s.outbox
	o.mu.Lock()
	defer o.mu.Unlock()
	o.pending[n] = struct{}{}
	switch {
	case delayed:
		n.due = n.due.Add(time.Duration(late.DelayS) * time.Second)
		s.later(n)
	case reordered:
		wait := time.Duration(swap.DelayS) * time.Second
		if wait == 0 {
			wait = asideLife
		}
		n.due = n.due.Add(wait)
		s.setAside(n)
	default:
		before := o.aside
		o.aside = nil
		go func() {
			s.try(n)
			for _, earlier := range before {
				s.try(earlier)
			}
		}()
	}
}

// setAside lets a notify wait for the next one, or until it is due. The caller holds the outbox's lock.
func (s *Simulator) setAside(n *notification) {
	s.outbox.aside = append(s.outbox.aside, n)
	s.Clock.AfterFunc(max(0, n.due.Sub(s.Clock.Now())), func() { s.overtaken(n) })
}

// overtaken sends what waited in vain for another.
func (s *Simulator) overtaken(n *notification) {
	s.outbox.mu.Lock()
	i := slices.Index(s.outbox.aside, n)
	if i >= 0 {
		s.outbox.aside = slices.Delete(s.outbox.aside, i, i+1)
	}
	s.outbox.mu.Unlock()
	if i >= 0 {
		go s.try(n)
	}
}

// later plans the next attempt for when it is due. The caller holds the outbox's lock.
func (s *Simulator) later(n *notification) {
	s.Clock.AfterFunc(max(0, n.due.Sub(s.Clock.Now())), func() { go s.try(n) })
}

// try makes one attempt and, when the merchant has not received it, plans the next. The ladder keeps its own times:
// an attempt that is overdue because the clock was moved follows at once.
func (s *Simulator) try(n *notification) {
	if s.life.Closed() {
		return
	}
	received := s.deliver(n)
	s.outbox.mu.Lock()
	defer s.outbox.mu.Unlock()
	n.fault = ""
	if received || n.attempt >= len(ladder) {
		delete(s.outbox.pending, n)
		return
	}
	n.due = n.due.Add(ladder[n.attempt])
	n.attempt++
	s.later(n)
}
