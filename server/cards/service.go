package cards

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"time"

	"marquee/server/money"
)

// Tx is a transaction over cards and their ledger. It belongs to the Update that opened it.
type Tx interface {
	Ledger
	// Card fails with ErrCardNotFound. Balances in a Card are as of now.
	Card(id int64, now time.Time) (Card, error)
	// CardByNumber also returns the hash of the card's password.
	CardByNumber(number string, now time.Time) (Card, []byte, error)
	// InsertCard fails with ErrCardExists when the number is taken.
	InsertCard(c Card, passwordHash []byte) (id int64, err error)
	// SaveCard writes owner, status and times if the card still has the version it was read with, else ErrStale.
	SaveCard(c Card) error
	// Tries and SetTries keep the count of wrong passwords of a card or a buyer.
	Tries(scope string) (Tries, error)
	SetTries(scope string, t Tries) error
}

// Store keeps cards.
type Store interface {
	Update(ctx context.Context, fn func(Tx) error) error
	// CardsOf lists a buyer's cards that are not deleted, in id order.
	CardsOf(ctx context.Context, userID int64, now time.Time) ([]Card, error)
	// LapsedLots lists up to limit lots that expired at or before now and still have spendable points.
	LapsedLots(ctx context.Context, now time.Time, limit int) ([]Lot, error)
}

// Tries counts wrong passwords.
type Tries struct {
	Wrong       int
	LockedUntil time.Time
}

// Wrong passwords that lock a card or a buyer, and for how long.
const (
	MaxTries = 5
	LockFor  = 30 * time.Minute
)

// Service binds, lists, issues and adjusts cards.
type Service struct {
	store  Store
	pepper []byte
	now    func() time.Time
}

// New makes a service. The pepper keys the hashes of card passwords and lives outside the database.
//
// Card passwords are made by a machine, so a keyed hash with a lockout takes the place of a slow one: a batch
// of ten thousand cards is issued in a moment, and without the pepper the hashes tell nothing.
func New(store Store, pepper []byte, now func() time.Time) *Service {
	return &Service{store: store, pepper: pepper, now: now}
}

func (s *Service) hash(number, password string) []byte {
	mac := hmac.New(sha256.New, s.pepper)
	fmt.Fprintf(mac, "%d:%s:%s", len(number), number, password)
	return mac.Sum(nil)
}

// Bind gives the card to the buyer. It fails with ErrCardNotFound for a wrong number or password alike,
// ErrCardBound, ErrCardUnusable, or ErrCardLocked after MaxTries wrong passwords of this card or this buyer.
// Binding a card that is the buyer's own already answers its id.
func (s *Service) Bind(ctx context.Context, userID int64, number, password string) (int64, error) {
	var id int64
	var refusal error
	err := s.store.Update(ctx, func(tx Tx) error {
		id, refusal = 0, nil
		now := s.now()
		scopes := []string{fmt.Sprintf("user:%d", userID), "card:" + number}
		for _, scope := range scopes {
			t, err := tx.Tries(scope)
			if err != nil {
				return err
			}
			if now.Before(t.LockedUntil) {
				return ErrCardLocked
			}
		}
		card, hash, err := tx.CardByNumber(number, now)
		known := err == nil && card.Status != Deleted
		if err != nil && !isNotFound(err) {
			return err
		}
		if !known || subtle.ConstantTimeCompare(hash, s.hash(number, password)) != 1 {
			refusal = ErrCardNotFound // the count must stay, so the transaction succeeds
			return countWrong(tx, scopes, now)
		}
		for _, scope := range scopes {
			if err := tx.SetTries(scope, Tries{}); err != nil {
				return err
			}
		}
		switch {
		case card.UserID == userID:
			id = card.ID
			return nil
		case card.UserID != 0:
			return ErrCardBound
		case card.Status != Active:
			return ErrCardUnusable
		}
		card.UserID, card.BoundAt, id = userID, now, card.ID
		if err := tx.SaveCard(card); err != nil {
			return err
		}
		return tx.Audit(now, scopes[0], "card.bound", fmt.Sprintf("card:%d", card.ID), "", scopes[0])
	})
	if err != nil {
		return 0, fmt.Errorf("bind card: %w", err)
	}
	if refusal != nil {
		return 0, refusal
	}
	return id, nil
}

func countWrong(tx Tx, scopes []string, now time.Time) error {
	for _, scope := range scopes {
		t, err := tx.Tries(scope)
		if err != nil {
			return err
		}
		if t.Wrong++; t.Wrong >= MaxTries {
			t = Tries{LockedUntil: now.Add(LockFor)}
		}
		if err := tx.SetTries(scope, t); err != nil {
			return err
		}
	}
	return nil
}

// List is the buyer's cards that can pay, filtered and sorted.
func (s *Service) List(ctx context.Context, userID int64, f Filter) ([]Card, error) {
	now := s.now()
	all, err := s.store.CardsOf(ctx, userID, now)
	if err != nil {
		return nil, fmt.Errorf("list cards: %w", err)
	}
	return choose(all, f, now), nil
}

// Unusable is the buyer's cards that are used up, expired or frozen.
func (s *Service) Unusable(ctx context.Context, userID int64) ([]Card, error) {
	now := s.now()
	all, err := s.store.CardsOf(ctx, userID, now)
	if err != nil {
		return nil, fmt.Errorf("list cards: %w", err)
	}
	out := make([]Card, 0, len(all))
	for _, c := range all {
		if f := c.Flag(now); f != Usable && f != AboutToExpire {
			out = append(out, c)
		}
	}
	return out, nil
}

// Count is how many cards the buyer can pay with.
func (s *Service) Count(ctx context.Context, userID int64) (int, error) {
	list, err := s.List(ctx, userID, AllUsable)
	return len(list), err
}

// ForTickets picks the buyer's cards that can pay for tickets, soonest expiry first.
func (s *Service) ForTickets(ctx context.Context, userID int64) ([]Card, error) {
	list, err := s.List(ctx, userID, AllUsable)
	out := make([]Card, 0, len(list))
	for _, c := range list {
		if c.PID.PaysTickets() {
			out = append(out, c)
		}
	}
	return out, err
}

// NewCard is a card to be issued.
type NewCard struct {
	PID       PID
	Number    string
	Password  string
	Points    money.Points
	ExpiresAt time.Time
}
