package checkout

import (
	"context"
	"errors"
	"time"

	"marquee/server/durations"
	"marquee/server/jobs"
	"marquee/server/order"
)

// Canceller ends unpaid orders, because the buyer asks for it or because they have expired.
type Canceller struct {
	base
	trades *Trades
	locks  LockAbandoner
}

// Cancel ends an unpaid order for its buyer and releases its seats or stock. An open payment is closed first. It fails
// with order.ErrAlreadyPaid if the payment turns out to be paid, and with order.ErrPaymentPending if the gateway does
// not report whether it was paid. Cancelling a cancelled order succeeds. A LOCKING order whose lock got no answer is
// abandoned.
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

// ExpireOverdue ends a PENDING order past its ExpiresAt when its buyer locks seats again. It fails with
// order.ErrAlreadyPaid and order.ErrPaymentPending as Cancel does.
func (s *Canceller) ExpireOverdue(ctx context.Context, o order.Order) error {
	return s.endAndUnlock(ctx, o, order.Expire)
}

// ExpireStep is the order.Step of PENDING orders: it ends an order that was not paid in time, after its open payment
// has ended as closed, disputed or unknown. The task of an order with an open payment moves to the payment queue,
// because it calls the gateway.
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
		return nil // it was captured just now, which scheduled its delivery
	}
	return err
}

// endAndUnlock ends the order and unlocks its seats at the source at once, so that others can buy them. If the source
// fails, the unlock task tries again.
func (s *Canceller) endAndUnlock(ctx context.Context, o order.Order, e order.Event) error {
	if err := s.end(ctx, o, e); err != nil {
		return err
	}
	if o.Kind == order.Ticket {
		s.runner.RunNow(ctx, order.TaskUnlock, o.No)
	}
	return nil
}

// end cancels or expires a PENDING order (e is order.Cancel or order.Expire) after its open payment is closed. It
// succeeds without a change if the order is CANCELLED, or if it is EXPIRED and e is order.Expire. It fails with
// order.ErrAlreadyPaid for a paid order.
func (s *Canceller) end(ctx context.Context, o order.Order, e order.Event) error {
	return s.trades.replaceOpen(ctx, o.No, func(tx order.Tx) error { return endTx(tx, o.No, e, s.now()) })
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

// saveEnded writes an order that has ended unpaid, releases its seats or stock, and schedules the unlock at its source.
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

// endedBefore returns the result of ending an order that is no longer PENDING: another call has ended it, or it was
// paid.
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
	return o.State.NotPendingError()
}
