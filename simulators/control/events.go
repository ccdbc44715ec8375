package control

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"
)

const heartbeat = 15 * time.Second

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
	number, leave := w.Feed.teller.join()
	defer leave()
	s := &stream{api: a, world: w, to: rw, control: http.NewResponseController(rw), topics: chosen, number: number}
	resumed := s.begin(r)
	rw.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(http.StatusOK)
	s.write([]byte("retry: 1000\n\n"))
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
	number  int   // among the streams of its world
	serial  int64 // how far it has been told
	unsent  bool  // something is written that may not have left
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
		next := s.world.Feed.next(s.serial, s.look)
		switch {
		case next.gap:
			s.serial = s.world.Feed.now()
			s.tellWorld(false)
		case next.batch != nil:
			s.tell(next.batch)
		default:
			if !s.flush() || !s.wait(ctx, next, beat.C) {
				return
			}
		}
	}
}

// look is the world as it is now: a reset gives it other providers.
func (s *stream) look() *World {
	if w, err := s.api.worlds.World(s.world.ID); err == nil {
		return w
	}
	return s.world
}

// wait returns true when there may be something to tell, and it is this stream's turn.
func (s *stream) wait(ctx context.Context, next due, beat <-chan time.Time) bool {
	var passed <-chan time.Time
	if next.more == nil {
		timer := time.NewTimer(next.while + s.world.Feed.teller.turn(s.number))
		defer timer.Stop()
		passed = timer.C
	}
	select {
	case <-ctx.Done():
		return false
	case <-s.world.Ended:
		s.write(s.world.Feed.line("end", s.serial, map[string]any{"error": worldGone(s.world.ID)}))
		s.flush()
		return false
	case <-beat:
		s.write([]byte(": still there\n\n"))
	case <-next.more:
		return s.wait(ctx, due{}, beat)
	case <-passed:
	}
	return true
}

// tell sends what of a batch this stream has not told yet and its client wants to know.
func (s *stream) tell(b *batch) {
	for _, e := range b.events {
		if e.serial > s.serial && (e.topic == TopicWorld || slices.Contains(s.topics, e.topic)) {
			s.write(e.text())
		}
	}
	s.serial = b.last
}

func (s *stream) tellWorld(resumed bool) {
	s.write(s.world.Feed.worldText(s.serial, s.world, resumed))
}

func (s *stream) write(text []byte) {
	if len(text) == 0 || s.broken {
		return
	}
	_, err := s.to.Write(text)
	s.broken, s.unsent = err != nil, true
}

// flush sends what is written, and reports whether the client is there.
func (s *stream) flush() bool {
	if s.unsent && !s.broken {
		s.unsent, s.broken = false, s.control.Flush() != nil
	}
	return !s.broken
}
