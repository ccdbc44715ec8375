package backoffice

import (
	"context"
	"fmt"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/money"
	"marquee/server/order"
)

// Deliveries changes orders that the shop cannot finish by itself. Each method returns the fault order_not_found if
// there is no such order, and the fault order_state if the state of the order does not allow the step or a job is
// working on the order.
type Deliveries interface {
	// RefundOrder ends a paid order, delivered or not, and refunds every leg of its payment. voided is the operator's
	// statement that the buyer can no longer use what was, or is being, delivered; without it, RefundOrder rejects an
	// order whose tickets or codes the buyer may still use. It also returns the faults delivery_not_voided,
	// points_delivered and order_refunded.
	RefundOrder(ctx context.Context, no, reason string, voided bool, actor string) error
	// MarkDelivered records that the account of the order was recharged by hand. It returns the fault order_state for
	// an order that recharges no account.
	MarkDelivered(ctx context.Context, no, actor string) error
}

// Refunds changes the refunds and disputed payments that the shop left to an operator. Its errors are those of
// Deliveries.
type Refunds interface {
	// Retry makes the task of a stuck order run now, and queries the gateway again about its unknown payments and its
	// refunds that were left to an operator.
	Retry(ctx context.Context, no, actor string) error
	// SettleByHand records that an operator has settled the money outside the shop; it sends no money. It queries the
	// gateway first. In addition to the errors of Deliveries it returns the fault settled_by_gateway if the gateway has
	// settled a part itself, and gateway_undecided if the gateway reports no final state and unverified is not set.
	SettleByHand(ctx context.Context, no, reason string, unverified bool, actor string) error
}

// ReviewReason is the reason why an order needs an operator. It is also a label of a metric.
type ReviewReason string

// The reasons.
const (
	// tickets are overdue: the show has begun, or many tries had no result; the source is still queried
	ReviewIssueStuck      ReviewReason = "issue_stuck"
	ReviewManualDelivery  ReviewReason = "delivery_manual"  // an account waits for its recharge by hand
	ReviewRejectedRefund  ReviewReason = "refund_rejected"  // the gateway rejected a refund; the shop sends it again
	ReviewManualRefund    ReviewReason = "refund_manual"    // the shop has given up a refund: an operator must act
	ReviewDoubledRefund   ReviewReason = "refund_doubled"   // the money may have gone back twice, once by hand
	ReviewUnknownPayment  ReviewReason = "payment_unknown"  // the gateway does not report whether a trade was paid
	ReviewDisputedPayment ReviewReason = "payment_disputed" // the gateway reports money that contradicts the payment
)

// ReviewReasons lists every reason.
var ReviewReasons = []ReviewReason{
	ReviewIssueStuck, ReviewManualDelivery, ReviewRejectedRefund, ReviewManualRefund, ReviewDoubledRefund,
	ReviewUnknownPayment, ReviewDisputedPayment,
}

// Advice returns what the operator should do about an order with this reason.
func (r ReviewReason) Advice() string {
	switch r {
	case ReviewIssueStuck:
		return "ask the ticket source for the tickets; then order retry, or order refund to give the order up"
	case ReviewManualDelivery:
		return "recharge the account that order show prints; then order delivered, or order refund"
	case ReviewRejectedRefund:
		return "remove the cause on the merchant platform, for NOT_ENOUGH top up the account; the shop tries again by " +
			"itself, for about a day"
	case ReviewManualRefund:
		return "look the refund up on the merchant platform: if it can succeed, order retry; if the trade was " +
			"refunded there already, order settled; if the refund was closed or cannot be accepted, send the money " +
			"by other means, then order settled"
	case ReviewDoubledRefund:
		return "the gateway reports the refund that was settled by hand as done: if the money went back twice, claim " +
			"it from the buyer; then order settled"
	case ReviewUnknownPayment:
		return "restore the connection to the payment gateway (the log has the error), then order retry: a paid " +
			"trade is refunded, an unpaid one is closed; until then the buyer can place other orders"
	case ReviewDisputedPayment:
		return "compare the trade on the merchant platform with the order, refund it there, then order settled"
	}
	return ""
}

// OpenRefunds sums up the refunds that the gateway has neither completed nor finally rejected.
type OpenRefunds struct {
	Count  int
	Amount money.Fen
	Oldest time.Time // when the first of them was decided; the zero value if there is none
}

