package seating

import (
	"context"
	"time"

	"marquee/server/durations"
	"marquee/server/jobs"
	"marquee/server/order"
)

// LockAbandoner ends orders whose seat lock the source did not answer: the order becomes ABANDONED and its seats in the
// store are released.
type LockAbandoner struct {
	store     order.Updater
	runner    *jobs.Runner
	now       func() time.Time // business time
	callLimit time.Duration    // the time limit of a call to a source
}

// NewLockAbandoner returns an abandoner.
func NewLockAbandoner(
	store order.Updater, runner *jobs.Runner, now func() time.Time, callLimit time.Duration,
) *LockAbandoner {
	return &LockAbandoner{store, runner, now, callLimit}
}

// Unanswered reports whether the order is LOCKING and its lock call has ended without an answer. A call also counts as
// ended if it has no recorded result durations.AbandonLock after its time limit, because its server has probably died.
func (a *LockAbandoner) Unanswered(o order.Order) bool {
	return o.State == order.Locking &&
		(o.FailReason == ErrLockUnanswered.Code || !a.now().Before(o.CreatedAt.Add(a.callLimit+durations.AbandonLock)))
}

// Abandon ends an order whose lock got no answer, without calling the source. In case the lock succeeded after all, a
// task then unlocks the seats at the source, until it answers. Abandon does nothing if the order is no longer LOCKING.
func (a *LockAbandoner) Abandon(ctx context.Context, no string) error {
	err := a.abandonNow(ctx, no)
	a.runner.Wake()
	return err
}

// Step is the step of LOCKING orders.
func (a *LockAbandoner) Step(ctx context.Context, _ jobs.Task, o order.Order) error {
	return a.Abandon(ctx, o.No)
}

// abandonNow is Abandon without waking the workers, so that the caller can run the unlock task itself.
func (a *LockAbandoner) abandonNow(ctx context.Context, no string) error {
	return a.store.Update(ctx, func(tx order.Tx) error {
		o, err := tx.Orders.Get(no)
		if err != nil || o.State != order.Locking {
			return err
		}
		return abandon(tx, o, ErrLockUnanswered, order.OutcomeUnknown, true, a.now())
	})
}

// abandon writes ABANDONED and releases the seat holds. If unlock is true, it also schedules the unlock at the source.
func abandon(tx order.Tx, o order.Order, why error, outcome order.Outcome, unlock bool, now time.Time) error {
	if err := o.MarkAbandoned(order.AnswerOf(why), now); err != nil {
		return err
	}
	if err := tx.Orders.Save(&o); err != nil {
		return err
	}
	if err := order.ReleaseHolds(tx, &o, now); err != nil {
		return err
	}
	if err := tx.Calls.End(lockCallKey(o.No), outcome, order.AnswerOf(why), now); err != nil {
		return err
	}
	if unlock {
		if err := tx.Jobs.Schedule(order.TaskUnlock, o.No, o.Queue(), now); err != nil {
			return err
		}
	}
	return tx.Jobs.Unschedule(order.TaskOrder, o.No)
}
