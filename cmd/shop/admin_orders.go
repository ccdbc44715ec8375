package main

import (
	"context"
	"errors"

	"marquee/server/backoffice"
)

// orderCommands are the commands `shop admin order …`.
type orderCommands struct {
	Find      findOrders    `cmd:"" help:"Find orders by phone, number, ticket code, or showing and seat."`
	Waiting   waitingOrders `cmd:"" help:"List orders that need an operator."`
	Show      showOrder     `cmd:"" help:"Print everything about an order, with its timeline."`
	Retry     retryOrder    `cmd:"" help:"Run the jobs of a stuck order again, and query its refunds and payments."`
	Refund    refundOrder   `cmd:"" help:"End a paid order, delivered or not, and refund every payment leg."`
	Delivered markDelivered `cmd:"" help:"Record that an account was recharged by hand."`
	Settled   markSettled   `cmd:"" help:"Record that a payment or a refund that waits for an operator is settled."`
}

type findOrders struct {
	Query string `arg:"" optional:"" help:"A phone, any number of an order, trade or refund, or a ticket code."`

	Showing string `help:"Source and id of a showing, such as 1:8801." and:"seat"`
	Seat    string `help:"Name of a seat, such as 5排6座, or its id at the source." and:"seat"`
}

// Run prints the latest orders, one per line. It searches for the query, or for the seat.
func (c findOrders) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	if c.Showing != "" {
		if c.Query != "" {
			return backoffice.ErrSearchInvalid
		}
		found, err := office.Orders.FindBySeat(ctx, c.Showing, c.Seat)
		return p.printf(err, "%s", found)
	}
	found, err := office.Orders.Find(ctx, c.Query)
	return p.printf(err, "%s", found)
}

type waitingOrders struct {
	Most int `help:"Number of orders, the oldest first." default:"100"`
}

// Run prints one order per line, with the reasons why it waits.
func (c waitingOrders) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	orders, err := office.Orders.ToReview(ctx, c.Most)
	return errors.Join(err, printLines(p.stdout, orders), p.noteMore(len(orders), c.Most))
}

type orderArg struct {
	Order string `arg:"" help:"Number of the order."`
}

// showOrder is `shop admin order show` and `shop trace`.
type showOrder struct{ orderArg }

// Run prints one field per line, and one line for each entry of the timeline.
func (c showOrder) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	found, err := office.Orders.Trace(ctx, c.Order)
	return p.printf(err, "%s", found)
}

type retryOrder struct{ orderArg }

// Run makes the task of the order due now, and the queries of its unknown payments and of its refunds that were left to
// an operator. It fails with order_state if nothing is left to retry.
func (c retryOrder) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Orders.Retry(ctx, c.Order), "order %s: its jobs will run again", c.Order)
}

// refundOrder fails with order_state while a job is working on the order. The operator then runs the command again.
type refundOrder struct {
	orderArg
	Reason string `help:"The reason, for the audit." required:""`
	Voided bool   `help:"The buyer can no longer use what was delivered: the cinema has cancelled the tickets, the supplier has blocked the code, or the recharge was taken back."`
}

// Run refunds the order. It queries the provider of an order that is not delivered first. It fails for a delivered
// order unless Voided is set, or the ticket source reports that it holds nothing for the order.
func (c refundOrder) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Orders.Refund(ctx, c.Order, c.Reason, c.Voided),
		"order %s: its refunds are scheduled; order show prints their state",
		c.Order)
}

type markDelivered struct{ orderArg }

// Run records the delivery. It fails unless the goods recharge an account: the shop delivers everything else itself.
func (c markDelivered) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Orders.MarkDelivered(ctx, c.Order), "order %s delivered", c.Order)
}

// markSettled sends no money.
type markSettled struct {
	orderArg
	Reason string `help:"What was done, for the audit." required:""`

	Unverified bool `help:"Settle although the gateway has not confirmed the refund."`
}

// Run records that the payment or the refund is settled. It queries the gateway first. It fails if the gateway has
// settled a part itself and, unless Unverified is set, if the gateway reports no final state.
func (c markSettled) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	return p.printf(office.Orders.MarkSettled(ctx, c.Order, c.Reason, c.Unverified), "order %s settled", c.Order)
}
