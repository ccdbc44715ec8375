package orders

import (
	"context"
	"strconv"
	"time"

	"marquee/server/cards"
	"marquee/server/payment"
)

// fail records that there will be no tickets or goods, frees what was held and starts sending every leg back: points return
// to their lots at once, the messaging app's part through the refund job. What else is to be written goes with it.
// Failing a failed order changes nothing.
func (s *Service) fail(ctx context.Context, no, why string, also ...func(tx Tx, was State) error) error {
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		if o.State == IssueFailed || o.State == Refunded {
			return nil
		}
		for _, write := range also {
			if err := write(tx, o.State); err != nil {
				return err
			}
		}
		if err := o.MarkIssueFailed(why, now); err != nil {
			return err
		}
		if err := release(tx, &o, now); err != nil {
			return err
		}
		if err := tx.Calls.End(issueKey(no), OutcomeRefused, why, now); err != nil {
			return err
		}
		if err := tx.Jobs.Unschedule(TaskOrder, no); err != nil {
			return err
		}
		if o.Kind == Ticket {
			if err := tx.Jobs.Schedule(TaskUnlock, no, laneOf(&o), now); err != nil {
				return err
			}
		}
		if err := tx.Orders.Save(&o); err != nil {
			return err
		}
		if err := tx.Audit.Record(now, system, "order.issue_failed", "order:"+no, "", why); err != nil {
			return err
		}
		return refundAll(tx, &o, now)
	})
	s.Wake()
	return err
}

// refundAll makes a refund for every captured leg of the payment that paid the order.
func refundAll(tx Tx, o *Order, now time.Time) error {
	payments, err := tx.Payments.OfOrder(o.No)
	if err != nil {
		return err
	}
	why := "出票失败，原路退款"
	if o.Kind == Goods {
		why = "发货失败，原路退款"
	}
	for _, p := range payments {
		if p.State != payment.Paid {
			continue
		}
		for _, l := range p.Legs {
			if l.Captured == 0 {
				continue
			}
			r := payment.NewRefund(l, 1, why, now)
			if l.Kind == payment.ByCard {
				sp := cards.Spend{LegID: l.ID, OrderNo: o.No, CardID: l.CardID, Actor: system, At: now}
				if err := cards.Refund(tx.Cards, sp, r.Generation, why); err != nil {
					return err
				}
				r.State, r.SentAt, r.DoneAt = payment.RefundSettled, now, now
			}
			if err := tx.Refunds.Insert(&r); err != nil {
				return err
			}
			if r.State == payment.RefundReady {
				if err := tx.Jobs.Schedule(TaskRefund, subject(r), LaneGateway, now); err != nil {
					return err
				}
			}
		}
	}
	return finishRefunds(tx, o, now)
}

// finishRefunds marks a failed order REFUNDED once nothing is left to send back.
func finishRefunds(tx Tx, o *Order, now time.Time) error {
	if o.State != IssueFailed {
		return nil
	}
	all, err := tx.Refunds.OfOrder(o.No)
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.State != payment.RefundSettled {
			return nil
		}
	}
	if err := o.MarkRefunded(now); err != nil {
		return err
	}
	return tx.Orders.Save(o)
}

func subject(r payment.Refund) string { return strconv.FormatInt(r.ID, 10) }
