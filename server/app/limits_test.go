package app_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
)

// The shop limits the locks of a buyer who lets them end unpaid: after five in an hour the buyer has to wait for the
// next one.
func TestLocks_OfABuyerWhoCancelsAreLimited(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.NewBuyer()
	show := h.Catalog.ShowingOf(harness.Legacy).Showing
	for range 5 {
		b.Cancel(b.LockSeatsOf(show, 1))
	}
	seat := h.Catalog.FreeSeats(show, 1)[0]
	rejected := h.NewClient().Post(b.Token, "/Film/lockseat", map[string]string{
		"opiid": show.Opiid, "seatids": seat.ID, "totalSettleAmount": strconv.Itoa(seat.Price),
	})
	require.Equal(t, "lock_limited", rejected.Error)
	require.Len(t, h.Calls("gateway", "seat.lock"), 5, "the source is not asked")
}
