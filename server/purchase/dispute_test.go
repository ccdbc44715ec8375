package purchase_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
)

// A capture that breaks a rule breaks it at every notification. Its money is recorded and refunded at the first one.
func TestCapture_ThatBreaksARuleIsRefunded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		buy    func(t *testing.T, s *goodsShop, card int64) (order.Order, string)
		tamper string
		ends   order.State
		points money.Points // available on the card afterwards
		report []string
	}{
		"the seats are not held": {unknownPurchases["tickets by card and app"],
			`UPDATE seat_holds SET state = 'released'`, order.Cancelled, 1000, nil},
		"more pieces are held than were bought": {unknownPurchases["goods by card and app"],
			`UPDATE stock_holds SET pieces = 2`, order.Cancelled, 1000, nil},
		"the recharge is rejected by the schema": {unknownPurchases["recharge"],
			rejectRecharges(), order.Cancelled, 1000, nil},
		"the points are not held, and cannot be released": {unknownPurchases["tickets by card and app"],
			`UPDATE lots SET held = 0`, order.Pending, 0, []string{"lot_matches_ledger"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newGoodsShop(t, 1)
			card := s.giveCard(t, 7, 1000)
			o, trade := c.buy(t, s, card)
			s.tamper(t, c.tamper)
			n := s.pay(t, trade)
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n),
				"the gateway need not repeat the notification")
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n), "again")
			s.runDueJobsAfter(t, 0)
			assert.Equal(t, c.ends, s.state(t, o))
			paid, back := s.gateway.Money()
			assert.Equal(t, n.Amount, paid)
			assert.Equal(t, n.Amount, back)
			avail, _ := s.balance(t, 7, card)
			assert.Equal(t, c.points, avail)
			assert.Equal(t, 1, s.audits(t, "trade.capture_failed"))
			assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM refunds WHERE state = 'done' AND kind = 'wx'`))
			assert.Equal(t, c.report, s.discrepancies(t))
		})
	}
}

// rejectRecharges returns the statement that creates a trigger which rejects recharges.
func rejectRecharges() string {
	if testsPostgres() {
		return `CREATE TRIGGER reject_recharge BEFORE INSERT ON ledger_txs
			FOR EACH ROW WHEN (NEW.event = 'recharge') EXECUTE FUNCTION refuse('rejected')`
	}
	return `CREATE TRIGGER reject_recharge BEFORE INSERT ON ledger_txs WHEN NEW.event = 'recharge'
		BEGIN SELECT RAISE(ABORT, 'rejected'); END`
}

// failingStore fails every update, as with a full disk.
type failingStore struct{ order.Store }

func (failingStore) Update(context.Context, func(order.Tx) error) error { return order.ErrStoreFailed }

// If the store cannot write, nothing is refunded: the notification is repeated, and pays the order.
func TestCapture_WaitsForTheStore(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	n := s.pay(t, s.openAppPayment(t, o))
	s.store.intercept(failingStore{s.store.Store})
	require.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), n), order.ErrStoreFailed)
	s.store.restore()
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	assert.Equal(t, order.Paid, s.state(t, o))
}

// A query finds a paid trade that can be neither captured nor refunded: the failure is logged, and the next query, also
// after many, captures the trade.
func TestCapture_ThatFailsAfterAQueryIsLoggedAndRepeated(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := newShop(t, func(c *purchase.Config) { c.Logger = slog.New(slog.NewTextHandler(&log, nil)) })
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	s.runJobsForMinutes(t, 9)
	s.pay(t, trade) // no notification arrives
	create, drop := rejectCaptures()
	s.tamper(t, create)
	s.runDueJobsAfter(t, durations.NextTradeQuery)
	require.Equal(t, order.Pending, s.state(t, o))
	assert.Contains(t, log.String(), "paid trade was not captured")
	s.tamper(t, drop)
	s.runDueJobsAfter(t, durations.NextTradeQuery)
	assert.Equal(t, order.Issuing, s.state(t, o), "captured, and the tickets are requested")
}

// rejectCaptures returns the statements that create and drop a trigger which rejects every capture.
func rejectCaptures() (create, drop string) {
	if testsPostgres() {
		return `CREATE TRIGGER reject BEFORE UPDATE ON legs
			FOR EACH ROW WHEN (NEW.captured > 0) EXECUTE FUNCTION refuse('rejected')`, `DROP TRIGGER reject ON legs`
	}
	return `CREATE TRIGGER reject BEFORE UPDATE ON legs WHEN NEW.captured > 0
		BEGIN SELECT RAISE(ABORT, 'rejected'); END`, `DROP TRIGGER reject`
}

// Money that the gateway holds for a payment that has ended, and that differs from what was announced, is disputed: the
// operator sees it, and verification reports it.
func TestDispute_OfAnEndedPayment(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(s *shop, n *order.Trade){
		"amount":   func(_ *shop, n *order.Trade) { n.Amount++ },
		"currency": func(_ *shop, n *order.Trade) { n.Currency = "USD" },
		"payer":    func(_ *shop, n *order.Trade) { n.OpenID = purchasetest.OpenID(8) },
		"transaction of another order": func(s *shop, n *order.Trade) {
			other := s.pay(t, s.openAppPayment(t, s.lock(t, 9, "9-9")))
			require.NoError(t, s.Checkout.Trades.Capture(t.Context(), other))
			s.runDueJobsAfter(t, 0) // its tickets are requested before its show
			n.TransactionID = other.TransactionID
		},
	} {
		for ended, end := range map[string]func(t *testing.T, s *shop, o order.Order){
			"closed": func(t *testing.T, s *shop, o order.Order) {
				require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
			},
			"unknown": func(t *testing.T, s *shop, _ order.Order) {
				s.silenceGateway()
				s.runDueJobsAfter(t, 18*time.Minute)
			},
		} {
			for by, report := range map[string]func(t *testing.T, s *shop, n order.Trade){
				"webhook": func(t *testing.T, s *shop, n order.Trade) {
					s.runDueJobsAfter(t, 48*time.Hour) // a closed trade was queried for the last time
					s.gateway.Clear()
					s.gateway.Alter(n.OutTradeNo, func(x *order.Trade) { *x = n })
					assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), n), order.ErrNotifyRejected)
					s.runDueJobsAfter(t, 0)
				},
				"query": func(t *testing.T, s *shop, n order.Trade) {
					s.gateway.Clear()
					s.gateway.Alter(n.OutTradeNo, func(x *order.Trade) { *x = n })
					s.runDueJobsAfter(t, time.Hour)
				},
			} {
				t.Run(name+"/"+ended+"/"+by, func(t *testing.T) {
					t.Parallel()
					s := newShop(t)
					o := s.lock(t, 7, "1-1")
					trade := s.openAppPayment(t, o)
					n := s.pay(t, trade)
					s.gateway.Alter(trade, func(x *order.Trade) { x.State = order.TradeUnpaid })
					end(t, s, o)
					change(s, &n)
					report(t, s, n)
					assert.Equal(t, []backoffice.ReviewReason{backoffice.ReviewDisputedPayment}, s.reviewReasons(t))
					assert.Equal(t, []string{"nothing_disputed"}, s.discrepancies(t))
					assert.Equal(t, 1, s.audits(t, "payment.disputed"))
					assert.Zero(t, s.count(t, `SELECT count(*) FROM refunds WHERE order_no = $1`, o.No))

					require.NoError(t, s.settle(t, o.No, "refunded on the merchant platform"))
					assert.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), n), order.ErrNotifyRejected, "repeated")
					s.runDueJobsAfter(t, time.Hour)
					assert.Empty(t, s.reviewReasons(t), "what is settled is not disputed again")
				})
			}
		}
	}
}

// The gateway corrects itself: the disputed payment turns out as announced, and its money is refunded.
func TestDispute_EndsWhenTheTradeTurnsOutAsAnnounced(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.lock(t, 7, "1-1")
	trade := s.openAppPayment(t, o)
	good := s.pay(t, trade)
	s.gateway.Alter(trade, func(x *order.Trade) { x.Amount++ })
	s.runDueJobsAfter(t, 5*time.Second)
	require.Equal(t, []string{"nothing_disputed"}, s.discrepancies(t))
	s.gateway.Alter(trade, func(x *order.Trade) { *x = good })
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), good))
	s.runDueJobsAfter(t, 0)
	_, back := s.gateway.Money()
	assert.Equal(t, good.Amount, back)
}
