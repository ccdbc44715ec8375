package purchase_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// free reports whether a seat of the default show is free on the map that a buyer sees.
func (s *shop) free(t *testing.T, userID int64, seatID string) bool {
	t.Helper()
	hall, err := s.Seating.SeatMap(t.Context(), userID, catalog.Legacy, show)
	require.NoError(t, err)
	seat, found := hall.Seat(seatID)
	require.True(t, found)
	return seat.Available
}

// However a lock fails, its seats are free on the buyer's map, but on no other, until the source has released them. The
// buyer can lock them at any time.
func TestSeatMap_OwnFailedLock(t *testing.T) {
	t.Parallel()
	unanswered := purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true}
	for name, c := range map[string]struct {
		lock      purchasetest.Plan
		surcharge money.Fen
		lockFor   time.Duration
		want      error
	}{
		"unanswered":    {lock: unanswered, want: seating.ErrLockUnanswered},
		"another price": {surcharge: 100, want: order.ErrPriceChanged},
		"too short":     {lockFor: 90 * time.Second, want: order.ErrTooLateToPay},
	} {
		for when, wait := range map[string]time.Duration{"at once": 0, "once abandoned": 6 * time.Second} {
			t.Run(name+"/"+when, func(t *testing.T) {
				t.Parallel()
				s := newShop(t)
				s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnavailable, Times: -1})
				if c.lock.Op != "" {
					s.source.On(c.lock)
				}
				if c.lockFor != 0 {
					s.source.LockFor = c.lockFor
				}
				s.source.Surcharge = c.surcharge
				_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
				require.ErrorIs(t, err, c.want)
				s.runDueJobsAfter(t, wait)
				assert.True(t, s.free(t, 7, "1-1"), "no other buyer has it")
				assert.False(t, s.free(t, 8, "1-1"), "the source has not given it back")
				assert.False(t, s.free(t, 0, "1-1"))
				_, err = s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
				require.ErrorIs(t, err, seating.ErrSeatsReturning, "the source does not take it back")

				s.source.Forget("unlock")
				s.source.Surcharge, s.source.LockFor = 0, 20*time.Minute
				s.lock(t, 7, "1-1")
				s.runDueJobsAfter(t, 2*time.Minute)
				assert.False(t, s.free(t, 8, "1-1"), "the second lock is kept")
			})
		}
	}
}

