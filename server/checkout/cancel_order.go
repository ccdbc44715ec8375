package checkout

import (
	"context"
	"errors"
	"time"

	"marquee/server/durations"
	"marquee/server/jobs"
	"marquee/server/order"
)

// Canceller ends unpaid orders: for their buyers, or because their time is up.
type Canceller struct {
	base
	trades *Trades
	locks  LockAbandoner
}

// Cancel ends an unpaid order for its buyer and gives its seats or stock back. An open payment is closed first. It
// fails with order.ErrAlreadyPaid if the payment turns out to be paid, and with order.ErrPaymentPending if the
// gateway does not tell. Cancelling a cancelled order succeeds.
func (s *Canceller) Cancel(ctx context.Context, userID int64, orderNo string) error {
	ctx = context.WithoutCancel(ctx)
	if o, err := s.store.Order(ctx, orderNo); err == nil && o.UserID == userID && s.locks.Unanswered(o) {
		return s.locks.Abandon(ctx, o.No)
	}
	o, err := order.OfBuyer(ctx, s.store, userID, orderNo)
	if err != nil {
		return err
	}
	return s.endAndUnlock(ctx, o, order.Cancel)
}

// ExpireOverdue ends a PENDING order whose time is up, as a step of its buyer's next lock. It fails with
// order.ErrAlreadyPaid and order.ErrPaymentPending as Cancel does.
func (s *Canceller) ExpireOverdue(ctx context.Context, o order.Order) error {
	return s.endAndUnlock(ctx, o, order.Expire)
}

// ExpireStep is the step of PENDING orders: it ends an order that was not paid in time, once it is certain that it
// was not paid. An order with an open payment waits in the payment queue, not in its source's.
func (s *Canceller) ExpireStep(ctx context.Context, t jobs.Task, o order.Order) error {
	now := s.now()
	if now.Before(o.ExpiresAt) {
		return s.runner.Reschedule(ctx, t, o.ExpiresAt)
	}
	if t.Queue != order.QueuePayment {
		_, found, err := s.trades.openPaymentOf(ctx, o.No)
		if err != nil {
			return err
		}
		if found {
			return s.store.Update(ctx, func(tx order.Tx) error {
				return tx.Jobs.Schedule(order.TaskOrder, o.No, order.QueuePayment, now)
			})
		}
	}
	err := s.end(ctx, o, order.Expire)
	switch {
	case errors.Is(err, order.ErrPaymentPending):
		return s.runner.Reschedule(ctx, t, now.Add(durations.ExpireRetry))
	case errors.Is(err, order.ErrAlreadyPaid):
		return nil // captured just now, and scheduled for its delivery
	}
	return err
}

// endAndUnlock ends the order and gives its seats back to the source at once, for the next buyer; if the source
// fails, the unlock task stays.
func (s *Canceller) endAndUnlock(ctx context.Context, o order.Order, e order.Event) error {
	if err := s.end(ctx, o, e); err != nil {
		return err
	}
	if o.Kind == order.Ticket {
		s.runner.RunNow(ctx, order.TaskUnlock, o.No)
	}
	return nil
}

// end cancels or expires a PENDING order once it is certain that it cannot be paid any more. An order that has ended so
// already is left as it is; one that was paid fails with order.ErrAlreadyPaid.
func (s *Canceller) end(ctx context.Context, o order.Order, e order.Event) error {
	return s.trades.replaceOpen(ctx, o.No, func() error {
		return s.store.Update(ctx, func(tx order.Tx) error { return endTx(tx, o.No, e, s.now()) })
	})
}

func endTx(tx order.Tx, no string, e order.Event, now time.Time) error {
	o, err := tx.Orders.Get(no)
	if err != nil {
		return err
	}
	if o.State != order.Pending {
		return endedBefore(o, e)
	}
	payments, err := tx.Payments.OfOrder(no)
	if err != nil {
		return err
	}
	for _, p := range payments {
		if p.State == order.PaymentOpen {
			return errOpenPayment
		}
	}
	if e == order.Expire {
		if now.Before(o.ExpiresAt) {
			return order.ErrOrderState
		}
		err = o.MarkExpired(now)
	} else {
		err = o.MarkCancelled(now)
	}
	if err != nil {
		return err
	}
	return saveEnded(tx, &o, now)
}

// saveEnded writes an order that has ended unpaid, gives its seats or stock back, and schedules the unlock at its
// source.
func saveEnded(tx order.Tx, o *order.Order, now time.Time) error {
	if err := tx.Orders.Save(o); err != nil {
		return err
	}
	if err := order.ReleaseHolds(tx, o, now); err != nil {
		return err
	}
	if err := tx.Jobs.Unschedule(order.TaskOrder, o.No); err != nil || o.Kind != order.Ticket {
		return err
	}
	return tx.Jobs.Schedule(order.TaskUnlock, o.No, o.Queue(), now)
}

// endedBefore answers a request to end an order that is not PENDING any more: it was ended by another call, or paid.
func endedBefore(o order.Order, e order.Event) error {
	switch o.State {
	case order.Paid, order.Issuing, order.Issued:
		return order.ErrAlreadyPaid
	case order.Cancelled:
		return nil
	case order.Expired:
		if e == order.Expire {
			return nil
		}
	}
	return o.State.Refusal()
}
