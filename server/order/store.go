package order

import (
	"context"
	"errors"
	"time"

	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/goods"
	"marquee/server/jobs"
)

// Store is what the use cases of a purchase read and write. Two reads may see different states of the store, because
// each sees the latest commit; View makes all its reads see one state.
type Store interface {
	Finder
	PaymentFinder
	Updater
	// View runs fn on one consistent snapshot of the store. fn must read only through r.
	View(ctx context.Context, fn func(r Reader) error) error
	// OpenOrder returns the buyer's LOCKING or PENDING ticket order. It reports false if there is none.
	OpenOrder(ctx context.Context, userID int64) (Order, bool, error)
	// HeldSeats returns the ids of the seats of a show that orders hold or have bought.
	HeldSeats(ctx context.Context, source catalog.Source, showID string) (map[string]bool, error)
	// OwnSeats returns the seats of a show that unpaid orders of the buyer hold. It also returns those that ended
	// orders of the buyer have not released at the source yet, unless another order holds them. It considers only the
	// latest orders of the buyer. It maps seat ids to order numbers.
	OwnSeats(ctx context.Context, userID int64, source catalog.Source, showID string) (map[string]string, error)
	// CardsFor lists the buyer's cards that are not deleted. Their balances are what each could pay of the order now:
	// they include the points that the order's open payment holds, because paying again replaces that payment. orderNo
	// is "" for an order that does not exist yet.
	CardsFor(ctx context.Context, userID int64, orderNo string, now time.Time) ([]cards.Card, error)
	// Offer reads a specification with its goods. It fails with goods.ErrGoodsNotFound.
	Offer(ctx context.Context, skuID int64) (goods.Offer, error)
	// IdempotencyKey returns the record of a key that an earlier call has saved. It reports false if there is none.
	IdempotencyKey(ctx context.Context, userID int64, route, key string) (IdempotencyKey, bool, error)
}

// Finder reads one order. It fails with ErrOrderNotFound.
type Finder interface {
	// Order returns the order with the number, of any buyer.
	Order(ctx context.Context, no string) (Order, error)
}

// PaymentFinder reads the payments of one order.
type PaymentFinder interface {
	// Payments lists an order's payments with their legs, by attempt.
	Payments(ctx context.Context, orderNo string) ([]Payment, error)
}

// Reader reads orders and their money.
type Reader interface {
	Finder
	PaymentFinder
	// ListOrders lists the visible orders of a tab, newest first.
	ListOrders(ctx context.Context, q ListQuery) ([]Order, error)
	// CountOrders counts the orders of each tab. now separates TabToUse from TabCompleted.
	CountOrders(ctx context.Context, userID int64, now time.Time) (Counts, error)
	// Refunds lists an order's refunds in the order in which they were made.
	Refunds(ctx context.Context, orderNo string) ([]Refund, error)
}

// Tx is one transaction over everything that a purchase touches, with one repository per aggregate.
type Tx struct {
	Orders   Orders
	Seats    SeatHolds
	Stock    goods.Stock // pieces and codes of goods
	Payments Payments
	Refunds  Refunds
	Jobs     jobs.Scheduler  // enqueues tasks, which run after the commit
	Calls    Calls           // what was sent to providers
	Keys     IdempotencyKeys // idempotency keys
	Cards    cards.Tx        // the ledger of the cards
	Audit    audit.Log
}

// ErrStoreFailed is matched by errors of the database engine, such as a full disk or a closed database. The same
// transaction may succeed later. Any other error of a transaction comes from its function or from a rule of the schema.
var ErrStoreFailed = errors.New("the store failed")

// Updater runs a function in one transaction: all its writes are on disk when Update returns nil. If Update returns an
// error, none of them are, unless the database did not answer the COMMIT: then they may be on disk. fn may run more
// than once, and must do nothing but use tx. Errors of the engine match ErrStoreFailed.
type Updater interface {
	// Update returns the error of fn, or one of the engine.
	Update(ctx context.Context, fn func(tx Tx) error) error
}

