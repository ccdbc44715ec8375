package seating

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/requestid"
)

// LockSeats is a request to lock seats of a show.
type LockSeats struct {
	Source       catalog.Source
	ShowID       string     // the source's id
	SeatIDs      []string   // the source's ids, 1 to 4
	SeatNames    []string   // used without SeatIDs
	ClaimedTotal *money.Fen // the total that the page showed, rejected if wrong; nil: not sent
	// Accepted is the total to which the buyer has agreed: the seats may cost at most that, and the other prices are not
	// compared. It is nil if it was not sent.
	Accepted *money.Fen
	Shown    Shown
	Mobile   string        // the buyer's phone number, in full; the source may send the tickets there
	Venue    catalog.Venue // the cinema on whose page the show was chosen; see catalog.Service.CompleteShow
	Key      string        // idempotency key: repeating a call with the same key returns the same order
	// LimitedAccess is recorded in order.Snapshot.
	LimitedAccess bool
}

// Shown is what the page showed the buyer about the show. The lock is rejected if it differs from the showing. Fields
// that are empty were not sent and are not compared.
type Shown struct {
	FilmID   string
	FilmCode string
	Starts   time.Time  // zero if it was not sent
	Price    *money.Fen // of one of the seats, or of the show
}

// lockRoute is the Route of the idempotency keys of locks.
const lockRoute = "lock"

// LockSeats holds the seats in the store and at the source, and returns a PENDING order.
//
// It fails with the seat faults of package order, order.ErrUnpaidOrder, order.ErrKeyReused, order.ErrTooLateToPay,
// order.ErrUnpaidLimited, ErrLockInProgress, ErrSeatsReturning, account.ErrPhoneMissing, and:
//   - order.ErrPaymentPending if the gateway does not report whether an overdue order of the buyer was paid;
//   - order.ErrOrderExpired if the order had ended before the source answered;
//   - a fault of kind Unknown if the source did not answer;
//   - ErrLockUnanswered if the source did not answer an earlier call with the same key.
//
// The steps are: check the rules; read the hall from the source; write the LOCKING order with its holds and commit; ask
// the source to lock; write PENDING or ABANDONED.
func (s *Service) LockSeats(ctx context.Context, userID int64, req LockSeats) (order.Order, error) {
	ctx = context.WithoutCancel(ctx) // continues even if the buyer closes the page
	if o, found, err := s.answeredBefore(ctx, userID, req); found || err != nil {
		return o, err
	}
	o, lock, rejection := s.prepareLock(ctx, userID, req)
	if rejection != nil { // perhaps a concurrent call with the same key has made the order
		if o, found, err := s.answeredBefore(ctx, userID, req); found || err != nil {
			return o, err
		}
		return order.Order{}, rejection
	}
	got, err := s.sources[req.Source].Lock(ctx, lock)
	s.halls.Forget(hallKey(req.Source, req.ShowID))
	return s.recordLock(ctx, o, req, got, err)
}

// prepareLock does everything before the call to the source: it ends the buyer's open order if possible, checks the
// rules, and commits the LOCKING order. It fails with order.ErrKeyReused if a concurrent call has written the key after
// LockSeats looked it up.
func (s *Service) prepareLock(
	ctx context.Context, userID int64, req LockSeats,
) (order.Order, order.LockRequest, error) {
	if err := s.endOpenOrder(ctx, userID, req); err != nil {
		return order.Order{}, order.LockRequest{}, err
	}
	o, lock, err := s.draftOrder(ctx, userID, req)
	if errors.Is(err, order.ErrSeatTaken) {
		o, lock, err = s.draftOwnSeats(ctx, userID, req, lock.Seats)
	}
	if err != nil {
		return o, lock, err
	}
	return o, lock, s.insertLocking(ctx, &o, lock, req)
}

func (r LockSeats) fingerprint() string {
	ids, names := slices.Sorted(slices.Values(r.SeatIDs)), slices.Sorted(slices.Values(r.SeatNames))
	return order.Fingerprint(int(r.Source), r.ShowID, strings.Join(ids, "|"), strings.Join(names, "|"))
}

