package control

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// newStream returns a stream from a position of a new world's feed, and what it wrote.
func newStream(position int64) (*stream, *httptest.ResponseRecorder) {
	w := &World{ID: "w1", Clock: testclock.New(), Plan: faults.NewPlan(), Feed: NewFeed(), Ended: make(chan struct{})}
	w.Journal = journal.New(100, w.Clock.Now)
	w.Journal.OnChange(func(id int64) { w.Feed.Publish(Change{Topic: TopicJournal, ID: id}) })
	to := httptest.NewRecorder()
	return &stream{feed: w.Feed, position: position, topics: topics, look: func() *World { return w }, to: to,
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
	s.look().Journal.Add(journal.Entry{Operation: "first"})
	s.look().Journal.Add(journal.Entry{Operation: "second"})
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
