package account

import (
	"context"
	"slices"
	"sync"

	"marquee/server/durations"
	"marquee/server/fault"
)

// ErrPasswordBusy means that too many payment passwords wait to be checked. The same request can succeed later.
var ErrPasswordBusy = fault.New(fault.Limited, "payment_password_busy", "支付人数较多，请稍后再试").
	WithRetryAfter(durations.BusyRetry)

const (
	// waitingPerCore is how many hashes may wait for each core. It bounds the wait: one hash takes about 8 ms of a
	// core.
	waitingPerCore = 32
	// waitingPerBuyer is how many requests of one buyer may wait in addition to the running one.
	waitingPerBuyer = 3
)

// hashQueue runs at most as many password hashes at the same time as there are cores; further ones wait. Each buyer has
// at most one running hash, and the buyers take turns, so that many requests of one buyer do not delay the others.
type hashQueue struct {
	mu      sync.Mutex
	free    int                   // cores
	room    int                   // how many more requests may wait
	buyers  map[int64]*hashWaiter // the buyers with a running or a waiting hash
	waiting []int64               // buyers in the order in which they get the next free cores
}

// hashWaiter holds the running and the waiting hashes of one buyer.
type hashWaiter struct {
	running bool
	turns   []chan struct{} // one for each waiting request, closed when its turn has come
}

func newHashQueue(cores int) *hashQueue {
	return &hashQueue{free: cores, room: cores * waitingPerCore, buyers: map[int64]*hashWaiter{}}
}

// acquire waits for the buyer's turn. The caller must call release if the error is nil. It returns ErrPasswordBusy if
// the queue is full, and the error of ctx if ctx ends first; the request then no longer waits.
func (q *hashQueue) acquire(ctx context.Context, buyer int64) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	b := q.buyers[buyer]
	if b == nil {
		b = &hashWaiter{}
		q.buyers[buyer] = b
	}
	if q.free > 0 && !b.running && len(b.turns) == 0 {
		q.free--
		b.running = true
		q.mu.Unlock()
		return nil
	}
	if q.room == 0 || len(b.turns) == waitingPerBuyer {
		q.forget(buyer)
		q.mu.Unlock()
		return ErrPasswordBusy
	}
	turn := make(chan struct{})
	q.room--
	b.turns = append(b.turns, turn)
	if !b.running && len(b.turns) == 1 {
		q.waiting = append(q.waiting, buyer)
	}
	q.mu.Unlock()
	select {
	case <-turn:
		return nil
	case <-ctx.Done():
		q.leave(buyer, turn)
		return ctx.Err()
	}
}

// leave removes a waiting request from the queue. If its turn has just come, leave releases it.
func (q *hashQueue) leave(buyer int64, turn chan struct{}) {
	q.mu.Lock()
	b := q.buyers[buyer]
	at := -1
	if b != nil {
		at = slices.Index(b.turns, turn)
	}
	if at < 0 {
		q.mu.Unlock()
		q.release(buyer)
		return
	}
	defer q.mu.Unlock()
	b.turns = slices.Delete(b.turns, at, at+1)
	q.room++
	if len(b.turns) == 0 {
		q.waiting = slices.DeleteFunc(q.waiting, func(id int64) bool { return id == buyer })
		q.forget(buyer)
	}
}

// release ends the buyer's running hash and gives its core to the next buyer.
func (q *hashQueue) release(buyer int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	b := q.buyers[buyer]
	b.running = false
	q.free++
	if len(b.turns) > 0 {
		q.waiting = append(q.waiting, buyer)
	}
	q.forget(buyer)
	for q.free > 0 && len(q.waiting) > 0 {
		next := q.buyers[q.waiting[0]]
		q.waiting = q.waiting[1:]
		q.free--
		q.room++
		next.running = true
		close(next.turns[0])
		next.turns = next.turns[1:]
	}
}

// forget removes a buyer without running and waiting hashes from the map.
func (q *hashQueue) forget(buyer int64) {
	if b := q.buyers[buyer]; !b.running && len(b.turns) == 0 {
		delete(q.buyers, buyer)
	}
}
