package webhook

import (
	"context"
	"sync"
	"time"
)

// lifetime ends the calls of a Sender: newContext returns the context of each call, and Close cancels all of them. The
// zero value is ready for use. It must not be copied.
type lifetime struct {
	mu     sync.Mutex
	closed bool
	next   int                        // number of the last call
	cancel map[int]context.CancelFunc // by the number of the call
}

// newContext returns the context of one outgoing call. It ends after timeout of real time, and with Close. The caller
// calls cancel when the call is over.
func (l *lifetime) newContext(timeout time.Duration) (ctx context.Context, cancel func()) {
	ctx, stop := context.WithTimeout(context.Background(), timeout)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		stop()
		return ctx, stop
	}
	if l.cancel == nil {
		l.cancel = map[int]context.CancelFunc{}
	}
	l.next++
	number := l.next
	l.cancel[number] = stop
	return ctx, func() {
		stop()
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.cancel, number)
	}
}

// Closed reports whether Close was called.
func (l *lifetime) Closed() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.closed
}

// WhileOpen calls f unless Close was called before, and reports whether it called f. Close waits until f has returned,
// so that nothing f does happens after Close. f must not call the Sender.
func (l *lifetime) WhileOpen(f func()) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		f()
	}
	return !l.closed
}

// Close cancels the contexts that newContext has returned, and those that it returns later.
func (l *lifetime) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	for _, stop := range l.cancel {
		stop()
	}
	l.cancel = nil
}
