package sms

import (
	"context"
	"slices"
	"time"

	"marquee/simulators/control"
)

const keepMessages = 1000

// inbox is what every phone received. Simulator.mu guards it.
type inbox struct {
	messages []control.Message // oldest first, at most keepMessages
	last     int64             // id
	waiting  map[*waiter]struct{}
	changed  func(id int64)
}

// OnChange calls publish for every new message, and with the id 0 when messages were removed. It replaces an earlier
// function. publish must not call the provider.
func (s *Simulator) OnChange(publish func(control.Change)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inbox.changed = func(id int64) { publish(control.Change{Topic: control.TopicMessage, ID: id}) }
}

// waiter is somebody who waits for a message to a phone; "" is any.
type waiter struct {
	phone string
	came  chan struct{}
}

// put adds a message. The caller holds the lock.
func (b *inbox) put(phone, text, code string, at time.Time) {
	b.last++
	b.messages = append(b.messages, control.Message{ID: b.last, Phone: phone, Text: text, Code: code, At: at})
	if len(b.messages) > keepMessages {
		b.messages = slices.Delete(b.messages, 0, len(b.messages)-keepMessages)
	}
	b.changed(b.last)
	for w := range b.waiting {
		if w.phone == "" || w.phone == phone {
			close(w.came)
			delete(b.waiting, w)
		}
	}
}

// Messages lists what a phone received, newest first; "" means every phone.
func (s *Simulator) Messages(phone string) []control.Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := []control.Message{}
	for _, m := range slices.Backward(s.inbox.messages) {
		if phone == "" || m.Phone == phone {
			list = append(list, m)
		}
	}
	return list
}

// Next is the oldest message to a phone with an id above after. It waits for one until ctx ends.
func (s *Simulator) Next(ctx context.Context, phone string, after int64) (control.Message, bool) {
	for {
		w := &waiter{phone: phone, came: make(chan struct{})}
		m, ok := s.nextOr(w, after)
		if ok {
			return m, true
		}
		select {
		case <-w.came:
		case <-ctx.Done():
			s.mu.Lock()
			delete(s.inbox.waiting, w)
			s.mu.Unlock()
			return control.Message{}, false
		}
	}
}

// nextOr finds a message, or lets w be told of the next.
func (s *Simulator) nextOr(w *waiter, after int64) (control.Message, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range s.inbox.messages {
		if m.ID > after && (w.phone == "" || m.Phone == w.phone) {
			return m, true
		}
	}
	s.inbox.waiting[w] = struct{}{}
	return control.Message{}, false
}

// Forget empties the inbox of a phone, or with "" of all, and says how many messages that were. What the provider
// counts against its limits is not forgotten.
func (s *Simulator) Forget(phone string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.inbox.messages)
	s.inbox.messages = slices.DeleteFunc(s.inbox.messages, func(m control.Message) bool { return phone == "" || m.Phone == phone })
	s.inbox.changed(0)
	return before - len(s.inbox.messages)
}
