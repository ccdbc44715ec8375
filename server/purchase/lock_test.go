package purchase_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"marquee/server/order"
	"marquee/server/seating"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/purchase/purchasetest"
)

var noon = purchasetest.NewClock().Now()

func want(seats ...string) seating.LockSeats {
	return seating.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: seats}
}

func TestLock_Refusals(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.AddShow(catalog.NewMovie, "nm", 4*time.Hour, 4, 4, price)
	s.source.AddShow(catalog.Legacy, "late", 14*time.Minute, 4, 4, price)
	s.lock(t, 1, "5-5")
	wrong := money.Fen(1)
	for name, c := range map[string]struct {
		req  seating.LockSeats
		want error
	}{
		"no seats":     {want(), order.ErrNoSeats},
		"five seats":   {want("1-1", "1-2", "1-3", "1-4", "1-5"), order.ErrTooManySeats},
		"half a pair":  {want("10-9"), order.ErrSplitCouple},
		"unknown seat": {want("99-1"), order.ErrSeatNotInMap},
		"taken":        {want("5-5"), order.ErrSeatTaken},
		"unknown show": {seating.LockSeats{Source: catalog.Legacy, ShowID: "nope", SeatIDs: []string{"1-1"}},
			catalog.ErrShowNotFound},
		"stopped": {seating.LockSeats{Source: catalog.Legacy, ShowID: "late", SeatIDs: []string{"1-1"}},
			order.ErrSaleStopped},
		"two areas": {seating.LockSeats{Source: catalog.NewMovie, ShowID: "nm", SeatIDs: []string{"1-1", "2-1"}},
			order.ErrMixedAreas},
		"wrong total": {seating.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"},
			ClaimedTotal: &wrong}, order.ErrPriceChanged},
		"another film": {asShown(seating.Shown{FilmID: "f2"}), order.ErrShowChanged},
		"another code": {asShown(seating.Shown{FilmCode: "c2"}), order.ErrShowChanged},
		"another time": {asShown(seating.Shown{FilmID: "f1", Starts: noon.Add(5 * time.Hour)}), order.ErrShowChanged},
		"other price":  {asShown(seating.Shown{Price: &wrong}), order.ErrPriceChanged},
		"no source":    {seating.LockSeats{Source: 9, ShowID: show, SeatIDs: []string{"1-1"}}, order.ErrSourceUnknown},
	} {
		_, err := s.Seating.LockSeats(t.Context(), 7, c.req)
		assert.ErrorIs(t, err, c.want, name)
	}
	_, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found)
	s.verifyBooks(t)
}

func asShown(w seating.Shown) seating.LockSeats {
	req := want("1-1")
	req.Shown = w
	return req
}

func TestLock_WhatWasShownIsWhatIsLocked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	shown := price
	_, err := s.Seating.LockSeats(t.Context(), 7, asShown(seating.Shown{FilmID: "f1", Starts: noon.Add(4 * time.Hour),
		Price: &shown}))
	require.NoError(t, err)
}

func TestLock_SecondOrderOfABuyerIsRefused(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	_, err := s.Seating.LockSeats(t.Context(), 7, want("2-2"))
	assert.ErrorIs(t, err, order.ErrUnpaidOrder)
	got, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, o.No, got.No)
	s.clock.Advance(15 * time.Minute)
	_, found, err = s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found, "its time is up, though no job has come by")
	_, err = s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	require.NoError(t, err, "an overdue order must not be in the way")
	assert.Equal(t, order.Expired, s.state(t, o))
	s.verifyBooks(t)
}

func TestLock_EndsWithTheProvidersLock(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.LockFor = 8 * time.Minute
	assert.Equal(t, s.clock.Now().Add(8*time.Minute), s.lock(t, 7, "1-1").ExpiresAt)
}

func TestLock_ProviderRefuses(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken})
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	s.lock(t, 7, "1-1") // nothing of the refused try is in the way
	s.verifyBooks(t)
}

func TestLock_ProviderAsksAnotherPrice(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Surcharge = 100
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.ErrorIs(t, err, order.ErrPriceChanged)
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show), "the provider's lock is given back")
	s.verifyBooks(t)
}

