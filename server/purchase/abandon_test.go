package purchase_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// failLocksAndUnlocks makes the next lock and all unlocks fail with an unknown outcome. With acted, the provider locks
// the seats.
func (s *shop) failLocksAndUnlocks(acted bool) {
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: acted})
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnknown, Times: -1})
}

func TestAbandon_UnlockIsRetriedUntilTheProviderAnswers(t *testing.T) {
	t.Parallel()
	for name, acted := range map[string]bool{"the provider locked": true, "the provider did not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.failLocksAndUnlocks(acted)
			_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
			assert.Equal(t, fault.Unknown, fault.KindOf(err))
			_, err = s.Seating.LockSeats(t.Context(), 8, seatRequest("1-1"))
			assert.ErrorIs(t, err, order.ErrSeatTaken, "the seat is held while the lock request may still arrive")
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ABANDONED'`),
				"the order is abandoned without an answer of the provider")
			assert.Zero(t, s.count(t, `SELECT count(*) FROM seat_holds WHERE state = 'held'`))
			s.runJobsForMinutes(t, 12)
			assert.Greater(t, s.source.Calls("unlock"), 6, "an unlock with an unknown outcome is retried")
			s.source.Forget("unlock")
			s.runDueJobsAfter(t, time.Hour)
			assert.Zero(t, s.source.Taken(show))
			assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'unlock'`))
			s.lock(t, 8, "1-1")
		})
	}
}

// Unavailable means that the provider did not act, so the seats may still be locked there.
func TestAbandon_UnlockIsRetriedWhileTheProviderIsUnavailable(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnavailable, Times: -1})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	for range 15 {
		s.runDueJobsAfter(t, 5*time.Minute)
	}
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	assert.Zero(t, s.source.Taken(show))
}

// A lock without an answer does not prevent the buyer from locking seats at another source.
func TestAbandon_BuyerCanLockOtherSeats(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(catalog.NewMovie, "nm", 4*time.Hour, 4, 4, price)
	s.failLocksAndUnlocks(true)
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	o, err := s.Seating.LockSeats(t.Context(), 7, seating.LockSeats{Mobile: mobile, Source: catalog.NewMovie,
		ShowID: "nm", SeatIDs: []string{"2-1"}})
	require.NoError(t, err)
	card := s.giveCard(t, 7, 10_000)
	s.payWithCard(t, o, card)
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	assert.Zero(t, s.source.Taken(show), "the unanswered lock is released")
	assert.Equal(t, 1, s.source.Taken("nm"), "the other lock is kept")
	avail, held := s.balance(t, 7, card)
	assert.EqualValues(t, 10_000-price, avail)
	assert.Zero(t, held)
}

// The buyer repeats the request with a new key: the lock of the first request is released before the seat map is read.
func TestAbandon_TheSameSeatsCanBeLockedAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	req := seatRequest("1-1")
	req.Key = "k1"
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	require.ErrorIs(t, err, seating.ErrLockUnanswered)
	assert.Equal(t, fault.Unknown, fault.KindOf(err), "the provider may have acted")
	assert.Equal(t, "锁座失败，请重试", fault.Of(err).Message)
	req.Key = "k2"
	_, err = s.Seating.LockSeats(t.Context(), 7, req)
	require.NoError(t, err)
	s.runDueJobsAfter(t, 5*time.Minute)
	assert.Equal(t, 1, s.source.Taken(show), "unlocking the first order does not release the seat of the second")
}

func TestAbandon_CancelAbandonsTheOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.failLocksAndUnlocks(true)
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	open, found, err := s.db.Orders().OpenOrder(t.Context(), 7)
	require.NoError(t, err)
	require.True(t, found)
	assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 8, open.No), order.ErrOrderNotFound,
		"another buyer's order")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, open.No))
	assert.Equal(t, order.Abandoned, s.state(t, open))
}

// The provider answers the unlock before it processes the delayed lock request.
func TestAbandon_ALockThatSucceedsLateIsReleased(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var late order.LockRequest
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	open, _, err := s.db.Orders().OpenOrder(t.Context(), 7)
	require.NoError(t, err)
	late = order.LockRequest{OrderNo: open.No, Show: open.Snapshot.Show, Seats: open.Snapshot.Seats}
	s.runDueJobsAfter(t, 6*time.Second)
	assert.Equal(t, 1, s.source.Calls("unlock"))
	_, err = s.source.Lock(t.Context(), late)
	require.NoError(t, err)
	s.runDueJobsAfter(t, time.Minute)
	assert.Zero(t, s.source.Taken(show))
	assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'unlock'`))
}

func TestAbandon_TheSameKeyRepeatsTheError(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"at once": 0, "after the order is abandoned": 6 * time.Second,
		"much later": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.failLocksAndUnlocks(false)
			req := seatRequest("1-1")
			req.Key = "k1"
			_, err := s.Seating.LockSeats(t.Context(), 7, req)
			assert.Equal(t, fault.Unknown, fault.KindOf(err))
			if wait > 0 {
				s.runDueJobsAfter(t, wait)
			}
			for range 2 {
				_, err = s.Seating.LockSeats(t.Context(), 7, req)
				assert.ErrorIs(t, err, seating.ErrLockUnanswered)
			}
			assert.Equal(t, 1, s.source.Calls("lock"), "the provider is called once for a key")
			req.Key = "k2"
			_, err = s.Seating.LockSeats(t.Context(), 7, req)
			require.NoError(t, err)
		})
	}
}

// A server ends while it waits for the lock: the order is abandoned after a minute, and the buyer can lock again.
func TestAbandon_LockOfAnEndedServerIsAbandoned(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	req := seatRequest("1-1")
	req.Key = "k1"
	began, asked, dead := make(chan struct{}), make(chan error, 1), make(chan struct{})
	end := sync.OnceFunc(func() { close(dead) })
	t.Cleanup(end)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true,
		Hook: func() { close(began); <-dead }})
	go func() {
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		asked <- err
	}()
	<-began
	other := s.secondServer(t)
	_, err := other.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, seating.ErrLockInProgress)
	_, err = other.Seating.LockSeats(t.Context(), 7, seatRequest("2-1"))
	assert.ErrorIs(t, err, seating.ErrLockInProgress)
	s.clock.Advance(time.Minute)
	_, err = other.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, seating.ErrLockUnanswered)
	_, err = other.Seating.LockSeats(t.Context(), 7, seatRequest("2-1"))
	require.NoError(t, err)
	s.verifyBooks(t)

	end() // the server was only slow: its late answer changes nothing
	assert.ErrorIs(t, <-asked, seating.ErrLockUnanswered)
}
