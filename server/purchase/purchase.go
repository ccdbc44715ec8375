// Package purchase wires the packages of a purchase together: seating, checkout and fulfilment over one store, one job
// runner and one clock. It contains no rules. Its tests run complete purchases.
package purchase

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"time"

	"marquee/server/checkout"
	"marquee/server/durations"
	"marquee/server/fulfilment"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/seating"
)

// stepsPerMinute is the maximum number of steps of one run of the purge, and of the verification. At this rate a purge
// deletes up to 28 million records a day, and a verification reads up to 144 million.
const stepsPerMinute = 200

// LotExpirer removes expired points from cards.
type LotExpirer interface {
	// ExpireLots removes the points of expired lots and returns the number of these lots. A lot holds points of a card
	// that expire together. It may be called at any time, also by several servers at once.
	ExpireLots(ctx context.Context) (int, error)
}

// Records verifies the records of the store and deletes old ones.
type Records interface {
	order.Verifier
	// Purge deletes records from the time before the given one, in at most the given number of steps, each in a
	// separate short transaction. It returns how many it deleted, and whether it has deleted all of them.
	Purge(ctx context.Context, before time.Time, steps int) (deleted int, done bool, err error)
}

// Config configures New. Fields without a default must be set.
type Config struct {
	Store      order.Store
	Tasks      jobs.Store
	AroundJob  func(ctx context.Context, t jobs.Task, run func(context.Context) error) error // for traces; may be nil
	Records    Records
	Sources    order.TicketSources
	Gateway    order.Gateway
	AppID      string // of the messaging app; trades with another one are rejected
	MchID      string // of our merchant account; trades with another one are rejected
	H5         bool   // the merchant has H5 payment
	Identities checkout.Identities
	Passwords  checkout.PasswordVerifier
	Venues     seating.Venues
	Lots       LotExpirer
	Recharges  checkout.RechargePricer
	Now        func() time.Time // business time

	Topup           order.Deliverer    // recharges accounts for goods orders; nil: fulfilment.ManualTopup
	Logger          *slog.Logger       // nil: nothing is logged
	CallLimit       time.Duration      // the time limit of a call to a provider, real time; default 8 s
	Lease           time.Duration      // as in jobs.Config
	Workers         int                // tasks of one queue that run at the same time; default 32
	TradeAnswerLife time.Duration      // as in checkout.Config
	UnpaidLimits    order.UnpaidLimits // for tickets, and for goods and points; the zero value means no limit
	SeatMapLife     time.Duration      // as in seating.Config
}

// Purchase holds the services with the use cases of a purchase, and the runner of their jobs.
type Purchase struct {
	Orders     *order.Queries
	Seating    *seating.Service
	Checkout   *checkout.Checkout
	Fulfilment *fulfilment.Service
	Jobs       *jobs.Runner
}

// New checks the configuration, builds the services and registers the handlers of their tasks.
func New(c Config) (*Purchase, error) {
	for _, field := range []struct {
		name    string
		missing bool
	}{
		{"Store", c.Store == nil}, {"Tasks", c.Tasks == nil}, {"Records", c.Records == nil},
		{"Sources", len(c.Sources) == 0}, {"Gateway", c.Gateway == nil}, {"AppID", c.AppID == ""},
		{"MchID", c.MchID == ""}, {"Identities", c.Identities == nil}, {"Passwords", c.Passwords == nil},
		{"Venues", c.Venues == nil}, {"Lots", c.Lots == nil}, {"Recharges", c.Recharges == nil},
		{"Now", c.Now == nil},
	} {
		if field.missing {
			return nil, fmt.Errorf("purchase: Config.%s is required", field.name)
		}
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.Topup == nil {
		c.Topup = fulfilment.ManualTopup{}
	}
	limit := cmp.Or(c.CallLimit, durations.ProviderCall)
	runner := jobs.NewRunner(jobs.Config{
		Store: c.Tasks, Now: c.Now, Logger: c.Logger, Lease: c.Lease, Workers: c.Workers, Around: c.AroundJob,
	})
	abandoner := seating.NewLockAbandoner(c.Store, runner, c.Now, limit)
	co := checkout.New(checkout.Config{
		Store: c.Store, Gateway: c.Gateway, AppID: c.AppID, MchID: c.MchID,
		H5: c.H5, Passwords: c.Passwords, Identities: c.Identities, Recharges: c.Recharges, Locks: abandoner,
		Limits: c.UnpaidLimits, TradeAnswerLife: c.TradeAnswerLife, Runner: runner, Now: c.Now, Logger: c.Logger,
	})
	p := &Purchase{
		Orders: order.NewQueries(c.Store, c.Now),
		Seating: seating.New(seating.Config{
			Store: c.Store, Sources: c.Sources, Runner: runner, Venues: c.Venues,
			Expirer: co.Canceller, Abandoner: abandoner, Now: c.Now, Logger: c.Logger, CallLimit: limit,
			LockLimits: c.UnpaidLimits, SeatMapLife: c.SeatMapLife,
		}),
		Checkout: co,
		Fulfilment: fulfilment.New(fulfilment.Config{
			Store: c.Store, Sources: c.Sources, Topup: c.Topup, Runner: runner,
			Now: c.Now, Logger: c.Logger, CallLimit: limit,
		}),
		Jobs: runner,
	}
	p.register(c, abandoner)
	return p, nil
}

// register registers the handlers of all tasks, and the periodic jobs.
func (p *Purchase) register(c Config, abandoner *seating.LockAbandoner) {
	p.Jobs.Handle(order.TaskOrder, order.StepHandler(c.Store, p.Jobs, map[order.State]order.Step{
		order.Locking: abandoner.Step,
		order.Pending: p.Checkout.Canceller.ExpireStep,
		order.Paid:    p.Fulfilment.Deliver,
		order.Issuing: p.Fulfilment.Deliver,
	}))
	p.Jobs.Handle(order.TaskUnlock, p.Seating.Unlock)
	p.Jobs.Handle(order.TaskTrade, p.Checkout.Trades.QueryOpenTrade)
	p.Jobs.Handle(order.TaskRecheckTrade, p.Checkout.Trades.RecheckClosedTrade)
	p.Jobs.Handle(order.TaskRefund, p.Checkout.Refunds.Advance)

	p.Jobs.Every("expire-lots", durations.MaintenanceInterval, func(ctx context.Context) error {
		_, err := c.Lots.ExpireLots(ctx)
		return err
	})
	p.Jobs.Every("purge", durations.MaintenanceInterval, func(ctx context.Context) error {
		_, _, err := c.Records.Purge(ctx, c.Now().Add(-durations.KeepRecords), stepsPerMinute)
		return err
	})
	p.Jobs.Every("verify", durations.MaintenanceInterval, func(ctx context.Context) error {
		found, err := c.Records.VerifySome(ctx, c.Now(), stepsPerMinute)
		for _, d := range found {
			c.Logger.ErrorContext(ctx, "records contradict each other",
				"check", d.Check, "subject", d.Subject, "detail", d.Detail)
		}
		return err
	})
}
