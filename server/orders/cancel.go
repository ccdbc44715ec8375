package orders

import (
	"context"
	"errors"

	"marquee/server/payment"
)

// Cancel gives an unpaid order's seats or stock back at the buyer's wish. An open payment is closed first; when it turns
// out paid, Cancel fails with payment.ErrAlreadyPaid, and with ErrPaymentPending when nobody can tell.
// Cancelling a cancelled order succeeds.
func (s *Service) Cancel(ctx context.Context, userID int64, orderNo string) error {
	ctx = saga(ctx)
	o, err := s.mine(ctx, userID, orderNo)
	if err != nil {
		return err
	}
	switch o.State {
	case Cancelled:
		return nil
	case Pending:
		return s.end(ctx, o, Cancel)
	case Paid, Issuing, Issued:
		return payment.ErrAlreadyPaid
	}
	return o.State.refusal()
}

// end cancels or expires a PENDING order once it is certain that nobody can pay it any more.
func (s *Service) end(ctx context.Context, o Order, e Event) error {
	err := s.replacing(ctx, o.No, func() error {
		return s.Store.Update(ctx, func(tx Tx) error { return s.endTx(tx, o.No, e) })
	})
	if err != nil {
		return err
	}
	if o.Kind != Ticket {
		return nil
	}
	s.runOne(ctx, TaskUnlock, o.No) // now, for the next buyer's sake; the task stays if it fails
	return nil
}

func (s *Service) endTx(tx Tx, no string, e Event) error {
	now := s.Now()
	o, err := tx.Order(no)
	if err != nil {
		return err
	}
	payments, err := tx.Payments(no)
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
	if err := tx.SaveOrder(&o); err != nil {
		return err
	}
	if err := release(tx, &o, now); err != nil {
		return err
	}
	if err := tx.Unschedule(TaskOrder, no); err != nil || o.Kind != Ticket {
		return err
	}
	return tx.Schedule(TaskUnlock, no, now)
}

// unlockTries is how often a provider may refuse to take seats back before it is left to the end of its own lock.
const unlockTries = 6

// unlock gives the provider its seats back. It is asked for again until it works or the show begins, when
// nobody wants them any more.
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
		if e := tx.BeginCall(c); e != nil {
			return e
		}
		if e := tx.EndCall(c.Key, outcome, answer, now); e != nil {
			return e
		}
		if outcome == OutcomeOK || !now.Before(o.Snapshot.Show.Starts) {
			return tx.Finish(t)
		}
		if t.Tries+1 >= unlockTries && outcome == OutcomeRefused {
			if e := tx.Audit(now, system, "unlock.refused", "order:"+o.No, string(o.State), answer); e != nil {
				return e
			}
			return tx.Finish(t)
		}
		return tx.Again(t, now.Add(backoff(t.Tries)))
	})
}

func (s *Service) askUnlock(ctx context.Context, src TicketSource, no string) error {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return src.Unlock(ctx, no)
}
