package checkout

import (
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fulfilment"
	"marquee/server/jobs"
	"marquee/server/order"
)

// Payer pays orders with welfare-card points, in the messaging app, or with both.
type Payer struct {
	base
	trades     *Trades
	gateway    order.Gateway
	passwords  PasswordVerifier
	identities Identities
	h5         bool // the merchant has H5 payment

	queried   *catalog.Cache[queried]       // by trade number
	announced *catalog.Cache[order.Prepaid] // open trades that were announced again, by trade number and IP address
}

// spendOf identifies a card leg in the ledger, as spent by the order's buyer.
func spendOf(o *order.Order, l order.Leg, now time.Time) cards.Spend {
	return cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: order.Actor(o.UserID), At: now}
}

// markPaid marks an order paid whose legs are all captured. Its seats or stock become sold. Points and codes are
// delivered in the same transaction; anything else is requested from a provider by a task. If this server has leased
// that task, markPaid returns it, and the caller starts it after the commit (jobs.Runner.Start). Otherwise a worker
// claims it.
func (b base) markPaid(tx order.Tx, o *order.Order, now time.Time) (next jobs.Task, err error) {
	if err := o.MarkPaid(now); err != nil {
		return next, err
	}
	if err := sellHolds(tx, o, now); err != nil {
		return next, err
	}
	delivered, err := fulfilment.DeliverInPayment(tx, o, now)
	if err != nil {
		return next, err
	}
	leased := false
	if !delivered && fulfilment.AsksProvider(o, now) {
		if next, leased = b.runner.Prepare(order.TaskOrder, o.No, o.Queue()); leased {
			err = fulfilment.BeginIssue(tx, o, now)
		}
	}
	if err == nil {
		err = tx.Orders.Save(o)
	}
	switch {
	case err != nil:
		return next, err
	case delivered:
		return next, tx.Jobs.Unschedule(order.TaskOrder, o.No)
	case leased:
		next.SubjectRow = *o
		return next, tx.Jobs.ScheduleLeased(next, now)
	}
	return next, tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), now)
}

// sellHolds marks the seats or the stock that the order holds as sold.
func sellHolds(tx order.Tx, o *order.Order, now time.Time) error {
	switch o.Kind {
	case order.Ticket:
		return tx.Seats.Sell(o.No, len(o.Snapshot.Seats), now)
	case order.Goods:
		bought := o.Snapshot.Goods.Pieces
		if sold, err := tx.Stock.Sell(o.No, now); err != nil || sold == bought {
			return err
		}
		return fmt.Errorf("order %s, %d pieces: %w", o.No, bought, order.ErrNotHeld)
	}
	return nil
}
