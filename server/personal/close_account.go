// Package personal fulfills the rights that the Personal Information Protection Law grants to buyers: a copy of all
// data that the shop holds about them (article 45), and its deletion with the account (article 47).
//
// Records that the law requires are kept without personal data: orders and payments for three years (E-Commerce Law,
// article 31), the ledger as long as the books.
package personal

import (
	"context"
	"fmt"
	"time"

	"marquee/server/account"
	"marquee/server/audit"
	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/money"
)

// Faults of closing an account.
var (
	ErrOrdersUnfinished = fault.New(fault.Conflict, "orders_unfinished", "您有未完成的订单，请在订单完成后再注销").
				WithExplanation("the account has orders, payments or refunds that have not ended")
	ErrPointsUnconfirmed = fault.New(fault.Conflict, "points_unconfirmed", "福利卡点数有变化，请重新确认后再注销").
				WithExplanation("the account has points; the exact number has to be given up explicitly")
)

// Unfinished is an order that must end before its buyer's account can be closed.
type Unfinished struct {
	OrderNo string // the order's number, as shown to the buyer
	Kind    string
	Reason  UnfinishedReason
}

// MaxUnfinished is how many unfinished orders are listed, the latest first. One unfinished order is enough to prevent
// closing.
const MaxUnfinished = 100

// UnfinishedReason is what an unfinished order waits for.
type UnfinishedReason string

// What an unfinished order waits for.
const (
	AwaitsPayment  UnfinishedReason = "unpaid"
	AwaitsDelivery UnfinishedReason = "undelivered"
	AwaitsRefund   UnfinishedReason = "refunding" // a refund, or an operator's decision about the money, is pending
	AwaitsShow     UnfinishedReason = "unused"    // a ticket whose film has not ended
)

// Closing describes the consequences of closing an account.
type Closing struct {
	Unfinished []Unfinished // the account cannot be closed before these have ended; at most MaxUnfinished
	Cards      int          // number of cards that are not deleted
	Points     money.Points // points that are lost
	Vouchers   int          // delivered codes that are still valid; the shop will not show them any more
}

// MayHaveMore reports whether the account may have more unfinished orders than are listed.
func (c Closing) MayHaveMore() bool { return len(c.Unfinished) == MaxUnfinished }

// Tx is one transaction over the repositories that closing an account changes.
type Tx struct {
	Accounts Accounts
	Orders   Orders
	Cards    cards.Tx
}

// Accounts ends accounts.
type Accounts interface {
	// CardsOf lists a buyer's cards that are not deleted, with the balances at a time.
	CardsOf(userID int64, now time.Time) ([]cards.Card, error)
	// Close removes phone, picture, password, identities, sessions and devices of an account, and records the event. It
	// returns account.ErrLoginRequired if the account is already closed.
	Close(userID int64, e account.Event) error
}

// Orders reads the orders of a buyer and removes personal data from them.
type Orders interface {
	// Unfinished lists the buyer's orders that have not ended at a time, the latest first, at most MaxUnfinished.
	Unfinished(userID int64, now time.Time) ([]Unfinished, error)
	// CountVouchers counts the delivered orders of codes that are still valid at a time.
	CountVouchers(userID int64, now time.Time) (int, error)
	// Anonymise removes phone numbers, recharged accounts, identities and messages from the buyer's orders and
	// payments.
	Anonymise(userID int64) error
}

// Store runs a function in one transaction. fn may run more than once, and must only use tx.
type Store interface {
	// Update commits what fn has written if fn returns nil, and rolls it back otherwise.
	Update(ctx context.Context, fn func(tx Tx) error) error
}

// Reauthenticator checks the proof that a buyer gives in addition to the session, as account.Security does.
type Reauthenticator interface {
	// Reauthenticate checks the proof and uses it up. It returns account.ErrReauthRequired without a usable proof, and
	// otherwise the errors of codes and of proofs.
	Reauthenticate(ctx context.Context, u account.User, purpose account.Purpose, r account.Reauth) error
}

// Closer closes accounts.
type Closer struct {
	store   Store
	reauth  Reauthenticator
	journal *account.Journal
	now     func() time.Time
}

