package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

var noon = purchasetest.NewClock().Now()

// seatRequest returns a request to lock seats of the default show.
func seatRequest(seats ...string) seating.LockSeats {
	return seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show, SeatIDs: seats}
}

func TestLock_Rejections(t *testing.T) {
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
		"zero seats":   {seatRequest(), order.ErrNoSeats},
		"five seats":   {seatRequest("1-1", "1-2", "1-3", "1-4", "1-5"), order.ErrTooManySeats},
		"half a pair":  {seatRequest("10-9"), order.ErrSplitCouple},
		"unknown seat": {seatRequest("99-1"), order.ErrSeatNotInMap},
		"taken":        {seatRequest("5-5"), order.ErrSeatTaken},
		"unknown show": {seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: "nope",
			SeatIDs: []string{"1-1"}},
			catalog.ErrShowNotFound},
		"sale stopped": {seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: "late",
			SeatIDs: []string{"1-1"}},
			order.ErrSaleStopped},
		"two areas": {seating.LockSeats{Mobile: mobile, Source: catalog.NewMovie, ShowID: "nm",
			SeatIDs: []string{"1-1", "2-1"}},
			order.ErrMixedAreas},
		"wrong total": {seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show,
			SeatIDs: []string{"1-1"}, ClaimedTotal: &wrong}, order.ErrPriceChanged},
		"another film": {seatRequestAsShown(seating.Shown{FilmID: "f2"}), order.ErrShowChanged},
		"another code": {seatRequestAsShown(seating.Shown{FilmCode: "c2"}), order.ErrShowChanged},
		"another time": {seatRequestAsShown(seating.Shown{FilmID: "f1", Starts: noon.Add(5 * time.Hour)}),
			order.ErrShowChanged},
		"other price": {seatRequestAsShown(seating.Shown{Price: &wrong}), order.ErrPriceChanged},
		"unknown source": {
			seating.LockSeats{Mobile: mobile, Source: 9, ShowID: show, SeatIDs: []string{"1-1"}},
			order.ErrSourceUnknown,
		},
		"no phone number": {
			seating.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}}, account.ErrPhoneMissing,
		},
	} {
		_, err := s.Seating.LockSeats(t.Context(), 7, c.req)
		assert.ErrorIs(t, err, c.want, name)
	}
	_, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found)
}

// seatRequestAsShown returns a request for seat 1-1 with the details that the page showed to the buyer.
func seatRequestAsShown(w seating.Shown) seating.LockSeats {
	req := seatRequest("1-1")
	req.Shown = w
	return req
}

func TestLock_AcceptsTheDetailsThatWereShown(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	shown := price
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequestAsShown(seating.Shown{
		FilmID: "f1", Starts: noon.Add(4 * time.Hour), Price: &shown,
	}))
	require.NoError(t, err)
}

func TestLock_SecondOrderOfABuyerIsRejected(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("2-2"))
	assert.ErrorIs(t, err, order.ErrUnpaidOrder)
	got, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, o.No, got.No)
	s.clock.Advance(15 * time.Minute)
	_, found, err = s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found, "an overdue order is not listed even before a job expires it")
	_, err = s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.NoError(t, err, "an overdue order does not block a new one")
	assert.Equal(t, order.Expired, s.state(t, o))
}

func TestLock_ExpiresBeforeTheProvidersLock(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.LockFor = 8 * time.Minute
	assert.Equal(t, s.clock.Now().Add(8*time.Minute-durations.LockMargin), s.lock(t, 7, "1-1").ExpiresAt)
}

func TestLock_ProviderRejects(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	s.lock(t, 7, "1-1") // the rejected request does not block a later one
}

func TestLock_ProviderChargesAnotherPrice(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.Surcharge = 100
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	assert.ErrorIs(t, err, order.ErrPriceChanged)
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show), "the lock at the provider is released")
}

