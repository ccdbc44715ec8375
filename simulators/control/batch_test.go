package control

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/journal"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// watchedWorld is a world with what its feed is about.
func watchedWorld() *World {
	w := &World{ID: "w1", Clock: testclock.New(), Plan: script.NewPlan(), Feed: NewFeed()}
	w.Journal = journal.New(100, w.Clock.Now)
	w.Journal.OnChange(w.Feed.Journal)
	return w
}

// texts is what a batch says to a stream at a position.
func texts(b *batch, position int64) (list []string) {
	for _, e := range b.events {
		if e.serial > position {
			list = append(list, string(e.text()))
		}
	}
	return list
}

func TestFeed_ABatchIsEncodedOnceForAllStreams(t *testing.T) {
	t.Parallel()
	w, looks := watchedWorld(), 0
	look := func() *World { looks++; return w }
	w.Journal.Add(journal.Entry{Operation: "first"})
	w.Journal.Add(journal.Entry{Operation: "second"})

	one := w.Feed.next(0, look)
	w.Journal.Add(journal.Entry{Operation: "third"})
	other := w.Feed.next(0, look)
	between := w.Feed.next(1, look)
	require.NotNil(t, one.batch)
	require.Same(t, one.batch, other.batch, "a stream that comes a moment later is told the same")
	require.Same(t, one.batch, between.batch, "and one that knows a part of it")
	require.Len(t, one.batch.events, 2)
	assert.Same(t, &one.batch.events[0].text()[0], &other.batch.events[0].text()[0], "the very same bytes")
	assert.Equal(t, 1, looks)
	require.Len(t, texts(between.batch, 1), 1)
	assert.Contains(t, texts(between.batch, 1)[0], `"operation":"second"`)
}

func TestFeed_BatchesFollowAtAPaceAndMeet(t *testing.T) {
	t.Parallel()
	w := watchedWorld()
	look := func() *World { return w }
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "1"})
	first := w.Feed.next(0, look)
	require.NotNil(t, first.batch)
	quiet := w.Feed.next(1, look)
	require.Nil(t, quiet.batch)
	require.NotNil(t, quiet.more, "nothing more: it waits for a change")

	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "2"})
	<-quiet.more
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "3"})
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "2"})
	var second due
	require.Eventually(t, func() bool {
		second = w.Feed.next(1, look)
		assert.Nil(t, second.more, "there is more to tell, after a while")
		return second.batch != nil
	}, 5*time.Second, time.Millisecond)
	said := texts(second.batch, 1)
	require.Len(t, said, 2, "what changed twice stands once")
	assert.Contains(t, said[0], `"showing":"3"`)
	assert.Contains(t, said[1], `"showing":"2"`, "where it changed last")

	began := w.Feed.next(2, look) // a stream that began in the middle
	require.Same(t, second.batch, began.batch)
	behind := w.Feed.next(0, look) // and one that was away
	require.NotNil(t, behind.batch)
	assert.Equal(t, second.batch.last, behind.batch.last, "meets the others at the end of their batch")
	assert.Contains(t, strings.Join(texts(behind.batch, 0), ""), `"showing":"1"`)
}

func TestFeed_AStreamThatBeginsBeforeItsBatchJoinsTheOthers(t *testing.T) {
	t.Parallel()
	w := watchedWorld()
	look := func() *World { return w }
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "1"})
	require.NotNil(t, w.Feed.next(0, look).batch)
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "2"})
	w.Feed.Publish(Change{Topic: TopicSeats, Provider: "gateway", Key: "3"})
	var joined due
	require.Eventually(t, func() bool { joined = w.Feed.next(2, look); return joined.batch != nil }, 5*time.Second, time.Millisecond)
	require.Len(t, texts(joined.batch, 2), 1, "it is told what came since")
	others := w.Feed.next(1, look)
	assert.Same(t, joined.batch, others.batch, "and the others' batch is not another")
	assert.Len(t, texts(others.batch, 1), 2)
}

func TestFeed_AGapIsOne(t *testing.T) {
	t.Parallel()
	w := watchedWorld()
	look := func() *World { return w }
	for range keepChanges + 1 {
		w.Feed.Clock()
	}
	assert.True(t, w.Feed.next(0, look).gap)
	require.NotNil(t, w.Feed.next(1, look).batch)
	assert.True(t, w.Feed.next(0, look).gap, "also when others were told a batch since")
}

func TestFeed_StreamsTakeTurnsAndTheLastLeavesNothing(t *testing.T) {
	t.Parallel()
	w := watchedWorld()
	feed := &w.Feed.teller
	alone, leave := feed.join()
	assert.Zero(t, feed.turn(alone), "one stream waits for nobody")
	assert.Equal(t, pace, feed.pace())
	numbers, leaves := []int{alone}, []func(){leave}
	for range 99 {
		number, leave := feed.join()
		numbers, leaves = append(numbers, number), append(leaves, leave)
	}
	turns := map[time.Duration]bool{}
	for _, number := range numbers {
		turns[feed.turn(number)] = true
	}
	assert.Len(t, turns, 100, "each has one of its own")
	assert.Equal(t, 100*turn, feed.pace(), "and all are told within the pace")

	w.Feed.Clock()
	require.NotNil(t, w.Feed.next(0, func() *World { return w }).batch)
	for _, leave := range leaves {
		assert.NotNil(t, feed.latest)
		leave()
	}
	assert.Nil(t, feed.latest, "nobody would ask for it any more")
}
