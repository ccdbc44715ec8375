package ops

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"marquee/server/account"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// Provider measures the calls to one provider and logs those that fail. Calls are measured at the interface of the
// domain: one operation may take several exchanges.
type Provider struct {
	name    string
	metrics *Metrics
	logger  *slog.Logger
}

// Provider returns the observer of the provider with a name, which is the label of its metrics.
func (m *Metrics) Provider(name string, logger *slog.Logger) Provider {
	return Provider{name, m, logger}
}

// record counts and logs the end of a call that began at start. It ignores a call that was not made because the shop
// could not read its token.
func (p Provider) record(ctx context.Context, operation string, start time.Time, err error) {
	if errors.Is(err, fault.ErrService) {
		return
	}
	took, outcome := time.Since(start), outcomeOf(err)
	p.metrics.providerCalls.WithLabelValues(p.name, operation, outcome).Observe(took.Seconds())
	level := slog.LevelDebug
	switch outcome {
	case "unavailable", "unknown", "error":
		level = slog.LevelWarn
	}
	p.logger.LogAttrs(ctx, level, "provider call", slog.String("provider", p.name), slog.String("operation", operation),
		slog.String("outcome", outcome), slog.Duration("took", took.Round(time.Microsecond)), slog.Any("error", err))
}

// observe makes a call that returns a value, and records its end.
func observe[T any](ctx context.Context, p Provider, operation string, call func() (T, error)) (T, error) {
	start, span := time.Now(), p.startSpan(ctx, operation)
	defer span.End()
	v, err := call()
	span.SetAttributes(attribute.String("outcome", outcomeOf(err)))
	p.record(ctx, operation, start, err)
	return v, err
}

// Statement measures the fetches of a book of the provider: its bills or its list of orders.
func (p Provider) Statement(book reconcile.Book, fetch reconcile.Statement) reconcile.Statement {
	operation := "order_list"
	if book.Source() == 0 {
		operation = string(book) + "_bill"
	}
	return func(ctx context.Context, day reconcile.Day, each func(reconcile.Row) error) error {
		_, err := observe(ctx, p, operation, func() (struct{}, error) { return struct{}{}, fetch(ctx, day, each) })
		return err
	}
}

// Source measures the calls of a ticket source.
func (p Provider) Source(s order.TicketSource) order.TicketSource { return source{s, p} }

type source struct {
	order.TicketSource
	provider Provider
}

// SeatMap implements order.TicketSource; its operation is seat_map.
func (s source) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	return observe(ctx, s.provider, "seat_map", func() (catalog.SeatMap, error) {
		return s.TicketSource.SeatMap(ctx, showID)
	})
}

// Lock implements order.TicketSource; its operation is lock.
func (s source) Lock(ctx context.Context, req order.LockRequest) (order.Lock, error) {
	return observe(ctx, s.provider, "lock", func() (order.Lock, error) { return s.TicketSource.Lock(ctx, req) })
}

// Unlock implements order.TicketSource; its operation is unlock. It has no span.
func (s source) Unlock(ctx context.Context, orderNo string) (err error) {
	defer func(start time.Time) { s.provider.record(ctx, "unlock", start, err) }(time.Now())
	return s.TicketSource.Unlock(ctx, orderNo)
}

// Issue implements order.TicketSource; its operation is issue. It has no span.
func (s source) Issue(ctx context.Context, req order.IssueRequest) (err error) {
	defer func(start time.Time) { s.provider.record(ctx, "issue", start, err) }(time.Now())
	return s.TicketSource.Issue(ctx, req)
}

// Query implements order.TicketSource; its operation is query.
func (s source) Query(ctx context.Context, orderNo string) (order.ProviderOrder, error) {
	return observe(ctx, s.provider, "query", func() (order.ProviderOrder, error) {
		return s.TicketSource.Query(ctx, orderNo)
	})
}

// Gateway measures the calls of the payment gateway.
func (p Provider) Gateway(g order.Gateway) order.Gateway { return gateway{g, p} }

type gateway struct {
	order.Gateway
	provider Provider
}

// Prepay implements order.Gateway; its operation is prepay.
func (g gateway) Prepay(ctx context.Context, req order.PrepayRequest) (order.BridgeParams, error) {
	return observe(ctx, g.provider, "prepay", func() (order.BridgeParams, error) { return g.Gateway.Prepay(ctx, req) })
}

// PrepayH5 implements order.Gateway; its operation is prepay-h5.
func (g gateway) PrepayH5(ctx context.Context, req order.PrepayRequest) (string, error) {
	return observe(ctx, g.provider, "prepay-h5", func() (string, error) { return g.Gateway.PrepayH5(ctx, req) })
}

// Query implements order.Gateway; its operation is query.
func (g gateway) Query(ctx context.Context, outTradeNo string) (order.Trade, error) {
	return observe(ctx, g.provider, "query", func() (order.Trade, error) { return g.Gateway.Query(ctx, outTradeNo) })
}

// Close implements order.Gateway; its operation is close. It has no span.
func (g gateway) Close(ctx context.Context, outTradeNo string) (err error) {
	defer func(start time.Time) { g.provider.record(ctx, "close", start, err) }(time.Now())
	return g.Gateway.Close(ctx, outTradeNo)
}

// Refund implements order.Gateway; its operation is refund.
func (g gateway) Refund(ctx context.Context, req order.RefundRequest) (order.RefundResult, error) {
	return observe(ctx, g.provider, "refund", func() (order.RefundResult, error) { return g.Gateway.Refund(ctx, req) })
}

// QueryRefund implements order.Gateway; its operation is query_refund.
func (g gateway) QueryRefund(ctx context.Context, outRefundNo string) (order.RefundResult, error) {
	return observe(ctx, g.provider, "query_refund", func() (order.RefundResult, error) {
		return g.Gateway.QueryRefund(ctx, outRefundNo)
	})
}

// Identities measures the exchange of OAuth codes.
func (p Provider) Identities(i account.IdentityProvider) account.IdentityProvider {
	return identities{i, p}
}

type identities struct {
	account.IdentityProvider
	provider Provider
}

// Exchange implements account.IdentityProvider; its operation is exchange.
func (i identities) Exchange(ctx context.Context, code string) (string, error) {
	return observe(ctx, i.provider, "exchange",
		func() (string, error) { return i.IdentityProvider.Exchange(ctx, code) })
}