// answeredBefore returns the result of an earlier call with the same key. It reports false if the key is new.
func (s *Service) answeredBefore(ctx context.Context, userID int64, req LockSeats) (order.Order, bool, error) {
	if req.Key == "" {
		return order.Order{}, false, nil
	}
	prior, found, err := s.store.IdempotencyKey(ctx, userID, lockRoute, req.Key)
	if err != nil || !found {
		return order.Order{}, false, err
	}
	switch {
	case prior.BodyHash != req.fingerprint():
		return order.Order{}, true, order.ErrKeyReused
	case prior.Fault != nil:
		return order.Order{}, true, prior.Fault
	}
	o, err := s.awaitAnswer(ctx, prior.OrderNo)
	if err == nil && s.abandoner.Unanswered(o) {
		if err = s.abandoner.Abandon(ctx, o.No); err == nil {
			o, err = s.store.Order(ctx, prior.OrderNo)
		}
	}
	switch {
	case err != nil:
	case o.State == order.Locking:
		err = ErrLockInProgress
	case o.State == order.Abandoned:
		err = s.abandonReason(ctx, userID, req.Key)
	}
	return o, true, err
}

// lockPoll is the real time between two reads while a repeated call waits for the first one.
const lockPoll = 50 * time.Millisecond

// awaitAnswer reads an order until its lock has an answer, or has ended without one. It waits at most for the time
// limit of one call to the source, and then returns the order as LOCKING.
func (s *Service) awaitAnswer(ctx context.Context, no string) (order.Order, error) {
	deadline, poll := time.NewTimer(s.callLimit), time.NewTicker(lockPoll)
	defer deadline.Stop()
	defer poll.Stop()
	for {
		o, err := s.store.Order(ctx, no)
		if err != nil || o.State != order.Locking || s.abandoner.Unanswered(o) {
			return o, err
		}
		select {
		case <-poll.C:
		case <-deadline.C:
			return o, nil
		}
	}
}

// abandonReason returns the fault with which the source rejected the lock, which was saved with the key, or
// ErrLockUnanswered.
func (s *Service) abandonReason(ctx context.Context, userID int64, key string) error {
	prior, found, err := s.store.IdempotencyKey(ctx, userID, lockRoute, key)
	switch {
	case err != nil:
		return err
	case found && prior.Fault != nil:
		return prior.Fault
	}
	return ErrLockUnanswered
}

// endOpenOrder ends the buyer's open ticket order if it must not prevent a new lock: an unanswered lock is abandoned,
// and an overdue order is expired. Otherwise it fails with ErrLockInProgress or order.ErrUnpaidOrder.
func (s *Service) endOpenOrder(ctx context.Context, userID int64, req LockSeats) error {
	o, found, err := s.store.OpenOrder(ctx, userID)
	if err != nil || !found {
		return err
	}
	if s.abandoner.Unanswered(o) {
		return s.replaceUnanswered(ctx, o, req)
	}
	if o.State == order.Locking {
		return ErrLockInProgress
	}
	if s.now().Before(o.ExpiresAt) {
		return order.ErrUnpaidOrder
	}
	if err := s.expirer.ExpireOverdue(ctx, o); err != nil && !errors.Is(err, order.ErrAlreadyPaid) {
		return err
	}
	return nil // the order has expired, or turned out to be paid: neither prevents a new lock
}

// replaceUnanswered abandons the buyer's unanswered lock. The source may hold seats for that lock; if the buyer wants
// one of them again, they are first unlocked at the source.
func (s *Service) replaceUnanswered(ctx context.Context, o order.Order, req LockSeats) error {
	if !req.sharesSeats(o) {
		return s.abandoner.Abandon(ctx, o.No)
	}
	if err := s.abandoner.abandonNow(ctx, o.No); err != nil {
		return err
	}
	s.runner.RunNow(ctx, order.TaskUnlock, o.No)
	return nil
}

func (r LockSeats) sharesSeats(o order.Order) bool {
	return o.Source == r.Source && o.Snapshot.Show.ID == r.ShowID &&
		slices.ContainsFunc(o.Snapshot.Seats, func(seat catalog.Seat) bool {
			return slices.Contains(r.SeatIDs, seat.ID) || slices.Contains(r.SeatNames, seat.Name)
		})
}

