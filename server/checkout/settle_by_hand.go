package checkout

import (
	"context"
	"errors"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/order"
)

// Retry makes the task of an unpaid or undelivered order due now. It also schedules new queries of the order's unknown
// payments and of its refunds that were left to an operator. A refund that the gateway does not know is sent again
// under its number. Retry fails with order.ErrOrderState if there is nothing to retry. by is the operator, for the
// audit log.
func (s *Refunds) Retry(ctx context.Context, no, by string) error {
	unknownThere, err := s.refundsUnknownThere(ctx, no)
	if err != nil {
		return err
	}
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
		retried, err := retryManualRefunds(tx, no, unknownThere, now)
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
		return tx.Audit.Record(now, by, "order.retried", audit.Order(no), string(o.State), "")
	})
}

// askUnknownPayments schedules queries of the order's unknown payments, and reports whether there are any.
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
		if err := tx.Jobs.Schedule(order.TaskRecheckTrade, leg.OutTradeNo, order.QueuePayment, now); err != nil {
			return false, err
		}
	}
	return asked, nil
}

// refundsUnknownThere returns those refunds of the order that were left to an operator and that the gateway does not
// know. It maps their ids to the times when they were last sent. A refund about which the gateway does not answer is
// not among them: its task queries it again.
func (s *Refunds) refundsUnknownThere(ctx context.Context, no string) (map[int64]time.Time, error) {
	var all []order.Refund
	if err := s.store.Update(ctx, func(tx order.Tx) (err error) {
		all, err = tx.Refunds.OfOrder(no)
		return err
	}); err != nil {
		return nil, err
	}
	sentAt := map[int64]time.Time{}
	for _, r := range all {
		if !retriable(r) || r.SentAt.IsZero() {
			continue
		}
		if _, err := s.gateway.QueryRefund(ctx, r.OutRefundNo); errors.Is(err, order.ErrRefundNotFound) {
			sentAt[r.ID] = r.SentAt
		}
	}
	return sentAt, nil
}

// retriable reports whether a refund goes through the messaging app and was left to an operator.
func retriable(r order.Refund) bool { return r.State == order.RefundManual && r.Kind == order.ByApp }

// retryManualRefunds schedules the refunds of the messaging app that were left to an operator, and reports whether
// there are any. A refund that was never sent, or that the gateway does not know, is sent; any other is queried.
func retryManualRefunds(tx order.Tx, no string, unknownThere map[int64]time.Time, now time.Time) (bool, error) {
	all, err := tx.Refunds.OfOrder(no)
	if err != nil {
		return false, err
	}
	retried := false
	for _, r := range all {
		if !retriable(r) {
			continue
		}
		retried = true
		r.State = order.RefundUnknown
		if sentAt, unknown := unknownThere[r.ID]; r.SentAt.IsZero() || unknown && sentAt.Equal(r.SentAt) {
			r.State = order.RefundReady
		}
		if err := tx.Refunds.Save(r, order.RefundManual); err != nil {
			return false, err
		}
		if err := tx.Jobs.Schedule(order.TaskRefund, r.TaskSubject(), order.QueuePayment, now); err != nil {
			return false, err
		}
	}
	return retried, nil
}

// SettleByHand records that an operator has settled outside the shop what the shop could not: the money of a disputed
// or unknown trade, or a refund that failed at the gateway. The gateway is queried first, so that nothing is refunded
// twice. If unverified is true, the operator's word is accepted even if the gateway reports no final state, and the
// audit log records it as unverified. SettleByHand fails with order.ErrOrderState if the order has nothing to settle,
// with ErrSettledByGateway if the gateway has settled part of it, and with ErrGatewayUndecided if the gateway reports
// no final state.
func (s *Refunds) SettleByHand(ctx context.Context, no, why string, unverified bool, by string) error {
	if err := audit.CheckReason(why); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	waiting, err := s.waitingFor(ctx, no)
	if err != nil {
		return err
	}
	undecided := s.askGateway(ctx, waiting)
	if undecided != nil && !unverified {
		return fmt.Errorf("settle order %s: %w: %w", no, ErrGatewayUndecided, undecided)
	}
	event := ".settled"
	if undecided != nil {
		event = ".settled_unverified"
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		o, err := tx.Orders.Get(no)
		if err != nil {
			return err
		}
		left, err := readWaiting(tx, no)
		if err != nil {
			return err
		}
		if len(left.payments) < len(waiting.payments) || len(left.refunds) < len(waiting.refunds) {
			return ErrSettledByGateway
		}
		for _, p := range left.payments {
			subject := fmt.Sprintf("payment:%d", p.ID)
			if err := errors.Join(
				tx.Payments.Move(p.ID, p.State, order.PaymentSettled),
				tx.Audit.Record(now, by, "payment"+event, subject, string(p.State), why),
			); err != nil {
				return err
			}
		}
		for _, r := range left.refunds {
			if err := settleRefund(tx, r, by, "refund"+event, why, now); err != nil {
				return err
			}
		}
		return order.CompleteRefunds(tx, &o, now)
	})
}

