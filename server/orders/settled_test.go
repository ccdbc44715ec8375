package orders_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/orders"
	"marquee/server/orders/orderstest"
	"marquee/server/payment"
)

// What was left to a person ends with the person's word, and with nobody else's.
func TestSettled_EndsWhatWasLeftToAPerson(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		leave func(t *testing.T) (*shop, orders.Order)
		audit string
		ends  orders.State
	}{
		"money that the gateway has and nobody announced": {func(t *testing.T) (*shop, orders.Order) {
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openApp(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *payment.Trade) { n.Amount = 1 })
			s.after(t, 5*time.Second)
			s.after(t, orders.PayWithin)
			found, err := s.Verify(t.Context())
			require.NoError(t, err)
			require.Len(t, found, 1)
			return s, o
		}, "payment.settled", orders.Expired},
		"a refund that was refused": {func(t *testing.T) (*shop, orders.Order) {
			return failedAppOrder(t, orderstest.Plan{Op: "refund", Err: fault.New(fault.Conflict, "refund_refused", "")})
		}, "refund.settled", orders.Refunded},
		"money that somebody sent back at the gateway": {func(t *testing.T) (*shop, orders.Order) {
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openApp(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *payment.Trade) { n.State = payment.TradeRefunded })
			s.after(t, orders.PayWithin)
			return s, o
		}, "refund.settled", orders.Expired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := c.leave(t)
			require.ErrorIs(t, s.Settled(t.Context(), o.No, " ", "admin:1"), cards.ErrReasonRequired)
			require.NoError(t, s.Settled(t.Context(), o.No, "transferred by hand", "admin:1"))
			assert.Equal(t, 1, s.audits(t, c.audit))
			assert.Equal(t, c.ends, s.state(t, o))
			assert.Zero(t, s.count(t, `SELECT count(*) FROM refunds WHERE state = 'manual'`))
			assert.Equal(t, s.count(t, `SELECT count(*) FROM refunds`), s.count(t, `SELECT count(*) FROM refunds WHERE done_at = ?`, s.clock.Now().Unix()))
			s.sound(t)
			require.ErrorIs(t, s.Settled(t.Context(), o.No, "again", "admin:1"), orders.ErrOrderState, "nothing is left to a person")
			s.after(t, time.Hour)
			s.sound(t)
		})
	}
	s := newShop(t)
	require.ErrorIs(t, s.Settled(t.Context(), "none", "why", "admin:1"), orders.ErrOrderNotFound)
}
