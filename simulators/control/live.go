package control

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// The topics of changes, which are also the names of the events.
const (
	TopicWorld   = "world"
	TopicClock   = "clock"
	TopicFaults  = "faults"
	TopicJournal = "journal"
	TopicMessage = "message"
	TopicOrder   = "order"
	TopicSeats   = "seats"
)

// topics are those that a client can choose. The topic world always comes.
var topics = []string{TopicClock, TopicFaults, TopicJournal, TopicMessage, TopicOrder, TopicSeats}

const (
	maxChanges   = 1024                  // that a feed remembers
	batchPause   = 50 * time.Millisecond // between two batches of events of a stream
	heartbeat    = 15 * time.Second
	retrySeconds = 1 // after which a browser connects again
)

// Change is one change of a world. It names what changed; a stream looks the content up when it sends the event.
type Change struct {
	Topic    string
	Provider string // of an order or of seats
	Key      string // the number of an order, the id of a showing
	ID       int64  // of a journal entry or of a message; 0: some were removed
}

// Feed is the broadcaster of one world: it remembers the latest changes in order, and wakes the streams. A stream
// reads at its own pace from a position, so that a slow client delays nothing and costs no memory. Feed is safe for
// concurrent use.
type Feed struct {
	mu      sync.Mutex
	id      string   // distinguishes the positions of this feed from those of an earlier one
	last    int64    // position of the latest change; the first one is 1
	changes []Change // a ring: the change of position n is at (n-1) % maxChanges
	wake    chan struct{}

	encoding sync.Mutex       // held while a batch is encoded: the first stream encodes for all
	encoded  map[int64][]byte // events by position; at most those of the ring
}

var feeds atomic.Int64 // made so far

// NewFeed returns a feed without changes.
func NewFeed() *Feed {
	id := strconv.FormatInt(time.Now().Unix(), 36) + strconv.FormatInt(feeds.Add(1), 36)
	return &Feed{id: id, wake: make(chan struct{}), encoded: map[int64][]byte{}}
}

// Publish remembers a change and wakes the streams. It does not block.
func (f *Feed) Publish(c Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.changes) < maxChanges {
		f.changes = append(f.changes, c)
	} else {
		f.changes[f.last%maxChanges] = c
	}
	f.last++
	close(f.wake)
	f.wake = make(chan struct{})
}

// position reads an event's id. It returns the latest position and false if the id is not one of this feed.
func (f *Feed) position(eventID string) (position int64, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	id, number, _ := strings.Cut(eventID, "-")
	position, err := strconv.ParseInt(number, 10, 64)
	if id != f.id || err != nil || position < 0 || position > f.last {
		return f.last, false
	}
	return position, true
}

// since returns the changes after a position, the latest position, and a channel that is closed at the next change.
// complete is false if changes after the position were forgotten.
func (f *Feed) since(position int64) (list []Change, last int64, complete bool, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.last-position > int64(len(f.changes)) {
		return nil, f.last, false, f.wake
	}
	for n := position; n < f.last; n++ {
		list = append(list, f.changes[n%maxChanges])
	}
	return list, f.last, true, f.wake
}

// stream serves one client: it sends the changes of a world as server-sent events.
type stream struct {
	world    World
	feed     *Feed     // of the world
	position int64     // of the latest change that was sent
	topics   []string  // that the client chose
	to       io.Writer // the client
	flushTo  func() error
	err      error // of the first write that failed: the client is gone
}

// WatchEvents is the input of watchEvents.
type WatchEvents struct {
	InWorld
	// Topics are separated by commas: clock, faults, journal, message, order, seats; missing: all.
	Topics string `query:"topics"`
	// After is the id of the last event that the client has; the stream resumes after it.
	After string `query:"after"`
	// LastEventID is the same as after. A browser sends it when it connects again.
	LastEventID string `header:"Last-Event-ID"`
}

