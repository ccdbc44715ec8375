package cards

import (
	"context"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/batch"
	"marquee/server/durations"
	"marquee/server/money"
	"marquee/server/pepper"
)

// Issuer issues, adjusts and freezes cards for the back office, and removes the points of expired lots.
type Issuer struct {
	store  Store
	pepper pepper.Ring
	now    func() time.Time
}

// NewIssuer returns an issuer. The peppers must be those of the Service that binds the cards.
func NewIssuer(store Store, peppers pepper.Ring, now func() time.Time) *Issuer {
	return &Issuer{store: store, pepper: peppers, now: now}
}

// NewCard is a card to be issued.
type NewCard struct {
	Coupon    string       // a code that binds the card without number and password; "" for none
	PID       PID          // the type
	Number    string       // in full; unique
	Password  string       // in clear; the shop stores a hash
	Points    money.Points // greater than 0
	ExpiresAt time.Time    // of the points; at most durations.LongestValidity from now
}

// IssueBatch is the maximum number of cards that one transaction issues. It is small, because purchases wait while the
// transaction runs.
const IssueBatch = 50

// Issue adds cards to the shop in transactions of IssueBatch cards. Each card gets one lot, booked from the ledger
// account Issued. If a call is interrupted, repeat it to continue: cards that are already issued are recognized by
// their number and password. Issue returns an *IssueError for the first card that it cannot issue. Before the first
// write, all cards are checked (ErrCardInvalid, ErrValidity, or ErrCardExists for a number that occurs twice). The
// batch of a card is not issued if the card's number or coupon code is taken (ErrCardExists), or if the card was issued
// before with another type, other points, another expiry or another coupon code (ErrCardIssued).
func (s *Issuer) Issue(ctx context.Context, list []NewCard, actor string) error {
	now := s.now()
	seen := make(map[string]bool, len(list))
	for i, n := range list {
		var err error
		switch {
		case n.PID.Name() == "" || n.Number == "" || n.Password == "" || n.Points <= 0 || !n.ExpiresAt.After(now):
			err = ErrCardInvalid
		case n.ExpiresAt.Sub(now) > durations.LongestValidity:
			err = ErrValidity
		case seen[n.Number]:
			err = ErrCardExists
		}
		if err != nil {
			return fmt.Errorf("issue cards: %w", &IssueError{Card: i + 1, Of: len(list), Err: err})
		}
		seen[n.Number] = true
	}
	err := batch.Run(ctx, len(list), IssueBatch, func(from, to int) error {
		return s.issueBatch(ctx, list, from, to, actor)
	})
	if err != nil {
		return fmt.Errorf("issue cards: %w", err)
	}
	return nil
}

// issueBatch issues list[from:to] in one transaction.
func (s *Issuer) issueBatch(ctx context.Context, list []NewCard, from, to int, actor string) error {
	return s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		for i, n := range list[from:to] {
			card, stored, err := tx.Cards.ByNumber(n.Number, now)
			if err == nil {
				err = ErrCardExists
				if same, _ := s.pepper.Verify(stored, secretText(n.Number, n.Password)); same {
					err = s.checkIssued(tx, n, card, now) // issued by an earlier call
				}
			} else if isNotFound(err) {
				err = s.issue(tx, n, s.pepper.Hash(secretText(n.Number, n.Password)), actor, now)
			}
			if err != nil {
				return &IssueError{Card: from + i + 1, Of: len(list), Err: err}
			}
		}
		return nil
	})
}

// IssueError is the error of one card of a list.
type IssueError struct {
	Card, Of int // position, counted from 1, and number of cards
	Err      error
}

// Error contains the position of the card.
func (e *IssueError) Error() string { return fmt.Sprintf("card %d of %d: %v", e.Card, e.Of, e.Err) }

// Unwrap returns Err.
func (e *IssueError) Unwrap() error { return e.Err }

// issueKey is the ledger key of the issue of a card.
func issueKey(cardID int64) string { return fmt.Sprintf("%s:%d:0", EventIssue, cardID) }