// The source answers a lock after the job has abandoned the order: the buyer must not get an order without seats, and the
// source must not keep the seats.
func TestLock_AnsweredAfterTheOrderIsAbandoned(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan      purchasetest.Plan
		surcharge money.Fen
		want      error
	}{
		"succeeds":                  {want: order.ErrOrderExpired},
		"succeeds at another price": {surcharge: 100, want: order.ErrPriceChanged},
		"is rejected":               {plan: purchasetest.Plan{Err: order.ErrSeatTaken}, want: order.ErrSeatTaken},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.source.Surcharge = c.surcharge
			c.plan.Op, c.plan.Hook = "lock", func() {
				s.clock.Advance(durations.AbandonedSeats)
				assert.NoError(t, s.Jobs.RunDue(context.Background()))
				s.clock.Advance(durations.LateLock)
				assert.NoError(t, s.Jobs.RunDue(context.Background()))
			}
			s.source.On(c.plan)
			_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
			assert.Equal(t, fault.Of(c.want).Code, fault.Of(err).Code)
			s.runDueJobsAfter(t, 0)
			assert.Zero(t, s.source.Taken(show))
		})
	}
}

// As above, but the lock succeeds while the unlock is in progress: it must find the order changed. Otherwise the buyer
// could pay for seats that are about to be released.
func TestLock_SucceedsWhileTheAbandonedOrderIsUnlocked(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	unlocking, answered, jobsDone := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	s.source.On(purchasetest.Plan{Op: "lock", Hook: func() {
		s.clock.Advance(time.Minute)
		go func() { jobsDone <- s.Jobs.RunDue(context.Background()) }()
		<-unlocking
	}})
	s.source.On(purchasetest.Plan{Op: "unlock", Hook: func() { close(unlocking); <-answered }})
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	close(answered)
	require.NoError(t, <-jobsDone)
	assert.ErrorIs(t, err, order.ErrOrderExpired)
	s.runDueJobsAfter(t, 0)
	assert.Zero(t, s.source.Taken(show))
	_, found, err := s.Orders.Unpaid(t.Context(), 7)
	require.NoError(t, err)
	assert.False(t, found)
}

func TestLock_OneKeyMakesOneOrder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	req := seatRequest("1-1", "1-2")
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
	assert.NoError(t, err, "the order of the seats does not matter")
	req.SeatIDs = []string{"3-3"}
	_, err = s.Seating.LockSeats(t.Context(), 7, req)
	assert.ErrorIs(t, err, order.ErrKeyReused)
}

func TestLock_SameKeyRepeatsARejection(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.source.On(purchasetest.Plan{Op: "lock", Err: order.ErrSeatTaken})
	req := seatRequest("1-1")
	req.Key = "k1"
	for range 2 {
		_, err := s.Seating.LockSeats(t.Context(), 7, req)
		assert.ErrorIs(t, err, order.ErrSeatTaken)
		assert.Equal(t, order.ErrSeatTaken.Message, fault.Of(err).Message)
	}
	assert.Equal(t, 1, s.source.Calls("lock"))
}

// seatBarrierStore is a store that blocks callers of HeldSeats until all of them have read that the seat is free.
type seatBarrierStore struct {
	order.Store
	missing int64
	open    chan struct{}
}

func (g *seatBarrierStore) HeldSeats(
	ctx context.Context, src catalog.Source, showID string,
) (map[string]bool, error) {
	held, err := g.Store.HeldSeats(ctx, src, showID)
	if atomic.AddInt64(&g.missing, -1) == 0 {
		close(g.open)
	}
	<-g.open
	return held, err
}

// lockInParallel lets n buyers lock one seat in parallel at a provider that does not reject taken seats. It returns
// the number of buyers that succeeded.
func lockInParallel(t *testing.T, s *shop, n int) int {
	t.Helper()
	s.source.Blind = true
	s.store.intercept(&seatBarrierStore{Store: s.store.Store, open: make(chan struct{}), missing: int64(n)})
	var winners atomic.Int64
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			_, err := s.Seating.LockSeats(context.Background(), int64(i+1), seatRequest("5-5"))
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
	assert.Equal(t, 1, lockInParallel(t, s, 64))
}

// The control: without the unique index on active holds more buyers succeed, and Discrepancies reports it.
func TestLock_OversellsWithoutTheGuard(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.tamper(t, `DROP INDEX seat_holds_one_active`)
	assert.Greater(t, lockInParallel(t, s, 64), 1)
	found, err := s.db.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, found)
	assert.Equal(t, "one_active_hold", found[0].Check, fmt.Sprint(found))
}