// events declares the call that streams events.
func events(
	handler func(context.Context, *server, World, WatchEvents, http.ResponseWriter) error, errors ...*Error,
) Operation {
	return declare[WatchEvents, Nothing](handler, append(errors, ErrWorldUnknown),
		func(s *server, w World, in any, r *http.Request, rw http.ResponseWriter) (any, error) {
			return nil, handler(r.Context(), s, w, in.(WatchEvents), rw)
		}).as("text/event-stream")
}

// watchEvents streams what changes in a world, as server-sent events. The stream begins with world and goes on until its
// client or its world is gone; it keeps its world from expiring. The event world with resumed false says that something
// was missed, or that everything is new after a reset or restore: read everything again. What changes more than once
// within 50 ms is sent once.
func watchEvents(ctx context.Context, server *server, w World, in WatchEvents, rw http.ResponseWriter) error {
	chosen := topics
	if in.Topics != "" {
		chosen = strings.Split(in.Topics, ",")
	}
	for _, topic := range chosen {
		if !slices.Contains(topics, topic) {
			return errUnknownTopic.With("unknown topic %q; valid: %s", topic, strings.Join(topics, ", "))
		}
	}
	release, err := server.reserve()
	if err != nil {
		return err
	}
	defer release()
	defer w.Use()()
	s := &stream{world: w, feed: w.Feed(), topics: chosen, to: rw, flushTo: http.NewResponseController(rw).Flush}
	resumed := false
	s.position, resumed = w.Feed().position(cmp.Or(in.LastEventID, in.After))
	rw.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	s.write(fmt.Appendf(nil, "retry: %d\n\n", retrySeconds*1000))
	s.sendWorld(resumed)
	s.run(ctx, w.Ended())
	return nil
}

// Events are the data of the events of a stream, by name.
var Events = map[string]any{
	TopicWorld: WorldEvent{}, TopicClock: Clock{}, TopicFaults: FaultsEvent{}, TopicJournal: journal.Entry{},
	TopicMessage: Message{}, TopicOrder: Order{}, TopicSeats: SeatsEvent{}, "cleared": ClearedEvent{}, "end": Failure{},
}

// WorldEvent begins a stream.
type WorldEvent struct {
	// World is the id of the world.
	World string `json:"world"`
	// Seed is what the world's data follow from.
	Seed uint64 `json:"seed"`
	// Resumed says that nothing was missed since the event that the client named.
	Resumed bool `json:"resumed"`
	// Clock is the world's clock.
	Clock Clock `json:"clock"`
}

// FaultsEvent says that the plan has changed, or that a fault was met.
type FaultsEvent struct {
	// Faults are the planned ones, oldest first.
	Faults []faults.PlannedFault `json:"faults"`
}

// SeatsEvent says that seats have changed hands.
type SeatsEvent struct {
	// Provider is the ticketing provider.
	Provider string `json:"provider"`
	// Showing is the id of the showing.
	Showing string `json:"showing"`
}

// ClearedEvent says that the journal or messages were forgotten.
type ClearedEvent struct {
	// Topic is journal or message.
	Topic string `json:"topic"`
}

// run sends batches of events until ctx ends, the world ends or a write fails.
func (s *stream) run(ctx context.Context, ended <-chan struct{}) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for s.err == nil {
		changes, last, complete, more := s.feed.since(s.position)
		if complete {
			s.send(changes)
		}
		if s.position = last; !complete {
			s.sendWorld(false)
		}
		var pause <-chan time.Time
		if len(changes) > 0 || !complete {
			pause, more = time.After(batchPause), nil
		}
		if s.flush(); s.err != nil {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-ended:
			s.event("end", Failure{*worldGone(s.world.ID())})
			s.flush()
			return
		case <-beat.C:
			s.write([]byte(": still there\n\n"))
		case <-more:
		case <-pause:
		}
	}
}

