package control

import (
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// Feed remembers what changed in a world lately, for those who watch it. It holds names and no contents: what changed
// is looked up when it is told. It is safe for concurrent use.
type Feed struct {
	mu     sync.Mutex
	era    string // of this feed alone, so that a position of another is not taken for one of this
	serial int64  // changes so far
	ring   []change
	wake   chan struct{} // closed at the next change; nil while nobody waits
	teller teller
}

const keepChanges = 1024

// change is one thing that changed.
type change struct {
	serial   int64
	topic    string
	provider string
	key      string // an order's number, a showing's id
	id       int64  // of a journal entry or a message; 0: some are forgotten
}

// The topics of a feed, which are the names of its events.
const (
	TopicWorld   = "world"
	TopicClock   = "clock"
	TopicFaults  = "faults"
	TopicJournal = "journal"
	TopicMessage = "message"
	TopicOrder   = "order"
	TopicSeats   = "seats"
)

var topics = []string{TopicClock, TopicFaults, TopicJournal, TopicMessage, TopicOrder, TopicSeats}

var eras atomic.Int64

// NewFeed returns a feed in which nothing has changed.
func NewFeed() *Feed {
	return &Feed{era: strconv.FormatInt(time.Now().Unix(), 36) + strconv.FormatInt(eras.Add(1), 36)}
}

// Change is one change of a world, as a provider reports it.
type Change struct {
	Topic    string
	Provider string // of an order or of seats
	Key      string // the number of an order, the id of a showing
	ID       int64  // of a journal entry or of a message; 0: some were removed
}

// Publish remembers a change and wakes the streams.
func (f *Feed) Publish(c Change) {
	f.add(change{topic: c.Topic, provider: c.Provider, key: c.Key, id: c.ID})
}

// World says that nothing is as it was: a reset, a restored snapshot.
func (f *Feed) World() { f.add(change{topic: TopicWorld}) }

// Clock says that the clock was moved, frozen or resumed.
func (f *Feed) Clock() { f.add(change{topic: TopicClock}) }

// Faults says that a fault was planned, removed or met.
func (f *Feed) Faults() { f.add(change{topic: TopicFaults}) }

// Journal tells of a new entry, or with 0 that the entries are forgotten.
func (f *Feed) Journal(id int64) { f.add(change{topic: TopicJournal, id: id}) }

func (f *Feed) add(c change) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.serial++
	c.serial = f.serial
	if len(f.ring) < keepChanges {
		f.ring = append(f.ring, c)
	} else {
		f.ring[(f.serial-1)%keepChanges] = c
	}
	if f.wake != nil {
		close(f.wake)
		f.wake = nil
	}
}

// now is the present position.
func (f *Feed) now() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.serial
}

// position is what an event's id says: how far its reader has come. ok is false for one of another feed.
func (f *Feed) position(id string) (serial int64, ok bool) {
	if len(id) <= len(f.era)+1 || id[:len(f.era)+1] != f.era+"-" {
		return 0, false
	}
	serial, err := strconv.ParseInt(id[len(f.era)+1:], 10, 64)
	return serial, err == nil && serial >= 0 && serial <= f.now()
}

func (f *Feed) id(serial int64) string { return f.era + "-" + strconv.FormatInt(serial, 10) }

// after lists the changes after a position; whole is false when some of them are forgotten. more is closed when there
// are further ones.
func (f *Feed) after(serial int64) (list []change, whole bool, more <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wake == nil {
		f.wake = make(chan struct{})
	}
	if f.serial-serial > int64(len(f.ring)) {
		return nil, false, f.wake
	}
	for s := serial + 1; s <= f.serial; s++ {
		list = append(list, f.ring[(s-1)%keepChanges])
	}
	return list, true, f.wake
}
