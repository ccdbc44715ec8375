package orders

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/money"
)

// TicketSource sells the seats of one provider. Every call is keyed by our order number, which the provider
// keeps as its external key: repeating a call with the same number is safe, and Query tells what became of it.
//
// A call that certainly did nothing fails with a definite fault (booking.ErrSeatTaken, fault.Unavailable…).
// A call whose outcome is not known (time-out, reset, unreadable answer after sending) fails with a fault of
// kind fault.Unknown; the caller queries, and never takes it for a refusal.
type TicketSource interface {
	// SeatMap reads the hall as it is now; it is never served from a cache.
	SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error)
	// Lock holds 1–4 seats. It returns only when the provider has settled the lock (an asynchronous "doing"
	// answer is resolved by query inside the adapter until ctx ends, then Unknown).
	Lock(ctx context.Context, req LockRequest) (Lock, error)
	// Unlock gives the seats back; unlocking what is not locked succeeds.
	Unlock(ctx context.Context, orderNo string) error
	// Issue confirms the sale and asks for tickets. Success means accepted: the tickets come by Query or push.
	Issue(ctx context.Context, req IssueRequest) error
	// Query tells what the provider knows of our order; ErrProviderOrderNotFound when it knows nothing.
	Query(ctx context.Context, orderNo string) (ProviderOrder, error)
}

// LockRequest asks a provider to hold seats for an order.
type LockRequest struct {
	OrderNo string
	Show    catalog.Show
	Seats   []catalog.Seat
	Mobile  string
}

// Lock is a settled seat lock.
type Lock struct {
	ProviderNo string // the provider's own number
	ExpiresAt  time.Time
	Total      money.Fen // what the provider will charge; a difference from ours refuses the order
}

// IssueRequest asks for the tickets of a paid order.
type IssueRequest struct {
	OrderNo string
	Amount  money.Fen
	Mobile  string // for goods: the account to recharge
	Product string // for goods: the specification's code
}

// ProviderState is a provider's order state, without its dialect.
type ProviderState int

const (
	ProviderPending      ProviderState = iota // the lock is still being made
	ProviderLocked                            // seats held, not confirmed
	ProviderReleased                          // unlocked, cancelled, expired or refused: it holds nothing
	ProviderIssuing                           // confirmed, tickets on their way
	ProviderIssued                            // tickets are here
	ProviderIssueRefused                      // confirmed, but there will be no tickets
)

// ProviderOrder is what a provider knows of one of our orders.
type ProviderOrder struct {
	OrderNo    string
	ProviderNo string
	State      ProviderState
	Amount     money.Fen
	ExpiresAt  time.Time
	Tickets    []TicketCode
	SMS        string // the text the provider would send the buyer
	Reason     string // why it refused, in its own words
}

// TicketCode is what the buyer shows at the cinema.
type TicketCode struct {
	Name string // "取票码", "序列号"
	Code string
}
