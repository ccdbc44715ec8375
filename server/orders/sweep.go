package orders

import (
	"context"
	"errors"
	"slices"
	"time"

	"marquee/server/catalog"
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
		if err := tx.Orders.Save(&silent); err != nil {
			return err
		}
		if err := tx.Calls.End("lock:"+o.No, OutcomeUnknown, fault.Of(cause).Code, now); err != nil {
			return err
		}
		return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(&o), now.Add(sweepSoon))
	})
	if err != nil && !errors.Is(err, ErrOrderState) { // which says that it is swept already
		return err
	}
	s.Logger.WarnContext(ctx, "seat lock without an answer", "order", o.No, "error", cause)
	return errSilent
}

// errSilent is ErrLockUnanswered while the order is not abandoned yet: the provider may have acted.
var errSilent = fault.New(fault.Unknown, ErrLockUnanswered.Code, ErrLockUnanswered.Message)

// unanswered reports whether nobody waits for the order's lock any more.
func (s *Service) unanswered(o Order) bool {
	return o.State == Locking &&
		(o.FailReason == ErrLockUnanswered.Code || !s.Now().Before(o.CreatedAt.Add(s.CallTimeout+sweepAfter)))
}

// sweep abandons an order whose lock never got an answer. That takes nobody outside; a task then asks the provider to
// unlock until it answers, in case the lock succeeded after all.
func (s *Service) sweep(ctx context.Context, o Order) error {
	err := s.forsake(ctx, o)
	s.Wake()
	return err
}

// replaceUnanswered abandons the buyer's lock without an answer because he locks anew. Seats of the same show that he wants
// again would look taken as long as the provider keeps them for the first lock; so it is asked at once to give them back,
// within the time of one call. Other seats wait for nobody.
func (s *Service) replaceUnanswered(ctx context.Context, o Order, req LockSeats) error {
	if !o.sharesSeats(req) {
		return s.sweep(ctx, o)
	}
	if err := s.forsake(ctx, o); err != nil {
		return err
	}
	s.unlockNow(ctx, o)
	return nil
}

// sharesSeats reports whether the order is about a seat that the wish asks for.
func (o *Order) sharesSeats(req LockSeats) bool {
	return o.Source == req.Source && o.Snapshot.Show.ID == req.ShowID &&
		slices.ContainsFunc(o.Snapshot.Seats, func(seat catalog.Seat) bool {
			return slices.Contains(req.SeatIDs, seat.ID) || slices.Contains(req.SeatNames, seat.Name)
		})
}

func (s *Service) forsake(ctx context.Context, o Order) error {
	return s.Store.Update(ctx, func(tx Tx) (err error) {
		if o, err = tx.Orders.Get(o.No); err != nil || o.State != Locking {
			return err // locked or abandoned meanwhile
		}
		return s.abandonTx(tx, o, LockSeats{}, ErrLockUnanswered, OutcomeUnknown, true)
	})
}
