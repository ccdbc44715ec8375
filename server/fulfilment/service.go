// Package fulfilment delivers paid orders: it requests tickets from the ticket sources and receives their pushes,
// assigns voucher codes and points, and fails and refunds orders that cannot be delivered.
package fulfilment

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/order"
)

// Store is what fulfilment reads and writes.
type Store interface {
	order.Finder
	order.Updater
}

// Config configures a Service. All fields are required.
type Config struct {
	Store   Store
	Sources map[catalog.Source]order.TicketSource // with time limits, see order.LimitSource
	// recharges accounts for goods orders; with time limits
	Topup       order.Deliverer
	Runner      *jobs.Runner
	Now         func() time.Time // business time
	Logger      *slog.Logger
	CallTimeout time.Duration // the time limit of one call to a source
}

// Service delivers paid orders.
type Service struct {
	store       Store
	sources     map[catalog.Source]order.TicketSource
	topup       order.Deliverer
	runner      *jobs.Runner
	now         func() time.Time
	logger      *slog.Logger
	callTimeout time.Duration
}

// New returns a service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, sources: c.Sources, topup: c.Topup, runner: c.Runner,
		now: c.Now, logger: c.Logger, callTimeout: c.CallTimeout,
	}
}

// ManualTopup leaves the recharges of accounts to the back office: it accepts all requests, and reports them as
// issuing. MarkDelivered ends them.
type ManualTopup struct{}

// Issue implements order.Deliverer.
func (ManualTopup) Issue(context.Context, order.IssueRequest) error { return nil }

// Query implements order.Deliverer.
func (ManualTopup) Query(_ context.Context, orderNo string) (order.ProviderOrder, error) {
	return order.ProviderOrder{OrderNo: orderNo, State: order.ProviderIssuing}, nil
}

func (s *Service) deliverer(o order.Order) (order.Deliverer, error) {
	if o.Kind != order.Ticket {
		return s.topup, nil
	}
	src, ok := s.sources[o.Source]
	if !ok {
		return nil, order.ErrSourceUnknown
	}
	return src, nil
}

// Deliver is the step of PAID and ISSUING orders: it requests the delivery, or queries its outcome.
func (s *Service) Deliver(ctx context.Context, t jobs.Task, o order.Order) error {
	if o.Kind == order.Goods && o.Snapshot.Goods.Type == goods.VirtualCode {
		return s.deliverCodes(ctx, o.No)
	}
	d, err := s.deliverer(o)
	if err != nil {
		return err
	}
	if o.State == order.Paid {
		return s.issue(ctx, t, o, d)
	}
	return s.poll(ctx, t, o, d)
}

// BeginDelivery saves an order that the transaction has marked PAID. It delivers points and voucher codes at once.
// Other orders become ISSUING: the transaction records the request to the provider, which DeliverSoon sends after the
// commit, and the order's task is the first poll. If the request is lost, because the server dies or is too busy, that
// poll sends it. An order for a show that has begun stays PAID, and its task fails it.
func BeginDelivery(tx order.Tx, o *order.Order, now time.Time) error {
	delivered, err := deliverInPayment(tx, o, now)
	if err != nil {
		return err
	}
	due := now
	if !delivered && asksProvider(o, now) {
		due = firstPoll(now)
		if err := beginIssue(tx, o, now); err != nil {
			return err
		}
	}
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if delivered {
		return tx.Jobs.Unschedule(order.TaskOrder, o.No)
	}
	return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), due)
}

// DeliverSoon continues, after the commit, with an order of BeginDelivery.
func (s *Service) DeliverSoon(o order.Order) {
	if o.State != order.Issuing {
		s.runner.Wake() // its task is due, unless it is delivered
		return
	}
	s.runner.Soon(order.TaskOrder, o.No, o.Queue(), firstPoll(o.UpdatedAt), func(ctx context.Context) error {
		return s.requestAfterPayment(ctx, o)
	})
}

// firstPoll is rounded up, because the store cuts off fractions of seconds, and a poll that comes before the tickets is
// wasted.
func firstPoll(paidAt time.Time) time.Time {
	return paidAt.Add(durations.FirstTicketPoll + time.Second - 1).Truncate(time.Second)
}

// deliverInPayment delivers points and voucher codes, which need no provider, in the transaction that records the
// payment. It reports whether the order is delivered.
func deliverInPayment(tx order.Tx, o *order.Order, now time.Time) (bool, error) {
	switch {
	case o.Kind == order.Recharge:
		b := o.Snapshot.Points
		err := cards.Recharge(tx.Cards, cards.Credit{
			Key: o.No, OrderNo: o.No, CardID: b.CardID, Points: b.Points, Paid: o.Total, Actor: order.Actor(o.UserID),
			At: now,
		})
		if err != nil {
			return false, err
		}
	case o.Kind == order.Goods && o.Snapshot.Goods.Type == goods.VirtualCode:
		given, err := tx.Stock.GiveCodes(o.No, now)
		if errors.Is(err, goods.ErrSoldOut) {
			return false, nil // its code was withdrawn and no other is available: the order's task fails the order
		}
		if err == nil && given != o.Snapshot.Goods.Pieces {
			err = fmt.Errorf("order %s was given %d codes", o.No, given)
		}
		if err != nil {
			return false, err
		}
	default:
		return false, nil
	}
	return true, o.MarkIssued(order.ProviderOrder{}, now)
}

// deliverCodes delivers a PAID order for voucher codes that could not be delivered with the payment. If it still cannot
// be delivered, the order fails.
func (s *Service) deliverCodes(ctx context.Context, no string) error {
	var done bool
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if done, err = deliverInPayment(tx, &o, now); err != nil || !done {
			return err
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		return tx.Jobs.Unschedule(order.TaskOrder, no)
	})
	if err != nil || done {
		return err
	}
	return s.fail(ctx, no, goods.ErrSoldOut.Code)
}