// settleRefund records that an operator has refunded the money, or has reviewed a doubled refund.
func settleRefund(tx order.Tx, r order.Refund, by, what, why string, now time.Time) error {
	prior := r.State
	if r.State, r.DoneAt = order.RefundByHand, now; prior == order.RefundDoubled {
		r.State = order.RefundSettled
	}
	return errors.Join(
		tx.Refunds.Save(r, prior), tx.Audit.Record(now, by, what, "refund:"+r.OutRefundNo, string(prior), why),
	)
}

// waiting lists the payments and refunds of an order that an operator must settle.
type waiting struct {
	payments []order.Payment // disputed or unknown
	refunds  []order.Refund  // manual or doubled
}

// waitingFor reads which payments and refunds of an order an operator must settle. It fails with order.ErrOrderState if
// there is nothing.
func (s *Refunds) waitingFor(ctx context.Context, no string) (w waiting, err error) {
	err = s.store.Update(ctx, func(tx order.Tx) error {
		if _, err := tx.Orders.Get(no); err != nil {
			return err
		}
		w, err = readWaiting(tx, no)
		if err == nil && len(w.payments)+len(w.refunds) == 0 {
			err = order.ErrOrderState
		}
		return err
	})
	return w, err
}

func readWaiting(tx order.Tx, no string) (w waiting, err error) {
	payments, err := tx.Payments.OfOrder(no)
	if err != nil {
		return w, err
	}
	for _, p := range payments {
		if p.State == order.PaymentDisputed || p.State == order.PaymentUnknown {
			w.payments = append(w.payments, p)
		}
	}
	refunds, err := tx.Refunds.OfOrder(no)
	for _, r := range refunds {
		if r.State == order.RefundManual || r.State == order.RefundDoubled {
			w.refunds = append(w.refunds, r)
		}
	}
	return w, err
}

// askGateway queries the gateway about payments and refunds that an operator must settle, and records what the gateway
// has settled since. It does not query doubled refunds, whose state is final at the gateway. The returned error joins
// one error for each payment or refund whose final state the gateway does not report.
func (s *Refunds) askGateway(ctx context.Context, w waiting) error {
	var undecided error
	for _, p := range w.payments {
		leg, _ := p.App()
		undecided = errors.Join(undecided, s.trades.recheckTrade(ctx, leg.OutTradeNo))
	}
	for _, r := range w.refunds {
		if r.State == order.RefundManual {
			undecided = errors.Join(undecided, s.askRefund(ctx, r))
		}
	}
	return undecided
}

// askRefund queries a refund that was left to an operator. It returns nil if the gateway has refunded the money, which
// askRefund records, or if the gateway will not refund it. It returns an error if the refund is in progress or the
// gateway does not answer.
func (s *Refunds) askRefund(ctx context.Context, r order.Refund) error {
	var leg order.Leg
	if err := s.store.Update(ctx, func(tx order.Tx) (err error) {
		leg, err = legOf(tx, r)
		return err
	}); err != nil {
		return err
	}
	got, err := s.query(ctx, r, leg)
	switch {
	case errors.Is(err, order.ErrRefundNotFound):
		return nil
	case err != nil:
		return err
	case got.State == order.RefundProcessing:
		return fmt.Errorf("refund %s is in progress", r.OutRefundNo)
	case got.State != order.RefundDone:
		return nil
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		current, err := tx.Refunds.Get(r.ID)
		if err != nil {
			return err
		}
		return recordResult(tx, current, got, s.now())
	})
}
