package control

import (
	"fmt"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// testWorld is a world whose journal publishes its changes to the world's feed.
type testWorld struct {
	World
	clock   *testclock.Clock
	plan    *faults.Plan
	journal *journal.Journal
	feed    *Feed
	ended   chan struct{}
}

func newTestWorld() *testWorld {
	w := &testWorld{clock: testclock.New(), plan: faults.NewPlan(), feed: NewFeed(), ended: make(chan struct{})}
	w.journal = journal.New(100, w.clock.Now)
	w.journal.OnChange(func(id int64) { w.feed.Publish(Change{Topic: TopicJournal, ID: id}) })
	return w
}

func (w *testWorld) ID() string                { return "w1" }
func (w *testWorld) Country() *dataset.Country { return dataset.NewCountry(1, w.clock) }
func (w *testWorld) Clock() *testclock.Clock   { return w.clock }
func (w *testWorld) Faults() *faults.Plan      { return w.plan }
func (w *testWorld) Journal() *journal.Journal { return w.journal }
func (w *testWorld) Ended() <-chan struct{}    { return w.ended }

// newStream returns a stream of a new world, its changes, and its output.
func newStream() (s *stream, w *testWorld, changes <-chan Change, to *httptest.ResponseRecorder) {
	w, to = newTestWorld(), httptest.NewRecorder()
	changes, _ = w.feed.subscribe()
	s = &stream{world: w, topics: topics, to: to, flush: func() error { return nil }}
	return s, w, changes, to
}

// sendAll sends the queued changes, and returns the text.
func sendAll(s *stream, changes <-chan Change, to *httptest.ResponseRecorder) string {
	var batch []Change
	for len(changes) > 0 {
		batch = append(batch, <-changes)
	}
	to.Body.Reset()
	s.send(batch)
	return to.Body.String()
}

func seatsOf(showing string) Change {
	return Change{Topic: TopicSeats, Provider: "gateway", Key: showing}
}

func TestFeed_AChangeThatOccursTwiceIsSentOnceWhereItOccursLast(t *testing.T) {
	t.Parallel()
	s, w, changes, to := newStream()
	for _, showing := range []string{"1", "2", "1"} {
		w.feed.Publish(seatsOf(showing))
	}
	sent := sendAll(s, changes, to)
	assert.Equal(t, 2, strings.Count(sent, "event: seats"))
	assert.Less(t, strings.Index(sent, `"showing":"2"`), strings.Index(sent, `"showing":"1"`))
	assert.Empty(t, sendAll(s, changes, to), "nothing is sent twice")
}

func TestFeed_EntriesOfTheJournalAreSentUnchanged(t *testing.T) {
	t.Parallel()
	s, w, changes, to := newStream()
	w.journal.Add(journal.Entry{Operation: "first"})
	w.journal.Add(journal.Entry{Operation: "second"})
	sent := sendAll(s, changes, to)
	assert.Less(t, strings.Index(sent, `"operation":"first"`), strings.Index(sent, `"operation":"second"`))
	w.journal.Add(journal.Entry{Operation: "third"})
	sent = sendAll(s, changes, to)
	assert.NotContains(t, sent, `"operation":"second"`)
	assert.Contains(t, sent, `"operation":"third"`)
}

func TestFeed_OnlyTheSelectedTopicsAreSent(t *testing.T) {
	t.Parallel()
	s, w, changes, to := newStream()
	s.topics = []string{TopicClock}
	w.feed.Publish(seatsOf("1"))
	w.feed.Publish(Change{Topic: TopicClock})
	w.feed.Publish(Change{Topic: TopicWorld})
	sent := sendAll(s, changes, to)
	assert.NotContains(t, sent, "event: seats")
	assert.Contains(t, sent, "event: clock")
	assert.Contains(t, sent, "event: world", "a reset concerns every client")
}

func TestFeed_TheStreamOfAClientThatIsTooSlowEnds(t *testing.T) {
	t.Parallel()
	s, w, changes, _ := newStream()
	other, unsubscribe := w.feed.subscribe()
	for i := range maxChanges {
		w.feed.Publish(seatsOf(fmt.Sprint(i)))
	}
	require.Len(t, changes, maxChanges)
	assert.Equal(t, seatsOf("0"), <-other, "a client that keeps up")
	w.feed.Publish(seatsOf("one too many"))
	require.Len(t, other, maxChanges)
	unsubscribe()
	s.run(t.Context(), changes) // returns, because the feed has closed the channel
	_, open := <-changes
	assert.False(t, open)
}

func TestFeed_AStreamEndsWithItsWorld(t *testing.T) {
	t.Parallel()
	s, w, changes, to := newStream()
	close(w.ended)
	s.run(t.Context(), changes)
	assert.Contains(t, to.Body.String(), "event: end")
	assert.Contains(t, to.Body.String(), "world_gone")
}
