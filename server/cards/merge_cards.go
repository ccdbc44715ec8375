package cards

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/money"
)

// MergeCode is a stored code with which a buyer confirms the merge that CheckMerge described. It can be used only once.
type MergeCode struct {
	Hash      []byte    // keyed hash of the code
	UserID    int64     // the owner of the cards
	PID       PID       // the type of all cards of the merge
	Cards     string    // ids and balances that the buyer saw, as MergePreview.shown returns them
	ExpiresAt time.Time // business time
}

// MergePreview describes what a merge would do.
type MergePreview struct {
	Gone []Card // the cards that are deleted after their points have moved to Kept
	Kept Card   // the card with the most points; the oldest one if there are several
	Code string // confirms the merge; can be used only once

	GonePoints money.Points // the points that move to the kept card
	KeptPoints money.Points // the points of the kept card after the merge
}

// CheckMerge returns what merging the cards would do, and a code that confirms it. It fails with ErrMergeTooFew,
// ErrMergeMixed, ErrCardUnusable for another buyer's card or a frozen one, or ErrCardBusy while a payment holds points.
func (s *Service) CheckMerge(ctx context.Context, userID int64, ids []int64, pid PID) (MergePreview, error) {
	var p MergePreview
	err := s.store.Update(ctx, func(tx Tx) (err error) {
		now := s.now()
		if p, err = previewMerge(tx, userID, ids, pid, now); err != nil {
			return err
		}
		p.Code = rand.Text()
		return tx.MergeCodes.Insert(MergeCode{
			Hash: s.pepper.Hash(mergeText(p.Code)), UserID: userID, PID: pid, Cards: p.shown(),
			ExpiresAt: now.Add(durations.MergeCode),
		})
	})
	return p, err
}

// shown returns the cards and balances that the buyer saw, such as "7=1000,9=250". The merge code is valid only for
// them.
func (p MergePreview) shown() string {
	all := append([]Card{p.Kept}, p.Gone...)
	slices.SortFunc(all, func(a, b Card) int { return cmp.Compare(a.ID, b.ID) })
	parts := make([]string, 0, len(all))
	for _, c := range all {
		parts = append(parts, fmt.Sprintf("%d=%d", c.ID, c.Balance))
	}
	return strings.Join(parts, ",")
}

func previewMerge(tx Tx, userID int64, ids []int64, pid PID, now time.Time) (MergePreview, error) {
	var p MergePreview
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	if len(ids) < 2 {
		return p, ErrMergeTooFew
	}
	var all []Card
	for _, id := range ids {
		card, err := cardOfBuyer(tx, userID, id, now)
		switch {
		case isNotFound(err):
			return p, ErrCardUnusable
		case err != nil:
			return p, err
		case card.PID != pid:
			return p, ErrMergeMixed
		case !card.Payable():
			return p, ErrCardUnusable
		case card.Held != 0:
			return p, ErrCardBusy
		}
		all = append(all, card)
		p.KeptPoints += card.Balance
	}
	slices.SortStableFunc(all, func(a, b Card) int {
		return cmp.Or(cmp.Compare(b.Balance, a.Balance),
			cmp.Compare(a.ID, b.ID))
	})
	p.Kept, p.Gone = all[0], all[1:]
	p.GonePoints = p.KeptPoints - p.Kept.Balance
	return p, nil
}

// Merge moves the points of the cards to the card that CheckMerge announced as kept, and deletes the others. Every lot
// keeps its expiry. It fails with ErrMergeCodeInvalid if the code was used, has expired, or belongs to another merge,
// or if a balance has changed since it was shown.
func (s *Service) Merge(ctx context.Context, userID int64, ids []int64, pid PID, code string) (int64, error) {
	var kept int64
	err := s.store.Update(ctx, func(tx Tx) error {
		now := s.now()
		p, err := previewMerge(tx, userID, ids, pid, now)
		if errors.Is(err, ErrCardUnusable) && s.usedCode(tx, code, now) {
			return ErrMergeCodeInvalid // merged before: the cards are deleted
		}
		if err != nil {
			return err
		}
		given, err := s.takeMergeCode(tx, code, now)
		if err != nil {
			return err
		}
		if given.UserID != userID || given.PID != pid || given.Cards != p.shown() {
			return ErrMergeCodeInvalid
		}
		for _, card := range p.Gone {
			if err := mergeCard(tx, card, p.Kept.ID, fmt.Sprintf("merge:%x", given.Hash[:12]), now); err != nil {
				return err
			}
		}
		kept = p.Kept.ID
		return tx.Audit.Record(now, audit.User(userID), "cards.merged", audit.Card(kept), p.shown(),
			p.KeptPoints.String())
	})
	if err != nil {
		return 0, fmt.Errorf("merge cards: %w", err)
	}
	return kept, nil
}

func (s *Service) usedCode(tx Tx, code string, now time.Time) bool {
	_, err := s.takeMergeCode(tx, code, now)
	return errors.Is(err, ErrMergeCodeInvalid)
}

// takeMergeCode reads a merge code and marks it as used. Its hash may have been made with any accepted pepper.
func (s *Service) takeMergeCode(tx Tx, code string, now time.Time) (taken MergeCode, err error) {
	for _, hash := range s.pepper.Hashes(mergeText(code)) {
		if taken, err = tx.MergeCodes.Take(hash, now); !errors.Is(err, ErrMergeCodeInvalid) {
			break
		}
	}
	return taken, err
}

// mergeCard moves a card's lots to another card, each to a new lot.
func mergeCard(tx Tx, from Card, into int64, key string, now time.Time) error {
	if err := expireLotsOf(tx, from.ID, now); err != nil {
		return err
	}
	lots, err := tx.Ledger.Lots([]int64{from.ID})
	if err != nil {
		return err
	}
	for _, lot := range lots {
		if lot.MergedInto != 0 {
			continue // an earlier merge moved the points, and the card was put back on the list later
		}
		origin := string(EventMerge)
		if lot.Origin == originReturned { // so that these points do not get durations.ReturnedPoints a second time
			origin = originReturned
		}
		next, err := tx.Ledger.InsertLot(Lot{CardID: into, ExpiresAt: lot.ExpiresAt, Origin: origin})
		if err != nil {
			return err
		}
		if err := tx.Ledger.LinkLot(lot.ID, next); err != nil {
			return err
		}
		if lot.Avail == 0 {
			continue // empty, but linked: a refund may still return points to it
		}
		if err := Post(tx, LedgerTx{
			Key: fmt.Sprintf("%s:%d", key, lot.ID), Event: EventMerge, Actor: audit.User(from.UserID), At: now,
			Entries: []Entry{{Avail, lot.ID, -lot.Avail}, {Avail, next, lot.Avail}},
		}); err != nil {
			return err
		}
	}
	from.Deleted, from.MergedInto = true, into
	return tx.Cards.Save(from)
}
