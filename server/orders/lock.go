package orders

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"marquee/server/booking"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
)

// LockSeats is a buyer's wish for seats.
type LockSeats struct {
	Source       catalog.Source
	ShowID       string
	SeatIDs      []string
	SeatNames    []string   // used without SeatIDs
	ClaimedTotal *money.Fen // what the app showed; compared, never used
	Shown        Shown      // what the app showed besides
	Key          string     // the same key again answers with the same order
}

// Shown is what the app told the buyer about the show. It is compared, never used; what is empty was not sent.
type Shown struct {
	FilmID   string
	FilmCode string
	Starts   time.Time
	Price    *money.Fen // of one of the seats, or the show's own
}

// LockSeats holds the seats here and at the provider and returns a PENDING order.
// Faults: those of booking, ErrUnpaidOrder, ErrKeyReused, or one of kind Unknown when the provider went silent.
func (s *Service) LockSeats(ctx context.Context, userID int64, req LockSeats) (Order, error) {
	return together(s, req.Key, func() (Order, error) { return s.lockSeats(saga(ctx), userID, req) }, lockRoute, userID, req.body())
}

func (r LockSeats) body() string {
	ids, names := slices.Sorted(slices.Values(r.SeatIDs)), slices.Sorted(slices.Values(r.SeatNames))
	return digest(int(r.Source), r.ShowID, strings.Join(ids, "|"), strings.Join(names, "|"))
}

const lockRoute = "lock"

func (s *Service) lockSeats(ctx context.Context, userID int64, req LockSeats) (Order, error) {
	src, err := s.source(req.Source)
	if err != nil {
		return Order{}, err
	}
	if o, found, err := s.lockedBefore(ctx, userID, req); found || err != nil {
		return o, err
	}
	if err := s.clearOverdue(ctx, userID, req); err != nil {
		return Order{}, err
	}
	o, lock, err := s.draft(ctx, userID, req, src)
	if err != nil {
		return Order{}, err
	}
	if err := s.insertLocking(ctx, &o, lock, req); err != nil {
		return Order{}, err
	}
	return s.finishLock(ctx, o, lock, src, req)
}

// lockedBefore answers a repeated key with what came of it the first time.
func (s *Service) lockedBefore(ctx context.Context, userID int64, req LockSeats) (Order, bool, error) {
	if req.Key == "" {
		return Order{}, false, nil
	}
	was, found, err := s.Store.Idempotent(ctx, userID, lockRoute, req.Key)
	if err != nil || !found {
		return Order{}, false, err
	}
	switch {
	case was.BodyHash != req.body():
		return Order{}, true, ErrKeyReused
	case was.Fault != nil:
		return Order{}, true, was.Fault
	}
	o, err := s.Store.Order(ctx, was.OrderNo)
	if err == nil && s.unanswered(o) {
		if err = s.sweep(ctx, o); err == nil {
			o, err = s.Store.Order(ctx, was.OrderNo)
		}
	}
	switch {
	case err != nil:
	case o.State == Locking:
		err = ErrLockInProgress
	case o.State == Abandoned:
		err = s.whyAbandoned(ctx, userID, req.Key)
	}
	return o, true, err
}

// whyAbandoned is the provider's refusal, which the key carries since its order was abandoned; without one, nothing was
// answered.
func (s *Service) whyAbandoned(ctx context.Context, userID int64, key string) error {
	now, found, err := s.Store.Idempotent(ctx, userID, lockRoute, key)
	switch {
	case err != nil:
		return err
	case found && now.Fault != nil:
		return now.Fault
	}
	return ErrLockUnanswered
}

func (s *Service) insertLocking(ctx context.Context, o *Order, lock LockRequest, req LockSeats) error {
	now := o.CreatedAt
	choice := booking.Choice{Seats: lock.Seats}
	return s.Store.Update(ctx, func(tx Tx) error {
		if err := tx.Orders.Insert(o); err != nil {
			return err
		}
		if err := tx.Seats.Hold(choice.HoldsFor(lock.Show, o.No), now); err != nil {
			return err
		}
		if req.Key != "" {
			i := Idempotency{UserID: o.UserID, Route: lockRoute, Key: req.Key, BodyHash: req.body(), OrderNo: o.No, At: now}
			if err := tx.Keys.Save(i); err != nil {
				return err
			}
		}
		c := Call{Key: "lock:" + o.No, OrderNo: o.No, RequestHash: digest(lock.Show.ID, seatIDs(lock.Seats), o.Total), At: now}
		if err := tx.Calls.Begin(c); err != nil {
			return err
		}
		return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(o), now.Add(s.CallTimeout+sweepAfter))
	})
}

