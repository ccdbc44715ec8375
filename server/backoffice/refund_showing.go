package backoffice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// ErrShowingNotRefunded means that some orders of a showing are not refunded. The operator can run the refund again.
var ErrShowingNotRefunded = fault.New(fault.Conflict, "showing_not_refunded", "部分订单未退款").WithExplanation(
	fmt.Sprintf("the report says which orders are not refunded and why; run the command again: it refunds nothing "+
		"twice, and an unpaid order expires within %d minutes", durations.PayWithin/time.Minute))

// ShowingOrder is an order in the report of a refunded showing.
type ShowingOrder struct {
	Order   order.Order // after the refund
	ToCards money.Fen   // refunded as points
	InApp   money.Fen   // refunded in the messaging app, or by hand
	Open    money.Fen   // requested, but not confirmed by the gateway yet
	Left    string      // why the order is not refunded: "unpaid" or the code of a fault; "" if it is refunded
}

// ShowingRefund is the report of a refunded showing.
type ShowingRefund struct {
	Orders []ShowingOrder // the paid, the unpaid, and the earlier refunded ones
}

// Refund refunds every paid order of a showing that the cinema has cancelled, as Orders.Refund does, and reports all
// orders that are paid, unpaid, or refunded. progress is called after each order. If an order cannot be refunded,
// Refund continues with the others and finally returns ErrShowingNotRefunded with the report. It can be repeated, also
// after a crash: it refunds nothing twice. If ctx ends or the store fails, it returns that error with the report so
// far. Other errors are ErrShowingInvalid, catalog.ErrShowNotFound and those of audit.CheckReason.
func (s *Showings) Refund(
	ctx context.Context, showing, reason string, voided bool, progress func(done, of int),
) (ShowingRefund, error) {
	parsed, err := ParseShowing(showing)
	if err != nil {
		return ShowingRefund{}, err
	}
	if err := audit.CheckReason(reason); err != nil {
		return ShowingRefund{}, err
	}
	claims, err := s.read.SeatClaims(ctx, parsed)
	if err != nil {
		return ShowingRefund{}, err
	}
	orders := ordersOf(claims)
	var report ShowingRefund
	left := false
	for i, no := range orders {
		if err := ctx.Err(); err != nil {
			return report, err
		}
		o, err := s.refundOne(ctx, no, reason, voided)
		if err != nil {
			return report, err
		}
		progress(i+1, len(orders))
		if o.Order.State == order.Cancelled || o.Order.State == order.Expired || o.Order.State == order.Abandoned {
			continue // it ended unpaid
		}
		report.Orders = append(report.Orders, o)
		left = left || o.Left != ""
	}
	if left {
		return report, ErrShowingNotRefunded
	}
	return report, nil
}

// ordersOf returns the numbers of the orders that have claims, without duplicates.
func ordersOf(claims []SeatClaim) (numbers []string) {
	seen := map[string]bool{}
	for _, c := range claims {
		if !seen[c.Order.No] {
			seen[c.Order.No] = true
			numbers = append(numbers, c.Order.No)
		}
	}
	return numbers
}

// refundOne refunds an order, if it is paid, and returns the result. It returns an error only if the store fails.
func (s *Showings) refundOne(ctx context.Context, no, reason string, voided bool) (ShowingOrder, error) {
	r, err := s.read.Records(ctx, no)
	if err != nil {
		return ShowingOrder{}, err
	}
	var rejected error
	switch r.Order.State {
	case order.Paid, order.Issuing, order.Issued:
		rejected = s.deliveries.RefundOrder(ctx, no, reason, voided, s.actor)
		if errors.Is(rejected, order.ErrStoreFailed) {
			return ShowingOrder{}, rejected
		}
		if r, err = s.read.Records(ctx, no); err != nil {
			return ShowingOrder{}, err
		}
	case order.Locking, order.Pending, order.IssueFailed, order.Refunded, order.Cancelled, order.Expired,
		order.Abandoned:
	}
	result := ShowingOrder{Order: r.Order}
	switch r.Order.State {
	case order.Locking, order.Pending:
		result.Left = "unpaid"
	case order.Paid, order.Issuing, order.Issued:
		result.Left = fault.Of(rejected).Code
	case order.IssueFailed, order.Refunded, order.Cancelled, order.Expired, order.Abandoned:
	}
	for _, f := range r.Refunds {
		switch {
		case !f.State.Returned():
			result.Open += f.Amount
		case f.Kind == order.ByCard:
			result.ToCards += f.Amount
		default:
			result.InApp += f.Amount
		}
	}
	return result, nil
}

// String formats each order as one line: number, state, seats, total, the amounts that were refunded to cards and in
// the messaging app, the amount that is being refunded, and the reason if it is not refunded. The last line has the
// sums.
func (r ShowingRefund) String() string {
	var b strings.Builder
	var sum ShowingOrder
	left := 0
	for _, o := range r.Orders {
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\tcards %s\tapp %s\topen %s\t%s\n", o.Order.No, o.Order.State,
			seatNames(o.Order), o.Order.Total, o.ToCards, o.InApp, o.Open, o.Left)
		sum.Order.Total += o.Order.Total
		sum.ToCards += o.ToCards
		sum.InApp += o.InApp
		sum.Open += o.Open
		if o.Left != "" {
			left++
		}
	}
	fmt.Fprintf(&b, "%d orders, total %s: cards %s, app %s, open %s; %d not refunded", len(r.Orders), sum.Order.Total,
		sum.ToCards, sum.InApp, sum.Open, left)
	return b.String()
}
