package fulfilment

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/order"
)

// RecordPaid marks an order paid whose legs are all captured, its seats or stock as sold, and begins its delivery.
// After the commit the caller passes the order to DeliverSoon.
//
// Points and voucher codes are delivered at once. Other orders become ISSUING: the transaction records the request to
// the provider, which DeliverSoon sends, and the order's task is the first poll. If the request is lost, because the
// server dies or is too busy, that poll sends it. An order for a show that has begun stays PAID, and its task fails it.
func RecordPaid(tx order.Tx, o *order.Order, now time.Time) error {
	if err := o.MarkPaid(now); err != nil {
		return err
	}
	if err := sellHolds(tx, o, now); err != nil {
		return err
	}
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

// asksProvider reports whether a PAID order must be requested from a provider. The shop delivers voucher codes itself,
// and an order whose show has begun fails.
func asksProvider(o *order.Order, now time.Time) bool {
	if o.Kind == order.Goods {
		return o.Snapshot.Goods.Type == goods.AccountRecharge
	}
	return o.Kind == order.Ticket && !o.ShowBegan(now)
}

// beginIssue records the intent to request the delivery of a PAID order: it marks the order ISSUING, which the caller
// saves, and begins the call.
func beginIssue(tx order.Tx, o *order.Order, now time.Time) error {
	if err := o.MarkIssuing(now); err != nil {
		return err
	}
	return tx.Calls.Begin(issueCall(*o, now))
}

func issueKey(no string) string { return "issue:" + no }

func issueCall(o order.Order, now time.Time) order.Call {
	return order.Call{Key: issueKey(o.No), OrderNo: o.No, RequestHash: order.Fingerprint(o.No, o.Total,
		o.Snapshot.Mobile), At: now}
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

// DeliverSoon continues, after the commit, with an order of RecordPaid.
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

// requestAfterPayment sends the request that the payment has begun. An accepted request needs no write: the order's
// task is the first poll. That poll may have sent the request again from another server; then it decides what a
// rejection and a missing answer mean.
func (s *Service) requestAfterPayment(ctx context.Context, o order.Order) error {
	src, err := s.deliverer(o)
	if err != nil {
		return err
	}
	err = s.send(ctx, o, src)
	if err == nil {
		return nil
	}
	sentAgain := func(tx order.Tx) (bool, error) {
		c, err := tx.Calls.State(issueKey(o.No))
		return c.Tries > 1 || c.Outcome != order.OutcomeSent, err
	}
	if order.Rejected(err) {
		return s.fail(ctx, o.No, order.AnswerOf(err), func(tx order.Tx, _ order.State) error {
			if again, err := sentAgain(tx); err != nil || !again {
				return err
			}
			return order.ErrOrderState
		})
	}
	outcome, answer := order.OutcomeOf(err)
	return s.store.Update(ctx, func(tx order.Tx) error {
		if again, err := sentAgain(tx); err != nil || again {
			return err
		}
		return tx.Calls.End(issueKey(o.No), outcome, answer, s.now())
	})
}

// send requests the delivery, keyed by our order number; sending it again is safe.
func (s *Service) send(ctx context.Context, o order.Order, src order.Deliverer) error {
	req := order.IssueRequest{OrderNo: o.No, Amount: o.Total, Mobile: o.Snapshot.Mobile}
	if o.Snapshot.Goods != nil {
		req.Product = o.Snapshot.Goods.SKUCode
	}
	err := src.Issue(ctx, req)
	if err != nil {
		s.logger.WarnContext(ctx, "issue request failed", "order", o.No, "error", err)
	}
	return err
}
