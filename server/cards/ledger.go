package cards

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"marquee/server/money"
)

// Account is a side of the ledger. Avail and HeldPoints belong to a lot, the others to the shop.
type Account string

const (
	Avail         Account = "avail"       // points of a lot that can be spent
	HeldPoints    Account = "held"        // points of a lot that a payment under way holds
	Issued        Account = "issued"      // the source of issued points and of gifts with a recharge
	Revenue       Account = "revenue"     // points that paid for orders
	WxClearing    Account = "wx_clearing" // the source of points that were bought in the messaging app
	ExpiredPoints Account = "expired"     // points that expired or were given up with an account
	Adjust        Account = "adjust"      // the other side of recharges and deductions by the back office
)

// Event says why points moved.
type Event string

const (
	EventIssue    Event = "issue"     // a new card
	EventRecharge Event = "recharge"  // points bought in the messaging app
	EventReserve  Event = "reserve"   // a payment begins to hold points
	EventCommit   Event = "commit"    // held points pay for an order
	EventRelease  Event = "release"   // a payment ends without the held points
	EventRefund   Event = "refund"    // points of a paid order go back
	EventMerge    Event = "merge"     // points move to another card
	EventExpire   Event = "expire"    // points whose time is over
	EventCredit   Event = "credit"    // back-office recharge
	EventDeduct   Event = "deduction" // back-office deduction
)

// RecordFlag is the kind of record a buyer sees for the event; 0 is not shown.
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

// Entry moves points on one account; positive adds. LotID is set for Avail and HeldPoints alone.
type Entry struct {
	Account Account      // the side of the ledger
	LotID   int64        // 0 for the other accounts
	Points  money.Points // 1/100 point
}

// LedgerTx is one balanced movement. It is written once and never changed; Key makes it happen once.
type LedgerTx struct {
	Key     string    // event:leg:part
	Event   Event     // what moved the points
	OrderNo string    // "" without an order
	Actor   string    // "user:7", "system", "admin:…"
	Remark  string    // shown to the buyer in the records of the card
	At      time.Time // business time
	Entries []Entry   // at least two, with the sum 0
}

// Ledger reads and writes lots and ledger transactions inside a transaction of the store.
type Ledger interface {
	// Lots are the lots of the cards, in id order.
	Lots(cardIDs []int64) ([]Lot, error)
	// Lot reads one lot.
	Lot(id int64) (Lot, error)
	// InsertLot adds an empty lot and returns its id; MoveLot gives it points. It ignores the balances of l.
	InsertLot(l Lot) (id int64, err error)
	// MoveLot adds to both balances, guarded: ErrPointsInsufficient when either would fall below zero.
	MoveLot(id int64, avail, held money.Points) error
	// LinkLot records that another lot took this one's place.
	LinkLot(id, into int64) error
	// Insert writes transactions. It fails with ErrPosted if the key of one is there: the only one is then not written,
	// and the caller must end the transaction of the store if there are several.
	Insert(txs ...LedgerTx) error
	// Find finds a transaction by its key.
	Find(key string) (LedgerTx, bool, error)
}

// AuditLog records who changed what inside a transaction of the store.
type AuditLog interface {
	// Record appends one entry: the actor ("user:7", "system", "admin:…"), the action, its subject ("card:7"), and the
	// subject before and after it.
	Record(at time.Time, actor, action, subject, before, after string) error
}

// Post writes the transactions, in order, and moves the points by what they come to together. It refuses one
// that does not balance.
func Post(tx Tx, txs ...LedgerTx) error {
	type move struct{ avail, held money.Points }
	moves := map[int64]move{}
	var ids []int64
	for _, t := range txs {
		if err := t.check(); err != nil {
			return err
		}
	}
	if err := tx.Ledger.Insert(txs...); err != nil {
		return fmt.Errorf("post %s: %w", txs[0].Key, err)
	}
	for _, t := range txs {
		for _, e := range t.Entries {
			m, seen := moves[e.LotID]
			switch e.Account {
			case Avail:
				m.avail += e.Points
			case HeldPoints:
				m.held += e.Points
			default:
				continue
			}
			if !seen {
				ids = append(ids, e.LotID)
			}
			moves[e.LotID] = m
		}
	}
	slices.Sort(ids) // one order for everybody, so that two movements never wait for each other
	for _, id := range ids {
		if err := tx.Ledger.MoveLot(id, moves[id].avail, moves[id].held); err != nil {
			return fmt.Errorf("post %s: lot %d: %w", txs[0].Key, id, err)
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

// reversal returns the entries that move what t put on the account from, lot by lot, to the entry that to returns.
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

// postOnce posts a transaction that may have been posted before.
func postOnce(tx Tx, t LedgerTx) error {
	if err := Post(tx, t); err != nil && !errors.Is(err, ErrPosted) {
		return err
	}
	return nil
}

// byExpiry sorts lots so that the points which expire first are spent first.
func byExpiry(lots []Lot) {
	slices.SortFunc(lots, func(a, b Lot) int {
		return cmp.Or(a.ExpiresAt.Compare(b.ExpiresAt), cmp.Compare(a.ID, b.ID))
	})
}
