package order

import (
	"context"

	"marquee/server/jobs"
)

// The kinds of tasks of a purchase.
const (
	TaskOrder  jobs.Kind = "order"  // subject: order number; the step follows from the order's state
	TaskUnlock jobs.Kind = "unlock" // subject: order number; gives the seats back to the provider
	TaskTrade  jobs.Kind = "trade"  // subject: trade number of an open payment; asks whether it was paid
	// subject: number of a closed trade; asks whether it was paid after all
	TaskRecheckTrade jobs.Kind = "recheck_trade"
	TaskRefund       jobs.Kind = "refund" // subject: refund id
)

// The queues of a purchase besides those of the ticket sources.
const (
	QueuePayment jobs.Queue = "payment" // calls of the messaging app's payment
	QueueTopup   jobs.Queue = "topup"   // the party that recharges accounts
)

// Step does what an order is due for. Every order has one task; its step follows from the order's state.
type Step func(ctx context.Context, t jobs.Task, o Order) error

// StepHandler returns the handler of TaskOrder: it runs the step of the order's state, and finishes the task of an
// order whose state has none.
func StepHandler(store Finder, runner *jobs.Runner, steps map[State]Step) jobs.Handler {
	return func(ctx context.Context, t jobs.Task) error {
		o, written := t.SubjectRow.(Order)
		if !written {
			var err error
			if o, err = store.Order(ctx, t.Subject); err != nil {
				return err
			}
		}
		if step, ok := steps[o.State]; ok {
			return step(ctx, t, o)
		}
		return runner.Finish(ctx, t)
	}
}
