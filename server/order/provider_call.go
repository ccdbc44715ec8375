package order

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/fault"
)

// Outcome is the outcome of a call to a provider.
type Outcome string

// The outcomes of a call.
const (
	OutcomeSent    Outcome = "sent" // no answer yet
	OutcomeOK      Outcome = "ok"
	OutcomeRefused Outcome = "refused" // the provider did not act
	OutcomeUnknown Outcome = "unknown" // the provider may have acted
)

// Call is a call to a provider that changes something there.
type Call struct {
	Key         string // operation:our number; the provider's idempotency key is derived from the same number
	OrderNo     string
	RequestHash string    // fingerprint of the request
	At          time.Time // business time
}

// CallState is the state of a call to a provider.
type CallState struct {
	Outcome Outcome
	Tries   int       // how often it was sent
	SentAt  time.Time // when it was last sent, business time
}

// OutcomeOf classifies the error of a provider call, and returns the fault's code.
func OutcomeOf(err error) (Outcome, string) {
	switch {
	case err == nil:
		return OutcomeOK, ""
	case fault.OutcomeKnown(err):
		return OutcomeRefused, fault.Of(err).Code
	}
	return OutcomeUnknown, fault.Of(err).Code
}

// Rejected reports whether the provider has definitely rejected a call, so that repeating it is useless.
func Rejected(err error) bool {
	if err == nil || !fault.OutcomeKnown(err) {
		return false
	}
	kind := fault.KindOf(err)
	return kind != fault.Unavailable && kind != fault.Limited
}

// limited makes a provider call with a limit of real time.
func limited[Request, Answer any](
	ctx context.Context, limit time.Duration, call func(context.Context, Request) (Answer, error), request Request,
) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return call(ctx, request)
}

// limitedCommand is limited for a call that returns only an error.
func limitedCommand[Request any](
	ctx context.Context, limit time.Duration, call func(context.Context, Request) error, request Request,
) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return call(ctx, request)
}

// LimitDeliverer returns the deliverer with a limit of real time on every call.
func LimitDeliverer(d Deliverer, limit time.Duration) Deliverer { return limitedDeliverer{d, limit} }

type limitedDeliverer struct {
	deliverer Deliverer
	limit     time.Duration
}

// Issue implements Deliverer.
func (l limitedDeliverer) Issue(ctx context.Context, req IssueRequest) error {
	return limitedCommand(ctx, l.limit, l.deliverer.Issue, req)
}

// Query implements Deliverer.
func (l limitedDeliverer) Query(ctx context.Context, orderNo string) (ProviderOrder, error) {
	return limited(ctx, l.limit, l.deliverer.Query, orderNo)
}

// LimitSource returns the source with a limit of real time on every call. A read of a seat map whose outcome is unknown
// fails with fault.ErrUnavailable, because reading changes nothing at the provider.
func LimitSource(s TicketSource, limit time.Duration) TicketSource {
	return limitedSource{limitedDeliverer{s, limit}, s}
}

type limitedSource struct {
	limitedDeliverer
	source TicketSource
}

// SeatMap implements TicketSource. An unknown outcome is fault.ErrUnavailable: see LimitSource.
func (l limitedSource) SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error) {
	m, err := limited(ctx, l.limit, l.source.SeatMap, showID)
	return m, certain(err)
}

// certain returns the error of a read: an unknown outcome becomes fault.ErrUnavailable.
func certain(err error) error {
	if err != nil && fault.KindOf(err) == fault.Unknown {
		return fault.ErrUnavailable
	}
	return err
}

// Lock implements TicketSource.
func (l limitedSource) Lock(ctx context.Context, req LockRequest) (Lock, error) {
	return limited(ctx, l.limit, l.source.Lock, req)
}

// Unlock implements TicketSource.
func (l limitedSource) Unlock(ctx context.Context, orderNo string) error {
	return limitedCommand(ctx, l.limit, l.source.Unlock, orderNo)
}

// LimitGateway returns the gateway with a limit of real time on every call.
func LimitGateway(g Gateway, limit time.Duration) Gateway { return limitedGateway{g, limit} }

type limitedGateway struct {
	gateway Gateway
	limit   time.Duration
}

// Prepay implements Gateway.
func (l limitedGateway) Prepay(ctx context.Context, req PrepayRequest) (BridgeParams, error) {
	return limited(ctx, l.limit, l.gateway.Prepay, req)
}

// PrepayH5 implements Gateway.
func (l limitedGateway) PrepayH5(ctx context.Context, req PrepayRequest) (string, error) {
	return limited(ctx, l.limit, l.gateway.PrepayH5, req)
}

// Query implements Gateway.
func (l limitedGateway) Query(ctx context.Context, outTradeNo string) (Trade, error) {
	return limited(ctx, l.limit, l.gateway.Query, outTradeNo)
}

// Close implements Gateway.
func (l limitedGateway) Close(ctx context.Context, outTradeNo string) error {
	return limitedCommand(ctx, l.limit, l.gateway.Close, outTradeNo)
}

// Refund implements Gateway.
func (l limitedGateway) Refund(ctx context.Context, req RefundRequest) (RefundResult, error) {
	return limited(ctx, l.limit, l.gateway.Refund, req)
}

// QueryRefund implements Gateway.
func (l limitedGateway) QueryRefund(ctx context.Context, outRefundNo string) (RefundResult, error) {
	return limited(ctx, l.limit, l.gateway.QueryRefund, outRefundNo)
}
