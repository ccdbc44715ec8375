// Package fulfilment delivers paid orders: it requests tickets from the ticket sources and receives their pushes,
// assigns voucher codes and points, and fails and refunds orders that cannot be delivered.
package fulfilment

import (
	"context"
	"log/slog"
	"time"

	"marquee/server/jobs"
	"marquee/server/order"
)

// Store is what fulfilment reads and writes.
type Store interface {
	order.Finder
	order.Updater
}

// Config configures a Service. All fields are required.
type Config struct {
	Store     Store
	Sources   order.TicketSources
	Topup     order.Deliverer // recharges accounts for goods orders
	Runner    *jobs.Runner
	Now       func() time.Time // business time
	Logger    *slog.Logger
	CallLimit time.Duration // the time limit of a call to a source
}

// Service delivers paid orders.
type Service struct {
	store     Store
	sources   order.TicketSources
	topup     order.Deliverer
	runner    *jobs.Runner
	now       func() time.Time
	logger    *slog.Logger
	callLimit time.Duration
}

// New returns a service.
func New(c Config) *Service {
	return &Service{
		store: c.Store, sources: c.Sources, topup: c.Topup, runner: c.Runner,
		now: c.Now, logger: c.Logger, callLimit: c.CallLimit,
	}
}

// ManualTopup is the order.Deliverer of a shop without a provider of recharges: operators recharge the accounts by
// hand. It accepts all requests, and reports every order as issuing until MarkDelivered ends it.
type ManualTopup struct{}

// Issue implements order.Deliverer.
func (ManualTopup) Issue(context.Context, order.IssueRequest) error { return nil }

// Query implements order.Deliverer.
func (ManualTopup) Query(_ context.Context, orderNo string) (order.ProviderOrder, error) {
	return order.ProviderOrder{OrderNo: orderNo, State: order.ProviderIssuing}, nil
}