// OrderToReview is an order that needs an operator, with the reasons for it.
type OrderToReview struct {
	No, Kind, State string         // number, kind and state of the order
	Reasons         []ReviewReason // at least one
	// RefundAnswer is the answer with which the gateway rejected a refund of the order, as order.AnswerOf formats it.
	RefundAnswer string
}

// String formats the order for the operator: a line for the order, and a line for each reason with what to do.
func (o OrderToReview) String() string {
	lines := o.No + " " + o.Kind + " " + o.State
	for _, r := range o.Reasons {
		lines += "\n  " + string(r)
		if o.RefundAnswer != "" && (r == ReviewRejectedRefund || r == ReviewManualRefund) {
			lines += " (" + o.RefundAnswer + ")"
		}
		lines += ": " + r.Advice()
	}
	return lines
}

// clock formats a time for operators, in Beijing.
func clock(t time.Time) string { return t.In(beijing.Time).Format(time.DateTime) }

// OrderDetail is an order as an operator needs it to deliver it by hand, or to answer its buyer.
type OrderDetail order.Order

// String lists the fields of the order, one per line. The account to recharge is on its own line, exactly as entered.
func (d OrderDetail) String() string {
	var lines []string
	add := func(name, value string) {
		if value != "" {
			lines = append(lines, name+": "+value)
		}
	}
	add("order", d.No)
	add("kind", string(d.Kind))
	add("state", string(d.State))
	add("buyer", fmt.Sprintf("#%d", d.UserID))
	add("total", d.Total.String())
	add("created", clock(d.CreatedAt))
	add("changed", clock(d.UpdatedAt))
	switch s := d.Snapshot; {
	case s.Goods != nil:
		add("goods", s.Goods.Title)
		add("specification", fmt.Sprintf("%s (%s)", s.Goods.Spec, s.Goods.SKUCode))
		add("pieces", fmt.Sprint(s.Goods.Pieces))
		add("account to recharge", s.Goods.Account)
	case s.Points != nil:
		add("points", s.Points.Points.String())
		add("card", s.Points.CardNumber)
	default:
		add("film", s.Show.FilmName)
		add("cinema", s.CinemaName)
		add("hall", s.Show.Hall)
		add("starts", clock(s.Show.Starts))
		add("showing", showingOf(order.Order(d)).String())
		add("seats", seatNames(order.Order(d)))
		add("mobile", s.Mobile)
	}
	add("order at the ticket source", d.ProviderNo)
	add("reason", d.FailReason)
	return strings.Join(lines, "\n")
}

// Orders acts on orders that need an operator.
type Orders struct {
	deliveries Deliveries
	refunds    Refunds
	read       ReadModel
	actor      string
}

// ToReview lists the orders that need an operator, oldest first; most is the maximum number.
func (o *Orders) ToReview(ctx context.Context, most int) ([]OrderToReview, error) {
	return o.read.OrdersToReview(ctx, most)
}

// Retry schedules the jobs of a stuck order again, including its refunds that were left to an operator.
func (o *Orders) Retry(ctx context.Context, no string) error {
	return o.refunds.Retry(ctx, no, o.actor)
}

// Refund ends a paid order and refunds each payment leg to where it came from. A delivered order is refunded only if
// its ticket source reports that it holds no seats for the order any more, or if the operator states with voided that
// the buyer can no longer use what was delivered.
func (o *Orders) Refund(ctx context.Context, no, reason string, voided bool) error {
	return o.deliveries.RefundOrder(ctx, no, reason, voided, o.actor)
}

// MarkDelivered records that an operator has recharged the account of the order.
func (o *Orders) MarkDelivered(ctx context.Context, no string) error {
	return o.deliveries.MarkDelivered(ctx, no, o.actor)
}

// MarkSettled records that a disputed or unknown payment, or a refund left to an operator, was settled outside the
// shop. It sends no money. The gateway is queried first: MarkSettled returns the fault settled_by_gateway if the
// gateway has settled the payment or refund, and, unless unverified is set, gateway_undecided if the gateway reports no
// final state.
func (o *Orders) MarkSettled(ctx context.Context, no, reason string, unverified bool) error {
	return o.refunds.SettleByHand(ctx, no, reason, unverified, o.actor)
}