// NewCloser makes a Closer.
func NewCloser(store Store, reauth Reauthenticator, journal *account.Journal, now func() time.Time) *Closer {
	return &Closer{store: store, reauth: reauth, journal: journal, now: now}
}

// Preview returns the consequences that closing the account would have now. It changes nothing.
func (c *Closer) Preview(ctx context.Context, userID int64) (closing Closing, err error) {
	err = c.store.Update(ctx, func(tx Tx) (err error) {
		closing, _, err = c.preview(tx, userID)
		return err
	})
	return closing, err
}

// preview returns the consequences of closing the account, and the ids of its cards.
func (c *Closer) preview(tx Tx, userID int64) (closing Closing, cardIDs []int64, err error) {
	now := c.now()
	if closing.Unfinished, err = tx.Orders.Unfinished(userID, now); err != nil {
		return closing, nil, err
	}
	if closing.Vouchers, err = tx.Orders.CountVouchers(userID, now); err != nil {
		return closing, nil, err
	}
	held, err := tx.Accounts.CardsOf(userID, now)
	if err != nil {
		return closing, nil, fmt.Errorf("list cards: %w", err)
	}
	closing.Cards = len(held)
	for _, card := range held {
		closing.Points += card.Balance
		cardIDs = append(cardIDs, card.ID)
	}
	return closing, cardIDs, nil
}

// Close closes the buyer's account at once, after checking the proof. points is the number of points that the buyer has
// confirmed to give up. All sessions end, personal data is erased, and orders, ledger and audit are kept without
// personal data. A later login with the phone creates a new account, because the number may have a new owner by then.
// Close returns ErrOrdersUnfinished, ErrPointsUnconfirmed and the errors of the proof.
func (c *Closer) Close(ctx context.Context, u account.User, points money.Points, proof account.Reauth) error {
	// Check the conditions before the proof, so that no code is used up if the account cannot be closed.
	closing, err := c.Preview(ctx, u.ID)
	if err != nil {
		return err
	}
	if err := closing.allows(points); err != nil {
		return err
	}
	if err := c.reauth.Reauthenticate(ctx, u, account.ForClosing, proof); err != nil {
		return err
	}
	return c.close(ctx, u, points, c.journal.NewEvent(ctx, account.AccountClosed, u, ""), audit.User(u.ID))
}

// CloseOnRequest closes the account for an operator who has identified the buyer, for example by letter. The operator
// that account.WithOperator has put into ctx is the actor in the event, the ledger and the audit log. The event also
// contains the reason. It returns the errors of Close except those of the proof.
func (c *Closer) CloseOnRequest(ctx context.Context, u account.User, points money.Points, reason string) error {
	e := c.journal.NewEvent(ctx, account.AccountClosed, u, reason)
	return c.close(ctx, u, points, e, e.Actor)
}

// close closes the account and records the event. by is the actor that the ledger and the audit log record for the
// removed points.
func (c *Closer) close(ctx context.Context, u account.User, points money.Points, e account.Event, by string) error {
	err := c.store.Update(ctx, func(tx Tx) error {
		closing, cardIDs, err := c.preview(tx, u.ID)
		if err != nil {
			return err
		}
		if err := closing.allows(points); err != nil {
			return err
		}
		if _, err := cards.GiveUp(tx.Cards, cardIDs, by, c.now()); err != nil {
			return fmt.Errorf("give up the cards: %w", err)
		}
		if err := tx.Orders.Anonymise(u.ID); err != nil {
			return fmt.Errorf("anonymise the orders: %w", err)
		}
		return tx.Accounts.Close(u.ID, e)
	})
	if err != nil {
		return fmt.Errorf("close account %d: %w", u.ID, err)
	}
	c.journal.Log(ctx, e)
	return nil
}

// allows returns nil if the account can be closed, and otherwise the fault with the reason. points is how many points
// the buyer has confirmed to lose.
func (c Closing) allows(points money.Points) error {
	if len(c.Unfinished) > 0 {
		return ErrOrdersUnfinished
	}
	if c.Points != points {
		return ErrPointsUnconfirmed
	}
	return nil
}
