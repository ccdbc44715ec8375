package purchase_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/purchase"
)

// gatedSource blocks each read of a seat map until the test releases it.
type gatedSource struct {
	order.TicketSource
	entered, proceed chan struct{}
}

func (g *gatedSource) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	g.entered <- struct{}{}
	<-g.proceed
	return g.TicketSource.SeatMap(ctx, showID)
}

func TestSeatMap_RequestsAtTheSameTimeShareOneRead(t *testing.T) {
	t.Parallel()
	gate := &gatedSource{entered: make(chan struct{}, 100), proceed: make(chan struct{})}
	s := newShop(t, func(c *purchase.Config) {
		gate.TicketSource = c.Sources[catalog.Legacy]
		c.Sources = order.TicketSources{catalog.Legacy: gate, catalog.NewMovie: gate}
		c.SeatMapLife = time.Hour
	})
	var wg sync.WaitGroup
	started := make(chan struct{}, 20)
	read := func() {
		wg.Go(func() {
			started <- struct{}{}
			hall, err := s.Seating.SeatMap(t.Context(), 0, catalog.Legacy, show)
			if err != nil || len(hall.Seats) != 100 {
				t.Error(len(hall.Seats), err)
			}
		})
	}
	read()
	<-gate.entered
	for range 19 {
		read()
	}
	for range 20 {
		<-started
	}
	close(gate.proceed)
	wg.Wait()
	require.Empty(t, gate.entered, "one read for all, and what it read is kept")
}

func TestSeatMap_TheShopsOwnLocksAreSeenAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) { c.SeatMapLife = time.Hour })
	other := s.secondServer(t, func(c *purchase.Config) { c.SeatMapLife = time.Hour })
	free := func(server *shop) bool {
		hall, err := server.Seating.SeatMap(t.Context(), 0, catalog.Legacy, show)
		require.NoError(t, err)
		for _, seat := range hall.Seats {
			if seat.ID == "1-1" {
				return seat.Available
			}
		}
		t.Fatal("no seat 1-1")
		return false
	}
	require.True(t, free(s) && free(other))
	o := s.lock(t, 7, "1-1")
	require.False(t, free(s) || free(other), "held here, whatever was read before")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	require.True(t, free(s), "given back by this server")

	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("2-1"))
	require.NoError(t, err, "a lock reads the hall itself")

	require.True(t, free(s))
	_, err = s.source.Lock(t.Context(), order.LockRequest{
		OrderNo: "of another shop", Show: catalog.Show{ID: show}, Seats: []catalog.Seat{{ID: "1-1"}},
	})
	require.NoError(t, err)
	require.True(t, free(s), "kept")
	_, err = s.Seating.LockSeats(t.Context(), 8, seatRequest("1-1"))
	require.ErrorIs(t, err, order.ErrSeatTaken)
	require.False(t, free(s), "a buyer whose seat is taken sees it")
}
