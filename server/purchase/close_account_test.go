package purchase_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/personal"
	"marquee/server/purchase/purchasetest"
)

// closer returns the service that closes accounts of the shop, over a store.
func (s *shop) closer(store personal.Store) *personal.Closer {
	journal := account.NewJournal(s.db.Accounts(), slog.New(slog.DiscardHandler), s.clock.Now)
	return personal.NewCloser(store, nil, journal, s.clock.Now)
}

// closeAccount closes an account for the operator li.
func (s *shop) closeAccount(t tb, u account.User, points money.Points) error {
	t.Helper()
	ctx := account.WithOperator(t.Context(), "admin:li")
	return s.closer(s.db.Personal()).CloseOnRequest(ctx, u, points, "letter")
}

// newAccount opens an account.
func (s *shop) newAccount(t tb) account.User {
	t.Helper()
	u, err := s.db.Accounts().EnsureUser(t.Context(), "13800138111", s.clock.Now())
	require.NoError(t, err)
	return u
}

// unfinished lists why orders of an account are unfinished.
func (s *shop) unfinished(t tb, u account.User) (reasons []personal.UnfinishedReason) {
	t.Helper()
	closing, err := s.closer(s.db.Personal()).Preview(t.Context(), u.ID)
	require.NoError(t, err)
	for _, o := range closing.Unfinished {
		reasons = append(reasons, o.Reason)
	}
	return reasons
}

// Money that arrives after the account was closed is refunded, although the payer is erased.
func TestCloseAccount_LatePaymentIsRefunded(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	u := s.newAccount(t)
	o := s.lock(t, u.ID, "1-1")
	trade := s.openAppPayment(t, o)
	n := s.pay(t, trade)
	// the gateway reports the trade as unpaid, and later as paid
	s.gateway.Alter(trade, func(x *order.Trade) { x.State = order.TradeUnpaid })
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), u.ID, o.No))
	require.NoError(t, s.closeAccount(t, u, 0))
	require.Zero(t, s.count(t, `SELECT count(*) FROM legs WHERE openid <> ''`))
	s.gateway.Alter(trade, func(x *order.Trade) { *x = n })

	other := n
	other.Amount++
	require.ErrorIs(t, s.Checkout.Trades.Capture(t.Context(), other), order.ErrNotifyRejected, "another amount")
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
	s.runDueJobsAfter(t, 0)
	paid, refunded := s.gateway.Money()
	assert.Equal(t, paid, refunded)
	assert.NotZero(t, refunded)
	assert.Empty(t, s.reviewReasons(t))
}

// Anything that an operator has settled does not prevent closing the account; anything that still needs an operator
// does.
func TestCloseAccount_AfterASettlementByHand(t *testing.T) {
	t.Parallel()
	refunding := []personal.UnfinishedReason{personal.AwaitsRefund}
	t.Run("a payment", func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		u := s.newAccount(t)
		o := s.lock(t, u.ID, "1-1")
		n := s.pay(t, s.openAppPayment(t, o))
		s.gateway.Alter(n.OutTradeNo, func(x *order.Trade) { x.Amount = 1 })
		s.runDueJobsAfter(t, 5*time.Second)
		s.runDueJobsAfter(t, durations.PayWithin)
		require.Equal(t, refunding, s.unfinished(t, u), "a disputed payment")
		require.NoError(t, s.settle(t, o.No, "sent back by transfer"))
		require.Equal(t, 1, s.count(t, `SELECT count(*) FROM payments WHERE state = 'settled'`))
		require.Empty(t, s.unfinished(t, u))
		require.NoError(t, s.closeAccount(t, u, 0))
	})
	t.Run("a refund", func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		u := s.newAccount(t)
		o := s.lock(t, u.ID, "1-1")
		n := s.pay(t, s.openAppPayment(t, o))
		s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
		s.gateway.Slow = true
		require.NoError(t, s.Checkout.Trades.Capture(t.Context(), n))
		s.runDueJobsAfter(t, 0)
		s.gateway.Settle(order.RefundAbnormal)
		s.runDueJobsAfter(t, time.Hour)
		require.Equal(t, refunding, s.unfinished(t, u))
		require.NoError(t, s.settle(t, o.No, "by transfer"))
		require.Equal(t, order.RefundByHand, s.refundOf(t, o).State)
		require.Empty(t, s.unfinished(t, u))

		s.gateway.Settle(order.RefundDone)
		notice := refundNotice(s.refundOf(t, o), order.RefundDone)
		require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
		require.Equal(t, refunding, s.unfinished(t, u), "a doubled refund")
		s.leaveDiscrepancies("refund_is_not_doubled")
	})
}

// beforeUpdate runs a function before each transaction.
type beforeUpdate struct {
	personal.Store
	run func()
}

func (s beforeUpdate) Update(ctx context.Context, fn func(personal.Tx) error) error {
	s.run()
	return s.Store.Update(ctx, fn)
}

// A card that is bound while the account is being closed is not closed with points that were not confirmed.
func TestCloseAccount_CardBoundDuringTheClose(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	u := s.newAccount(t)
	closer := s.closer(beforeUpdate{s.db.Personal(), func() { s.giveCard(t, u.ID, 500) }})
	require.ErrorIs(t, closer.CloseOnRequest(t.Context(), u, 0, "letter"), personal.ErrPointsUnconfirmed)
	require.Equal(t, 1, s.count(t, `SELECT count(*) FROM cards WHERE user_id = $1 AND deleted = FALSE`, u.ID))
}

// The audit and the ledger contain the operator who closed an account.
func TestCloseAccount_NamesTheOperator(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	u := s.newAccount(t)
	s.giveCard(t, u.ID, 500)
	require.NoError(t, s.closeAccount(t, u, 500))
	require.Equal(t, 1, s.count(t, `SELECT count(*) FROM audit WHERE what = 'card.given_up' AND actor = 'admin:li'`))
	require.Equal(t, 1, s.count(t, `SELECT count(*) FROM ledger_txs WHERE event = $1 AND actor = 'admin:li'`,
		string(cards.EventForfeit)))
}

// A request that was running when the account was closed fails like one without a session.
func TestCloseAccount_RejectsRequestsUnderWay(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	u := s.newAccount(t)
	require.NoError(t, s.closeAccount(t, u, 0))
	_, err := s.Seating.LockSeats(t.Context(), u.ID, seatRequest("1-1"))
	require.ErrorIs(t, err, account.ErrLoginRequired)
	require.Zero(t, s.source.Calls("lock"))
	require.NoError(t, s.issuer.Issue(t.Context(), []cards.NewCard{{
		PID: cards.SuperCard, Number: "8010000000000001", Password: "pass", Points: 500,
		ExpiresAt: s.clock.Now().Add(time.Hour),
	}}, "test"))
	_, err = s.cards.Bind(t.Context(), u.ID, "8010000000000001", "pass")
	require.ErrorIs(t, err, account.ErrLoginRequired)
}