// The lock arrives while the sweeper already undoes it: the buyer must not end up with an order without seats.
func TestLock_SlowerThanTheSweeper(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Hook: func() {
		s.clock.Advance(time.Minute)
		assert.NoError(t, s.Jobs.RunDue(context.Background()))
	}})
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	assert.ErrorIs(t, err, order.ErrOrderExpired)
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show))
	s.verifyBooks(t)
}

// As above, but the lock's answer comes while the sweeper's unlock is on its way: it must find the order changed,
// or the buyer would pay for seats that are about to be given back.
func TestLock_AnsweredWhileTheSweeperUnlocks(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	unlocking, answered, swept := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	s.source.On(purchasetest.Plan{Op: "lock", Hook: func() {
		s.clock.Advance(time.Minute)
		go func() { swept <- s.Jobs.RunDue(context.Background()) }()
		<-unlocking
	}})
	s.source.On(purchasetest.Plan{Op: "unlock", Hook: func() { close(unlocking); <-answered }})
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	close(answered)
	require.NoError(t, <-swept)
	assert.ErrorIs(t, err, order.ErrOrderExpired)
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show))
	_, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found)
	s.verifyBooks(t)
}

func TestLock_SameKeyIsOneOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	req := want("1-1", "1-2")
	req.Key = "k1"
	var wg sync.WaitGroup
	numbers := sync.Map{}
	for range 16 {
		wg.Go(func() {
			o, err := s.Seating.LockSeats(context.Background(), 7, req)
			assert.NoError(t, err)
			numbers.Store(o.No, true)
		})
	}
	wg.Wait()
	n := 0
	numbers.Range(func(any, any) bool { n++; return true })
	assert.Equal(t, 1, n)
	assert.Equal(t, 1, s.source.Calls("lock"))

	req.SeatIDs = []string{"1-2", "1-1"}
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	assert.NoError(t, err, "the same seats in another order are the same request")
	req.SeatIDs = []string{"3-3"}
	_, err = s.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, order.ErrKeyReused)
	s.verifyBooks(t)
}

func TestLock_SameKeyRepeatsARefusal(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken})
	req := want("1-1")
	req.Key = "k1"
	for range 2 {
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		assert.ErrorIs(t, err, order.ErrSeatTaken)
		assert.Equal(t, order.ErrSeatTaken.Message, fault.Of(err).Message)
	}
	assert.Equal(t, 1, s.source.Calls("lock"))
}

// gate holds buyers back until all of them have seen the seat free and are about to take it.
type gate struct {
	order.Store
	missing int64
	open    chan struct{}
}

func (g *gate) HeldSeats(ctx context.Context, src catalog.Source, showID string) (map[string]bool, error) {
	held, err := g.Store.HeldSeats(ctx, src, showID)
	if atomic.AddInt64(&g.missing, -1) == 0 {
		close(g.open)
	}
	<-g.open
	return held, err
}

// race lets n buyers lock one seat at a provider that notices nothing, and counts who got it.
func race(t *testing.T, s *shop, n int) int {
	t.Helper()
	s.source.Blind = true
	s.store.intercept(&gate{Store: s.store.Store, open: make(chan struct{}), missing: int64(n)})
	var winners atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			_, err := s.Seating.LockSeats(context.Background(), int64(i+1), want("5-5"))
			switch {
			case err == nil:
				winners.Add(1)
			case !errors.Is(err, order.ErrSeatTaken):
				t.Errorf("buyer %d: %v", i+1, err)
			}
		})
	}
	close(start)
	wg.Wait()
	return int(winners.Load())
}

func TestLock_SixtyFourBuyersOneSeatOneWinner(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	assert.Equal(t, 1, race(t, s, 64))
	s.verifyBooks(t)
}

// The control: without the index that guards a seat the same race has more winners, and Verify says so.
func TestLock_RaceIsRealWithoutTheGuard(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	require.NoError(t, s.db.Write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`DROP INDEX seat_holds_one_active`)
		return err
	}))
	assert.Greater(t, race(t, s, 64), 1)
	found, err := s.db.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, found)
	assert.Equal(t, "one_active_hold", found[0].Check, fmt.Sprint(found))
}
