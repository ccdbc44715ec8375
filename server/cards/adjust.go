package cards

import (
	"context"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
)

// maxDays is the longest validity that an operator may enter.
const maxDays = int(durations.LongestValidity / durations.Day)

// LifeOf converts a validity in days into a duration. It fails with ErrValidity outside 1 to maxDays days.
func LifeOf(days int) (time.Duration, error) {
	if days < 1 || days > maxDays {
		return 0, fmt.Errorf("%d days: %w", days, ErrValidity)
	}
	return time.Duration(days) * durations.Day, nil
}

// Adjustment is a back-office recharge (Points > 0) or deduction (Points < 0).
type Adjustment struct {
	Key    string // idempotency key
	CardID int64
	Points money.Points  // 1/100 point
	Life   time.Duration // for a recharge: how long the new points are valid, in whole seconds
	Reason string        // shown to the buyer
	Actor  string        // "admin:…"
}

// Adjust recharges or deducts. A deduction takes points from the earliest-expiring lots, and never held points. It
// fails with ErrCardNotFound for a card that was merged or deleted, because no buyer would see the points. If the same
// adjustment was made before, Adjust does nothing and returns repeated = true. It fails with ErrAdjustmentKeyReused if
// the key was used for another one.
func (s *Issuer) Adjust(ctx context.Context, a Adjustment) (repeated bool, err error) {
	if err := a.check(); err != nil {
		return false, err
	}
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		if repeated, err = a.before(tx); repeated || err != nil {
			return err
		}
		return a.make(tx, s.now())
	})
	if err != nil {
		return false, fmt.Errorf("adjust card %d: %w", a.CardID, err)
	}
	return repeated, nil
}

func (a Adjustment) check() error {
	if err := audit.CheckReason(a.Reason); err != nil {
		return err
	}
	if a.Key == "" {
		return ErrAdjustmentKeyRequired
	}
	if a.Points == 0 {
		return fault.ErrInvalidInput
	}
	if a.Points > 0 && (a.Life < time.Second || a.Life > durations.LongestValidity) {
		return ErrValidity
	}
	return nil
}

func (a Adjustment) ledgerKey() string { return "adjust:" + a.Key }

// before reports whether the same adjustment is already in the ledger, even if its points have moved to another lot
// since, for example by a merge. It fails with ErrAdjustmentKeyReused if the key belongs to another adjustment.
func (a Adjustment) before(tx Tx) (bool, error) {
	t, found, err := tx.Ledger.Find(a.ledgerKey())
	if err != nil || !found {
		return false, err
	}
	var points money.Points
	same := t.Remark == a.Reason
	for _, e := range t.Entries {
		if e.Account != Avail {
			continue
		}
		points += e.Points
		lot, err := tx.Ledger.Lot(e.LotID)
		if err != nil {
			return false, err
		}
		same = same && lot.CardID == a.CardID && (a.Points < 0 || lot.ExpiresAt.Sub(t.At) == a.Life)
	}
	if !same || points != a.Points {
		return false, ErrAdjustmentKeyReused
	}
	return true, nil
}

func (a Adjustment) make(tx Tx, now time.Time) error {
	card, err := tx.Cards.Get(a.CardID, now)
	if err != nil {
		return err
	}
	if card.Deleted {
		return errNoSuchCard
	}
	t := LedgerTx{Key: a.ledgerKey(), Actor: a.Actor, Remark: a.Reason, At: now}
	if a.Points > 0 {
		err = a.credit(tx, &t, now)
	} else {
		err = a.deduct(tx, &t, now)
	}
	if err != nil {
		return err
	}
	if err := Post(tx, t); err != nil {
		return err
	}
	return tx.Audit.Record(now, a.Actor, "card.adjusted", audit.Card(a.CardID),
		card.Balance.String(), (card.Balance + a.Points).String())
}

func (a Adjustment) credit(tx Tx, t *LedgerTx, now time.Time) error {
	lot, err := tx.Ledger.InsertLot(Lot{CardID: a.CardID, ExpiresAt: now.Add(a.Life), Origin: string(EventCredit)})
	t.Event, t.Entries = EventCredit, []Entry{{Adjust, 0, -a.Points}, {Avail, lot, a.Points}}
	return err
}

func (a Adjustment) deduct(tx Tx, t *LedgerTx, now time.Time) (err error) {
	t.Event = EventDeduct
	t.Entries, err = take(tx, a.CardID, -a.Points, now, func(_ int64, taken money.Points) Entry {
		return Entry{Adjust, 0, taken}
	})
	return err
}
