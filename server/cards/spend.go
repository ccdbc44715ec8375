package cards

import (
	"errors"
	"fmt"
	"time"

	"marquee/server/money"
)

// ReinstatedFor is how long points that are refunded to an expired lot stay spendable.
const ReinstatedFor = 30 * 24 * time.Hour

// Spend names the payment leg on whose behalf points move.
type Spend struct {
	LegID   int64
	OrderNo string
	CardID  int64
	Actor   string
	At      time.Time
}

func (s Spend) tx(event Event, part int, entries []Entry) LedgerTx {
	return LedgerTx{
		Key: fmt.Sprintf("%s:%d:%d", event, s.LegID, part), Event: event, OrderNo: s.OrderNo,
		Actor: s.Actor, At: s.At, Entries: entries,
	}
}

// Reserve holds points of the leg's card, earliest-expiring lots first. It fails with ErrPointsInsufficient.
func Reserve(tx Tx, s Spend, points money.Points) error {
	t, err := s.reservation(tx, points)
	if err != nil {
		return err
	}
	return Post(tx, t)
}

// ReserveAndCommit spends points of a payment that needs no other leg: it posts the movements of Reserve and Commit.
func ReserveAndCommit(tx Tx, s Spend, points money.Points) error {
	reserve, err := s.reservation(tx, points)
	if err != nil {
		return err
	}
	return Post(tx, reserve, s.commitment(reserve))
}

func (s Spend) reservation(tx Tx, points money.Points) (LedgerTx, error) {
	lots, err := tx.Ledger.Lots([]int64{s.CardID})
	if err != nil {
		return LedgerTx{}, err
	}
	byExpiry(lots)
	var entries []Entry
	left := points
	for _, lot := range lots {
		if left == 0 {
			break
		}
		if !lot.Spendable(s.At) {
			continue
		}
		take := min(left, lot.Avail)
		left -= take
		entries = append(entries, Entry{Avail, lot.ID, -take}, Entry{HeldPoints, lot.ID, take})
	}
	if left > 0 || points <= 0 {
		return LedgerTx{}, ErrPointsInsufficient
	}
	return s.tx(EventReserve, 0, entries), nil
}

// Commit turns the points held by the leg into revenue. A second call changes nothing. After Release it fails with
// ErrStale, because the points that the lots hold by then belong to other legs.
func Commit(tx Tx, s Spend) error {
	reserve, err := s.reserved(tx, EventRelease)
	if err != nil {
		return err
	}
	return postOnce(tx, s.commitment(reserve))
}

func (s Spend) commitment(reserve LedgerTx) LedgerTx {
	return s.tx(EventCommit, 0, reserve.reversal(HeldPoints, func(int64) Entry { return Entry{Account: Revenue} }))
}

// Release gives the points held by the leg back to their lots. A second call changes nothing. After Commit it fails
// with ErrStale.
func Release(tx Tx, s Spend) error {
	reserve, err := s.reserved(tx, EventCommit)
	if err != nil {
		return err
	}
	entries := reserve.reversal(HeldPoints, func(lot int64) Entry { return Entry{Account: Avail, LotID: lot} })
	return postOnce(tx, s.tx(EventRelease, 0, entries))
}

// currentLot returns the lot, or the lot that took its place when its card was merged.
func currentLot(tx Tx, id int64) (Lot, error) {
	for {
		lot, err := tx.Ledger.Lot(id)
		if err != nil || lot.MergedInto == 0 {
			return lot, err
		}
		id = lot.MergedInto
	}
}

// reinstateCard puts a deleted card back on its owner's list, because points return to it.
func reinstateCard(tx Tx, cardID int64, actor string, at time.Time) error {
	deleted, err := tx.Cards.Reinstate(cardID)
	if err != nil || !deleted {
		return err
	}
	return tx.Audit.Record(at, actor, "card.restored", auditSubject(cardID), string(Deleted), string(Active))
}

// Refund returns what the leg spent to the lots it came from, or to those that took their place; generation numbers
// the leg's refunds. Points whose lot has expired meanwhile live for another ReinstatedFor; points of that lot that
// were written off stay written off.
func Refund(tx Tx, s Spend, generation int, remark string) error {
	reserve, err := s.reserved(tx, EventRelease)
	if err != nil {
		return err
	}
	if _, spent, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", EventCommit, s.LegID)); err != nil || !spent {
		return errors.Join(err, fmt.Errorf("leg %d has spent nothing: %w", s.LegID, ErrStale))
	}
	var entries []Entry
	for _, e := range reserve.Entries {
		if e.Account != HeldPoints || e.Points <= 0 {
			continue
		}
		lot, err := currentLot(tx, e.LotID)
		if err != nil {
			return err
		}
		if err := reinstateLot(tx, s, lot.ID); err != nil {
			return err
		}
		if err := reinstateCard(tx, lot.CardID, s.Actor, s.At); err != nil {
			return err
		}
		entries = append(entries, Entry{Revenue, 0, -e.Points}, Entry{Avail, lot.ID, e.Points})
	}
	t := s.tx(EventRefund, generation, entries)
	t.Remark = remark
	return postOnce(tx, t)
}

// reserved returns the reservation of the leg. It fails with ErrStale if the points have ended as unless: a commit
// and a release exclude each other.
func (s Spend) reserved(tx Tx, unless Event) (LedgerTx, error) {
	t, found, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", EventReserve, s.LegID))
	if err != nil {
		return t, err
	}
	if !found {
		return t, fmt.Errorf("leg %d holds no points: %w", s.LegID, ErrUnbalanced)
	}
	_, ended, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", unless, s.LegID))
	if err == nil && ended {
		err = fmt.Errorf("leg %d has its %s: %w", s.LegID, unless, ErrStale)
	}
	return t, err
}

// reinstateLot makes an expired lot spendable for ReinstatedFor, after the points that were still in it are written
// off.
func reinstateLot(tx Tx, s Spend, lotID int64) error {
	lot, err := tx.Ledger.Lot(lotID)
	if err != nil || s.At.Before(lot.ExpiresAt) {
		return err
	}
	if lot.Avail > 0 {
		if err := expireLot(tx, lot, s.At); err != nil {
			return err
		}
	}
	until := s.At.Add(ReinstatedFor)
	if err := tx.Ledger.SetLotExpiry(lotID, until); err != nil {
		return err
	}
	return tx.Audit.Record(s.At, s.Actor, "lot.revived", fmt.Sprintf("lot:%d", lotID),
		lot.ExpiresAt.UTC().Format(time.RFC3339), until.UTC().Format(time.RFC3339))
}

// expireLot writes off the spendable points of an expired lot. A lot can be written off again, even in the same
// second, if points returned to it. The key counts the write-offs of a second; an empty lot is not written off, so
// that none is posted twice.
func expireLot(tx Tx, lot Lot, now time.Time) error {
	for again := 0; ; again++ {
		key := fmt.Sprintf("%s:%d:%d:%d:%d", EventExpire, lot.ID, lot.ExpiresAt.Unix(), now.Unix(), again)
		if _, found, err := tx.Ledger.Find(key); err != nil {
			return err
		} else if found {
			continue
		}
		return Post(tx, LedgerTx{
			Key: key, Event: EventExpire, Actor: "system", At: now,
			Entries: []Entry{{Avail, lot.ID, -lot.Avail}, {ExpiredPoints, 0, lot.Avail}},
		})
	}
}
