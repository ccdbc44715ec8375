package purchase_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/seating"
)

func TestHalls_AHeldSeatIsNotAvailable(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	available := func(seat string) bool {
		m, err := s.Seating.SeatMap(t.Context(), 0, catalog.Legacy, show)
		require.NoError(t, err)
		found, ok := m.Seat(seat)
		require.True(t, ok)
		return found.Available
	}
	require.True(t, available("1-1"))
	o := s.lock(t, 7, "1-1")
	s.source.Drop(o.No) // the lock ends at the provider
	require.Zero(t, s.source.Taken(show))
	assert.False(t, available("1-1"))
	assert.True(t, available("1-2"))
	_, err := s.Seating.LockSeats(t.Context(), 8, seating.LockSeats{Mobile: mobile, Source: catalog.Legacy,
		ShowID: show, SeatIDs: []string{"1-1"}})
	assert.ErrorIs(t, err, order.ErrSeatTaken)
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
	assert.True(t, available("1-1"))
}
