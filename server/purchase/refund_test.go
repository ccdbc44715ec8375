package purchase_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/backoffice"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
)

// refundOf returns the only refund of an order.
func (s *shop) refundOf(t tb, o order.Order) order.Refund {
	t.Helper()
	d, err := s.Orders.Order(t.Context(), o.UserID, o.No)
	require.NoError(t, err)
	require.Len(t, d.Refunds, 1)
	return d.Refunds[0]
}

// refundNotice returns what the gateway's notification about the refund reports.
func refundNotice(r order.Refund, state order.RefundState) order.RefundNotice {
	trade := r.OutRefundNo[:strings.LastIndex(r.OutRefundNo, "-r")]
	return order.RefundNotice{
		RefundResult: order.RefundResult{
			OutRefundNo: r.OutRefundNo, RefundID: "50" + r.OutRefundNo, State: state, Amount: r.Amount,
			OutTradeNo: trade, TransactionID: "42" + trade,
		},
		MchID: purchasetest.MchID,
	}
}

// A notification about a refund of another merchant or trade changes nothing.
func TestRefundNotified_AnotherTradeIsRejected(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	s.gateway.Settle(order.RefundDone)
	before := s.refundOf(t, o)
	require.Equal(t, order.RefundSending, before.State)
	require.NotEmpty(t, before.RefundID)
	open, err := s.db.BackOffice().OpenRefunds(t.Context(), 100)
	require.NoError(t, err)
	require.True(t, before.CreatedAt.Equal(open.Oldest))
	require.Equal(t, backoffice.OpenRefunds{Count: 1, Amount: before.Amount, Oldest: open.Oldest}, open)
	others := map[string]func(*order.RefundNotice){
		"merchant":       func(n *order.RefundNotice) { n.MchID = "1900000002" },
		"no merchant":    func(n *order.RefundNotice) { n.MchID = "" },
		"trade":          func(n *order.RefundNotice) { n.OutTradeNo += "1" },
		"no trade":       func(n *order.RefundNotice) { n.OutTradeNo = "" },
		"transaction":    func(n *order.RefundNotice) { n.TransactionID += "1" },
		"no transaction": func(n *order.RefundNotice) { n.TransactionID = "" },
		"refund":         func(n *order.RefundNotice) { n.RefundID += "1" },
	}
	for name, change := range others {
		for _, state := range []order.RefundState{order.RefundDone, order.RefundClosed, order.RefundAbnormal} {
			notice := refundNotice(before, state)
			change(&notice)
			err := s.Checkout.Refunds.RefundNotified(t.Context(), notice)
			require.ErrorIs(t, err, order.ErrNotifyRejected, name)
			require.Equal(t, before, s.refundOf(t, o), name)
			require.Equal(t, order.IssueFailed, s.state(t, o), name)
		}
	}
	require.Equal(t, 3*len(others), s.audits(t, "refund.refused"))
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), refundNotice(before, order.RefundDone)))
	require.Equal(t, order.Refunded, s.state(t, o))
	open, err = s.db.BackOffice().OpenRefunds(t.Context(), 100)
	require.NoError(t, err)
	require.Zero(t, open)
}

// An answer about another refund, to the request or to a query, does not settle this one: the refund stays open, and
// is queried until the answer matches.
func TestRefund_AnAnswerAboutAnotherRefundIsRejected(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*order.RefundResult){
		"refund number":  func(r *order.RefundResult) { r.OutRefundNo += "1" },
		"trade":          func(r *order.RefundResult) { r.OutTradeNo += "1" },
		"no trade":       func(r *order.RefundResult) { r.OutTradeNo = "" },
		"transaction":    func(r *order.RefundResult) { r.TransactionID += "1" },
		"no transaction": func(r *order.RefundResult) { r.TransactionID = "" },
		"less":           func(r *order.RefundResult) { r.Amount-- },
		"more":           func(r *order.RefundResult) { r.Amount++ },
		"no amount":      func(r *order.RefundResult) { r.Amount = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, reported := range []order.RefundState{order.RefundDone, order.RefundClosed, order.RefundAbnormal} {
				s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) {
					s.gateway.Slow = true
					s.gateway.OverrideRefunds(func(r *order.RefundResult) {
						change(r)
						r.State = reported
					})
				})
				require.Equal(t, 1, s.gateway.Calls("refund"))
				require.Equal(t, order.RefundUnknown, s.refundOf(t, o).State, "the request")
				require.Empty(t, s.refundOf(t, o).RefundID)
				require.Equal(t, 1, s.audits(t, "refund.refused"))
				s.runDueJobsAfter(t, time.Hour)
				require.Equal(t, 1, s.gateway.Calls("query_refund"))
				require.Equal(t, order.RefundSending, s.refundOf(t, o).State, "a query")
				require.Equal(t, order.IssueFailed, s.state(t, o))
				require.Equal(t, 2, s.audits(t, "refund.refused"))
				require.Empty(t, s.reviewReasons(t))

				s.gateway.OverrideRefunds(nil)
				s.gateway.Settle(order.RefundDone)
				s.runDueJobsAfter(t, time.Hour)
				require.Equal(t, order.Refunded, s.state(t, o))
				require.Equal(t, 1, s.gateway.Calls("refund"), "it is sent once")
				require.Equal(t, 2, s.audits(t, "refund.refused"))
			}
		})
	}
}

