package cards

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"marquee/server/money"
)

// Account is an account of the ledger. Avail and HeldPoints belong to a lot, the others to the shop.
type Account string

const (
	Avail         Account = "avail"       // points of a lot that can be spent
	HeldPoints    Account = "held"        // points of a lot that an open payment holds
	Issued        Account = "issued"      // the contra account of issued points and of bonus points of a recharge
	Revenue       Account = "revenue"     // points spent on orders
	WxClearing    Account = "wx_clearing" // the contra account of points that were bought in the messaging app
	ExpiredPoints Account = "expired"     // points that expired or were given up with an account
	Adjust        Account = "adjust"      // the contra account of back-office recharges and deductions
)

// Event is the reason why points moved.
type Event string

const (
	EventIssue    Event = "issue"     // a new card
	EventRecharge Event = "recharge"  // points bought in the messaging app
	EventReserve  Event = "reserve"   // a payment holds points
	EventCommit   Event = "commit"    // points pay for an order
	EventRelease  Event = "release"   // a payment ends without spending the held points
	EventRefund   Event = "refund"    // points of a paid order are returned
	EventMerge    Event = "merge"     // points move to another card
	EventExpire   Event = "expire"    // expired points are written off
	EventCredit   Event = "credit"    // back-office recharge
	EventDeduct   Event = "deduction" // back-office deduction
	EventForfeit  Event = "forfeit"   // a buyer who closes the account gives the points up
)

// RecordFlag returns the kind of record that a buyer sees for the event; 0 means that it is not shown.
func (e Event) RecordFlag() int {
	switch e {
	case EventCommit:
		return 1
	case EventRecharge:
		return 2
	case EventCredit, EventRefund:
		return 3
	case EventDeduct:
		return 4
	}
	return 0
}

// Entry changes one account by a number of points, which may be negative. LotID is set only for Avail and HeldPoints.
type Entry struct {
	Account Account      // the account that changes
	LotID   int64        // 0 for the other accounts
	Points  money.Points // 1/100 point
}

// LedgerTx is a balanced transaction of the ledger. It is never changed after it was posted. Its Key is unique: Post
// rejects a second transaction with the same Key.
type LedgerTx struct {
	Key     string    // unique: the event and its cause, such as "commit:17:0" for leg 17
	Event   Event     // why the points moved
	OrderNo string    // "" without an order
	Actor   string    // "user:7", "system", "admin:…"
	Remark  string    // shown to the buyer in the records of the card
	At      time.Time // business time
	Entries []Entry   // at least two, with the sum 0
}

// Ledger reads and writes lots and ledger transactions inside a transaction of the store.
type Ledger interface {
	// Lots returns the lots of the cards, in id order.
	Lots(cardIDs []int64) ([]Lot, error)
	// Lot reads one lot.
	Lot(id int64) (Lot, error)
	// InsertLot adds an empty lot and returns its id. It ignores the balances of l: use MoveLot to add points.
	InsertLot(l Lot) (id int64, err error)
	// MoveLot adds to both balances. It fails with ErrPointsInsufficient if either would become negative.
	MoveLot(id int64, avail, held money.Points) error
	// LinkLot records that the lot into replaces the lot id, whose card was merged.
	LinkLot(id, into int64) error
	// Insert writes a transaction, but does not change its lots. It fails with ErrPosted, and writes nothing, if the
	// key exists.
	Insert(t LedgerTx) error
	// Find returns the transaction with the key. It reports false if there is none.
	Find(key string) (LedgerTx, bool, error)
}

// Post writes a transaction and changes its lots. It fails with ErrUnbalanced if the transaction does not balance, and
// with ErrPosted if it was posted before.
func Post(tx Tx, t LedgerTx) error {
	if err := t.check(); err != nil {
		return err
	}
	if err := tx.Ledger.Insert(t); err != nil {
		return fmt.Errorf("post %s: %w", t.Key, err)
	}
	type move struct{ avail, held money.Points }
	moves := map[int64]move{}
	for _, e := range t.Entries {
		m := moves[e.LotID]
		switch e.Account {
		case Avail:
			m.avail += e.Points
		case HeldPoints:
			m.held += e.Points
		default:
			continue
		}
		moves[e.LotID] = m
	}
	// All transactions change lots in the order of their ids, so that two of them never deadlock.
	for _, id := range slices.Sorted(maps.Keys(moves)) {
		if err := tx.Ledger.MoveLot(id, moves[id].avail, moves[id].held); err != nil {
			return fmt.Errorf("post %s: lot %d: %w", t.Key, id, err)
		}
	}
	return nil
}

func (t LedgerTx) check() error {
	var sum money.Points
	for _, e := range t.Entries {
		ofLot := e.Account == Avail || e.Account == HeldPoints
		if e.Points == 0 || ofLot != (e.LotID != 0) {
			return fmt.Errorf("%s: bad entry on %s: %w", t.Key, e.Account, ErrUnbalanced)
		}
		sum += e.Points
	}
	if sum != 0 || len(t.Entries) == 0 || t.Key == "" {
		return fmt.Errorf("%s: sum %d: %w", t.Key, sum, ErrUnbalanced)
	}
	return nil
}

// reversal returns entries that take back the points that t added to the account from. For each lot, to(lot) is the
// entry that gets the points; reversal sets its Points.
func (t LedgerTx) reversal(from Account, to func(lot int64) Entry) []Entry {
	var out []Entry
	for _, e := range t.Entries {
		if e.Account != from || e.Points <= 0 {
			continue
		}
		target := to(e.LotID)
		target.Points = e.Points
		out = append(out, Entry{Account: from, LotID: e.LotID, Points: -e.Points}, target)
	}
	return out
}

// postOnce posts a transaction unless it was posted before.
func postOnce(tx Tx, t LedgerTx) error {
	if err := Post(tx, t); err != nil && !errors.Is(err, ErrPosted) {
		return err
	}
	return nil
}

// byExpiry sorts lots by expiry, in the order in which they are spent.
func byExpiry(lots []Lot) {
	slices.SortFunc(lots, func(a, b Lot) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID))
	})
}
