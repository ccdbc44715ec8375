package order

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/money"
)

// Deliverer delivers paid orders. Every call is keyed by our order number, which the provider stores with its order:
// repeating a call with the same number is safe, and Query returns its outcome.
//
// A call that certainly changed nothing fails with a fault whose outcome is known (fault.OutcomeKnown). A call that may
// have acted (time-out, reset, unreadable answer after sending) fails with a fault of kind fault.Unknown; the caller
// must then query, and never treat it as rejected. Every call ends within durations.ProviderCall of real time, unless
// the configuration sets another limit, even if the provider sends nothing or ctx has no deadline.
type Deliverer interface {
	// Issue requests the delivery. If it returns nil, the provider has accepted the request; Query or a push reports
	// the delivery later. It fails with ErrIssueRejected if the provider cannot deliver.
	Issue(ctx context.Context, req IssueRequest) error
	// Query returns our order as the provider has it. It fails with ErrProviderOrderNotFound if the provider does not
	// know it.
	Query(ctx context.Context, orderNo string) (ProviderOrder, error)
}

// TicketSource sells the seats of one provider. Its calls follow the rules of Deliverer. A failed SeatMap is never
// fault.Unknown, because reading changes nothing.
type TicketSource interface {
	Deliverer
	// SeatMap reads the hall as it is now; it is never served from a cache.
	SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error)
	// Lock holds 1–4 seats. If the provider answers that the lock is still in progress, Lock queries until the provider
	// reports a result. If ctx or the time limit of the call ends first, Lock fails with fault.Unknown.
	Lock(ctx context.Context, req LockRequest) (Lock, error)
	// Unlock releases the seats. It succeeds if the provider does not know the order or holds no seats for it, and
	// fails with ErrOrderState if the sale is confirmed.
	Unlock(ctx context.Context, orderNo string) error
}

// TicketSources contains the client of each configured source.
type TicketSources map[catalog.Source]TicketSource

// Of returns a source. It fails with ErrSourceUnknown if the source is not configured, for example for an old order.
func (s TicketSources) Of(source catalog.Source) (TicketSource, error) {
	found, ok := s[source]
	if !ok {
		return nil, ErrSourceUnknown
	}
	return found, nil
}

// SeatMap reads the hall of a show from its source. It fails as Of and TicketSource.SeatMap do.
func (s TicketSources) SeatMap(ctx context.Context, source catalog.Source, showID string) (catalog.SeatMap, error) {
	src, err := s.Of(source)
	if err != nil {
		return catalog.SeatMap{}, err
	}
	return src.SeatMap(ctx, showID)
}

// LockRequest is a request to hold seats for an order.
type LockRequest struct {
	OrderNo string         // the key of the lock at the provider
	Show    catalog.Show   // as the source described it when the seats were chosen
	Seats   []catalog.Seat // 1 to 4, of the hall of Show
	Mobile  string         // of the buyer, in full
}

// Lock is a lock of seats that the provider has confirmed.
type Lock struct {
	ProviderNo string    // the provider's own order number
	ExpiresAt  time.Time // when the provider releases the seats; zero if it reports no time
	Total      money.Fen // what the provider will charge; the order is ended unless the buyer has agreed to it
}

// IssueRequest is a request for the delivery of a paid order.
type IssueRequest struct {
	OrderNo string    // the key of the delivery at the provider
	Amount  money.Fen // the total of the order
	Mobile  string    // for goods: the account to recharge
	Product string    // for goods: the specification's code
}

// ProviderState is the state of an order at a provider. It does not depend on the provider's protocol.
type ProviderState int

// The states of an order at a provider.
const (
	ProviderPending       ProviderState = iota // the lock is still in progress
	ProviderLocked                             // seats held, the sale is not confirmed
	ProviderReleased                           // unlocked, cancelled, expired or rejected: the provider holds nothing
	ProviderIssuing                            // confirmed, but the tickets are not issued yet
	ProviderIssued                             // delivered
	ProviderIssueRejected                      // confirmed, and cannot be delivered
)

// ProviderOrder is one of our orders as the provider has it.
type ProviderOrder struct {
	OrderNo    string
	ProviderNo string // the provider's own order number
	State      ProviderState
	Amount     money.Fen    // what the provider charges; 0 if its answer does not contain it
	ExpiresAt  time.Time    // of the lock; zero if the answer does not contain it
	Tickets    []TicketCode // empty before the delivery
	SMS        string       // the text message that the provider wrote for the buyer
	Reason     string       // why it was rejected, in the provider's words
}

// Complete reports whether the provider has delivered an order of this kind completely: a ticket order also needs its
// ticket codes.
func (p ProviderOrder) Complete(k Kind) bool {
	return p.State == ProviderIssued && (k != Ticket || len(p.Tickets) > 0)
}
