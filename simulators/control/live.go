package control

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
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

// topics lists the topics whose events a client can select. Events of the topic "world" are always sent.
var topics = []string{TopicClock, TopicFaults, TopicJournal, TopicMessage, TopicOrder, TopicSeats}

const (
	maxChanges   = 1024                  // queued for one stream
	batchPause   = 50 * time.Millisecond // between two batches of events of a stream
	heartbeat    = 15 * time.Second
	retrySeconds = 1 // after which a browser connects again
)

// Change is one change of a world. It identifies what changed; a stream looks up the content when it sends the event.
type Change struct {
	Topic    string
	Provider string // of an order or of seats
	Key      string // the number of an order, the id of a showing
	ID       int64  // of a journal entry or of a message; 0: some were removed
}

// Feed distributes the changes of one world: every open event stream gets each of them. It is safe for concurrent use.
type Feed struct {
	mu      sync.Mutex
	streams map[chan Change]bool
}

// NewFeed returns a feed without streams.
func NewFeed() *Feed { return &Feed{streams: map[chan Change]bool{}} }

// Publish sends a change to the streams. It does not wait for them: a stream whose client is too slow ends. The client
// then reconnects and reads everything again.
func (f *Feed) Publish(c Change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for stream := range f.streams {
		select {
		case stream <- c:
		default:
			delete(f.streams, stream)
			close(stream)
		}
	}
}

// subscribe returns a channel with all later changes. The channel is closed when more than maxChanges are queued in it.
func (f *Feed) subscribe() (changes <-chan Change, unsubscribe func()) {
	stream := make(chan Change, maxChanges)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.streams[stream] = true
	return stream, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.streams, stream)
	}
}

// WatchEvents is the input of watchEvents.
type WatchEvents struct {
	InWorld
	// Topics are separated by commas: clock, faults, journal, message, order, seats; missing: all.
	Topics string `query:"topics"`
}

// events declares the call that streams events.
func events(
	handler func(context.Context, *server, World, WatchEvents, http.ResponseWriter) error, errors ...*Error,
) Operation {
	return declare[WatchEvents, Nothing](handler, append(errors, errWorldUnknown),
		func(s *server, w World, in any, r *http.Request, rw http.ResponseWriter) (any, error) {
			return nil, handler(r.Context(), s, w, in.(WatchEvents), rw)
		}).as("text/event-stream")
}

// watchEvents streams the changes of a world as server-sent events. The stream begins with the event "world" and lasts
// until the client disconnects or is too slow, or the world is deleted. A world with an open stream does not expire.
// After each event "world", which is also sent after a reset or restore, read everything again. Repeated changes within
// 50 ms are sent once.
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
	changes, unsubscribe := w.Feed().subscribe()
	defer unsubscribe()
	rw.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	s := &stream{world: w, topics: chosen, to: rw, flush: http.NewResponseController(rw).Flush}
	s.write(fmt.Appendf(nil, "retry: %d\n\n", retrySeconds*1000))
	s.send([]Change{{Topic: TopicWorld}})
	s.run(ctx, changes)
	return nil
}

// Events maps the name of each event to a value of the type of its data. The document is generated from these types.
var Events = map[string]any{
	TopicWorld: WorldEvent{}, TopicClock: Clock{}, TopicFaults: FaultsEvent{}, TopicJournal: journal.Entry{},
	TopicMessage: Message{}, TopicOrder: Order{}, TopicSeats: SeatsEvent{}, "cleared": ClearedEvent{}, "end": Failure{},
}

// WorldEvent is the first event of a stream. It is sent again after a reset or restore.
type WorldEvent struct {
	// World is the id of the world.
	World string `json:"world"`
	// Seed is the seed from which the world's data are generated.
	Seed uint64 `json:"seed"`
	// Clock is the world's clock.
	Clock Clock `json:"clock"`
}

// FaultsEvent reports that the plan has changed, or that a fault was applied.
type FaultsEvent struct {
	// Faults are the planned faults, oldest first.
	Faults []faults.PlannedFault `json:"faults"`
}

// SeatsEvent reports that seats were locked, sold or released.
type SeatsEvent struct {
	// Provider is the ticketing provider.
	Provider string `json:"provider"`
	// Showing is the id of the showing.
	Showing string `json:"showing"`
}

// ClearedEvent reports that the journal or messages were deleted.
type ClearedEvent struct {
	// Topic is journal or message.
	Topic string `json:"topic"`
}

// stream serves one client: it sends the changes of a world as server-sent events.
type stream struct {
	world  World
	topics []string  // selected by the client
	to     io.Writer // the client
	flush  func() error
	err    error // of the first failed write: the client has disconnected
}

// run sends changes in batches until ctx ends, the world ends, the feed ends the stream or a write fails.
func (s *stream) run(ctx context.Context, changes <-chan Change) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for s.err == nil {
		select {
		case <-ctx.Done():
			return
		case <-s.world.Ended():
			s.event("end", Failure{*worldGone(s.world.ID())})
			s.err = cmp.Or(s.err, s.flush())
			return
		case <-beat.C:
			s.write([]byte(": still there\n\n"))
			s.err = cmp.Or(s.err, s.flush())
		case change, open := <-changes:
			if !open {
				return
			}
			batch := []Change{change}
			for len(changes) > 0 {
				batch = append(batch, <-changes)
			}
			s.send(batch)
			select {
			case <-time.After(batchPause):
			case <-ctx.Done():
			}
		}
	}
}

// send writes the events of a batch. A change that occurs several times in it is sent once, at the place of the last
// one.
func (s *stream) send(batch []Change) {
	latest := map[Change]int{}
	for i, c := range batch {
		latest[c] = i
	}
	for i, c := range batch {
		if latest[c] == i && (c.Topic == TopicWorld || slices.Contains(s.topics, c.Topic)) {
			s.sendChange(c)
		}
	}
	s.err = cmp.Or(s.err, s.flush())
}

// sendChange looks up what changed and sends it, unless it no longer exists.
func (s *stream) sendChange(c Change) {
	w := s.world
	if c.ID == 0 && (c.Topic == TopicJournal || c.Topic == TopicMessage) {
		s.event("cleared", ClearedEvent{c.Topic})
		return
	}
	switch c.Topic {
	case TopicWorld:
		s.event(c.Topic, WorldEvent{w.ID(), w.Country().Seed(), clockOf(w)})
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
	case TopicJournal:
		if e, kept := w.Journal().Find(c.ID); kept {
			s.event(c.Topic, e)
		}
	case TopicMessage:
		messages := ProviderThat[Inbox](w).Messages("")
		if i := slices.IndexFunc(messages, func(m Message) bool { return m.ID == c.ID }); i >= 0 {
			s.event(c.Topic, messages[i])
		}
	}
}

// event writes one server-sent event.
func (s *stream) event(name string, data any) {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // cannot happen with the types of this package
	}
	s.write(fmt.Appendf(nil, "event: %s\ndata: %s\n\n", name, encoded))
}

func (s *stream) write(text []byte) {
	if s.err == nil {
		_, s.err = s.to.Write(text)
	}
}
