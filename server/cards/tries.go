package cards

import (
	"fmt"
	"time"
)

// Tries is a count of wrong passwords and until when it stands.
type Tries struct {
	Wrong int
	Until time.Time
}

// A buyer is locked for LockFor after MaxTries wrong passwords, whatever the cards. A card that sees AttackedAt of
// them, whoever tries, counts as attacked for a day after the last: a buyer then has one try in LockFor, which leaves
// its holder a way in and a guesser with ten thousand accounts half a million tries a day at ten thousand million
// passwords.
const (
	MaxTries   = 5
	LockFor    = 30 * time.Minute
	AttackedAt = 50
	attackFor  = 24 * time.Hour
)

// guesses are the counts that one try at a card moves: the buyer's, the card's, and the buyer's at this card.
type guesses struct{ buyer, card, pair count }

type count struct {
	scope string // "" when nothing is counted
	life  time.Duration
	Tries
}

// guessesOf reads the counts. A card that was found counts under its id, since number and coupon code both lead to
// it; one that was not, under what was typed, so that nobody learns from a lock which numbers exist.
func guessesOf(tx Tx, userID int64, typed string, cardID int64, now time.Time) (g guesses, err error) {
	g.buyer = count{scope: buyer(userID), life: LockFor}
	if typed != "" {
		card := "number:" + typed
		if cardID != 0 {
			card = subjectOf(cardID)
		}
		g.card = count{scope: card, life: attackFor}
		g.pair = count{scope: buyer(userID) + "/" + card, life: LockFor}
	}
	for _, c := range []*count{&g.buyer, &g.card, &g.pair} {
		if c.scope == "" {
			continue
		}
		if c.Tries, err = tx.Tries.Get(c.scope); err != nil {
			return g, err
		}
		if !now.Before(c.Until) {
			c.Tries = Tries{}
		}
	}
	return g, nil
}

func (g *guesses) locked() bool {
	return g.buyer.Wrong >= MaxTries || (g.card.Wrong >= AttackedAt && g.pair.Wrong > 0)
}

// wrong counts a wrong password.
func (g *guesses) wrong(tx Tx, now time.Time) error {
	if err := tx.Tries.DeleteExpired(now); err != nil {
		return fmt.Errorf("forget old tries: %w", err)
	}
	for _, c := range []*count{&g.buyer, &g.card, &g.pair} {
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

// right takes back what this buyer's wrong passwords of this card added, and nothing else: a card of one's own must
// not buy further guesses at another's.
func (g *guesses) right(tx Tx) error {
	if g.pair.Wrong == 0 {
		return nil
	}
	took := g.pair.Wrong
	for _, c := range []*count{&g.buyer, &g.card, &g.pair} {
		if c.Wrong = max(0, c.Wrong-took); c.Wrong == 0 {
			c.Tries = Tries{}
		}
		if err := tx.Tries.Set(c.scope, c.Tries); err != nil {
			return err
		}
	}
	return nil
}
