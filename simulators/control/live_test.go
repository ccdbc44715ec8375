package control

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// testWorld is a world with a feed whose journal publishes to it.
type testWorld struct {
	World
	clock   *testclock.Clock
	plan    *faults.Plan
	journal *journal.Journal
	feed    *Feed
}

func newTestWorld() *testWorld {
	w := &testWorld{clock: testclock.New(), plan: faults.NewPlan(), feed: NewFeed()}
	w.journal = journal.New(100, w.clock.Now)
	w.journal.OnChange(func(id int64) { w.feed.Publish(Change{Topic: TopicJournal, ID: id}) })
	return w
}

func (w *testWorld) ID() string                { return "w1" }
func (w *testWorld) Country() *dataset.Country { return dataset.NewCountry(1, w.clock) }
func (w *testWorld) Clock() *testclock.Clock   { return w.clock }
func (w *testWorld) Faults() *faults.Plan      { return w.plan }
func (w *testWorld) Journal() *journal.Journal { return w.journal }

// newStream returns a stream from a position of a new world's feed, and what it wrote.
func newStream(position int64) (*stream, *httptest.ResponseRecorder) {
	w, to := newTestWorld(), httptest.NewRecorder()
	return &stream{world: w, feed: w.feed, position: position, topics: topics, to: to,
		flushTo: func() error { return nil }}, to
}

// sendAll sends what changed since the stream's position, and returns the text.
func sendAll(t *testing.T, s *stream, to *httptest.ResponseRecorder) string {
	t.Helper()
	changes, last, complete, _ := s.feed.since(s.position)
	require.True(t, complete)
	to.Body.Reset()
	s.send(changes)
	assert.Equal(t, last, s.position)
	return to.Body.String()
}

func seatsOf(showing string) Change {
	return Change{Topic: TopicSeats, Provider: "gateway", Key: showing}
}

func TestFeed_AChangeThatOccursTwiceIsSentOnceWhereItOccursLast(t *testing.T) {
	t.Parallel()
	s, to := newStream(0)
	for _, showing := range []string{"1", "2", "1"} {
		s.feed.Publish(seatsOf(showing))
	}
	sent := sendAll(t, s, to)
	assert.Equal(t, 2, strings.Count(sent, "event: seats"))
	assert.Less(t, strings.Index(sent, `"showing":"2"`), strings.Index(sent, `"showing":"1"`))
	assert.Contains(t, sent, "id: "+s.feed.id+"-2\n", "each event has its own position")
	assert.Contains(t, sent, "id: "+s.feed.id+"-3\n")
	assert.Empty(t, sendAll(t, s, to), "nothing is sent twice")
}

func TestFeed_AStreamResumesInTheMiddleOfABatch(t *testing.T) {
	t.Parallel()
	s, to := newStream(0)
	s.world.Journal().Add(journal.Entry{Operation: "first"})
	s.world.Journal().Add(journal.Entry{Operation: "second"})
	position, known := s.feed.position(s.feed.id + "-1")
	require.True(t, known)
	s.position = position
	sent := sendAll(t, s, to)
	assert.NotContains(t, sent, `"operation":"first"`)
	assert.Contains(t, sent, `"operation":"second"`)
}

func TestFeed_OnlyTheTopicsThatWereChosenAreSent(t *testing.T) {
	t.Parallel()
	s, to := newStream(0)
	s.topics = []string{TopicClock}
	s.feed.Publish(seatsOf("1"))
	s.feed.Publish(Change{Topic: TopicClock})
	s.feed.Publish(Change{Topic: TopicWorld})
	sent := sendAll(t, s, to)
	assert.NotContains(t, sent, "event: seats")
	assert.Contains(t, sent, "event: clock")
	assert.Contains(t, sent, "event: world", "a reset concerns every client")
}

func TestFeed_AClientThatIsTooSlowMissesChangesAndIsTold(t *testing.T) {
	t.Parallel()
	s, to := newStream(0)
	for i := range maxChanges + 1 {
		s.feed.Publish(seatsOf(fmt.Sprint(i)))
	}
	_, last, complete, _ := s.feed.since(0)
	require.False(t, complete)
	list, _, complete, _ := s.feed.since(1)
	require.True(t, complete)
	assert.Len(t, list, maxChanges, "no more are remembered")
	assert.Equal(t, seatsOf("1"), list[0])

	ended := make(chan struct{})
	done := make(chan struct{})
	go func() { s.run(t.Context(), ended); close(done) }()
	time.AfterFunc(time.Millisecond, func() { close(ended) })
	<-done
	assert.Equal(t, last, s.position, "it goes on from the present")
	assert.Contains(t, to.Body.String(), `"resumed":false`)
	assert.NotContains(t, to.Body.String(), "event: seats")
	assert.Contains(t, to.Body.String(), "world_gone", "and says when the world ends")
}
