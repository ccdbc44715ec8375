package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/fault"
)

const (
	// sweepAfter is how long after the deadline of a lock call its order is taken for abandoned.
	sweepAfter = 20 * time.Second
	// sweepSoon is how long an order whose lock got no answer keeps its seats from other buyers here: a request that
	// is still on its way is left a moment to arrive before it is undone.
	sweepSoon = 5 * time.Second
)

// lockUnknown notes that the lock got no answer. The order is abandoned soon, or at once when its buyer asks again.
func (s *Service) lockUnknown(ctx context.Context, o Order, cause error) error {
	err := s.Store.Update(ctx, func(tx Tx) error {
		now := s.Now()
		silent := o
		silent.MarkUnanswered(now)
		if err := tx.SaveOrder(&silent); err != nil {
			return err
		}
		if err := tx.EndCall("lock:"+o.No, OutcomeUnknown, fault.Of(cause).Code, now); err != nil {
			return err
		}
		return tx.Schedule(TaskOrder, o.No, laneOf(&o), now.Add(sweepSoon))
	})
	if err != nil && !errors.Is(err, ErrOrderState) { // which says that it is swept already
		return err
	}
	s.Logger.WarnContext(ctx, "seat lock without an answer", "order", o.No, "error", cause)
	return fault.ErrUnknown
}

// unanswered reports whether nobody waits for the order's lock any more.
func (s *Service) unanswered(o Order) bool {
	return o.State == Locking &&
		(o.FailReason == ErrLockUnanswered.Code || !s.Now().Before(o.CreatedAt.Add(s.CallTimeout+sweepAfter)))
}

// sweep abandons an order whose lock never got an answer. That takes nobody outside; a task then asks the provider to
// unlock until it answers, in case the lock succeeded after all.
func (s *Service) sweep(ctx context.Context, o Order) error {
	err := s.Store.Update(ctx, func(tx Tx) (err error) {
		if o, err = tx.Order(o.No); err != nil || o.State != Locking {
			return err // locked or abandoned meanwhile
		}
		return s.abandonTx(tx, o, LockSeats{}, ErrLockUnanswered, OutcomeUnknown, true)
	})
	s.Wake()
	return err
}
