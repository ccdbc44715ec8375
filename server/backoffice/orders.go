package backoffice

import "context"

// Deliveries changes orders that the shop cannot finish by itself. Each method returns order_not_found if there is no
// such order, and order_state if the order is not in a state that allows the step or a job is working on it.
type Deliveries interface {
	GiveUp(ctx context.Context, no, reason, actor string) error
	MarkDelivered(ctx context.Context, no, actor string) error
}

// Refunds changes the refunds and disputed payments that the shop left to an operator. Its errors are those of
// Deliveries.
type Refunds interface {
	Retry(ctx context.Context, no, actor string) error
	SettleByHand(ctx context.Context, no, reason, actor string) error
}

// OrderToReview is an order that needs an operator, with the reasons for it. An order of goods that is being issued
// waits for a recharge by hand and has none of the three flags.
type OrderToReview struct {
	No, Kind, State string
	Stuck           bool // the issue was tried as often as it may be
	ManualRefund    bool // the gateway refused a refund for good
	DisputedPayment bool // the gateway holds money that contradicts the payment
}

// ReviewReason says why an order needs an operator. It is a label of a metric.
type ReviewReason string

// The reasons.
const (
	ReviewIssueStuck      ReviewReason = "issue_stuck"
	ReviewManualRefund    ReviewReason = "refund_manual"
	ReviewDisputedPayment ReviewReason = "payment_disputed"
	ReviewManualDelivery  ReviewReason = "delivery_manual"
)

// ReviewReasons lists every reason.
var ReviewReasons = []ReviewReason{ReviewIssueStuck, ReviewManualRefund, ReviewDisputedPayment, ReviewManualDelivery}

// Reasons returns why the order needs an operator.
func (o OrderToReview) Reasons() (reasons []ReviewReason) {
	if o.Stuck {
		reasons = append(reasons, ReviewIssueStuck)
	}
	if o.ManualRefund {
		reasons = append(reasons, ReviewManualRefund)
	}
	if o.DisputedPayment {
		reasons = append(reasons, ReviewDisputedPayment)
	}
	if len(reasons) == 0 {
		reasons = append(reasons, ReviewManualDelivery)
	}
	return reasons
}

// String formats the order as one line for the operator.
func (o OrderToReview) String() string {
	line := o.No + " " + o.Kind + " " + o.State
	if o.Stuck {
		line += " stuck"
	}
	if o.ManualRefund {
		line += " refund left to a person"
	}
	if o.DisputedPayment {
		line += " disputed payment"
	}
	return line
}

// Orders acts on orders that need an operator.
type Orders struct {
	deliveries Deliveries
	refunds    Refunds
	read       ReadModel
	actor      string
}

// ToReview lists the orders that need an operator.
func (o *Orders) ToReview(ctx context.Context) ([]OrderToReview, error) {
	return o.read.OrdersToReview(ctx)
}

// Retry schedules the jobs of a stuck order again, including its refunds that were left to an operator.
func (o *Orders) Retry(ctx context.Context, no string) error {
	return o.refunds.Retry(ctx, no, o.actor)
}

// Refund gives up a paid order that cannot be delivered and refunds each payment leg to where it came from. The
// provider is queried first: an order that turns out to be delivered is recorded as such and not refunded.
func (o *Orders) Refund(ctx context.Context, no, reason string) error {
	return o.deliveries.GiveUp(ctx, no, reason, o.actor)
}

// MarkDelivered records that an operator has recharged the account that the order names.
func (o *Orders) MarkDelivered(ctx context.Context, no string) error {
	return o.deliveries.MarkDelivered(ctx, no, o.actor)
}

// MarkSettled records that a disputed payment or a manual refund was settled outside the shop. It sends nothing.
func (o *Orders) MarkSettled(ctx context.Context, no, reason string) error {
	return o.refunds.SettleByHand(ctx, no, reason, o.actor)
}
