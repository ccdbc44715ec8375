package cards

import (
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
)

// Tries is a count of wrong passwords. It expires at Until.
type Tries struct {
	Wrong int       // number of wrong passwords
	Until time.Time // business time
}

// Limits of wrong passwords. A buyer is locked for durations.CardLock after MaxTries wrong passwords at any cards. A
// card counts as attacked for durations.CardAttack after AttackedAt wrong passwords by any buyers: each buyer then has
// one try for it in durations.CardLock. So the card's owner can still bind it, while an attacker with ten thousand
// accounts can try half a million of ten billion possible passwords a day.
const (
	MaxTries   = 5
	AttackedAt = 50
)

// tryCounts are the three counts of wrong passwords that one try changes: those of the buyer for any card, those for
// the card by any buyer, and those of the buyer for the card.
type tryCounts struct{ buyer, card, pair count }

type count struct {
	scope string // "" if nothing is counted
	life  time.Duration
	Tries
}

// readTryCounts reads the counts. Tries for an existing card are counted under its id, because it can be bound by its
// number and by its coupon code. Tries for an unknown number are counted under the typed number, so that a lock does
// not reveal which numbers exist.
func readTryCounts(tx Tx, userID int64, typed string, cardID int64, now time.Time) (counts tryCounts, err error) {
	counts.buyer = count{scope: audit.User(userID), life: durations.CardLock}
	if typed != "" {
		card := "number:" + typed
		if cardID != 0 {
			card = audit.Card(cardID)
		}
		counts.card = count{scope: card, life: durations.CardAttack}
		counts.pair = count{scope: audit.User(userID) + "/" + card, life: durations.CardLock}
	}
	for _, c := range []*count{&counts.buyer, &counts.card, &counts.pair} {
		if c.scope == "" {
			continue
		}
		if c.Tries, err = tx.Tries.Get(c.scope); err != nil {
			return counts, err
		}
		if !now.Before(c.Until) {
			c.Tries = Tries{}
		}
	}
	return counts, nil
}

func (t *tryCounts) locked() bool {
	return t.buyer.Wrong >= MaxTries || (t.card.Wrong >= AttackedAt && t.pair.Wrong > 0)
}

// lockEnds returns the end of the lock of a buyer who is locked.
func (t *tryCounts) lockEnds() time.Time {
	if t.buyer.Wrong >= MaxTries {
		return t.buyer.Until
	}
	return t.pair.Until
}

// wrong returns the error for a wrong password. It contains how many tries are left, unless the card counts as
// attacked.
func (t *tryCounts) wrong(now time.Time) error {
	switch {
	case t.buyer.Wrong >= MaxTries:
		return cardLockedUntil(t.buyer.Until, now)
	case t.locked():
		return ErrCardNotFound
	}
	return ErrCardNotFound.WithTriesLeft(MaxTries - t.buyer.Wrong)
}

// recordWrong counts a wrong password.
func (t *tryCounts) recordWrong(tx Tx, now time.Time) error {
	if err := tx.Tries.DeleteExpired(now); err != nil {
		return fmt.Errorf("delete expired password tries: %w", err)
	}
	for _, c := range []*count{&t.buyer, &t.card, &t.pair} {
		if c.scope == "" {
			continue
		}
		c.Wrong, c.Until = c.Wrong+1, now.Add(c.life)
		if err := tx.Tries.Set(c.scope, c.Tries); err != nil {
			return err
		}
	}
	return nil
}

// recordRight subtracts this buyer's wrong passwords for this card from the counts, and nothing else: binding a card
// must not give the buyer more tries for another one.
func (t *tryCounts) recordRight(tx Tx) error {
	if t.pair.Wrong == 0 {
		return nil
	}
	took := t.pair.Wrong
	for _, c := range []*count{&t.buyer, &t.card, &t.pair} {
		if c.Wrong = max(0, c.Wrong-took); c.Wrong == 0 {
			c.Tries = Tries{}
		}
		if err := tx.Tries.Set(c.scope, c.Tries); err != nil {
			return err
		}
	}
	return nil
}
