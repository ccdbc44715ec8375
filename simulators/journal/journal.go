// Package journal records the calls that the simulated providers received and sent: request, answer, verdict and
// reason. It is a ring of bounded size. Values of secret fields are replaced before an entry is read.
package journal

import (
	"context"
	"maps"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Verdict is the outcome of a call: "ok" (answered with success), "refused" (answered with an error), "fault" (a
// planned fault changed it), "sent" or "failed" (a push or notification that its receiver accepted, or did not),
// "not-simulated" (a call that the simulator does not have), or "stubbed" (such a call that a stub answered).
type Verdict string

const (
	OK       Verdict = "ok"      // answered with success
	Rejected Verdict = "refused" // answered with an error; Reason has the cause
	Faulted  Verdict = "fault"   // a planned fault changed the call, its answer or its outcome
	Sent     Verdict = "sent"    // a push or notification of the provider that its receiver accepted
	Failed   Verdict = "failed"  // a push or notification of the provider that its receiver did not accept
	// NotSimulated is a call that the real provider may have and its simulator does not. It is answered with HTTP 501.
	NotSimulated Verdict = "not-simulated"
	Stubbed      Verdict = "stubbed" // a call that its simulator does not have, answered by a stub
)

// Verdicts lists every verdict.
func Verdicts() []Verdict {
	return []Verdict{OK, Rejected, Faulted, Sent, Failed, NotSimulated, Stubbed}
}

// Values lists every verdict.
func (Verdict) Values() (values []string) {
	for _, v := range Verdicts() {
		values = append(values, string(v))
	}
	return values
}

// Entry is one call that a provider received, or one push or notification that it sent.
type Entry struct {
	// ID is the number of the entry in its world: 1, 2, 3 and so on.
	ID int64 `json:"id"`
	// At is the business time at the end of the call.
	At time.Time `json:"at"`
	// WireAt is the real time at the end of the call. Timestamps under a signature are real time, too.
	WireAt time.Time `json:"wire_at"`
	// Provider is the name of the provider.
	Provider string `json:"provider"`
	// Operation is the provider's operation, such as seat.lock; empty: the call is not simulated.
	Operation string `json:"operation"`
	// Method is the HTTP method.
	Method string `json:"method"`
	// Host is the host name that the caller used, without port; missing for a push or notification.
	Host string `json:"host,omitempty"`
	// Path is the path of a call, and the address of a push or notification.
	Path string `json:"path"`
	// Request is the body, or the query of a call without one; cut at 2 KiB, secrets replaced by ***.
	Request string `json:"request"`
	// Status is the HTTP status; 0: no answer was sent.
	Status int `json:"status"`
	// Answer is the body of the answer; cut at 2 KiB, secrets replaced by ***.
	Answer string `json:"answer"`
	// Verdict is the outcome of the call, push or notification.
	Verdict Verdict `json:"verdict"`
	// Subject is what a push or notification is about, such as the number of its trade; missing for a received call.
	Subject string `json:"subject,omitempty"`
	// Target is the id of the webhook target that got this copy of a push or notification.
	Target string `json:"target,omitempty"`
	// Reason is the cause of the verdict: why the call was rejected, with the expected and the received value of a
	// wrong signature; why a push or notification failed; or which stub answered.
	Reason string `json:"reason,omitempty"`
	// Fault is the id and the kind of the planned fault that hit the call, such as "2 latency". A fault that a magic
	// value caused, such as a certain phone number, has the id "magic". Several faults are separated by commas.
	Fault string `json:"fault,omitempty"`
	// Millis is the duration in real milliseconds.
	Millis float64 `json:"millis"`
	// Signature has the received and the expected signature of a call that was rejected because of its signature.
	Signature *Mismatch `json:"signature,omitempty"`
	// Delivery is a push or notification as it was sent; missing for a received call, and for a push or notification
	// that a planned fault dropped.
	Delivery *Delivery `json:"delivery,omitempty"`
}

// Delivery is a push or notification as it was sent, so that a developer can follow step by step how the receiver
// verifies it. It is signed and not secret.
type Delivery struct {
	// Headers are the headers by name.
	Headers map[string]string `json:"headers"`
	// Body is the body as it was sent; cut at 16 KiB.
	Body string `json:"body"`
	// KeyID identifies the key with which the receiver verifies the signature: a Wechatpay-Serial or an appkey;
	// missing: unsigned.
	KeyID string `json:"key_id,omitempty"`
	// Over is the text that the signature covers, without a shared secret; cut at 16 KiB.
	Over string `json:"over,omitempty"`
}

// NewDelivery returns the delivery with a header and a body.
func NewDelivery(header http.Header, body []byte, keyID, over string) *Delivery {
	d := &Delivery{Headers: map[string]string{}, Body: cutAt(string(body), keepDelivery), KeyID: keyID,
		Over: cutAt(over, keepDelivery)}
	for name, values := range header {
		d.Headers[name] = strings.Join(values, ", ")
	}
	return d
}

// Mismatch is a signature that does not fit its call.
type Mismatch struct {
	// Over is the text that the signature must cover.
	Over string `json:"over"`
	// Expected is the correct signature; empty if only the holder of a private key can create it.
	Expected string `json:"expected"`
	// Got is the signature in the call.
	Got string `json:"got"`
}

// Filter selects entries; a zero field selects all.
type Filter struct {
	Provider  string
	Operation string
	Verdict   Verdict
	Contains  string // a text in the path, the request, the answer or the reason, with secrets replaced
	After     int64  // an id: only later entries
	Limit     int
}

// chooses reports whether the filter selects an entry, apart from Contains and Limit.
func (f *Filter) chooses(e *Entry) bool {
	return e.ID > f.After && (f.Provider == "" || e.Provider == f.Provider) &&
		(f.Operation == "" || e.Operation == f.Operation) && (f.Verdict == "" || e.Verdict == f.Verdict)
}

// contained reports whether the filter's text is in an entry, whose secrets must already be replaced.
func (f *Filter) contained(e *Entry) bool {
	return f.Contains == "" || strings.Contains(e.Path, f.Contains) || strings.Contains(e.Request, f.Contains) ||
		strings.Contains(e.Answer, f.Contains) || strings.Contains(e.Reason, f.Contains)
}

// Journal is a ring of entries, bounded by number and by size. It is safe for concurrent use.
type Journal struct {
	mu       sync.Mutex
	ring     []Entry
	first    int // index of the oldest entry in the ring
	count    int
	size     int // the largest number of entries
	bytes    int // the sum of the entries' weights, which are the lengths of their texts
	maxBytes int
	last     int64             // id of the newest entry
	totals   map[Verdict]int64 // of all entries, also of removed ones
	waiting  map[*waiter]struct{}
	now      func() time.Time
	changed  func(id int64)
}

// waiter is a call of Wait.
type waiter struct {
	filter Filter
	came   chan struct{} // closed when an entry is added that the filter chooses
}

// New returns a journal of at most size entries that stamps them with now.
func New(size int, now func() time.Time) *Journal {
	return &Journal{
		size: size, maxBytes: math.MaxInt, now: now, totals: map[Verdict]int64{}, waiting: map[*waiter]struct{}{},
		changed: func(int64) {},
	}
}

// OnChange calls f with the id of every new entry, and with 0 when all were removed. It replaces an earlier function. f
// must not call the journal.
func (j *Journal) OnChange(f func(id int64)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.changed = f
}

// Bound also limits the total length of the texts in the journal, in bytes. It returns the journal, so that it can be
// called on the result of New.
func (j *Journal) Bound(bytes int) *Journal {
	j.maxBytes = bytes
	return j
}

// Add stores an entry, giving it the next id, real time and, when it has none, the present business time.
func (j *Journal) Add(e Entry) Entry {
	now := j.now()
	e.WireAt = time.Now().In(now.Location())
	if e.At.IsZero() {
		e.At = now
	}
	e.Request, e.Answer = cut(e.Request), cut(e.Answer)
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last++
	j.totals[e.Verdict]++
	e.ID = j.last
	if j.size <= 0 {
		return e
	}
	for j.count == j.size || j.count > 0 && j.bytes+e.weight() > j.maxBytes {
		j.drop()
	}
	if at := (j.first + j.count) % j.size; at < len(j.ring) {
		j.ring[at] = e
	} else {
		j.ring = append(j.ring, e)
	}
	j.count++
	j.bytes += e.weight()
	for w := range j.waiting {
		if w.filter.chooses(&e) {
			close(w.came)
			delete(j.waiting, w)
		}
	}
	j.changed(e.ID)
	return e
}

// Redacted returns the entry with its secrets replaced.
func (e Entry) Redacted() Entry {
	e.Request, e.Answer = Redact(e.Request), Redact(e.Answer)
	return e
}

// weight is the length of an entry's texts in bytes.
func (e *Entry) weight() int {
	n := len(e.Path) + len(e.Request) + len(e.Answer) + len(e.Reason)
	if e.Signature != nil {
		n += len(e.Signature.Over) + len(e.Signature.Expected) + len(e.Signature.Got)
	}
	if e.Delivery != nil {
		n += len(e.Delivery.Body) + len(e.Delivery.Over)
		for name, value := range e.Delivery.Headers {
			n += len(name) + len(value)
		}
	}
	return n
}

// drop removes the oldest entry. The caller holds the lock.
func (j *Journal) drop() {
	j.bytes -= j.ring[j.first].weight()
	j.ring[j.first] = Entry{}
	j.first = (j.first + 1) % j.size
	j.count--
}

// Entries lists the entries that the filter chooses, newest first.
func (j *Journal) Entries(f Filter) []Entry {
	j.mu.Lock()
	defer j.mu.Unlock()
	found := []Entry{}
	j.each(f, func(e Entry) bool {
		found = append(found, e)
		return f.Limit <= 0 || len(found) < f.Limit
	})
	return found
}

// Find returns the entry with an id, its secrets replaced. The second result is false if there is no such entry, or if
// it was removed.
func (j *Journal) Find(id int64) (Entry, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	i := id - (j.last - int64(j.count) + 1) // the kept ids are consecutive, up to the last one
	if i < 0 || i >= int64(j.count) {
		return Entry{}, false
	}
	return j.ring[(j.first+int(i))%j.size].Redacted(), true
}

// Count returns how many of the kept entries the filter chooses. It ignores the filter's limit.
func (j *Journal) Count(f Filter) int {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := 0
	j.each(f, func(Entry) bool { n++; return true })
	return n
}

// each calls f with the entries that the filter chooses, newest first, until f returns false. The caller holds the
// lock.
func (j *Journal) each(filter Filter, f func(Entry) bool) {
	for i := range j.count {
		e := j.ring[(j.first+j.count-1-i)%j.size]
		if e.ID <= filter.After {
			return
		}
		if !filter.chooses(&e) {
			continue
		}
		// Secrets are replaced when an entry is read, here and in Find, and not in Add, so that calls are not slowed.
		e = e.Redacted()
		if filter.contained(&e) && !f(e) {
			return
		}
	}
}

// Wait returns the entries that the filter chooses as soon as there is one, or an empty list when ctx ends before.
func (j *Journal) Wait(ctx context.Context, f Filter) []Entry {
	for {
		w := &waiter{filter: f, came: make(chan struct{})}
		j.mu.Lock()
		j.waiting[w] = struct{}{}
		j.mu.Unlock()
		found := j.Entries(f)
		if len(found) == 0 {
			select {
			case <-w.came:
				continue // Entries also checks whether the new entry contains the filter's text
			case <-ctx.Done():
			}
		}
		j.mu.Lock()
		delete(j.waiting, w)
		j.mu.Unlock()
		return found
	}
}

// Now is the business time that stamps entries.
func (j *Journal) Now() time.Time { return j.now() }

// Last returns the id of the newest entry, even if that was removed; 0 if there never was one.
func (j *Journal) Last() int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.last
}

// Totals returns for each verdict how many entries there ever were, removed ones included.
func (j *Journal) Totals() map[Verdict]int64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return maps.Clone(j.totals)
}

// Clear removes all entries. Ids continue.
func (j *Journal) Clear() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.ring, j.first, j.count, j.bytes = nil, 0, 0, 0
	j.changed(0)
}

const (
	keep         = 2 << 10 // bytes of a request and of an answer
	keepDelivery = 16 << 10
)

func cut(s string) string { return cutAt(s, keep) }

func cutAt(s string, most int) string {
	if len(s) <= most {
		return s
	}
	return s[:most] + "…"
}