// Orders reads and writes order rows.
type Orders interface {
	// Insert writes a new order. It fails with ErrUnpaidOrder if the order is for tickets and the buyer has a LOCKING
	// or PENDING ticket order.
	Insert(o *Order) error
	// Get reads an order. It fails with ErrOrderNotFound.
	Get(no string) (Order, error)
	// Save writes a changed order if its row still has the state and version that o.StoredVersion returns. Otherwise it
	// fails with ErrOrderState.
	Save(o *Order) error
	// CountUnpaid counts the buyer's PENDING orders that are not for tickets.
	CountUnpaid(userID int64) (int, error)
	// UnpaidEnds lists the buyer's orders that were cancelled or expired after the first of the two times and not later
	// than the second, the latest first; most is their maximum number. For the kind Ticket it lists ticket orders, for
	// any other kind all other orders.
	UnpaidEnds(userID int64, kind Kind, after, until time.Time, most int) ([]UnpaidEnd, error)
}

// SeatHolds changes the seat holds of orders.
type SeatHolds interface {
	// Hold claims all seats of an order, in the order of their ids, or fails with ErrSeatTaken.
	Hold(holds []SeatHold, now time.Time) error
	// Sell marks an order's held seats as sold. It fails with ErrNotHeld unless the order holds exactly the given
	// number of seats.
	Sell(orderNo string, seats int, now time.Time) error
	// Release frees the seats that an order holds or has bought.
	Release(orderNo string, now time.Time) error
}

// Payments reads and writes payments.
type Payments interface {
	// Insert writes the payment and its legs, with what they have captured, and fills in their ids. It fails with
	// ErrPaymentChanged if a payment of the order is open or paid.
	Insert(p *Payment) error
	// OfOrder lists an order's payments with their legs, by attempt.
	OfOrder(orderNo string) ([]Payment, error)
	// ByTrade finds the payment whose app leg has this trade number, or fails with ErrTradeNotFound.
	ByTrade(outTradeNo string) (Payment, error)
	// Move changes the state of a payment. It fails with ErrPaymentChanged if the present state is not from.
	Move(id int64, from, to PaymentState) error
	// CaptureLeg records the leg's full amount as captured. It fails with ErrPaymentChanged if it was captured before,
	// and with ErrNotifyRejected if another leg has the same transaction id.
	CaptureLeg(l Leg, transactionID string, at time.Time) error
}

// Refunds reads and writes refunds.
type Refunds interface {
	// Insert writes a new refund and fills in its id. It fails with ErrPaymentChanged if the leg has a refund of this
	// generation, or if the leg's refunds would exceed what it captured.
	Insert(r *Refund) error
	// Get reads a refund. It fails with ErrRefundNotFound.
	Get(id int64) (Refund, error)
	// ByNumber finds the refund of an app leg by our number, or fails with ErrRefundNotFound.
	ByNumber(outRefundNo string) (Refund, error)
	// OfOrder lists an order's refunds in the order in which they were made.
	OfOrder(orderNo string) ([]Refund, error)
	// Save writes the progress of a refund if its state in the store still is from. Otherwise it fails with
	// ErrPaymentChanged.
	Save(r Refund, from RefundProgress) error
}

// Calls records the calls to providers that change something there.
type Calls interface {
	// Begin records the intent of a call before it is made, and counts a try. It fails with ErrKeyReused if the key was
	// used with another request.
	Begin(c Call) error
	// End records the outcome of a call, and the provider's number or the code of the error.
	End(key string, outcome Outcome, answer string, at time.Time) error
	// State returns the state of a call, or the zero state if it was never begun.
	State(key string) (CallState, error)
}

// IdempotencyKeys records the keys that callers sent.
type IdempotencyKeys interface {
	// Save writes or updates a key. It fails with ErrKeyReused if the key belongs to another request or order.
	Save(k IdempotencyKey) error
}