// draftOwnSeats is draftOrder for seats of which some are taken. If the source may still hold some of them for ended
// orders of the buyer, those orders are unlocked first. It fails with ErrSeatsReturning if the source still holds them,
// and with order.ErrSeatTaken if another buyer has the seats.
func (s *Service) draftOwnSeats(
	ctx context.Context, userID int64, req LockSeats, seats []catalog.Seat,
) (order.Order, order.LockRequest, error) {
	own, err := s.ownSeats(ctx, userID, req, seats)
	if err != nil {
		return order.Order{}, order.LockRequest{}, err
	}
	if len(own) == 0 {
		return order.Order{}, order.LockRequest{}, order.ErrSeatTaken
	}
	for _, no := range slices.Compact(slices.Sorted(maps.Values(own))) {
		s.runner.RunNow(ctx, order.TaskUnlock, no)
	}
	o, lock, err := s.draftOrder(ctx, userID, req)
	if errors.Is(err, order.ErrSeatTaken) {
		// After the unlock another buyer may have taken the seats.
		if own, err = s.ownSeats(ctx, userID, req, seats); err == nil {
			err = order.ErrSeatTaken
			if len(own) > 0 {
				err = ErrSeatsReturning
			}
		}
	}
	return o, lock, err
}

// ownSeats returns those of the seats that the source may still hold for ended orders of the buyer. It maps them to the
// order numbers.
func (s *Service) ownSeats(
	ctx context.Context, userID int64, req LockSeats, seats []catalog.Seat,
) (map[string]string, error) {
	own, err := s.store.OwnSeats(ctx, userID, req.Source, req.ShowID)
	maps.DeleteFunc(own, func(id, _ string) bool {
		return !slices.ContainsFunc(seats, func(seat catalog.Seat) bool { return seat.ID == id })
	})
	return own, err
}

// draftOrder reads the hall, checks the rules, and returns the order and the request to the source. It writes nothing.
// If it fails with order.ErrSeatTaken, only the wanted seats are set in the returned request.
func (s *Service) draftOrder(
	ctx context.Context, userID int64, req LockSeats,
) (order.Order, order.LockRequest, error) {
	none := order.LockRequest{}
	if req.Mobile == "" {
		return order.Order{}, none, account.ErrPhoneMissing
	}
	hall, err := s.readSeats(ctx, req.Source, req.ShowID)
	if err != nil {
		return order.Order{}, none, err
	}
	hall.Show = s.venues.CompleteShow(ctx, hall.Show, req.Venue)
	if err := req.Shown.checkShow(hall.Show); err != nil {
		return order.Order{}, none, err
	}
	now := s.now()
	choice, err := Choose(hall, Wanted{SeatIDs: req.SeatIDs, SeatNames: req.SeatNames}, now)
	if err != nil {
		return order.Order{}, order.LockRequest{Seats: choice.Seats}, err
	}
	if order.PaymentEnds(hall.Show, time.Time{}, now).Sub(now) < durations.LeastToPay {
		return order.Order{}, none, order.ErrTooLateToPay
	}
	if choice.Total <= 0 {
		return order.Order{}, none, fmt.Errorf("show %s has no price: %w", req.ShowID, fault.ErrBadAnswer)
	}
	if !req.agrees(choice, hall.Show) {
		return order.Order{}, none, priceChanged(choice.Total)
	}
	no, err := order.NewNo(now)
	if err != nil {
		return order.Order{}, none, err
	}
	requestid.NoteOrder(ctx, no)
	o := order.Order{
		No: no, Kind: order.Ticket, Source: req.Source, State: order.Locking, Version: 1, UserID: userID,
		Total: choice.Total, CreatedAt: now, UpdatedAt: now,
		Snapshot: order.Snapshot{
			Show: hall.Show, Seats: choice.Seats, FilmPoster: hall.Show.FilmPoster, CinemaName: hall.Show.CinemaName,
			Mobile: req.Mobile, CinemaAddress: s.cinemaAddress(ctx, hall.Show), LimitedAccess: req.LimitedAccess,
		},
	}
	return o, order.LockRequest{OrderNo: no, Show: hall.Show, Seats: choice.Seats, Mobile: req.Mobile}, nil
}