// send writes the events of the changes after the stream's position. A change that occurs several times is sent once,
// where it occurs last. An event is encoded once for all streams, since encoding a journal entry costs more than a
// call.
func (s *stream) send(changes []Change) {
	latest := map[Change]int{}
	for i, c := range changes {
		latest[c] = i
	}
	first := s.position
	entries := sync.OnceValue(func() map[int64]journal.Entry { return entriesOf(s.world, changes) })
	var batch [][]byte
	s.feed.encoding.Lock()
	for i, c := range changes {
		if latest[c] != i || c.Topic != TopicWorld && !slices.Contains(s.topics, c.Topic) {
			continue
		}
		at := first + int64(i) + 1
		if _, known := s.feed.encoded[at]; !known {
			var text bytes.Buffer
			encoder := &stream{world: s.world, feed: s.feed, position: at, to: &text}
			encoder.sendChange(c, entries)
			s.feed.encoded[at] = text.Bytes()
		}
		batch = append(batch, s.feed.encoded[at])
	}
	if len(s.feed.encoded) > maxChanges {
		maps.DeleteFunc(s.feed.encoded, func(at int64, _ []byte) bool { return at <= first })
	}
	s.feed.encoding.Unlock()
	s.position = first + int64(len(changes))
	for _, text := range batch {
		s.write(text)
	}
}

// sendChange looks up what changed. It sends nothing about what is gone again.
func (s *stream) sendChange(c Change, entries func() map[int64]journal.Entry) {
	w := s.world
	switch c.Topic {
	case TopicWorld:
		s.sendWorld(false)
	case TopicClock:
		s.event(c.Topic, clockOf(w))
	case TopicFaults:
		s.event(c.Topic, FaultsEvent{w.Faults().Faults()})
	case TopicSeats:
		s.event(c.Topic, SeatsEvent{c.Provider, c.Key})
	case TopicOrder:
		for _, o := range ordersOf(w, c.Provider, c.Key) {
			s.event(c.Topic, o)
		}
	case TopicJournal, TopicMessage:
		if c.ID == 0 {
			s.event("cleared", ClearedEvent{c.Topic})
		} else if e, kept := entries()[c.ID]; kept && c.Topic == TopicJournal {
			s.event(c.Topic, e)
		} else if c.Topic == TopicMessage {
			now, cancel := context.WithCancel(context.Background())
			cancel() // so that Next does not wait
			if m, ok := ProviderThat[Inbox](w).Next(now, "", c.ID-1); ok && m.ID == c.ID {
				s.event(c.Topic, m)
			}
		}
	}
}

// entriesOf reads the journal entries of changes at once, by id.
func entriesOf(w World, changes []Change) map[int64]journal.Entry {
	first := int64(0)
	for _, c := range changes {
		if c.Topic == TopicJournal && c.ID > 0 && (first == 0 || c.ID < first) {
			first = c.ID
		}
	}
	found := map[int64]journal.Entry{}
	if first > 0 {
		for _, e := range w.Journal().Entries(journal.Filter{After: first - 1}) {
			found[e.ID] = e
		}
	}
	return found
}

// sendWorld begins a stream. Later, and if resumed is false, it says that changes were missed or everything is new, so
// that the client must read everything again.
func (s *stream) sendWorld(resumed bool) {
	w := s.world
	s.event(TopicWorld, WorldEvent{w.ID(), w.Country().Seed(), resumed, clockOf(w)})
}

// event writes one server-sent event. Its id is the position of the stream.
func (s *stream) event(name string, data any) {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // the types of this package always encode
	}
	var text bytes.Buffer
	fmt.Fprintf(&text, "id: %s-%d\nevent: %s\ndata: %s\n\n", s.feed.id, s.position, name, encoded)
	s.write(text.Bytes())
}

func (s *stream) write(text []byte) {
	if s.err == nil {
		_, s.err = s.to.Write(text)
	}
}

func (s *stream) flush() {
	if s.err == nil {
		s.err = s.flushTo()
	}
}
