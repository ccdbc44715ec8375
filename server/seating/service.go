// Package seating locks and unlocks seats: it checks the rules for choosing seats, holds them in the store and at the
// ticket source, and abandons locks that the source did not answer.
package seating

import (
	"context"
	"log/slog"
	"time"

	"marquee/server/cache"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/order"
)

// maxSeats is the maximum number of seats of an order.
const maxSeats = 4

// Faults of a lock, in addition to the seat faults of package order.
var (
	// ErrLockInProgress means that an earlier lock of the buyer is waiting for the source's answer.
	ErrLockInProgress = fault.New(fault.Conflict, "lock_in_progress", "正在锁座，请稍候")
	// ErrLockUnanswered means that the source did not answer; the order is abandoned and holds nothing.
	ErrLockUnanswered = fault.New(fault.Unavailable, "lock_unanswered", "锁座失败，请重试")
	// ErrSeatsReturning means that the source has not released the seats of the buyer's last lock yet.
	ErrSeatsReturning = fault.New(fault.Conflict, "seats_returning", "上次锁定的座位正在释放，请稍后再试")
	// errLockUncertain is returned instead of ErrLockUnanswered while the order is not abandoned yet. Its kind is
	// Unknown, because the source may have locked the seats.
	errLockUncertain = fault.New(fault.Unknown, ErrLockUnanswered.Code, ErrLockUnanswered.Message)
)

// Venues reads the cinemas of shows.
type Venues interface {
	// Cinema returns a cinema of a source by its id there, or catalog.ErrCinemaNotFound. Cinemas are cached.
	Cinema(ctx context.Context, source catalog.Source, cinemaID string) (catalog.Cinema, error)
	// CompleteShow fills in what the source does not send with the seats: the cinema and the film.
	CompleteShow(ctx context.Context, show catalog.Show, at catalog.Venue) catalog.Show
}

// Expirer ends a buyer's overdue order, so that it does not prevent the next lock.
type Expirer interface {
	// ExpireOverdue closes the order's open payment and expires the order. It fails with order.ErrAlreadyPaid if the
	// order turns out to be paid.
	ExpireOverdue(ctx context.Context, o order.Order) error
}

// Config configures a Service. All fields but LockLimits and SeatMapLife are required.
type Config struct {
	Store       order.Store
	Sources     order.TicketSources
	Runner      *jobs.Runner     // runs the tasks that expire orders and unlock seats
	Venues      Venues           // cinemas and films of shows
	Expirer     Expirer          // expires the buyer's overdue order before a new lock
	Abandoner   *LockAbandoner   // ends locks that had no answer
	Now         func() time.Time // business time
	Logger      *slog.Logger
	CallLimit   time.Duration      // the time limit of a call to a source
	LockLimits  order.UnpaidLimits // the zero value means no limit
	SeatMapLife time.Duration      // how long a seat map is cached, in real time; 0: only concurrent requests share one
}

// Service locks and unlocks seats.
type Service struct {
	store      order.Store
	sources    order.TicketSources
	runner     *jobs.Runner
	expirer    Expirer
	abandoner  *LockAbandoner
	venues     Venues
	now        func() time.Time
	logger     *slog.Logger
	callLimit  time.Duration
	lockLimits order.UnpaidLimits
	halls      *cache.Cache[catalog.SeatMap]
}

// New returns a service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, sources: c.Sources, runner: c.Runner, expirer: c.Expirer,
		abandoner: c.Abandoner, venues: c.Venues, now: c.Now, logger: c.Logger, callLimit: c.CallLimit,
		lockLimits: c.LockLimits, halls: cache.New[catalog.SeatMap](time.Now, cache.Ages{Fresh: c.SeatMapLife}),
	}
}
