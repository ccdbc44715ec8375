package orders

import (
	"context"
	"fmt"
	"time"

	"marquee/server/booking"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/payment"
)

// Reader reads orders and their money.
type Reader interface {
	Order(ctx context.Context, no string) (Order, error) // ErrOrderNotFound
	// ListOrders lists visible orders of a tab, newest first.
	ListOrders(ctx context.Context, q ListQuery) ([]Order, error)
	CountOrders(ctx context.Context, userID int64, now time.Time) (Counts, error)
	Payments(ctx context.Context, orderNo string) ([]payment.Payment, error)
	Refunds(ctx context.Context, orderNo string) ([]payment.Refund, error)
	CardsOf(ctx context.Context, userID int64, now time.Time) ([]cards.Card, error)
}

// Store keeps orders and everything that changes together with them.
type Store interface {
	// Reader sees the last commit at every call: two calls may see two moments.
	Reader
	// View lets fn read one moment. fn reads through r alone.
	View(ctx context.Context, fn func(r Reader) error) error
	// Update runs fn in one transaction: all of it is on the disk when Update returns nil, none of it otherwise.
	// fn may run more than once, and does nothing but use tx.
	Update(ctx context.Context, fn func(Tx) error) error

	// OpenOrder is the buyer's LOCKING or PENDING ticket order.
	OpenOrder(ctx context.Context, userID int64) (Order, bool, error)
	// HeldSeats are the seats of a show that orders here hold or have bought.
	HeldSeats(ctx context.Context, source catalog.Source, showID string) (map[string]bool, error)
	// Idempotent finds what was answered to the key before.
	Idempotent(ctx context.Context, userID int64, route, key string) (Idempotency, bool, error)
	Offer(ctx context.Context, skuID int64) (goods.Offer, error) // goods.ErrGoodsNotFound

	// Claim leases due tasks until the given time, so that no other server runs them meanwhile: of each lane up to
	// most, less what the lane is busy with, the longest due first.
	Claim(ctx context.Context, now, until time.Time, most int, busy map[Lane]int) ([]Task, error)
	// ClaimOne leases a task, due or not, unless it is leased already.
	ClaimOne(ctx context.Context, kind TaskKind, subject string, now, until time.Time) (Task, bool, error)
	// Purge deletes records nobody needs after the given time and tells how many.
	Purge(ctx context.Context, before time.Time) (int, error)
	// Discrepancies cross-checks ledger, seats, payments and orders.
	Discrepancies(ctx context.Context) ([]Discrepancy, error)
}

// Tx is one transaction over everything that a purchase touches, as one repository per aggregate.
type Tx struct {
	Orders   Orders
	Seats    booking.Holds
	Stock    goods.Stock
	Payments payment.Payments
	Refunds  payment.Refunds
	Jobs     Jobs
	Calls    Calls
	Keys     Keys
	Cards    cards.Tx
	Audit    cards.AuditLog
}

// Orders reads and writes order rows.
type Orders interface {
	// Insert fails with ErrUnpaidOrder when the buyer has an open ticket order.
	Insert(o *Order) error
	// Get fails with ErrOrderNotFound.
	Get(no string) (Order, error)
	// Save writes the order if its row is still what Was tells, else it fails with ErrOrderState.
	Save(o *Order) error
	// SetCinemaAddress adds the address of the cinema to the order's snapshot.
	SetCinemaAddress(no, address string) error
	// CountUnpaid counts the buyer's PENDING orders that are not for tickets.
	CountUnpaid(userID int64) (int, error)
}

// Jobs schedules what must be done after the commit.
type Jobs interface {
	// Schedule makes the task due at the given time, whatever was planned for it before.
	Schedule(kind TaskKind, subject string, lane Lane, due time.Time) error
	Unschedule(kind TaskKind, subject string) error
	// Reschedule puts a claimed task off; it does nothing when the task has been scheduled anew since.
	Reschedule(t Task, due time.Time) error
	// Finish removes a claimed task; it does nothing when the task has been scheduled anew since.
	Finish(t Task) error
	// Ensure schedules a task that is not there.
	Ensure(kind TaskKind, subject string, lane Lane, due time.Time) error
}

// Calls records the calls to providers that change something there.
type Calls interface {
	// Begin records the intent of a call; ErrKeyReused when the key was used with another request.
	Begin(c Call) error
	End(key string, outcome Outcome, answer string, at time.Time) error
	// State is how a call stands; the zero state when it was never begun.
	State(key string) (CallState, error)
}

// Keys records the idempotency keys that callers sent.
type Keys interface {
	// Save writes or updates a key; ErrKeyReused when it stands for another order.
	Save(i Idempotency) error
}

// TaskKind says which job a task is for.
type TaskKind string

const (
	TaskOrder     TaskKind = "order"     // subject: order number; what to do follows from its state
	TaskUnlock    TaskKind = "unlock"    // subject: order number; give the provider its seats back
	TaskTrade     TaskKind = "trade"     // subject: out_trade_no of an open payment; has it been paid?
	TaskReconcile TaskKind = "reconcile" // subject: out_trade_no of a closed payment; has money come after all?
	TaskRefund    TaskKind = "refund"    // subject: refund id
	TaskHouse     TaskKind = "house"     // subject: lots, purge or verify
)

// Lane is the party that a task asks. Its tasks wait for nobody else's.
type Lane string

// Lanes besides those of the ticket sources.
const (
	LaneGateway Lane = "gateway" // the messaging app's payment
	LaneTopup   Lane = "topup"   // who recharges accounts
	LaneHouse   Lane = "house"   // nobody outside
)

// laneOf is whom the order's own tasks ask.
func laneOf(o *Order) Lane {
	switch o.Kind {
	case Goods:
		return LaneTopup
	case Recharge:
		return LaneHouse
	}
	return Lane(fmt.Sprintf("tickets-%d", o.Source))
}

// Task is a leased piece of work.
type Task struct {
	Kind    TaskKind
	Subject string
	Lane    Lane
	Tries   int // how often it was put off since it was scheduled
	Lease   string
}

// Outcome is what became of a provider call.
type Outcome string

const (
	OutcomeSent    Outcome = "sent" // no answer yet
	OutcomeOK      Outcome = "ok"
	OutcomeRefused Outcome = "refused"
	OutcomeUnknown Outcome = "unknown"
)

// Call is a call to a provider that changes something there.
type Call struct {
	Key         string // operation:our number; the provider's idempotency key is derived from the same number
	OrderNo     string
	RequestHash string // of what was asked
	At          time.Time
}

// CallState is how a call to a provider stands.
type CallState struct {
	Outcome Outcome
	Times   int // how often it was sent
	SentAt  time.Time
}

// Idempotency is a caller's key with what was answered to it.
type Idempotency struct {
	UserID   int64
	Route    string
	Key      string
	BodyHash string
	OrderNo  string
	Fault    *fault.Fault // nil: it succeeded, or is still under way
	At       time.Time
}

// Discrepancy is something that contradicts something else in the store or at a provider.
type Discrepancy struct {
	Check   string // stable name of the rule
	Subject string // what breaks it
	Detail  string
}