// finishLock asks the provider and records what it said.
func (s *Service) finishLock(ctx context.Context, o Order, lock LockRequest, src TicketSource, req LockSeats) (Order, error) {
	got, err := s.askLock(ctx, src, lock)
	if err != nil && !definite(err) {
		return Order{}, s.lockUnknown(ctx, o, err)
	}
	if err == nil && got.Total != o.Total {
		if e := s.abandon(ctx, o, req, booking.ErrPriceChanged, true); e != nil {
			return Order{}, e
		}
		return Order{}, booking.ErrPriceChanged
	}
	if err != nil {
		if e := s.abandon(ctx, o, req, fault.Of(err), false); e != nil {
			return Order{}, e
		}
		return Order{}, err
	}
	locked := o
	err = s.Store.Update(ctx, func(tx Tx) error {
		locked = o
		now := s.Now()
		if err := locked.MarkLocked(got, now); err != nil {
			return err
		}
		if err := tx.Orders.Save(&locked); err != nil {
			return err
		}
		if err := tx.Calls.End("lock:"+o.No, OutcomeOK, got.ProviderNo, now); err != nil {
			return err
		}
		if locked.Snapshot.CinemaAddress == "" {
			if known := s.venues.of(cinema{o.Source, o.Snapshot.Show.CinemaID}); known != "" {
				locked.Snapshot.CinemaAddress = known
				if err := tx.Orders.SetCinemaAddress(o.No, known); err != nil {
					return err
				}
			}
		}
		return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(&o), locked.ExpiresAt)
	})
	if errors.Is(err, ErrOrderState) {
		// the sweeper took it for abandoned while the provider was thinking
		return Order{}, errors.Join(ErrOrderExpired, s.scheduleUnlock(ctx, o))
	}
	if err == nil && locked.Snapshot.CinemaAddress == "" && s.Venues != nil {
		s.addAddress(ctx, locked)
	}
	return locked, err
}

func (s *Service) askLock(ctx context.Context, src TicketSource, lock LockRequest) (Lock, error) {
	ctx, cancel := s.call(ctx)
	defer cancel()
	return src.Lock(ctx, lock)
}

// abandon ends an order whose seats the provider refused, or, with unlock, gave on terms we do not take.
func (s *Service) abandon(ctx context.Context, o Order, req LockSeats, why *fault.Fault, unlock bool) error {
	return s.Store.Update(ctx, func(tx Tx) error { return s.abandonTx(tx, o, req, why, OutcomeRefused, unlock) })
}

func (s *Service) abandonTx(tx Tx, o Order, req LockSeats, why *fault.Fault, outcome Outcome, unlock bool) error {
	now := s.Now()
	if err := o.MarkAbandoned(why.Code, now); err != nil {
		return err
	}
	if err := tx.Orders.Save(&o); err != nil {
		return err
	}
	if _, err := tx.Seats.Release(o.No, now); err != nil {
		return err
	}
	if err := tx.Calls.End("lock:"+o.No, outcome, why.Code, now); err != nil {
		return err
	}
	if req.Key != "" {
		i := Idempotency{UserID: o.UserID, Route: lockRoute, Key: req.Key, BodyHash: req.body(), OrderNo: o.No, Fault: why, At: now}
		if err := tx.Keys.Save(i); err != nil {
			return err
		}
	}
	if unlock {
		if err := tx.Jobs.Schedule(TaskUnlock, o.No, laneOf(&o), now); err != nil {
			return err
		}
	}
	return tx.Jobs.Unschedule(TaskOrder, o.No)
}

func (s *Service) scheduleUnlock(ctx context.Context, o Order) error {
	err := s.Store.Update(ctx, func(tx Tx) error { return tx.Jobs.Schedule(TaskUnlock, o.No, laneOf(&o), s.Now()) })
	s.Wake()
	return err
}

// clearOverdue expires the buyer's unpaid order when its time is up but no job has come by yet; an order whose
// time is not up fails with ErrUnpaidOrder, one whose lock is not settled with ErrLockInProgress.
func (s *Service) clearOverdue(ctx context.Context, userID int64, req LockSeats) error {
	o, found, err := s.Store.OpenOrder(ctx, userID)
	if err != nil || !found {
		return err
	}
	if s.unanswered(o) {
		return s.replaceUnanswered(ctx, o, req)
	}
	if o.State == Locking {
		return ErrLockInProgress
	}
	if s.Now().Before(o.ExpiresAt) {
		return ErrUnpaidOrder
	}
	if err := s.end(ctx, o, Expire); err != nil && !errors.Is(err, errAlreadyPaid) { // paid, it is not in the way either
		return err
	}
	s.unlockNow(ctx, o)
	return nil
}
