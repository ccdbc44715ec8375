package order

import (
	"crypto/rand"
	"fmt"
	"math/big"
	"time"

	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/durations"
	"marquee/server/goods"
	"marquee/server/jobs"
	"marquee/server/money"
)

// Kind is what an order buys.
type Kind string

// The kinds of orders.
const (
	Ticket   Kind = "ticket"
	Goods    Kind = "goods"
	Recharge Kind = "recharge" // points for a welfare card
)

// Snapshot is what was bought, as it was at the time of the purchase.
type Snapshot struct {
	Show          catalog.Show   // of a ticket order
	Seats         []catalog.Seat // of a ticket order
	FilmPoster    string         // URL
	CinemaName    string
	CinemaAddress string        `json:"-"` // stored separately; "" if it was not known
	Mobile        string        // of the buyer; for a goods order, the account to be recharged
	Goods         *BoughtGoods  `json:",omitempty"` // of a goods order
	Points        *BoughtPoints `json:",omitempty"` // of a recharge
	// LimitedAccess means that the buyer is perhaps not the owner of the account (account.LimitedAccess).
	LimitedAccess bool `json:",omitempty"`
}

// BoughtGoods is the specification (SKU) that a goods order bought, such as one denomination of a voucher.
type BoughtGoods struct {
	GoodsID, SKUID int64  // ids of the shop's tables
	SKUCode        string // identifies the specification in the back office and at the provider of recharges
	Type           goods.Type
	Scope          goods.Scope // which cards can pay
	Title          string      // of the goods
	Spec           string      // the name of the specification
	ImageURL       string      // of the specification, or of the goods if it has none
	Pieces         int         // how many; checkout sells only 1
	Account        string      // to be recharged; empty for virtual codes
	EndsAt         time.Time   // when a voucher can no longer be used; zero if unlimited or unknown
}

// BoughtPoints is what a recharge order bought.
type BoughtPoints struct {
	CardID     int64        // the card, which may have been merged since
	CardNumber string       // in full
	Points     money.Points // points that the card gets
}

// TicketCode is what the buyer shows at the cinema.
type TicketCode struct {
	Name string // as the provider calls it: "取票码", "序列号"
	Code string // as the buyer types or shows it
}

// Order is one purchase. Its state changes only through the Mark methods.
type Order struct {
	No         string         // the shop's number, see NewNo
	Kind       Kind           // tickets, goods or points
	Source     catalog.Source // of a ticket order; 0 for other kinds
	State      State          // changed by the Mark methods only
	Version    int            // counts the changes from 1
	UserID     int64          // the buyer
	Total      money.Fen      // what the buyer pays in all, by cards and in the messaging app
	Snapshot   Snapshot       // what was bought
	CreatedAt  time.Time      // business time
	UpdatedAt  time.Time      // of the last change, business time
	ExpiresAt  time.Time      // no payment is accepted from then on; zero before the lock
	ProviderNo string         // the ticket source's number; "" before the lock
	Tickets    []TicketCode   // empty before the delivery; they are not valid if the order is Revoked
	SMS        string         // the text message about the tickets that the provider wrote for the buyer
	FailReason string         // why a lock, capture or delivery failed, or the order was revoked; "" otherwise
	Stuck      bool           // the delivery is overdue: an operator must look at the order

	stored *storedVersion // what the store contains; nil if the order was not changed since it was read or saved
}

// storedVersion is the state and version of the row that the order was read from.
type storedVersion struct {
	state   State
	version int
}

// NewNo returns an order number of 24 digits. Twelve are the time in Beijing to the second, so that numbers sort
// chronologically. Twelve are random, so that a number cannot be guessed from another one. With an attempt appended, it
// fits into the 32 characters of a trade number at the gateway.
func NewNo(now time.Time) (string, error) {
	n, err := rand.Int(rand.Reader, big.NewInt(1_000_000_000_000))
	if err != nil {
		return "", fmt.Errorf("order number: %w", err)
	}
	return fmt.Sprintf("%s%012d", now.In(beijing.Time).Format("060102150405"), n.Int64()), nil
}

// NewPending returns an order that needs no lock at a provider: it is PENDING from the start, to be paid within
// durations.PayWithin.
func NewPending(kind Kind, userID int64, total money.Fen, snapshot Snapshot, now time.Time) (Order, error) {
	no, err := NewNo(now)
	return Order{
		No: no, Kind: kind, State: Pending, Version: 1, UserID: userID, Total: total, Snapshot: snapshot,
		CreatedAt: now, UpdatedAt: now, ExpiresAt: now.Add(durations.PayWithin).Truncate(time.Second),
	}, err
}

// StoredVersion returns the state and version that the stored row must still have when the order is saved.
func (o *Order) StoredVersion() (State, int) {
	if o.stored == nil {
		return o.State, o.Version
	}
	return o.stored.state, o.stored.version
}

// MarkSaved records that the store has saved the order as it is now, so that StoredVersion returns the current state
// and version.
func (o *Order) MarkSaved() { o.stored = nil }

func (o *Order) touch(now time.Time) {
	if o.stored == nil {
		o.stored = &storedVersion{o.State, o.Version}
		o.Version++
	}
	o.UpdatedAt = now
}

func (o *Order) apply(e Event, now time.Time) error {
	to, err := Next(o.State, e)
	if err != nil {
		return err
	}
	o.touch(now)
	o.State = to
	return nil
}