// Once the gateway has reported its number of a refund, an answer with another number is about another refund. After
// about a day of such answers the refund is left to an operator, who can retry it.
func TestRefund_AnswersThatStayFalseAreLeftToAnOperator(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	number := s.refundOf(t, o).RefundID
	require.NotEmpty(t, number)
	s.gateway.Settle(order.RefundDone)
	s.gateway.OverrideRefunds(func(r *order.RefundResult) { r.RefundID += "1" })
	s.runDueJobsAfter(t, time.Hour)
	require.Equal(t, order.RefundSending, s.refundOf(t, o).State)
	for range 3 * 24 {
		s.runDueJobsAfter(t, time.Hour)
	}
	require.Equal(t, order.RefundManual, s.refundOf(t, o).State)
	require.Equal(t, number, s.refundOf(t, o).RefundID)
	require.Equal(t, []backoffice.ReviewReason{backoffice.ReviewManualRefund}, s.reviewReasons(t))
	require.Error(t, s.Checkout.Refunds.SettleByHand(t.Context(), o.No, "by transfer", false, "admin:1"),
		"the gateway's word is unclear")
	require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
	s.runDueJobsAfter(t, 0)
	require.NotEqual(t, order.Refunded, s.state(t, o))
	s.gateway.OverrideRefunds(nil)
	s.runDueJobsAfter(t, time.Hour)
	require.Equal(t, order.Refunded, s.state(t, o))
	require.Equal(t, 1, s.gateway.Calls("refund"))
}

// A refund to a bank card takes days. The shop queries it, at most once an hour after the first hours, and leaves it to
// an operator after ten days. A notification of success ends it even then, also if no query is answered.
func TestRefund_ProcessingIsQueriedHourlyForTenDays(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	for range 2 * 60 {
		s.runDueJobsAfter(t, time.Minute)
	}
	begun := s.gateway.Calls("query_refund")
	assert.Less(t, begun, 20, "the delays grow")
	const days = 10
	for hour := range days*24 - 3 {
		s.runDueJobsAfter(t, time.Hour)
		require.Equal(t, order.RefundSending, s.refundOf(t, o).State, "after %d hours", hour+3)
	}
	assert.InDelta(t, days*24, s.gateway.Calls("query_refund")-begun, 5, "one query an hour")
	assert.Empty(t, s.reviewReasons(t))
	for range 4 {
		s.runDueJobsAfter(t, time.Hour)
	}
	assert.Equal(t, order.RefundManual, s.refundOf(t, o).State)
	assert.Equal(t, []backoffice.ReviewReason{backoffice.ReviewManualRefund}, s.reviewReasons(t))

	s.runDueJobsAfter(t, 24*time.Hour)
	s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: fault.ErrUnavailable, Times: -1})
	s.gateway.Settle(order.RefundDone)
	notice := refundNotice(s.refundOf(t, o), order.RefundDone)
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice), "again")
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Empty(t, s.reviewReasons(t))
}

// A notification ends a refund in any state, and an older one that arrives later changes nothing.
func TestRefundNotified_EndsTheRefund(t *testing.T) {
	t.Parallel()
	for name, notices := range map[string]struct {
		states []order.RefundState
		ends   order.RefundProgress
	}{
		"success":  {[]order.RefundState{order.RefundDone}, order.RefundSettled},
		"abnormal": {[]order.RefundState{order.RefundAbnormal}, order.RefundManual},
		"closed":   {[]order.RefundState{order.RefundClosed}, order.RefundManual},
		"success after abnormal": {[]order.RefundState{order.RefundAbnormal, order.RefundDone},
			order.RefundSettled},
		"success after closed": {[]order.RefundState{order.RefundClosed, order.RefundDone},
			order.RefundSettled},
		"closed twice": {[]order.RefundState{order.RefundClosed, order.RefundClosed},
			order.RefundManual},
		"abnormal overtaken by success": {[]order.RefundState{order.RefundDone, order.RefundAbnormal},
			order.RefundSettled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
			for _, state := range notices.states {
				s.gateway.Settle(state)
				require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(),
					refundNotice(s.refundOf(t, o), state)))
			}
			r := s.refundOf(t, o)
			assert.Equal(t, notices.ends, r.State)
			assert.Equal(t, "50"+r.OutRefundNo, r.RefundID)
			assert.Equal(t, notices.ends == order.RefundSettled, s.state(t, o) == order.Refunded)
			s.runDueJobsAfter(t, time.Hour)
			assert.Equal(t, notices.ends, s.refundOf(t, o).State)
		})
	}
}

