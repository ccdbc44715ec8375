package seating

import (
	"context"
	"errors"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/jobs"
	"marquee/server/order"
)

const (
	// maxUnlockTries is the number of the try from which on a rejection ends the unlock. The source then frees the
	// seats when its lock expires.
	maxUnlockTries = 6
)

// Unlock is the handler of order.TaskUnlock: it unlocks an order's seats at the source. It tries again, with the pauses
// of jobs.Backoff, until the source has unlocked them, has rejected the sixth or a later try, or the show has begun. If
// the source never answered the lock, Unlock runs a second time, durations.LateLock after the order was created, when a
// delayed lock request can no longer arrive.
func (s *Service) Unlock(ctx context.Context, t jobs.Task) error {
	o, err := s.store.Order(ctx, t.Subject)
	if errors.Is(err, order.ErrOrderNotFound) {
		return s.runner.Finish(ctx, t)
	}
	if err != nil {
		return err
	}
	src, err := s.sources.Of(o.Source)
	if err != nil {
		return err
	}
	err = src.Unlock(ctx, o.No)
	s.halls.Forget(hallKey(o.Source, o.Snapshot.Show.ID))
	outcome, answer := order.OutcomeOf(err)
	return s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		// No intent was recorded before the call, because the task itself shows it and because unlocking again is safe.
		// Record the call now, together with its outcome.
		call := order.Call{Key: "unlock:" + o.No, OrderNo: o.No, RequestHash: order.Fingerprint(o.No), At: now}
		if e := tx.Calls.Begin(call); e != nil {
			return e
		}
		if e := tx.Calls.End(call.Key, outcome, answer, now); e != nil {
			return e
		}
		settled := o.CreatedAt.Add(durations.LateLock)
		switch {
		case !now.Before(o.Snapshot.Show.Starts):
			return tx.Jobs.Finish(t)
		case outcome == order.OutcomeOK && o.FailReason == ErrLockUnanswered.Code && now.Before(settled):
			return tx.Jobs.Reschedule(t, settled)
		case outcome == order.OutcomeOK:
			return tx.Jobs.Finish(t)
		}
		if t.Tries+1 >= maxUnlockTries && order.Rejected(err) {
			e := tx.Audit.Record(now, audit.System, "unlock.refused", audit.Order(o.No), string(o.State), answer)
			if e != nil {
				return e
			}
			return tx.Jobs.Finish(t)
		}
		return tx.Jobs.Reschedule(t, now.Add(jobs.Backoff(t.Tries)))
	})
}

func (s *Service) scheduleUnlock(ctx context.Context, o order.Order) error {
	err := s.store.Update(ctx, func(tx order.Tx) error {
		return tx.Jobs.Schedule(order.TaskUnlock, o.No, o.Queue(), s.now())
	})
	s.runner.Wake()
	return err
}
