package control

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/journal"
)

const (
	pace      = 50 * time.Millisecond // between two batches of events: who watches a load test sees it in steps
	heartbeat = 15 * time.Second
)

// events streams what changes in a world as server-sent events until its client or its world ends.
func (a *api) events(w *World, rw http.ResponseWriter, r *http.Request) error {
	chosen, err := chosenTopics(r.URL.Query().Get("topics"))
	if err != nil {
		return err
	}
	release, err := a.hold()
	if err != nil {
		return err
	}
	defer release()
	defer w.Watched()()
	s := &stream{api: a, world: w, to: rw, control: http.NewResponseController(rw), topics: chosen}
	resumed := s.begin(r)
	rw.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(http.StatusOK)
	_, _ = fmt.Fprint(rw, "retry: 1000\n\n")
	s.tellWorld(resumed)
	s.run(r.Context())
	return nil
}

func chosenTopics(text string) ([]string, error) {
	if text == "" {
		return topics, nil
	}
	chosen := strings.Split(text, ",")
	for _, topic := range chosen {
		if !slices.Contains(topics, topic) {
			return nil, bad("unknown_topic", "unknown topic %q; valid: %s", topic, strings.Join(topics, ", "))
		}
	}
	return chosen, nil
}

// stream is one client's view of a feed.
type stream struct {
	api     *api
	world   *World
	to      http.ResponseWriter
	control *http.ResponseController
	topics  []string
	serial  int64 // how far it has been told
	broken  bool  // the client is gone
}

// begin finds where to begin, and reports whether that is where the client left off.
func (s *stream) begin(r *http.Request) bool {
	from := r.Header.Get("Last-Event-ID")
	if from == "" {
		from = r.URL.Query().Get("after")
	}
	serial, ok := s.world.Feed.position(from)
	if !ok {
		serial = s.world.Feed.now()
	}
	s.serial = serial
	return ok
}

func (s *stream) run(ctx context.Context) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	for {
		changes, whole, more := s.world.Feed.after(s.serial)
		if !whole {
			s.serial = s.world.Feed.now()
			s.tellWorld(false)
			continue
		}
		s.tell(changes)
		if s.control.Flush() != nil || s.broken {
			return
		}
		if len(changes) > 0 {
			more = nil
		}
		if !s.wait(ctx, more, beat.C) {
			return
		}
	}
}

// wait returns true when there may be more to tell; without more it is after the pace.
func (s *stream) wait(ctx context.Context, more <-chan struct{}, beat <-chan time.Time) bool {
	var next <-chan time.Time
	if more == nil {
		timer := time.NewTimer(pace)
		defer timer.Stop()
		next = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-s.world.Context.Done():
		s.send("end", s.serial, map[string]any{"error": worldGone(s.world.ID)})
		_ = s.control.Flush()
		return false
	case <-beat:
		_, err := fmt.Fprint(s.to, ": still there\n\n")
		s.broken = s.broken || err != nil
	case <-more:
	case <-next:
	}
	return true
}

// tell sends changes. What changed more than once is sent once, where it changed last.
func (s *stream) tell(changes []change) {
	if len(changes) == 0 {
		return
	}
	// A reset gives the world other providers.
	if w, err := s.api.worlds.World(s.world.ID); err == nil {
		s.world = w
	}
	entries := s.entries(changes)
	last := map[change]int64{}
	for _, c := range changes {
		last[c.same()] = c.serial
	}
	for _, c := range changes {
		s.serial = c.serial
		if last[c.same()] != c.serial || c.topic != topicWorld && !slices.Contains(s.topics, c.topic) {
			continue
		}
		s.tellOne(c, entries)
	}
}

// same is the change without its number.
func (c change) same() change {
	c.serial = 0
	return c
}

// entries looks up the journal once for all changes.
func (s *stream) entries(changes []change) map[int64]journal.Entry {
	first := int64(0)
	for _, c := range changes {
		if c.topic == topicJournal && c.id > 0 && (first == 0 || c.id < first) {
			first = c.id
		}
	}
	found := map[int64]journal.Entry{}
	if first > 0 && slices.Contains(s.topics, topicJournal) {
		for _, e := range s.world.Journal.Entries(journal.Filter{After: first - 1}) {
			found[e.ID] = e
		}
	}
	return found
}

func (s *stream) tellOne(c change, entries map[int64]journal.Entry) {
	switch c.topic {
	case topicWorld:
		s.tellWorld(false)
	case topicClock:
		s.send(c.topic, c.serial, clockOf(s.world))
	case topicFaults:
		s.send(c.topic, c.serial, map[string]any{"faults": s.world.Plan.Faults()})
	case topicJournal, topicMessage:
		if c.id == 0 {
			s.send("cleared", c.serial, map[string]string{"topic": c.topic})
			return
		}
		if c.topic == topicMessage {
			s.tellMessage(c)
		} else if e, kept := entries[c.id]; kept {
			s.send(c.topic, c.serial, e)
		}
	case topicOrder:
		for _, o := range s.world.ordersOf(c.provider, c.key) {
			s.send(c.topic, c.serial, o)
		}
	case topicSeats:
		s.send(c.topic, c.serial, map[string]string{"provider": c.provider, "showing": c.key})
	}
}

func (s *stream) tellMessage(c change) {
	done, cancel := context.WithCancel(context.Background())
	cancel() // only what is there
	if m, ok := s.world.Inbox.Next(done, "", c.id-1); ok && m.ID == c.id {
		s.send(c.topic, c.serial, m)
	}
}

// tellWorld begins the stream, and says after a gap that everything is to be read anew: resumed is false.
func (s *stream) tellWorld(resumed bool) {
	s.send(topicWorld, s.serial, map[string]any{"world": s.world.ID, "seed": s.world.Seed, "resumed": resumed, "clock": clockOf(s.world)})
}

func (s *stream) send(event string, serial int64, data any) {
	encoded, err := json.Marshal(data)
	if err != nil {
		panic(err) // our own types always encode
	}
	_, err = fmt.Fprintf(s.to, "id: %s\nevent: %s\ndata: %s\n\n", s.world.Feed.id(serial), event, encoded)
	s.broken = s.broken || err != nil
}