func TestRefundNotified_AnotherAmountIsLeftToAnOperator(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	notice := refundNotice(s.refundOf(t, o), order.RefundDone)
	notice.Amount--
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
	assert.Equal(t, order.RefundManual, s.refundOf(t, o).State)
	assert.Equal(t, 1, s.audits(t, "refund.manual"))
}

// A refund that the gateway does not know is sent again under its number when an operator retries it, however long ago
// it was sent first, and one that the gateway knows is not.
func TestRetry_SendsARefundThatTheGatewayDoesNotKnow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plan  purchasetest.Plan
		sends bool
	}{
		"the merchant's balance is too low": {purchasetest.Plan{Op: "refund", Err: fault.ErrUnavailable, Times: -1},
			true},
		"never answered, did not act": {purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown, Times: -1}, true},
		"never answered, acted": {purchasetest.Plan{Op: "refund", Err: fault.ErrUnknown, Acted: true},
			false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := orderWithRejectedTickets(t, c.plan)
			s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: c.plan.Err, Times: 40})
			for range 3 * 24 {
				s.runDueJobsAfter(t, time.Hour)
			}
			require.Equal(t, order.RefundManual, s.refundOf(t, o).State)
			s.gateway.Clear()
			sent := s.gateway.Calls("refund")

			require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
			s.runDueJobsAfter(t, 0)
			assert.Equal(t, order.RefundSettled, s.refundOf(t, o).State)
			assert.Equal(t, order.Refunded, s.state(t, o))
			assert.Equal(t, c.sends, s.gateway.Calls("refund") == sent+1)
			paid, back := s.gateway.Money()
			assert.Equal(t, paid, back)
		})
	}
}

// If the gateway still rejects a refund, a retry gives it another day of tries.
func TestRetry_OfARefundThatIsStillRejectedIsTriedForAnotherDay(t *testing.T) {
	t.Parallel()
	rejects := purchasetest.Plan{Op: "refund", Err: fault.ErrUnavailable, Times: -1}
	s, o := orderWithRejectedTickets(t, rejects)
	for range 3 * 24 {
		s.runDueJobsAfter(t, time.Hour)
	}
	require.Equal(t, order.RefundManual, s.refundOf(t, o).State)
	require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
	for range 20 {
		s.runDueJobsAfter(t, time.Hour)
		require.Equal(t, order.RefundSending, s.refundOf(t, o).State)
	}
	s.gateway.Clear()
	s.runDueJobsAfter(t, time.Hour)
	assert.Equal(t, order.Refunded, s.state(t, o))
	paid, back := s.gateway.Money()
	assert.Equal(t, paid, back)
}

// Settling by hand must not refund money that the gateway has already refunded, or may still refund.
func TestSettleByHand_AsksTheGatewayAboutTheRefund(t *testing.T) {
	t.Parallel()
	abnormal := func(s *shop) { s.gateway.Settle(order.RefundAbnormal) }
	for name, c := range map[string]struct {
		reports    func(s *shop)
		unverified bool
		want       error
		ends       order.RefundProgress
	}{
		"abnormal": {abnormal, false, nil, order.RefundByHand},
		"closed":   {func(s *shop) { s.gateway.Settle(order.RefundClosed) }, false, nil, order.RefundByHand},
		"the gateway does not know it": {func(s *shop) {
			s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: order.ErrRefundNotFound})
		}, false, nil, order.RefundByHand},
		"the money is back": {func(s *shop) { s.gateway.Settle(order.RefundDone) }, false,
			checkout.ErrSettledByGateway, order.RefundSettled},
		"the money is back, insisted": {func(s *shop) { s.gateway.Settle(order.RefundDone) }, true,
			checkout.ErrSettledByGateway, order.RefundSettled},
		"in progress": {func(s *shop) { s.gateway.Settle(order.RefundProcessing) }, false,
			checkout.ErrGatewayUndecided, order.RefundManual},
		"in progress, insisted": {func(s *shop) { s.gateway.Settle(order.RefundProcessing) }, true, nil,
			order.RefundByHand},
		"no answer": {func(s *shop) { s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: fault.ErrUnknown}) },
			false, checkout.ErrGatewayUndecided, order.RefundManual},
		"no answer, insisted": {func(s *shop) {
			s.gateway.On(purchasetest.Plan{Op: "query_refund", Err: fault.ErrUnknown})
		}, true, nil, order.RefundByHand},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
			abnormal(s)
			s.runDueJobsAfter(t, time.Hour)
			require.Equal(t, order.RefundManual, s.refundOf(t, o).State)
			c.reports(s)
			err := s.Checkout.Refunds.SettleByHand(t.Context(), o.No, "by transfer", c.unverified, "admin:1")
			require.ErrorIs(t, err, c.want)
			assert.Equal(t, c.ends, s.refundOf(t, o).State)
			assert.Equal(t, c.ends != order.RefundManual, s.state(t, o) == order.Refunded)
			unverified := c.unverified && c.ends == order.RefundByHand
			assert.Equal(t, unverified, s.audits(t, "refund.settled_unverified") == 1)
			assert.Equal(t, c.ends == order.RefundByHand && !unverified, s.audits(t, "refund.settled") == 1)
		})
	}
}