// checkIssued returns ErrCardIssued if the card was issued with another type, other points, another expiry or another
// coupon code than n. The coupon code is compared only if n has one.
func (s *Issuer) checkIssued(tx Tx, n NewCard, card Card, now time.Time) error {
	issued, found, err := tx.Ledger.Find(issueKey(card.ID))
	if err != nil || !found {
		return err
	}
	same := card.PID == n.PID
	for _, e := range issued.Entries {
		if e.Account != Avail {
			continue
		}
		lot, err := tx.Ledger.Lot(e.LotID)
		if err != nil {
			return err
		}
		same = same && e.Points == n.Points && lot.ExpiresAt.Unix() == n.ExpiresAt.Unix()
	}
	if n.Coupon != "" {
		same = same && s.hasCoupon(tx, card.ID, n.Coupon, now)
	}
	if !same {
		return ErrCardIssued
	}
	return nil
}

// hasCoupon reports whether the card has the coupon code.
func (s *Issuer) hasCoupon(tx Tx, cardID int64, code string, now time.Time) bool {
	for _, hash := range s.pepper.Hashes(couponText(code)) {
		if c, _, err := tx.Cards.ByCoupon(hash, now); err == nil && c.ID == cardID {
			return true
		}
	}
	return false
}

func (s *Issuer) issue(tx Tx, n NewCard, hash []byte, actor string, now time.Time) error {
	id, err := tx.Cards.Insert(Card{PID: n.PID, Number: n.Number, Status: Active, Version: 1, CreatedAt: now}, hash)
	if err != nil {
		return err
	}
	if n.Coupon != "" {
		if err := tx.Cards.SetCoupon(id, s.pepper.Hash(couponText(n.Coupon))); err != nil {
			return err
		}
	}
	lot, err := tx.Ledger.InsertLot(Lot{CardID: id, ExpiresAt: n.ExpiresAt, Origin: string(EventIssue)})
	if err != nil {
		return err
	}
	if err := Post(tx, LedgerTx{
		Key: issueKey(id), Event: EventIssue, Actor: actor, At: now,
		Entries: []Entry{{Issued, 0, -n.Points}, {Avail, lot, n.Points}},
	}); err != nil {
		return err
	}
	return tx.Audit.Record(now, actor, "card.issued", audit.Card(id), "", n.Points.String())
}

// Freeze makes a card unusable until Unfreeze. It also works for a card that its owner has deleted, because points may
// return to it. It fails with ErrCardNotFound for a card that was merged.
func (s *Issuer) Freeze(ctx context.Context, cardID int64, reason, actor string) error {
	return s.setStatus(ctx, cardID, Frozen, reason, actor)
}

// Unfreeze makes a frozen card usable again.
func (s *Issuer) Unfreeze(ctx context.Context, cardID int64, reason, actor string) error {
	return s.setStatus(ctx, cardID, Active, reason, actor)
}

func (s *Issuer) setStatus(ctx context.Context, cardID int64, to Status, reason, actor string) error {
	if err := audit.CheckReason(reason); err != nil {
		return err
	}
	err := s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		card, err := tx.Cards.Get(cardID, now)
		if err != nil {
			return err
		}
		if card.MergedInto != 0 { // its points are on another card
			return ErrCardNotFound
		}
		before := card.Status
		card.Status = to
		if err := tx.Cards.Save(card); err != nil {
			return err
		}
		return tx.Audit.Record(now, actor, "card."+string(to), audit.Card(cardID), string(before), reason)
	})
	if err != nil {
		return fmt.Errorf("card %d: %w", cardID, err)
	}
	return nil
}

// expireBatch is the maximum number of lots that one transaction of ExpireLots changes.
const expireBatch = 100

// ExpireLots removes the points of all expired lots, books them as expired, and returns the number of lots.
func (s *Issuer) ExpireLots(ctx context.Context) (int, error) {
	total := 0
	for {
		now := s.now()
		lots, err := s.store.ExpiredLots(ctx, now, expireBatch)
		if err != nil || len(lots) == 0 {
			return total, err
		}
		err = s.store.Update(ctx, func(tx Tx) error {
			for _, l := range lots {
				lot, err := tx.Ledger.Lot(l.ID) // read again inside the transaction
				if err != nil {
					return err
				}
				if lot.Avail == 0 || now.Before(lot.ExpiresAt) {
					continue
				}
				if err := expireLot(tx, lot, now); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return total, fmt.Errorf("expire lots: %w", err)
		}
		total += len(lots)
	}
}
