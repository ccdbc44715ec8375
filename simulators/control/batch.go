package control

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"marquee/simulators/journal"
)

// Between two batches of events is pace, and for many streams a turn for each: who watches a load test sees it in steps, and
// a thousand watchers do not slow it down.
const (
	pace = 50 * time.Millisecond
	turn = time.Millisecond
)

// batch is what changed between two positions of a feed, as every stream tells it.
type batch struct {
	after, last int64 // the changes after one position up to another
	events      []event
}

// event is one change as it goes over the wire. It is looked up and encoded when the first stream tells it, and once:
// hundreds may watch one world.
type event struct {
	topic  string
	serial int64
	text   func() []byte // empty: there is nothing to tell any more
}

// teller shares the batches of a feed among its streams. Streams that are up to date stand at the same positions, since
// each goes on from the end of a batch.
type teller struct {
	mu      sync.Mutex
	latest  *batch
	made    time.Time
	streams int // open ones
	began   int // streams so far
}

// join counts a stream until it leaves; number is its own.
func (t *teller) join() (number int, leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.streams++
	t.began++
	return t.began, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.streams--; t.streams == 0 {
			t.latest = nil // nobody would ask for it any more
		}
	}
}

// turn is how long a stream lets others go first, so that they are not told all in the same moment.
func (t *teller) turn(number int) time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Duration(number%max(1, t.streams)) * turn
}

// pace is the time between two batches. The caller holds the lock.
func (t *teller) pace() time.Duration { return max(pace, time.Duration(t.streams)*turn) }

// due is what a stream does next: it tells a batch, or says that there was a gap, or waits until more is closed, or for
// a while.
type due struct {
	batch *batch
	gap   bool
	more  <-chan struct{}
	while time.Duration
}

// next is what follows a position. look gives the world as it is when something is told of it.
func (f *Feed) next(position int64, look func() *World) due {
	t := &f.teller
	t.mu.Lock()
	defer t.mu.Unlock()
	from, latest, since, pace := position, t.latest, time.Since(t.made), t.pace()
	switch {
	case latest == nil:
	case latest.after <= position && position < latest.last:
		return due{batch: latest}
	case position < latest.after: // a stream that was away, or is slow: it catches up by itself
		changes, whole, _ := f.after(position)
		if !whole {
			return due{gap: true}
		}
		return due{batch: f.encode(changes[:latest.last-position], position, look)}
	case since < pace:
		if _, _, more := f.after(position); f.now() == position {
			return due{more: more}
		}
		return due{while: pace - since}
	case since < 20*pace:
		from = latest.last // so that streams that began since then meet the others
	}
	changes, whole, more := f.after(from)
	if !whole && from < position {
		from = position
		changes, whole, more = f.after(from)
	}
	switch {
	case !whole:
		return due{gap: true}
	case len(changes) == 0 || changes[len(changes)-1].serial <= position:
		return due{more: more}
	}
	t.latest, t.made = f.encode(changes, from, look), time.Now()
	return due{batch: t.latest}
}

// encode makes a batch of changes. What changed more than once stands in it once, where it changed last.
func (f *Feed) encode(changes []change, after int64, look func() *World) *batch {
	b := &batch{after: after, last: changes[len(changes)-1].serial}
	last := map[change]int64{}
	for _, c := range changes {
		last[c.same()] = c.serial
	}
	world := sync.OnceValue(look)
	entries := sync.OnceValue(func() map[int64]journal.Entry { return entriesOf(world(), changes) })
	for _, c := range changes {
		if last[c.same()] == c.serial {
			b.events = append(b.events, event{c.topic, c.serial, sync.OnceValue(func() []byte { return f.text(c, world(), entries) })})
		}
	}
	return b
}

// same is the change without its number.
func (c change) same() change {
	c.serial = 0
	return c
}

// entriesOf looks up the journal once for all changes.
func entriesOf(w *World, changes []change) map[int64]journal.Entry {
	first := int64(0)
	for _, c := range changes {
		if c.topic == TopicJournal && c.id > 0 && (first == 0 || c.id < first) {
			first = c.id
		}
	}
	found := map[int64]journal.Entry{}
	if first > 0 {
		for _, e := range w.Journal.Entries(journal.Filter{After: first - 1}) {
			found[e.ID] = e
		}
	}
	return found
}

// text is a change as it is told.
func (f *Feed) text(c change, w *World, entries func() map[int64]journal.Entry) []byte {
	switch c.topic {
	case TopicWorld:
		return f.worldText(c.serial, w, false)
	case TopicClock:
		return f.line(c.topic, c.serial, clockOf(w))
	case TopicFaults:
		return f.line(c.topic, c.serial, map[string]any{"faults": w.Plan.Faults()})
	case TopicSeats:
		return f.line(c.topic, c.serial, map[string]string{"provider": c.provider, "showing": c.key})
	case TopicOrder:
		var all bytes.Buffer
		for _, o := range w.ordersOf(c.provider, c.key) {
			all.Write(f.line(c.topic, c.serial, o))
		}
		return all.Bytes()
	}
	if c.id == 0 {
		return f.line("cleared", c.serial, map[string]string{"topic": c.topic})
	}
	if c.topic == TopicJournal {
		if e, kept := entries()[c.id]; kept {
			return f.line(c.topic, c.serial, e)
		}
		return nil
	}
	done, cancel := context.WithCancel(context.Background())
	cancel() // only what is there
	if m, ok := w.Inbox.Next(done, "", c.id-1); ok && m.ID == c.id {
		return f.line(c.topic, c.serial, m)
	}
	return nil
}

// worldText begins a stream, and says after a gap that everything is to be read anew: resumed is false.
func (f *Feed) worldText(serial int64, w *World, resumed bool) []byte {
	return f.line(TopicWorld, serial, map[string]any{"world": w.ID, "seed": w.Seed, "resumed": resumed, "clock": clockOf(w)})
}

// line is one server-sent event.
func (f *Feed) line(name string, serial int64, data any) []byte {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // our own types always encode
	}
	return fmt.Appendf(nil, "id: %s\nevent: %s\ndata: %s\n\n", f.id(serial), name, encoded)
}
