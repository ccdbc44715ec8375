package order

import (
	"context"
	"time"

	"marquee/server/catalog"
	"marquee/server/money"
)

// Deliverer delivers paid orders. Every call is keyed by our order number, which the provider keeps as its external
// key: repeating a call with the same number is safe, and Query tells what became of it.
//
// A call that certainly did nothing fails with a fault whose outcome is known (fault.OutcomeKnown). A call that may
// have acted (time-out, reset, unreadable answer after sending) fails with a fault of kind fault.Unknown; the caller
// then queries, and never takes it for a refusal.
type Deliverer interface {
	// Issue asks for the delivery. Success means accepted: whether it has come, Query or a push tells.
	Issue(ctx context.Context, req IssueRequest) error
	// Query returns what the provider knows of our order. It fails with ErrProviderOrderNotFound if it knows nothing.
	Query(ctx context.Context, orderNo string) (ProviderOrder, error)
}

// TicketSource sells the seats of one provider. Its calls follow the rules of Deliverer.
type TicketSource interface {
	Deliverer
	// SeatMap reads the hall as it is now; it is never served from a cache.
	SeatMap(ctx context.Context, showID string) (catalog.SeatMap, error)
	// Seats is SeatMap for a lock: it need not return seats with other ids. Without ids it returns all. A seat that is
	// not in the hall is not in the answer.
	Seats(ctx context.Context, showID string, ids []string) (catalog.SeatMap, error)
	// Lock holds 1–4 seats. It returns only when the provider has settled the lock: an asynchronous "doing" answer is
	// resolved by queries inside the adapter until ctx ends, and is Unknown then.
	Lock(ctx context.Context, req LockRequest) (Lock, error)
	// Unlock gives the seats back. Unlocking seats that are not locked succeeds.
	Unlock(ctx context.Context, orderNo string) error
}

// LockRequest asks a provider to hold seats for an order.
type LockRequest struct {
	OrderNo string         // the key of the lock at the provider
	Show    catalog.Show   // as the source described it when the seats were chosen
	Seats   []catalog.Seat // 1 to 4, of the hall of Show
	Mobile  string         // of the buyer, in full
}

// Lock is a settled seat lock.
type Lock struct {
	ProviderNo string    // the provider's own order number
	ExpiresAt  time.Time // when the provider gives the seats back; zero if it names no time
	Total      money.Fen // what the provider will charge; a difference from our total refuses the order
}

// IssueRequest asks for the delivery of a paid order.
type IssueRequest struct {
	OrderNo string    // the key of the delivery at the provider
	Amount  money.Fen // the total of the order
	Mobile  string    // for goods: the account to recharge
	Product string    // for goods: the specification's code
}

// ProviderState is a provider's order state, without its protocol's codes.
type ProviderState int

// The states of an order at a provider.
const (
	ProviderPending      ProviderState = iota // the lock is still being made
	ProviderLocked                            // seats held, the sale is not confirmed
	ProviderReleased                          // unlocked, cancelled, expired or refused: the provider holds nothing
	ProviderIssuing                           // confirmed, tickets on their way
	ProviderIssued                            // delivered
	ProviderIssueRefused                      // confirmed, and cannot be delivered
)

// ProviderOrder is what a provider knows of one of our orders.
type ProviderOrder struct {
	OrderNo    string
	ProviderNo string // the provider's own order number
	State      ProviderState
	Amount     money.Fen    // what the provider charges; 0 if its answer does not name it
	ExpiresAt  time.Time    // of the lock; zero if the answer does not name it
	Tickets    []TicketCode // empty before the delivery
	SMS        string       // the text that the provider would send the buyer
	Reason     string       // of a refusal, in the provider's words
}

// Complete reports whether the provider's answer means that everything is delivered.
func (p ProviderOrder) Complete(k Kind) bool {
	return p.State == ProviderIssued && (k != Ticket || len(p.Tickets) > 0)
}
