package sms

import (
	"context"
	"slices"
	"sync"
	"time"

	"marquee/simulators/control"
)

// keepMessages is how many messages a world keeps, of all phones.
const keepMessages = 1000

// inbox keeps the messages that every phone received.
type inbox struct {
	mu       sync.Mutex
	messages []control.Message // oldest first, at most keepMessages
	last     int64             // id of the newest message
	waiting  map[*waiter]struct{}
	changed  func(id int64)
}

// waiter is a call of Next that waits for a message to a phone, or to any phone if phone is "".
type waiter struct {
	phone string
	came  chan struct{} // closed when such a message arrives
}

// newInbox returns an empty inbox.
func newInbox() *inbox { return &inbox{waiting: map[*waiter]struct{}{}, changed: func(int64) {}} }

// OnChange calls publish for every new message, and with the id 0 when messages were removed. It replaces an earlier
// function. publish must not call the provider.
func (b *inbox) OnChange(publish func(control.Change)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changed = func(id int64) { publish(control.Change{Topic: control.TopicMessage, ID: id}) }
}

// put adds a message and wakes the callers of Next that wait for it.
func (b *inbox) put(phone, text, code string, at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
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

// Messages lists the messages that a phone received, newest first; "" means every phone.
func (b *inbox) Messages(phone string) []control.Message {
	b.mu.Lock()
	defer b.mu.Unlock()
	list := []control.Message{}
	for _, m := range slices.Backward(b.messages) {
		if phone == "" || m.Phone == phone {
			list = append(list, m)
		}
	}
	return list
}

// Next returns the oldest message to a phone, "" for any, with an id above after. It waits for one until ctx ends; then
// the second result is false.
func (b *inbox) Next(ctx context.Context, phone string, after int64) (control.Message, bool) {
	for {
		w := &waiter{phone: phone, came: make(chan struct{})}
		m, ok := b.nextOrWait(w, after)
		if ok {
			return m, true
		}
		select {
		case <-w.came:
		case <-ctx.Done():
			b.mu.Lock()
			delete(b.waiting, w)
			b.mu.Unlock()
			return control.Message{}, false
		}
	}
}

// nextOrWait returns the oldest matching message. If there is none, it adds w to the waiters and returns false.
func (b *inbox) nextOrWait(w *waiter, after int64) (control.Message, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.messages {
		if m.ID > after && (w.phone == "" || m.Phone == w.phone) {
			return m, true
		}
	}
	b.waiting[w] = struct{}{}
	return control.Message{}, false
}

// Forget removes the messages of a phone, or of all phones if it is "", and returns how many it removed. They still
// count against the limits of the APIs.
func (b *inbox) Forget(phone string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	before := len(b.messages)
	b.messages = slices.DeleteFunc(b.messages, func(m control.Message) bool { return phone == "" || m.Phone == phone })
	b.changed(0)
	return before - len(b.messages)
}