// addressWait is how long a lock waits, in real time, for an address that is not in the catalog's cache.
const addressWait = time.Second

// cinemaAddress returns the address of the cinema for the ticket, or "" if the catalog does not return it within
// addressWait: a missing address does not prevent a lock.
func (s *Service) cinemaAddress(ctx context.Context, show catalog.Show) string {
	ctx, cancel := context.WithTimeout(ctx, addressWait)
	defer cancel()
	cinema, err := s.venues.Cinema(ctx, show.Source, show.CinemaID)
	if err != nil {
		s.logger.WarnContext(ctx, "read address of the cinema failed, the ticket does not have it",
			"cinema", show.CinemaID, "error", err)
	}
	return cinema.Address
}

// checkShow fails with order.ErrShowChanged if the show differs from what the page showed.
func (w Shown) checkShow(show catalog.Show) error {
	if (w.FilmID != "" && w.FilmID != show.FilmID) || (w.FilmCode != "" && w.FilmCode != show.FilmCode) ||
		(!w.Starts.IsZero() && !w.Starts.Equal(show.Starts)) {
		return order.ErrShowChanged
	}
	return nil
}

// agrees reports whether the buyer has agreed to the price of the chosen seats.
func (r LockSeats) agrees(choice Choice, show catalog.Show) bool {
	if r.Accepted != nil {
		return choice.Total <= *r.Accepted
	}
	return (r.ClaimedTotal == nil || *r.ClaimedTotal == choice.Total) && r.Shown.matchesPrice(show, choice.Seats)
}

func priceChanged(total money.Fen) error { return order.ErrPriceChanged.WithTotal(int64(total)) }

// matchesPrice reports whether the price that the page showed is that of the show or of one of the seats. It returns
// true if no price was sent.
func (w Shown) matchesPrice(show catalog.Show, seats []catalog.Seat) bool {
	return w.Price == nil || *w.Price == show.Price ||
		slices.ContainsFunc(seats, func(s catalog.Seat) bool { return s.Price == *w.Price })
}

// insertLocking commits the LOCKING order, its holds, the intent to call the source, and the task that abandons the
// order if this server dies before it has recorded the answer. The key is saved before all else, so that a repeated
// call always fails because of the key, whatever else has changed, and then gets the order of the first call. The limit
// of unpaid orders is checked before the order is written.
func (s *Service) insertLocking(ctx context.Context, o *order.Order, lock order.LockRequest, req LockSeats) error {
	now := o.CreatedAt
	seatIDs := make([]string, 0, len(lock.Seats))
	for _, seat := range lock.Seats {
		seatIDs = append(seatIDs, seat.ID)
	}
	return s.store.Update(ctx, func(tx order.Tx) error {
		if err := saveLockKey(tx, *o, req, nil, now); err != nil {
			return err
		}
		if err := s.lockLimits.Check(tx, o.UserID, order.Ticket, now); err != nil {
			return err
		}
		if err := tx.Orders.Insert(o); err != nil {
			return err
		}
		if err := tx.Seats.Hold(holds(lock.Show, lock.Seats, o.No), now); err != nil {
			return err
		}
		hash := order.Fingerprint(lock.Show.ID, seatIDs, o.Total)
		call := order.Call{Key: lockCallKey(o.No), OrderNo: o.No, RequestHash: hash, At: now}
		if err := tx.Calls.Begin(call); err != nil {
			return err
		}
		return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), now.Add(s.callLimit+durations.AbandonLock))
	})
}

// holds returns the claims of an order on its seats, sorted by seat id.
func holds(show catalog.Show, seats []catalog.Seat, orderNo string) []order.SeatHold {
	claims := make([]order.SeatHold, 0, len(seats))
	for _, s := range seats {
		claims = append(claims, order.SeatHold{
			Source: show.Source, ShowID: show.ID, SeatID: s.ID, OrderNo: orderNo, State: order.Held,
		})
	}
	return claims
}

func lockCallKey(no string) string { return "lock:" + no }

