// Package journal keeps the calls the simulated providers have seen: what was asked, what was answered, and why.
// Secrets never enter it. It is a ring of bounded size.
package journal

import (
	"context"
	"sync"
	"time"
)

// Verdict is what a provider made of a call.
type Verdict string

const (
	OK      Verdict = "ok"      // answered with success
	Refused Verdict = "refused" // answered with a refusal; Reason says why
	Faulted Verdict = "fault"   // a planned fault spoiled the call or its answer
	Sent    Verdict = "sent"    // a push or notify of ours that the shop accepted
	Failed  Verdict = "failed"  // a push or notify of ours that the shop did not accept
)

// Verdicts lists every verdict.
func Verdicts() []Verdict { return []Verdict{OK, Refused, Faulted, Sent, Failed} }

// Entry is one call.
type Entry struct {
	ID        int64     `json:"id"`
	At        time.Time `json:"at"` // business time
	Provider  string    `json:"provider"`
	Operation string    `json:"operation"`
	Method    string    `json:"method"`
	Path      string    `json:"path"`
	Request   string    `json:"request"` // the body, or the query of a call without one; cut at 2 KiB
	Status    int       `json:"status"`  // 0: no answer was sent
	Answer    string    `json:"answer"`  // cut at 2 KiB
	Verdict   Verdict   `json:"verdict"`
	Reason    string    `json:"reason,omitempty"`
	Fault     string    `json:"fault,omitempty"` // id and kind of the planned fault that hit it
	Millis    float64   `json:"millis"`
}

// Filter chooses entries; a zero field chooses all.
type Filter struct {
	Provider  string
	Operation string
	Verdict   Verdict
	Limit     int
}

// Journal is a bounded ring of entries.
type Journal struct {
	mu   sync.Mutex
	ring []Entry
	next int
	last int64
	now  func() time.Time
}

// New returns a journal of at most size entries that stamps them with now.
func New(size int, now func() time.Time) *Journal {
	return &Journal{ring: make([]Entry, 0, size), now: now}
}

// Add stores an entry, giving it the next id and, when it has none, the present business time.
func (j *Journal) Add(e Entry) Entry {
	if e.At.IsZero() {
		e.At = j.now()
	}
	e.Request, e.Answer = cut(e.Request), cut(e.Answer)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	e.ID = j.last
	if len(j.ring) < cap(j.ring) {
		j.ring = append(j.ring, e)
	} else if len(j.ring) > 0 {
		j.ring[j.next] = e
		j.next = (j.next + 1) % len(j.ring)
	}
	return e
}

// Entries lists what the filter chooses, newest first.
func (j *Journal) Entries(f Filter) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []Entry{}
	for i := range j.ring {
		e := j.ring[(j.next+len(j.ring)-1-i)%len(j.ring)]
		if f.Provider != "" && e.Provider != f.Provider ||
			f.Operation != "" && e.Operation != f.Operation ||
			f.Verdict != "" && e.Verdict != f.Verdict {
			continue
		}
		// Redacting here and not in Add keeps its cost away from the calls; nothing else reads the ring.
		e.Request, e.Answer = Redact(e.Request), Redact(e.Answer)
		found = append(found, e)
		if f.Limit > 0 && len(found) == f.Limit {
			break
		}
	}
	return found
}

// Clear forgets all entries; ids go on.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	clear(j.ring[:cap(j.ring)])
	j.ring, j.next = j.ring[:0], 0
}

const keep = 2 << 10

func cut(s string) string {
	if len(s) <= keep {
		return s
	}
	return s[:keep] + "…"
}

// Note is what a handler may say about the call it is serving. The wrapper that serves the handler turns it
// into an entry.
type Note struct {
	Operation string
	Verdict   Verdict
	Reason    string
	Fault     string
	Body      []byte // the request's body, already read; not to be changed
}

type noteKey struct{}

// With returns a context that carries n.
func With(ctx context.Context, n *Note) context.Context { return context.WithValue(ctx, noteKey{}, n) }

// From is the note of the call being served; outside of one it is a throw-away.
func From(ctx context.Context) *Note {
	if n, ok := ctx.Value(noteKey{}).(*Note); ok {
		return n
	}
	return &Note{}
}

// Refuse says that the call is refused, and why. For a signature the reason holds the string that was expected
// and the string that came.
func (n *Note) Refuse(reason string) { n.Verdict, n.Reason = Refused, reason }
