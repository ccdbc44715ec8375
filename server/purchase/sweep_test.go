package purchase_test

import (
	"marquee/server/order"
	"marquee/server/seating"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/purchase/purchasetest"
)

// silence makes a provider that does not answer, to locks and unlocks alike.
func (s *shop) silence(acted bool) {
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: acted})
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnknown, Times: -1})
}

func TestSweep_ASilentProviderIsUnlockedUntilItAnswers(t *testing.T) {
	t.Parallel()
	for name, acted := range map[string]bool{"the provider locked": true, "the provider did not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.silence(acted)
			_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
			assert.Equal(t, fault.Unknown, fault.KindOf(err))
			_, err = s.Seating.LockSeats(t.Context(), 8, want("1-1"))
			assert.ErrorIs(t, err, order.ErrSeatTaken, "a moment is left to a request that is still on its way")
			s.runDueJobsAfter(t, 6*time.Second)
			assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ABANDONED'`), "that takes no answer")
			assert.Zero(t, s.count(t, `SELECT count(*) FROM seat_holds WHERE state = 'held'`))
			for range 12 {
				s.runDueJobsAfter(t, time.Minute)
			}
			assert.Greater(t, s.source.Calls("unlock"), 6, "silence is no refusal")
			s.source.Forget("unlock")
			s.runDueJobsAfter(t, time.Hour)
			assert.Zero(t, s.source.Taken(show))
			assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'unlock'`))
			s.lock(t, 8, "1-1")
			s.verifyBooks(t)
		})
	}
}

// Unavailable is definite: the call was not made. It is not an answer about the seats.
func TestSweep_AnUnreachableProviderHasNotAnswered(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnavailable, Times: -1})
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	for range 15 {
		s.runDueJobsAfter(t, 5*time.Minute)
	}
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	assert.Zero(t, s.source.Taken(show))
	s.verifyBooks(t)
}

// The buyer does not wait for a provider that is down: neither for other seats there nor at the other source.
func TestSweep_ABuyerWhoAsksAnewIsFree(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(catalog.NewMovie, "nm", 4*time.Hour, 4, 4, price)
	s.silence(true)
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	o, err := s.Seating.LockSeats(t.Context(), 7, seating.LockSeats{Source: catalog.NewMovie, ShowID: "nm",
		SeatIDs: []string{"2-1"}})
	require.NoError(t, err)
	card := s.giveCard(t, 7, 10_000)
	_, err = s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	assert.Zero(t, s.source.Taken(show), "the lost lock was given back")
	assert.Equal(t, 1, s.source.Taken("nm"), "and no other")
	avail, held := s.balance(t, 7, card)
	assert.EqualValues(t, 10_000-price, avail)
	assert.Zero(t, held)
	s.verifyBooks(t)
}

// The buyer is told to try again, and does: the provider gives up what it holds for the first try before the hall is
// read.
func TestSweep_TheSameSeatsCanBeHadAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	req := want("1-1")
	req.Key = "k1"
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	require.ErrorIs(t, err, seating.ErrLockUnanswered)
	assert.Equal(t, fault.Unknown, fault.KindOf(err), "the provider may have acted")
	assert.Equal(t, "锁座失败，请重试", fault.Of(err).Message)
	req.Key = "k2"
	_, err = s.Seating.LockSeats(t.Context(), 7, req)
	require.NoError(t, err)
	s.runDueJobsAfter(t, 5*time.Minute)
	assert.Equal(t, 1, s.source.Taken(show), "what the first try left does not take the second one's seat")
	s.verifyBooks(t)
}

func TestSweep_CancelFreesTheBuyerToo(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.silence(true)
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.Equal(t, fault.Unknown, fault.KindOf(err))
	open, found, err := s.db.Orders().OpenOrder(t.Context(), 7)
	require.NoError(t, err)
	require.True(t, found)
	assert.ErrorIs(t, s.Checkout.Canceller.Cancel(t.Context(), 8, open.No), order.ErrOrderNotFound,
		"another buyer's order")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, open.No))
	assert.Equal(t, order.Abandoned, s.state(t, open))
	s.verifyBooks(t)
}

// The provider answers the unlock before the lock request itself comes through its queue.
func TestSweep_ALockThatSucceedsLateIsReleased(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var late order.LockRequest
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown})
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
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
	s.verifyBooks(t)
}

func TestSweep_TheSameKeyHasARealOutcome(t *testing.T) {
	t.Parallel()
	for name, wait := range map[string]time.Duration{"at once": 0, "after the sweep": 6 * time.Second,
		"much later": time.Hour} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.silence(false)
			req := want("1-1")
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
			assert.Equal(t, 1, s.source.Calls("lock"), "the key asks once")
			req.Key = "k2"
			_, err = s.Seating.LockSeats(t.Context(), 7, req)
			require.NoError(t, err)
			s.verifyBooks(t)
		})
	}
}

// A server that died while it waited for the lock leaves the order to the sweep; its buyer is not kept for good.
func TestSweep_AForgottenLockIsAbandoned(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	req := want("1-1")
	req.Key = "k1"
	began, asked := make(chan struct{}), make(chan error, 1)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true,
		Hook: func() { close(began); select {} }})
	go func() {
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		asked <- err
	}()
	<-began
	other := s.secondServer(t)
	_, err := other.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, seating.ErrLockInProgress)
	_, err = other.Seating.LockSeats(t.Context(), 7, want("2-1"))
	assert.ErrorIs(t, err, seating.ErrLockInProgress)
	s.clock.Advance(time.Minute)
	_, err = other.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, seating.ErrLockUnanswered)
	_, err = other.Seating.LockSeats(t.Context(), 7, want("2-1"))
	require.NoError(t, err)
	s.verifyBooks(t)
}