// MarkLocked records the provider's lock, and that the order can be paid until payBefore, a result of PaymentEnds.
func (o *Order) MarkLocked(l Lock, payBefore, now time.Time) error {
	if err := o.apply(Locked, now); err != nil {
		return err
	}
	o.ProviderNo = l.ProviderNo
	o.ExpiresAt = payBefore
	return nil
}

// PaymentEnds returns the time from which an order for the show, if it is locked now, can no longer be paid: the end of
// the sale, durations.LockMargin before the end of the provider's lock, or durations.PayWithin from now, whichever
// comes first. It is truncated to seconds, the precision of the store. A zero lockEnds means that the provider did not
// report when its lock ends.
func PaymentEnds(show catalog.Show, lockEnds, now time.Time) time.Time {
	end := now.Add(durations.PayWithin)
	if sale := show.SaleEnds(); sale.Before(end) {
		end = sale
	}
	if lock := lockEnds.Add(-durations.LockMargin); !lockEnds.IsZero() && lock.Before(end) {
		end = lock
	}
	return end.Truncate(time.Second)
}

// MarkAbandoned ends a LOCKING order that gets no seats. reason is a result of AnswerOf.
func (o *Order) MarkAbandoned(reason string, now time.Time) error {
	o.FailReason = reason
	return o.apply(LockLost, now)
}

// MarkLockUnanswered records on a LOCKING order that the provider did not answer its lock. The order stays LOCKING.
// reason is the fault's code.
func (o *Order) MarkLockUnanswered(reason string, now time.Time) {
	o.touch(now)
	o.FailReason = reason
}

// MarkCancelled ends an unpaid order, for its buyer or because its payment cannot be captured.
func (o *Order) MarkCancelled(now time.Time) error { return o.apply(Cancel, now) }

// MarkExpired ends an order that was not paid in time.
func (o *Order) MarkExpired(now time.Time) error { return o.apply(Expire, now) }

// MarkPaid records that every leg is captured.
func (o *Order) MarkPaid(now time.Time) error { return o.apply(Pay, now) }

// MarkIssuing records the intent to request the tickets.
func (o *Order) MarkIssuing(now time.Time) error { return o.apply(IssueSent, now) }

// MarkIssued records the delivery with its tickets.
func (o *Order) MarkIssued(p ProviderOrder, now time.Time) error {
	if err := o.apply(TicketsCame, now); err != nil {
		return err
	}
	o.Tickets, o.SMS, o.Stuck = p.Tickets, p.SMS, false
	return nil
}

// MarkIssueFailed records that the order cannot be delivered.
func (o *Order) MarkIssueFailed(reason string, now time.Time) error {
	o.FailReason, o.Stuck = reason, false
	return o.apply(IssueFails, now)
}

// MarkRevoked records that an operator has revoked a delivered order, which is then refunded. The tickets stay in the
// row.
func (o *Order) MarkRevoked(reason string, now time.Time) error {
	o.FailReason = reason
	return o.apply(Revoke, now)
}

// Revoked reports whether the tickets of a ticket order were issued and then revoked.
func (o *Order) Revoked() bool {
	return len(o.Tickets) > 0 && (o.State == IssueFailed || o.State == Refunded)
}

// MarkRefunded records that every leg was refunded.
func (o *Order) MarkRefunded(now time.Time) error { return o.apply(RefundsDone, now) }

// MarkStuck flags an order whose delivery is overdue.
func (o *Order) MarkStuck(now time.Time) {
	o.touch(now)
	o.Stuck = true
}

// CardScope returns which welfare cards may pay for the order.
func (o *Order) CardScope() cards.Scope {
	switch o.Kind {
	case Goods:
		return cards.Scope(o.Snapshot.Goods.Scope)
	case Recharge:
		return cards.Nothing // points cannot buy points
	}
	return cards.Movies
}

// Title returns the name under which the messaging app shows the purchase to the payer, such as "电影票" and the film.
func (o *Order) Title() string {
	switch o.Kind {
	case Goods:
		return o.Snapshot.Goods.Title
	case Recharge:
		return "福利卡充值 " + o.Snapshot.Points.Points.String() + "点"
	}
	return "电影票 " + o.Snapshot.Show.FilmName
}

// ShowBegan reports whether the show of a ticket order has begun, so that it is too late to deliver the tickets. It is
// false for orders of other kinds.
func (o *Order) ShowBegan(now time.Time) bool {
	return o.Kind == Ticket && !now.Before(o.Snapshot.Show.Starts)
}

// Payable returns nil if the order can be paid now, otherwise ErrAlreadyPaid, ErrOrderExpired, ErrOrderNotFound or
// ErrOrderState.
func (o *Order) Payable(now time.Time) error {
	switch {
	case o.State == Paid || o.State == Issuing || o.State == Issued:
		return ErrAlreadyPaid
	case o.State != Pending:
		return o.State.NotPendingError()
	case !now.Before(o.ExpiresAt):
		return ErrOrderExpired
	}
	return nil
}

// Queue returns the queue of the order's tasks. Each outside party that the tasks call has its queue.
func (o *Order) Queue() jobs.Queue {
	switch o.Kind {
	case Goods:
		return QueueTopup
	case Recharge:
		return jobs.QueueLocal
	}
	return jobs.Queue(fmt.Sprintf("tickets-%d", o.Source))
}
