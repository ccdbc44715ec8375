package cards

import (
	"errors"
	"fmt"
	"time"

	"marquee/server/money"
)

// ReviveFor is how long points refunded to an expired lot stay spendable.
const ReviveFor = 30 * 24 * time.Hour

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

// Reserve holds points of the leg's card, earliest-expiring lots first.
func Reserve(l Ledger, s Spend, points money.Points) error {
	t, err := s.reservation(l, points)
	if err != nil {
		return err
	}
	return Post(l, t)
}

// ReserveAndCommit spends at once what no other leg has to wait for: the same two movements as Reserve and Commit.
func ReserveAndCommit(l Ledger, s Spend, points money.Points) error {
	reserve, err := s.reservation(l, points)
	if err != nil {
		return err
	}
	return Post(l, reserve, s.commitment(reserve))
}

func (s Spend) reservation(l Ledger, points money.Points) (LedgerTx, error) {
	lots, err := l.Lots([]int64{s.CardID})
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

// Commit turns the points held by the leg into revenue. Again, it changes nothing; after Release it fails with
// ErrStale, since what the lots hold by then belongs to other legs.
func Commit(l Ledger, s Spend) error {
	reserve, err := s.reserved(l, EventRelease)
	if err != nil {
		return err
	}
	return once(l, s.commitment(reserve))
}

func (s Spend) commitment(reserve LedgerTx) LedgerTx {
	return s.tx(EventCommit, 0, reserve.turn(HeldPoints, func(int64) Entry { return Entry{Account: Revenue} }))
}

// Release gives the points held by the leg back to their lots. Again, it changes nothing; after Commit it fails
// with ErrStale.
func Release(l Ledger, s Spend) error {
	reserve, err := s.reserved(l, EventCommit)
	if err != nil {
		return err
	}
	entries := reserve.turn(HeldPoints, func(lot int64) Entry { return Entry{Account: Avail, LotID: lot} })
	return once(l, s.tx(EventRelease, 0, entries))
}

// successor is the lot itself, or the one that took its place when its card was merged.
func successor(l Ledger, id int64) (Lot, error) {
	for {
		lot, err := l.Lot(id)
		if err != nil || lot.MergedInto == 0 {
			return lot, err
		}
		id = lot.MergedInto
	}
}

// restore puts a card that its owner deleted while it was empty back on the list, now that it gets points again.
func restore(l Ledger, cardID int64, actor string, at time.Time) error {
	deleted, err := l.Restore(cardID)
	if err != nil || !deleted {
		return err
	}
	return l.Audit(at, actor, "card.restored", subjectOf(cardID), string(Deleted), string(Active))
}

// Refund returns what the leg spent to the lots it came from, or to those that took their place; generation numbers the leg's refunds. Points
// whose lot has expired meanwhile live for another ReviveFor; what had lapsed in that lot stays lapsed.
func Refund(l Ledger, s Spend, generation int, remark string) error {
	reserve, err := s.reserved(l, EventRelease)
	if err != nil {
		return err
	}
	if _, spent, err := l.LedgerTx(fmt.Sprintf("%s:%d:0", EventCommit, s.LegID)); err != nil || !spent {
		return errors.Join(err, fmt.Errorf("leg %d has spent nothing: %w", s.LegID, ErrStale))
	}
	var entries []Entry
	for _, e := range reserve.Entries {
		if e.Account != HeldPoints || e.Points <= 0 {
			continue
		}
		lot, err := successor(l, e.LotID)
		if err != nil {
			return err
		}
		if err := revive(l, s, lot.ID); err != nil {
			return err
		}
		if err := restore(l, lot.CardID, s.Actor, s.At); err != nil {
			return err
		}
		entries = append(entries, Entry{Revenue, 0, -e.Points}, Entry{Avail, lot.ID, e.Points})
	}
	t := s.tx(EventRefund, generation, entries)
	t.Remark = remark
	return once(l, t)
}

// reserved finds what the leg reserved, unless the other end has been made of it.
func (s Spend) reserved(l Ledger, unless Event) (LedgerTx, error) {
	t, found, err := l.LedgerTx(fmt.Sprintf("%s:%d:0", EventReserve, s.LegID))
	if err != nil {
		return t, err
	}
	if !found {
		return t, fmt.Errorf("leg %d holds no points: %w", s.LegID, ErrUnbalanced)
	}
	_, ended, err := l.LedgerTx(fmt.Sprintf("%s:%d:0", unless, s.LegID))
	if err == nil && ended {
		err = fmt.Errorf("leg %d has its %s: %w", s.LegID, unless, ErrStale)
	}
	return t, err
}

// revive extends a lot that has expired, after writing off what was still in it.
func revive(l Ledger, s Spend, lotID int64) error {
	lot, err := l.Lot(lotID)
	if err != nil || s.At.Before(lot.ExpiresAt) {
		return err
	}
	if lot.Avail > 0 {
		if err := lapse(l, lot, s.At); err != nil {
			return err
		}
	}
	until := s.At.Add(ReviveFor)
	if err := l.SetLotExpiry(lotID, until); err != nil {
		return err
	}
	return l.Audit(s.At, s.Actor, "lot.revived", fmt.Sprintf("lot:%d", lotID),
		lot.ExpiresAt.UTC().Format(time.RFC3339), until.UTC().Format(time.RFC3339))
}

// lapse writes off the spendable points of an expired lot. A lot can lapse again, even in the same second, when
// points come back to it after it lapsed; what keeps it from happening twice is that there is something to write off.
func lapse(l Ledger, lot Lot, now time.Time) error {
	for again := 0; ; again++ {
		key := fmt.Sprintf("%s:%d:%d:%d:%d", EventExpire, lot.ID, lot.ExpiresAt.Unix(), now.Unix(), again)
		if _, found, err := l.LedgerTx(key); err != nil {
			return err
		} else if found {
			continue
		}
		return Post(l, LedgerTx{
			Key: key, Event: EventExpire, Actor: "system", At: now,
			Entries: []Entry{{Avail, lot.ID, -lot.Avail}, {Lapsed, 0, lot.Avail}},
		})
	}
}
