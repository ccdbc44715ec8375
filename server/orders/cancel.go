package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/payment"
)

// Cancel gives an unpaid order's seats or stock back at the buyer's wish. An open payment is closed first; when it turns
// out paid, Cancel fails with payment.ErrAlreadyPaid, and with ErrPaymentPending when nobody can tell.
// Cancelling a cancelled order succeeds.
func (s *Service) Cancel(ctx context.Context, userID int64, orderNo string) error {
	ctx = saga(ctx)
	if o, err := s.Store.Order(ctx, orderNo); err == nil && o.UserID == userID && s.unanswered(o) {
		return s.sweep(ctx, o)
	}
	o, err := s.mine(ctx, userID, orderNo)
	if err != nil {
		return err
	}
	if err := s.end(ctx, o, Cancel); err != nil {
		return err
	}
	s.unlockNow(ctx, o)
	return nil
}

// ended is what a wish to cancel or expire an order comes to that is no longer PENDING: something else ended it first, or
// it was paid.
func (o *Order) ended(e Event) error {
	switch o.State {
	case Paid, Issuing, Issued:
		return payment.ErrAlreadyPaid
	case Cancelled:
		return nil
	case Expired:
		if e == Expire {
			return nil
		}
	}
	return o.State.refusal()
}

// end cancels or expires a PENDING order once it is certain that nobody can pay it any more. One that has ended so already is
// left as it is; one that was paid fails with payment.ErrAlreadyPaid.
func (s *Service) end(ctx context.Context, o Order, e Event) error {
	return s.replacing(ctx, o.No, func() error {
		return s.Store.Update(ctx, func(tx Tx) error { return s.endTx(tx, o.No, e) })
	})
}

// unlockNow gives the seats of an ended order back at once, for the next buyer's sake; the task stays if it fails.
func (s *Service) unlockNow(ctx context.Context, o Order) {
	if o.Kind == Ticket {
		s.runOne(ctx, TaskUnlock, o.No)
	}
}

func (s *Service) endTx(tx Tx, no string, e Event) error {
	now := s.Now()
	o, err := tx.Orders.Get(no)
	if err != nil {
		return err
	}
	if o.State != Pending {
		return o.ended(e)
	}
	payments, err := tx.Payments.OfOrder(no)
	if err != nil {
		return err
	}
	for _, p := range payments {
		if p.State == payment.Open {
			return errOpenPayment
		}
	}
	if e == Expire {
		if now.Before(o.ExpiresAt) {
			return ErrOrderState
		}
		err = o.MarkExpired(now)
	} else {
		err = o.MarkCancelled(now)
	}
	if err != nil {
		return err
	}
	if err := tx.Orders.Save(&o); err != nil {
		return err
	}
	if err := release(tx, &o, now); err != nil {
		return err
	}
	if err := tx.Jobs.Unschedule(TaskOrder, no); err != nil || o.Kind != Ticket {
		return err
	}
	return tx.Jobs.Schedule(TaskUnlock, no, laneOf(&o), now)
}

// unlockTries is how often a provider may refuse to take seats back before it is left to the end of its own lock.
const unlockTries = 6

// lateLock is how long after its order a lock request that was never answered may still arrive at the provider.
const lateLock = time.Minute

// unlock gives the provider its seats back. It is asked for again until it works or the show begins, when
// nobody wants them any more; a provider that cannot be reached has not answered. After a lock that was never
// answered, it is asked for once more when none can arrive any longer.
func (s *Service) unlock(ctx context.Context, t Task) error {
	o, err := s.Store.Order(ctx, t.Subject)
	if errors.Is(err, ErrOrderNotFound) {
		return s.finish(ctx, t)
	}
	if err != nil {
		return err
	}
	src, err := s.source(o.Source)
	if err != nil {
		return err
	}
	err = s.askUnlock(ctx, src, o.No)
	outcome, answer := outcomeOf(err)
	return s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		c := Call{Key: "unlock:" + o.No, OrderNo: o.No, RequestHash: digest(o.No), At: now}
		if e := tx.Calls.Begin(c); e != nil {
			return e
		}
		if e := tx.Calls.End(c.Key, outcome, answer, now); e != nil {
			return e
		}
		settled := o.CreatedAt.Add(lateLock)
		switch {
		case !now.Before(o.Snapshot.Show.Starts):
			return tx.Jobs.Finish(t)
		case outcome == OutcomeOK && o.FailReason == ErrLockUnanswered.Code && now.Before(settled):
			return tx.Jobs.Reschedule(t, settled)
		case outcome == OutcomeOK:
			return tx.Jobs.Finish(t)
		}
		if t.Tries+1 >= unlockTries && refused(err) {
			if e := tx.Audit.Record(now, system, "unlock.refused", "order:"+o.No, string(o.State), answer); e != nil {
				return e
			}
			return tx.Jobs.Finish(t)
		}
		return tx.Jobs.Reschedule(t, now.Add(backoff(t.Tries)))
	})
}

func (s *Service) askUnlock(ctx context.Context, src TicketSource, no string) error {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return src.Unlock(ctx, no)
}
