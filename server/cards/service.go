package cards

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/pepper"
)

// Tx is one transaction over the cards, with one repository per aggregate.
type Tx struct {
	Cards      Cards
	Ledger     Ledger
	Tries      TryCounts
	MergeCodes MergeCodes
	Packages   Packages
	Audit      audit.Log
}

// Cards reads and writes card rows. The balances in a Card that it returns are those at the time now.
type Cards interface {
	// Get reads a card. It fails with ErrCardNotFound.
	Get(id int64, now time.Time) (Card, error)
	// ByNumber finds a card by its number, and also returns the hash of the card's password. It fails with
	// ErrCardNotFound.
	ByNumber(number string, now time.Time) (Card, []byte, error)
	// ByCoupon finds a card by the hash of its coupon code, and also returns the hash of the card's password. It fails
	// with ErrCardNotFound.
	ByCoupon(couponHash []byte, now time.Time) (Card, []byte, error)
	// Insert adds a card and returns its id. It fails with ErrCardExists if the number is taken.
	Insert(c Card, passwordHash []byte) (id int64, err error)
	// Save writes owner, status, deletion, merge target and time of binding of a card if its row still has the version
	// that was read. Otherwise it fails with ErrStale.
	Save(c Card) error
	// SetPassword replaces the hash of the card's password.
	SetPassword(cardID int64, passwordHash []byte) error
	// SetCoupon sets the coupon code of a card. It fails with ErrCardExists if another card has it.
	SetCoupon(cardID int64, couponHash []byte) error
	// MergeTarget returns the card that has the card's points now: the card itself, or the one that it was merged into.
	MergeTarget(cardID int64) (int64, error)
	// Reinstate puts a deleted card back on its owner's list and reports whether it was deleted.
	Reinstate(cardID int64) (bool, error)
}

// TryCounts counts wrong passwords by scope: a buyer, a card, or a buyer with a card.
type TryCounts interface {
	// Get returns the count of a scope, or the zero value if there is none. Until the end of this transaction, no other
	// transaction can change the count.
	Get(scope string) (Tries, error)
	// Set replaces the count of a scope, and deletes it if Wrong is 0.
	Set(scope string, t Tries) error
	// DeleteExpired deletes the counts that have expired.
	DeleteExpired(now time.Time) error
}

// MergeCodes keeps the one-use codes that confirm a merge.
type MergeCodes interface {
	// Insert adds a code, of which only the hash is stored.
	Insert(m MergeCode) error
	// Take reads a code and marks it used. It fails with ErrMergeCodeInvalid if the code does not exist, was used or
	// has expired.
	Take(codeHash []byte, now time.Time) (MergeCode, error)
}

// Packages writes the recharge packages.
type Packages interface {
	// Replace replaces all packages.
	Replace(list []Package) error
}

// Store stores cards.
type Store interface {
	// Update runs fn in one transaction and commits it unless fn returns an error. fn may run more than once, and must
	// do nothing but use its Tx.
	Update(ctx context.Context, fn func(Tx) error) error
	// CardsOf lists a buyer's cards that are not deleted, in id order.
	CardsOf(ctx context.Context, userID int64, now time.Time) ([]Card, error)
	// ExpiredLots lists up to limit lots that expired at or before now and still have points that are not held.
	ExpiredLots(ctx context.Context, now time.Time, limit int) ([]Lot, error)
	// Records lists the records of the events of a card, newest first, and returns their number without limit and
	// offset.
	Records(ctx context.Context, cardID int64, events []Event, limit, offset int) ([]Record, int, error)
	// Packages lists the recharge packages in their order.
	Packages(ctx context.Context) ([]Package, error)
	// CardNumbered finds a card for the back office. It fails with ErrCardNotFound.
	CardNumbered(ctx context.Context, number string, now time.Time) (Card, error)
}

// Service binds, lists, merges and deletes the cards of buyers.
type Service struct {
	store  Store
	pepper pepper.Ring
	now    func() time.Time
}

// New returns a service. The peppers key the hashes of card passwords, coupon codes and merge codes.
func New(store Store, peppers pepper.Ring, now func() time.Time) *Service {
	return &Service{store: store, pepper: peppers, now: now}
}

func isNotFound(err error) bool { return errors.Is(err, ErrCardNotFound) }

// couponText is the input of the hash of a coupon code, which ignores case.
func couponText(code string) string { return secretText("coupon", strings.ToUpper(code)) }

// mergeText is the input of the hash of a merge code.
func mergeText(code string) string { return secretText("merge", code) }

// secretText is the input of the keyed hash of a card's password. The length of the number is included, so that the
// same characters, divided differently into number and password, give another hash.
//
// Card passwords are random, so a fast keyed hash and a limit on wrong tries are enough, and ten thousand cards are
// issued in seconds. Without the pepper, the hashes reveal nothing.
func secretText(number, password string) string {
	return fmt.Sprintf("%d:%s:%s", len(number), number, password)
}

// List returns the buyer's cards that can pay, filtered and sorted.
func (s *Service) List(ctx context.Context, userID int64, f Filter) ([]Card, error) {
	now := s.now()
	all, err := s.store.CardsOf(ctx, userID, now)
	if err != nil {
		return nil, fmt.Errorf("list cards: %w", err)
	}
	return choose(all, f, now), nil
}

// Unusable returns the buyer's cards that are used up, expired or frozen.
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

// Count returns how many cards the buyer can pay with.
func (s *Service) Count(ctx context.Context, userID int64) (int, error) {
	list, err := s.List(ctx, userID, AllUsable)
	return len(list), err
}

// Paying returns the buyer's cards that can pay for purchases of the scope, soonest expiry first.
func (s *Service) Paying(ctx context.Context, userID int64, scope Scope) ([]Card, error) {
	list, err := s.List(ctx, userID, AllUsable)
	out := make([]Card, 0, len(list))
	for _, c := range list {
		if c.PID.Pays(scope) {
			out = append(out, c)
		}
	}
	return out, err
}
