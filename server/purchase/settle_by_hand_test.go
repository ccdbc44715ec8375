package purchase_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// settle records a settlement by hand that the gateway must confirm.
func (s *shop) settle(t tb, no, why string) error {
	return s.Checkout.Refunds.SettleByHand(t.Context(), no, why, false, "admin:1")
}

// Only SettleByHand settles a payment or a refund that was left to an operator.
func TestSettleByHand_EndsWhatWasLeftToAnOperator(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		prepare func(t *testing.T) (*shop, order.Order)
		audit   string
		ends    order.State
	}{
		"a payment that differs from the announced one": {func(t *testing.T) (*shop, order.Order) {
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *order.Trade) { n.Amount = 1 })
			s.runDueJobsAfter(t, 5*time.Second)
			s.runDueJobsAfter(t, durations.PayWithin)
			require.Len(t, s.discrepancies(t), 1)
			return s, o
		}, "payment.settled", order.Expired},
		"a refund that was rejected": {func(t *testing.T) (*shop, order.Order) {
			return orderWithRejectedTickets(t, purchasetest.Plan{Op: "refund",
				Err: fault.New(fault.Conflict, "refund_refused", "")})
		}, "refund.settled", order.Refunded},
		"a payment that was refunded at the gateway": {func(t *testing.T) (*shop, order.Order) {
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o)
			s.pay(t, trade)
			s.gateway.Alter(trade, func(n *order.Trade) { n.State = order.TradeRefunded })
			s.runDueJobsAfter(t, durations.PayWithin)
			return s, o
		}, "refund.settled", order.Expired},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := c.prepare(t)
			require.ErrorIs(t, s.settle(t, o.No, " "), audit.ErrReasonRequired)
			require.NoError(t, s.settle(t, o.No, "transferred by hand"))
			assert.Equal(t, 1, s.audits(t, c.audit))
			assert.Equal(t, c.ends, s.state(t, o))
			assert.Zero(t, s.count(t, `SELECT count(*) FROM refunds WHERE state = 'manual'`))
			assert.Equal(t, s.count(t, `SELECT count(*) FROM refunds`),
				s.count(t, `SELECT count(*) FROM refunds WHERE done_at = $1`, s.clock.Now().Unix()))
			s.verifyBooks(t)
			require.ErrorIs(t, s.settle(t, o.No, "again"), order.ErrOrderState,
				"the order has no open payment or refund")
			s.runDueJobsAfter(t, time.Hour)
		})
	}
	s := newShop(t)
	require.ErrorIs(t, s.settle(t, "none", "why"), order.ErrOrderNotFound)
}