// The buyer's own seats are free on the buyer's map only as long as no other order has them.
func TestSeatMap_OwnSeatsThatAreTakenByOthers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1", "1-2"))
	require.ErrorIs(t, err, seating.ErrLockUnanswered)
	s.runDueJobsAfter(t, 6*time.Second)
	require.Equal(t, 1, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'unlock'`), "a late lock may still come")
	s.lock(t, 8, "1-1")
	assert.False(t, s.free(t, 7, "1-1"))
	assert.True(t, s.free(t, 7, "1-2"))
	_, err = s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.ErrorIs(t, err, order.ErrSeatTaken)
}

// Seats that the source releases at once may be taken by another buyer before they are read again.
func TestLock_OwnSeatsThatAnotherBuyerTakesOnTheirReturn(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnavailable, Times: -1})
	s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.ErrorIs(t, err, seating.ErrLockUnanswered)
	s.runDueJobsAfter(t, 6*time.Second)
	s.source.Forget("unlock")
	another := func() { s.lock(t, 8, "1-1") }
	s.source.On(purchasetest.Plan{Op: "unlock", Hook: func() {
		s.source.On(purchasetest.Plan{Op: "seatmap", Hook: another})
	}})
	_, err = s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.ErrorIs(t, err, order.ErrSeatTaken)
}

// bySeatNames returns the request with the names of its seats instead of their ids.
func bySeatNames(t *testing.T, s *shop, req seating.LockSeats) seating.LockSeats {
	t.Helper()
	hall, err := s.Seating.SeatMap(t.Context(), 0, req.Source, req.ShowID)
	require.NoError(t, err)
	for _, id := range req.SeatIDs {
		seat, found := hall.Seat(id)
		require.True(t, found)
		req.SeatNames = append(req.SeatNames, seat.Name)
	}
	req.SeatIDs = nil
	return req
}

// A request for a seat that another buyer has does not unlock other seats of the buyer's earlier locks, whether it
// contains ids or names.
func TestLock_ATakenSeatDoesNotUnlockOtherSeatsOfTheBuyer(t *testing.T) {
	t.Parallel()
	for name, byName := range map[string]bool{"ids": false, "names": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.source.On(purchasetest.Plan{Op: "unlock", Err: fault.ErrUnavailable, Times: -1})
			s.source.On(purchasetest.Plan{Op: "lock", Err: fault.ErrUnknown, Acted: true})
			_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
			require.ErrorIs(t, err, seating.ErrLockUnanswered)
			s.runDueJobsAfter(t, 6*time.Second)
			s.lock(t, 8, "1-2")
			taken, own := seatRequest("1-2"), seatRequest("1-1")
			if byName {
				taken, own = bySeatNames(t, s, taken), bySeatNames(t, s, own)
			}
			unlocks := s.source.Calls("unlock")
			_, err = s.Seating.LockSeats(t.Context(), 7, taken)
			require.ErrorIs(t, err, order.ErrSeatTaken)
			require.Equal(t, unlocks, s.source.Calls("unlock"), "the seat that the source still holds is another one")
			_, err = s.Seating.LockSeats(t.Context(), 7, own)
			require.ErrorIs(t, err, seating.ErrSeatsReturning)
			s.source.Forget("unlock")
			_, err = s.Seating.LockSeats(t.Context(), 7, own)
			require.NoError(t, err)
		})
	}
}

// A lock whose answer did not reach the buyer is an unpaid order: its seats are shown as free to the buyer.
func TestSeatMap_OwnUnpaidOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	assert.True(t, s.free(t, 7, "1-1"))
	assert.False(t, s.free(t, 8, "1-1"))
	s.payWithCard(t, o, s.giveCard(t, 7, 10_000))
	assert.False(t, s.free(t, 7, "1-1"), "sold")
}

// A buyer who agrees to the new price gets the seats for it, or for less, but never for more.
func TestLock_AtTheNewPrice(t *testing.T) {
	t.Parallel()
	ask := func(s *shop, accepted money.Fen) (order.Order, error) {
		req := seatRequest("1-1", "1-2")
		shown := 2 * price
		req.ClaimedTotal, req.Shown.Price = &shown, nil
		req.Key = fmt.Sprintf("at %d", accepted)
		if accepted != 0 {
			req.Accepted = &accepted
		}
		return s.Seating.LockSeats(t.Context(), 7, req)
	}
	offered := func(t *testing.T, err error) money.Fen {
		t.Helper()
		require.ErrorIs(t, err, order.ErrPriceChanged)
		return money.Fen(fault.Of(err).Total)
	}
	t.Run("the lock costs more", func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		s.source.Surcharge = 100
		_, err := ask(s, 0)
		dearer := offered(t, err)
		require.Equal(t, 2*price+100, dearer)
		_, err = ask(s, 0)
		require.Equal(t, dearer, offered(t, err), "a repeated call with the same key")
		_, err = ask(s, dearer-1)
		require.Equal(t, dearer, offered(t, err), "less than the buyer would have to pay")
		o, err := ask(s, dearer)
		require.NoError(t, err)
		require.Equal(t, dearer, o.Total)
		stored, err := s.db.Orders().Order(t.Context(), o.No)
		require.NoError(t, err)
		require.Equal(t, dearer, stored.Total)
		s.payWithCard(t, o, s.giveCard(t, 7, 100_000))
		for _, wait := range []time.Duration{0, 3 * time.Second, 6 * time.Second} {
			s.runDueJobsAfter(t, wait)
		}
		require.Equal(t, order.Issued, s.state(t, o))
	})
	t.Run("the price has fallen again", func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		s.source.Surcharge = 100
		_, err := ask(s, 0)
		dearer := offered(t, err)
		s.source.Surcharge = 0
		o, err := ask(s, dearer)
		require.NoError(t, err)
		require.Equal(t, 2*price, o.Total)
	})
	t.Run("the map costs more", func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		less := price
		req := seatRequest("1-1", "1-2")
		req.ClaimedTotal = &less
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		require.Equal(t, 2*price, offered(t, err))
		o, err := ask(s, 2*price)
		require.NoError(t, err)
		require.Equal(t, 2*price, o.Total)
	})
}