// The gateway reports a refund as done that an operator has settled by hand: the money may have been refunded twice,
// and the operator is informed.
func TestRefundNotified_AfterASettlementByHandIsForTheOperator(t *testing.T) {
	t.Parallel()
	s, o := orderWithRejectedTickets(t, purchasetest.Plan{Op: "none"}, func(s *shop) { s.gateway.Slow = true })
	s.gateway.Settle(order.RefundAbnormal)
	s.runDueJobsAfter(t, time.Hour)
	require.NoError(t, s.settle(t, o.No, "by transfer"))
	require.Equal(t, order.Refunded, s.state(t, o))
	s.gateway.Settle(order.RefundDone)
	notice := refundNotice(s.refundOf(t, o), order.RefundDone)
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice))
	require.NoError(t, s.Checkout.Refunds.RefundNotified(t.Context(), notice), "again")
	assert.Equal(t, order.RefundDoubled, s.refundOf(t, o).State)
	assert.Equal(t, 1, s.audits(t, "refund.doubled"))
	assert.Equal(t, []backoffice.ReviewReason{backoffice.ReviewDoubledRefund}, s.reviewReasons(t))
	assert.Equal(t, []string{"refund_is_not_doubled"}, s.discrepancies(t))

	require.NoError(t, s.settle(t, o.No, "the transfer was returned"))
	assert.Equal(t, order.RefundSettled, s.refundOf(t, o).State)
	assert.Equal(t, order.Refunded, s.state(t, o))
	assert.Empty(t, s.reviewReasons(t))
}

// Settling an unknown payment by hand queries the gateway; with unverified it is settled without a result, and money
// that the gateway reports afterwards is not refunded automatically.
func TestSettleByHand_OfAnUnknownPayment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		paid, reports, unverified bool
		want                      error
		ends                      order.PaymentState
	}{
		"no answer":           {true, false, false, checkout.ErrGatewayUndecided, order.PaymentUnknown},
		"no answer, insisted": {true, false, true, nil, order.PaymentSettled},
		"paid":                {true, true, false, checkout.ErrSettledByGateway, order.PaymentLate},
		"unpaid":              {false, true, false, checkout.ErrSettledByGateway, order.PaymentClosed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			o := s.lock(t, 7, "1-1")
			trade := s.openAppPayment(t, o)
			if c.paid {
				s.pay(t, trade)
			}
			s.silenceGateway()
			s.runDueJobsAfter(t, 18*time.Minute)
			if c.reports {
				s.gateway.Clear()
			}
			err := s.Checkout.Refunds.SettleByHand(t.Context(), o.No, "seen as unpaid", c.unverified, "admin:1")
			require.ErrorIs(t, err, c.want)
			payments, err := s.db.Orders().Payments(t.Context(), o.No)
			require.NoError(t, err)
			assert.Equal(t, c.ends, payments[0].State)
			s.gateway.Clear()
			s.runDueJobsAfter(t, 2*time.Hour)
			s.runDueJobsAfter(t, 0)
			paid, back := s.gateway.Money()
			if !c.unverified {
				assert.Equal(t, paid, back)
				assert.Empty(t, s.reviewReasons(t))
			} else {
				assert.Zero(t, back, "the operator may have sent it back by other means")
				assert.Equal(t, []backoffice.ReviewReason{backoffice.ReviewManualRefund}, s.reviewReasons(t))
				require.NoError(t, s.Checkout.Refunds.Retry(t.Context(), o.No, "admin:1"))
				s.runDueJobsAfter(t, 0)
				paid, back = s.gateway.Money()
				assert.Equal(t, paid, back, "the operator sends it")
			}
		})
	}
}
