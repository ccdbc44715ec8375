package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/order"
)

// A freeze rejects new payments. A payment that held points before continues; if it fails, the points return to the
// card, which stays frozen.
func TestFreeze_OfACardWhosePointsAreHeld(t *testing.T) {
	t.Parallel()
	for name, paid := range map[string]bool{"the buyer pays the rest": true, "the buyer does not": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			card := s.giveCard(t, 7, 1000)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o, card)
			require.NoError(t, s.issuer.Freeze(t.Context(), card, "stolen", "admin:1"))
			want := order.Expired
			if paid {
				want = order.Issued
				require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, trade)))
			}
			for _, wait := range []time.Duration{0, 3 * time.Second, 6 * time.Second, 15 * time.Minute, time.Minute} {
				s.runDueJobsAfter(t, wait)
			}
			assert.Equal(t, want, s.state(t, o))
			avail, held := s.balance(t, 7, card)
			assert.Zero(t, held)
			if paid {
				assert.Zero(t, avail)
				return
			}
			assert.EqualValues(t, 1000, avail)
			next := s.lock(t, 7, "1-2")
			_, err := s.Checkout.Payer.Quote(t.Context(), 7, next.No, []int64{card})
			assert.ErrorIs(t, err, cards.ErrCardUnusable)
		})
	}
}
