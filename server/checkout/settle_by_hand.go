package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/cards"
	"marquee/server/order"
)

// Retry makes the task of a stuck order run now, and asks again about its unknown payments and about its refunds that
// were left to an operator. It fails with order.ErrOrderState if the order has none of them.
func (s *Refunds) Retry(ctx context.Context, no, by string) error {
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		moving := o.State == order.Paid || o.State == order.Issuing || o.State == order.Pending
		if moving {
			if err := tx.Jobs.Schedule(order.TaskOrder, no, o.Queue(), now); err != nil {
				return err
			}
		}
		retried, err := retryManualRefunds(tx, no, now)
		if err != nil {
			return err
		}
		asked, err := askUnknownPayments(tx, no, now)
		if err != nil {
			return err
		}
		if !moving && !retried && !asked {
			return order.ErrOrderState
		}
		return tx.Audit.Record(now, by, "order.retried", "order:"+no, string(o.State), "")
	})
}

// askUnknownPayments schedules the queries of the order's unknown payments, and reports whether there was one.
func askUnknownPayments(tx order.Tx, no string, now time.Time) (bool, error) {
	all, err := tx.Payments.OfOrder(no)
	if err != nil {
		return false, err
	}
	asked := false
	for _, p := range all {
		leg, ok := p.App()
		if p.State != order.PaymentUnknown || !ok {
			continue
		}
		asked = true
		if err := tx.Jobs.Schedule(order.TaskReconcile, leg.OutTradeNo, order.QueueGateway, now); err != nil {
			return false, err
		}
	}
	return asked, nil
}

// retryManualRefunds schedules the refunds of the messaging app that were left to an operator, and reports whether
// there was one.
func retryManualRefunds(tx order.Tx, no string, now time.Time) (bool, error) {
	all, err := tx.Refunds.OfOrder(no)
	if err != nil {
		return false, err
	}
	retried := false
	for _, r := range all {
		if r.State != order.RefundManual || r.Kind != order.ByApp {
			continue
		}
		retried = true
		r.State = order.RefundUnknown
		if err := tx.Refunds.Save(r, order.RefundManual); err != nil {
			return false, err
		}
		if err := tx.Jobs.Schedule(order.TaskRefund, r.TaskSubject(), order.QueueGateway, now); err != nil {
			return false, err
		}
	}
	return retried, nil
}

// SettleByHand records that an operator has put right outside the shop what the shop left to a person: money that the
// gateway holds for a disputed trade, or a refund that the gateway would not take. It fails with order.ErrOrderState
// if the order has neither.
func (s *Refunds) SettleByHand(ctx context.Context, no, why, by string) error {
	if err := cards.CheckReason(why); err != nil {
		return err
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		payments, err := settlePayments(tx, no, why, by, now)
		if err != nil {
			return err
		}
		refunds, err := settleRefunds(tx, no, why, by, now)
		if err != nil {
			return err
		}
		if payments+refunds == 0 {
			return order.ErrOrderState
		}
		return order.CompleteRefunds(tx, &o, now)
	})
}

// settlePayments closes the disputed payments of an order and returns how many it closed.
func settlePayments(tx order.Tx, no, why, by string, now time.Time) (n int, err error) {
	all, err := tx.Payments.OfOrder(no)
	for _, p := range all {
		if p.State != order.PaymentDisputed {
			continue
		}
		n++
		subject := fmt.Sprintf("payment:%d", p.ID)
		if err := errors.Join(
			tx.Payments.Move(p.ID, order.PaymentDisputed, order.PaymentClosed),
			tx.Audit.Record(now, by, "payment.settled", subject, string(order.PaymentDisputed), why),
		); err != nil {
			return n, err
		}
	}
	return n, err
}

// settleRefunds settles the refunds of an order that were left to an operator and returns how many it settled.
func settleRefunds(tx order.Tx, no, why, by string, now time.Time) (n int, err error) {
	all, err := tx.Refunds.OfOrder(no)
	for _, r := range all {
		if r.State != order.RefundManual {
			continue
		}
		n++
		r.State, r.DoneAt = order.RefundSettled, now
		if err := errors.Join(
			tx.Refunds.Save(r, order.RefundManual),
			tx.Audit.Record(now, by, "refund.settled", "refund:"+r.OutRefundNo, string(order.RefundManual), why),
		); err != nil {
			return n, err
		}
	}
	return n, err
}
