package purchase_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/audit"
	"marquee/server/backoffice"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// noProgress ignores the progress of a refunded showing.
func noProgress(int, int) {}

// cancelledShowing is a shop with orders for a showing that the cinema cancels: issued ones of buyers 11 to 13, paid by
// points, in the app and by both; one of 14 that the source is still issuing; one of 15 that is unpaid; and a cancelled
// one of 16. Buyer 17 has an issued order for another showing.
type cancelledShowing struct {
	*shop
	issued          []order.Order
	issuing, unpaid order.Order
	other           order.Order
}

func newCancelledShowing(t *testing.T) *cancelledShowing {
	t.Helper()
	s := &cancelledShowing{shop: newShop(t)}
	s.issued = append(s.issued,
		s.buyTicket(t, 11, []string{"2-1"}), s.buyTicket(t, 12, []string{"2-2"}, s.giveCard(t, 12, 1000)))
	byPoints := s.lock(t, 13, "2-3", "2-4")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 13, byPoints.No, []int64{s.giveCard(t, 13, 10_000)},
		purchasetest.Password)
	require.NoError(t, err)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, requestMayRun)
	s.issued = append(s.issued, byPoints)
	s.source.AddShow(catalog.Legacy, "show-2", 4*time.Hour, 10, 10, price)
	s.other, err = s.Seating.LockSeats(t.Context(), 17, seating.LockSeats{
		Mobile: mobile, Source: catalog.Legacy, ShowID: "show-2", SeatIDs: []string{"2-1"},
	})
	require.NoError(t, err)
	require.NoError(t, s.Checkout.Trades.Capture(t.Context(), s.pay(t, s.openAppPayment(t, s.other))))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, requestMayRun)
	s.source.Slow = true
	s.issuing = s.buyTicket(t, 14, []string{"2-5"})
	gone := s.lock(t, 16, "2-7")
	require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 16, gone.No))
	s.runDueJobsAfter(t, 0)
	s.unpaid = s.lock(t, 15, "2-6")
	for _, o := range append(s.issued, s.other) {
		require.Equal(t, order.Issued, s.state(t, o))
	}
	require.Equal(t, order.Issuing, s.state(t, s.issuing))
	return s
}

// cancel ends every order at the source, as a cinema does that cancels the showing.
func (s *cancelledShowing) cancel() {
	for _, o := range append(s.issued, s.issuing) {
		s.source.Drop(o.No)
	}
}

func TestRefundShowing_EveryPaidOrderIsRefundedOnce(t *testing.T) {
	t.Parallel()
	s := newCancelledShowing(t)
	s.cancel()
	s.clock.Advance(requestMayRun)
	office := s.office(t, "alice")
	var progress [][2]int
	report, err := office.Showings.Refund(t.Context(), "1:"+show, "停映", true,
		func(done, of int) { progress = append(progress, [2]int{done, of}) })
	require.ErrorIs(t, err, backoffice.ErrShowingNotRefunded, "one order is unpaid")
	assert.Equal(t, [2]int{6, 6}, progress[len(progress)-1])
	assert.Len(t, report.Orders, 5)
	assert.Contains(t, report.String(),
		"5 orders, total 257.40: cards 95.80, app 0.00, open 118.70; 1 not refunded")
	assert.Contains(t, report.String(), s.unpaid.No+"\tPENDING\t2排6座\t42.90\tcards 0.00\tapp 0.00\topen 0.00\tunpaid")
	assert.Equal(t, order.IssueFailed, s.state(t, s.issuing))
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 20*time.Minute) // the unpaid order expires
	paid, refunded := s.gateway.Money()
	assert.Equal(t, 3*price+3290, paid)
	assert.Equal(t, paid-price, refunded, "the order for the other showing stays paid")

	again, err := office.Showings.Refund(t.Context(), "1:"+show, "停映", true, noProgress)
	require.NoError(t, err)
	assert.Len(t, again.Orders, 4)
	assert.Contains(t, again.String(), "4 orders, total 214.50: cards 95.80, app 118.70, open 0.00; 0 not refunded")
	for _, o := range append(s.issued, s.issuing) {
		assert.Equal(t, order.Refunded, s.state(t, o))
	}
	assert.Equal(t, order.Issued, s.state(t, s.other))
	assert.Equal(t, 3, s.audits(t, "order.revoked"))
	assert.Equal(t, 1, s.audits(t, "order.given_up"))
	assert.Equal(t, 3, s.gateway.Calls("refund"))
	s.requireNoDifferences(t)
}

