package orders

import (
	"time"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/money"
)

// Kind is what an order buys.
type Kind string

const (
	Ticket   Kind = "ticket"
	Goods    Kind = "goods"
	Recharge Kind = "recharge"
)

// Snapshot is what was bought, as it was when it was bought.
type Snapshot struct {
	Show          catalog.Show
	Seats         []catalog.Seat
	FilmPoster    string
	CinemaName    string
	CinemaAddress string
	Mobile        string
	Goods         *BoughtGoods  `json:",omitempty"` // of a goods order
	Points        *BoughtPoints `json:",omitempty"` // of a recharge
}

// Order is one purchase. Its state changes through the Mark methods alone.
type Order struct {
	No         string
	Kind       Kind
	Source     catalog.Source
	State      State
	Version    int // one higher after each change
	UserID     int64
	Total      money.Fen
	Snapshot   Snapshot
	CreatedAt  time.Time
	UpdatedAt  time.Time
	ExpiresAt  time.Time // to be paid before; zero while LOCKING
	ProviderNo string
	Tickets    []TicketCode
	SMS        string
	FailReason string
	Stuck      bool // tickets are overdue and someone should look

	was *base
}

// base is what the order was when it was read, for compare-and-set.
type base struct {
	state   State
	version int
}

// Was is the state and version the stored row must still have when the order is saved.
func (o *Order) Was() (State, int) {
	if o.was == nil {
		return o.State, o.Version
	}
	return o.was.state, o.was.version
}

// Stored tells the order that the store holds it as it is now.
func (o *Order) Stored() { o.was = nil }

func (o *Order) touch(now time.Time) {
	if o.was == nil {
		o.was = &base{o.State, o.Version}
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

// PayWithin is how long a buyer may take to pay, unless the provider's lock ends sooner.
const PayWithin = 15 * time.Minute

// MarkLocked records the provider's lock: the seats are ours until the lock ends, but never for longer than PayWithin.
func (o *Order) MarkLocked(l Lock, now time.Time) error {
	if err := o.apply(Locked, now); err != nil {
		return err
	}
	o.ProviderNo = l.ProviderNo
	o.ExpiresAt = now.Add(PayWithin)
	if !l.ExpiresAt.IsZero() && l.ExpiresAt.Before(o.ExpiresAt) {
		o.ExpiresAt = l.ExpiresAt
	}
	o.ExpiresAt = o.ExpiresAt.Truncate(time.Second) // as it is stored, and not a moment longer
	return nil
}

// MarkAbandoned ends an order whose seats were never ours.
func (o *Order) MarkAbandoned(reason string, now time.Time) error {
	o.FailReason = reason
	return o.apply(LockLost, now)
}

// MarkUnanswered notes on a LOCKING order that its lock got no answer.
func (o *Order) MarkUnanswered(now time.Time) {
	o.touch(now)
	o.FailReason = ErrLockUnanswered.Code
}

// MarkCancelled ends an unpaid order at the buyer's wish.
func (o *Order) MarkCancelled(now time.Time) error { return o.apply(Cancel, now) }

// MarkExpired ends an order that was not paid in time.
func (o *Order) MarkExpired(now time.Time) error { return o.apply(Expire, now) }

// MarkPaid records that every leg is captured.
func (o *Order) MarkPaid(now time.Time) error { return o.apply(Pay, now) }

// MarkIssuing records the intent to ask for tickets.
func (o *Order) MarkIssuing(now time.Time) error { return o.apply(IssueSent, now) }

// MarkIssued records the tickets.
func (o *Order) MarkIssued(p ProviderOrder, now time.Time) error {
	if err := o.apply(TicketsCame, now); err != nil {
		return err
	}
	o.Tickets, o.SMS, o.Stuck = p.Tickets, p.SMS, false
	return nil
}

// MarkIssueFailed records that there will be no tickets.
func (o *Order) MarkIssueFailed(reason string, now time.Time) error {
	o.FailReason, o.Stuck = reason, false
	return o.apply(IssueFails, now)
}

// MarkRefunded records that all money went back.
func (o *Order) MarkRefunded(now time.Time) error { return o.apply(RefundsDone, now) }

// MarkStuck flags an order whose tickets are overdue.
func (o *Order) MarkStuck(now time.Time) {
	o.touch(now)
	o.Stuck = true
}

// payableBy is which cards may pay for the order.
func (o *Order) payableBy() cards.Scope {
	switch o.Kind {
	case Goods:
		return cards.Scope(o.Snapshot.Goods.Scope)
	case Recharge:
		return cards.Nothing // points do not buy points
	}
	return cards.Movies
}

// title is what the messaging app shows as bought.
func (o *Order) title() string {
	switch o.Kind {
	case Goods:
		return o.Snapshot.Goods.Title
	case Recharge:
		return "福利卡充值 " + o.Snapshot.Points.Points.String() + "点"
	}
	return "电影票 " + o.Snapshot.Show.FilmName
}

// over reports whether it is too late to deliver.
func (o *Order) over(now time.Time) bool {
	return o.Kind == Ticket && !now.Before(o.Snapshot.Show.Starts)
}

// Payable fails when the order cannot be paid at this moment.
func (o *Order) Payable(now time.Time) error {
	switch {
	case o.State == Paid || o.State == Issuing || o.State == Issued:
		return errAlreadyPaid
	case o.State != Pending:
		return o.State.refusal()
	case !now.Before(o.ExpiresAt):
		return ErrOrderExpired
	case o.Kind == Ticket && !o.Snapshot.Show.OnSale(now):
		return errSaleStopped
	}
	return nil
}
