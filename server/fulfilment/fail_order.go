package fulfilment

import (
	"context"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/order"
)

// fail runs the functions in also, and then writeFailed, in one transaction. It does nothing if the order has failed
// before.
func (s *Service) fail(ctx context.Context, no, why string, also ...func(tx order.Tx, prior order.State) error) error {
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if o.State == order.IssueFailed || o.State == order.Refunded {
			return nil
		}
		for _, write := range also {
			if err := write(tx, o.State); err != nil {
				return err
			}
		}
		return writeFailed(tx, &o, why, now)
	})
	s.runner.Wake()
	return err
}

// writeFailed writes ISSUE_FAILED, releases seats or stock and refunds every captured leg: points return to their lots
// in the same transaction, the messaging app's part is refunded by a task. It does nothing if the order has failed
// before.
func writeFailed(tx order.Tx, o *order.Order, why string, now time.Time) error {
	if o.State == order.IssueFailed || o.State == order.Refunded {
		return nil
	}
	if err := o.MarkIssueFailed(why, now); err != nil {
		return err
	}
	if err := order.ReleaseHolds(tx, o, now); err != nil {
		return err
	}
	if err := tx.Calls.End(issueKey(o.No), order.OutcomeRejected, why, now); err != nil {
		return err
	}
	if err := tx.Jobs.Unschedule(order.TaskOrder, o.No); err != nil {
		return err
	}
	if o.Kind == order.Ticket {
		if err := tx.Jobs.Schedule(order.TaskUnlock, o.No, o.Queue(), now); err != nil {
			return err
		}
	}
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if err := tx.Audit.Record(now, audit.System, "order.issue_failed", audit.Order(o.No), "", why); err != nil {
		return err
	}
	shown := "出票失败，原路退款"
	if o.Kind == order.Goods {
		shown = "发货失败，原路退款"
	}
	return refundAll(tx, o, shown, now)
}

// refundAll inserts a refund for every captured leg of the payment that paid the order. why is shown to the buyer.
func refundAll(tx order.Tx, o *order.Order, why string, now time.Time) error {
	payments, err := tx.Payments.OfOrder(o.No)
	if err != nil {
		return err
	}
	for _, p := range payments {
		if p.State != order.PaymentPaid {
			continue
		}
		for _, l := range p.Legs {
			if l.Captured == 0 {
				continue
			}
			r := order.NewRefund(l, 1, why, now)
			if l.Kind == order.ByCard {
				sp := cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: audit.System, At: now}
				if err := cards.Refund(tx.Cards, sp, r.Generation, why); err != nil {
					return err
				}
				r.State, r.SentAt, r.DoneAt = order.RefundSettled, now, now
			}
			if err := order.StartRefund(tx, r, now); err != nil {
				return err
			}
		}
	}
	return order.CompleteRefunds(tx, o, now)
}