// Orders that cannot be refunded yet are reported, and the others are refunded.
func TestRefundShowing_WhatIsNotVoidStays(t *testing.T) {
	t.Parallel()
	s := newCancelledShowing(t)
	s.source.Drop(s.issued[1].No)
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnavailable})
	report, err := s.office(t, "alice").Showings.Refund(t.Context(), "1:"+show, "停映", false, noProgress)
	require.ErrorIs(t, err, backoffice.ErrShowingNotRefunded)
	left := map[string]string{}
	for _, o := range report.Orders {
		left[o.Order.No] = o.Left
	}
	assert.Equal(t, map[string]string{
		s.issued[0].No: fault.ErrUnavailable.Code, s.issued[1].No: "", s.issued[2].No: "delivery_not_voided",
		s.issuing.No: "delivery_not_voided", s.unpaid.No: "unpaid",
	}, left, "the source is still issuing one order")
	s.runDueJobsAfter(t, 0)
	assert.Equal(t, order.Refunded, s.state(t, s.issued[1]))
	assert.Equal(t, order.Issuing, s.state(t, s.issuing))
	assert.Equal(t, order.Issued, s.state(t, s.issued[0]))
}

// A run that ends in the middle, by an interrupt or a failure of the store, reports what it has done; the next one
// refunds the rest.
func TestRefundShowing_IsContinued(t *testing.T) {
	t.Parallel()
	s := newCancelledShowing(t)
	s.cancel()
	s.clock.Advance(requestMayRun)
	office := s.office(t, "alice")
	ctx, interrupt := context.WithCancel(t.Context())
	report, err := office.Showings.Refund(ctx, "1:"+show, "停映", true, func(int, int) { interrupt() })
	require.ErrorIs(t, err, context.Canceled)
	assert.Len(t, report.Orders, 1)
	assert.Equal(t, 1, s.audits(t, "order.revoked"))

	failure := errors.Join(order.ErrStoreFailed, errors.New("the disk is full"))
	s.store.intercept(failingUpdates{s.store.Store, failure})
	report, err = office.Showings.Refund(t.Context(), "1:"+show, "停映", true, noProgress)
	require.ErrorIs(t, err, order.ErrStoreFailed)
	assert.Len(t, report.Orders, 1, "what was refunded before")
	s.store.restore()

	_, err = office.Showings.Refund(t.Context(), "1:"+show, "停映", true, noProgress)
	require.ErrorIs(t, err, backoffice.ErrShowingNotRefunded)
	s.runDueJobsAfter(t, 0)
	_, refunded := s.gateway.Money()
	assert.Equal(t, 2*price+3290, refunded)
	assert.Equal(t, 3, s.audits(t, "order.revoked"))
}

// failingUpdates is a store in which no update succeeds.
type failingUpdates struct {
	order.Store
	err error
}

func (f failingUpdates) Update(context.Context, func(order.Tx) error) error { return f.err }

func TestRefundShowing_InvalidInputChangesNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := s.buyTicket(t, 7, []string{"2-1"})
	showings := s.office(t, "alice").Showings
	for _, bad := range []struct {
		showing, reason string
		want            error
	}{
		{"1:" + show, " ", audit.ErrReasonRequired}, {"1:" + show, "a\nb", audit.ErrReasonInvalid},
		{show, "停映", backoffice.ErrShowingInvalid}, {"1:none", "停映", catalog.ErrShowNotFound},
	} {
		_, err := showings.Refund(t.Context(), bad.showing, bad.reason, true, noProgress)
		require.ErrorIs(t, err, bad.want, bad)
	}
	assert.Equal(t, order.Issued, s.state(t, o))
}