func saveLockKey(tx order.Tx, o order.Order, req LockSeats, rejection *fault.Fault, now time.Time) error {
	if req.Key == "" {
		return nil
	}
	return tx.Keys.Save(order.IdempotencyKey{
		UserID: o.UserID, Route: lockRoute, Key: req.Key, BodyHash: req.fingerprint(), OrderNo: o.No, Fault: rejection,
		At: now,
	})
}

// recordLock writes the source's answer to a lock: the order becomes PENDING, or ABANDONED if the source rejected the
// lock, its price differs or too little time is left to pay. It returns the PENDING order.
func (s *Service) recordLock(
	ctx context.Context, o order.Order, req LockSeats, got order.Lock, cause error,
) (order.Order, error) {
	switch {
	case !fault.OutcomeKnown(cause):
		return order.Order{}, s.recordUnanswered(ctx, o, cause)
	case cause != nil:
		return order.Order{}, s.recordRejection(ctx, o, req, cause, false)
	case got.Total != o.Total && (req.Accepted == nil || got.Total > *req.Accepted):
		return order.Order{}, s.recordRejection(ctx, o, req, priceChanged(got.Total), true)
	}
	now := s.now()
	payBefore := order.PaymentEnds(o.Snapshot.Show, got.ExpiresAt, now)
	if payBefore.Sub(now) < durations.LeastAfterLock {
		return order.Order{}, s.recordRejection(ctx, o, req, order.ErrTooLateToPay, true)
	}
	var locked order.Order
	err := s.store.Update(ctx, func(tx order.Tx) error {
		locked = o
		locked.Total = got.Total
		if err := locked.MarkLocked(got, payBefore, now); err != nil {
			return err
		}
		if err := tx.Orders.Save(&locked); err != nil {
			return err
		}
		if err := tx.Calls.End(lockCallKey(o.No), order.OutcomeOK, got.ProviderNo, now); err != nil {
			return err
		}
		return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), locked.ExpiresAt)
	})
	if errors.Is(err, order.ErrOrderState) { // the order was abandoned during the call: unlock the seats at the source
		return order.Order{}, errors.Join(order.ErrOrderExpired, s.scheduleUnlock(ctx, o))
	}
	return locked, err
}

// recordUnanswered records that the lock got no answer. The order keeps its seats for durations.AbandonedSeats before
// they are unlocked, so that a lock request that is still on its way reaches the source before the unlock.
func (s *Service) recordUnanswered(ctx context.Context, o order.Order, cause error) error {
	err := s.store.Update(ctx, func(tx order.Tx) error {
		now := s.now()
		unanswered := o
		unanswered.MarkLockUnanswered(ErrLockUnanswered.Code, now)
		if err := tx.Orders.Save(&unanswered); err != nil {
			return err
		}
		if err := tx.Calls.End(lockCallKey(o.No), order.OutcomeUnknown, order.AnswerOf(cause), now); err != nil {
			return err
		}
		return tx.Jobs.Schedule(order.TaskOrder, o.No, o.Queue(), now.Add(durations.AbandonedSeats))
	})
	if err != nil && !errors.Is(err, order.ErrOrderState) { // ErrOrderState: another call has abandoned the order
		return err
	}
	s.logger.WarnContext(ctx, "seat lock unanswered", "order", o.No, "error", cause)
	return errLockUncertain
}

// recordRejection abandons an order whose lock the source rejected, and returns why. If unlock is true, the lock
// succeeded but is useless, because the price differs or too little time is left to pay: the seats are then unlocked at
// the source.
func (s *Service) recordRejection(
	ctx context.Context, o order.Order, req LockSeats, why error, unlock bool,
) error {
	err := s.store.Update(ctx, func(tx order.Tx) error {
		if err := abandon(tx, o, why, order.OutcomeRejected, unlock, s.now()); err != nil {
			return err
		}
		answer := fault.Of(why)
		if errors.Is(why, fault.ErrService) {
			answer = nil // not a rejection by the source: a repeated call gets ErrLockUnanswered
		}
		return saveLockKey(tx, o, req, answer, s.now())
	})
	if errors.Is(err, order.ErrOrderState) { // the order was abandoned during the call
		err = nil
		if unlock {
			err = s.scheduleUnlock(ctx, o)
		}
	}
	return errors.Join(err, why)
}
