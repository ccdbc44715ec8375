package order

import (
	"context"

	"marquee/server/jobs"
)

// The kinds of tasks of a purchase.
const (
	TaskOrder  jobs.Kind = "order"  // subject: order number; the step follows from the order's state
	TaskUnlock jobs.Kind = "unlock" // subject: order number; unlocks the seats at the provider
	TaskTrade  jobs.Kind = "trade"  // subject: trade number of an open payment; queries whether it was paid
	// subject: trade number of an ended payment; queries whether the trade was paid after all
	TaskRecheckTrade jobs.Kind = "recheck_trade"
	TaskRefund       jobs.Kind = "refund" // subject: refund id
)

// The queues of a purchase, in addition to those of the ticket sources.
const (
	QueuePayment jobs.Queue = "payment" // calls to the payment gateway
	QueueTopup   jobs.Queue = "topup"   // calls to the provider of recharges
)

// Step does the next work for an order in one state, such as requesting the tickets of a PAID order. Every order has
// one task, which runs the step of the order's state.
type Step func(ctx context.Context, t jobs.Task, o Order) error

// StepHandler returns the handler of TaskOrder. The handler reads the order and runs the step of its state. If the
// state has no step, it finishes the task.
func StepHandler(store Finder, runner *jobs.Runner, steps map[State]Step) jobs.Handler {
	return func(ctx context.Context, t jobs.Task) error {
		o, err := store.Order(ctx, t.Subject)
		if err != nil {
			return err
		}
		if step, ok := steps[o.State]; ok {
			return step(ctx, t, o)
		}
		return runner.Finish(ctx, t)
	}
}
