package cards

import (
	"errors"
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/durations"
	"marquee/server/money"
)

// originReturned is the Origin of a lot that was made for returned points, because their old lot would have expired too
// soon. See README.md, "Held points do not expire".
const originReturned = "returned"

// Spend identifies the payment leg for which points are reserved, spent or returned.
type Spend struct {
	LegID   int64
	OrderNo string    // of the order that the leg pays
	CardID  int64     // the card that the leg is paid with
	Actor   string    // as in LedgerTx
	At      time.Time // business time
}

func (s Spend) tx(event Event, part int, entries []Entry) LedgerTx {
	return LedgerTx{
		Key: fmt.Sprintf("%s:%d:%d", event, s.LegID, part), Event: event, OrderNo: s.OrderNo,
		Actor: s.Actor, At: s.At, Entries: entries,
	}
}

// Reserve holds points of the leg's card for the payment, earliest-expiring lots first. It fails with
// ErrPointsInsufficient.
func Reserve(tx Tx, s Spend, points money.Points) error {
	entries, err := take(tx, s.CardID, points, s.At, func(lotID int64, taken money.Points) Entry {
		return Entry{HeldPoints, lotID, taken}
	})
	if err != nil {
		return err
	}
	return Post(tx, s.tx(EventReserve, 0, entries))
}

// Pay books points of the leg's card as revenue, earliest-expiring lots first, for a payment that needs nothing else.
// It fails with ErrPointsInsufficient.
func Pay(tx Tx, s Spend, points money.Points) error {
	entries, err := take(tx, s.CardID, points, s.At, func(_ int64, taken money.Points) Entry {
		return Entry{Account: Revenue, Points: taken}
	})
	if err != nil {
		return err
	}
	return Post(tx, s.tx(EventCommit, 0, entries))
}

// take returns the entries that take points from the lots of a card that can be spent at the time at, earliest-expiring
// first. to returns the entry for what was taken from a lot. take fails with ErrPointsInsufficient.
func take(
	tx Tx, cardID int64, points money.Points, at time.Time, to func(lotID int64, taken money.Points) Entry,
) ([]Entry, error) {
	lots, err := tx.Ledger.Lots([]int64{cardID})
	if err != nil {
		return nil, err
	}
	byExpiry(lots)
	var entries []Entry
	left := points
	for _, lot := range lots {
		if left == 0 {
			break
		}
		if !lot.Spendable(at) {
			continue
		}
		taken := min(left, lot.Avail)
		left -= taken
		entries = append(entries, Entry{Avail, lot.ID, -taken}, to(lot.ID, taken))
	}
	if left > 0 || points <= 0 {
		return nil, ErrPointsInsufficient
	}
	return entries, nil
}

// Commit books the points held by the leg as revenue. A second call changes nothing. After Release it fails with
// ErrStale: the leg holds no points any more, and the points that its lots still hold belong to other legs.
func Commit(tx Tx, s Spend) error {
	reserve, err := s.reservation(tx, EventRelease)
	if err != nil {
		return err
	}
	spent := reserve.reversal(HeldPoints, func(int64) Entry { return Entry{Account: Revenue} })
	return postOnce(tx, s.tx(EventCommit, 0, spent))
}

// Release returns the points held by the leg to their lots. If a lot has expired or expires too soon (releasedUntil),
// its points get a new lot. A second call changes nothing. After Commit it fails with ErrStale.
func Release(tx Tx, s Spend) error {
	reserve, err := s.reservation(tx, EventCommit)
	if err != nil {
		return err
	}
	return s.postReturn(tx, s.tx(EventRelease, 0, nil), reserve, func(lot Lot) time.Time {
		return s.releasedUntil(lot, reserve.At)
	})
}

// releasedUntil returns until when points of the lot that were held since heldAt must stay valid after their release.
// If the lot has expired, they are valid for durations.ReturnedPoints, but only once. Otherwise they are valid for the
// time that was left when they were held, at most durations.ReleasedPoints, so that each hold extends their life by no
// more than its duration.
func (s Spend) releasedUntil(lot Lot, heldAt time.Time) time.Time {
	if !s.At.Before(lot.ExpiresAt) && lot.Origin != originReturned {
		return s.At.Add(durations.ReturnedPoints)
	}
	return s.At.Add(min(lot.ExpiresAt.Sub(heldAt), durations.ReleasedPoints))
}

// postReturn completes and posts t. It returns the points that the transaction taken took from lots: to these lots, or
// to those that replaced them in a merge. until(lot) is the time until which the returned points of the lot must stay
// valid. If the lot expires earlier, they get a new lot on the same card, which expires at that time. A deleted card is
// put back on its owner's list. postReturn does nothing if t was posted before.
func (s Spend) postReturn(tx Tx, t, taken LedgerTx, until func(Lot) time.Time) error {
	if _, posted, err := tx.Ledger.Find(t.Key); err != nil || posted {
		return err
	}
	for _, e := range taken.Entries {
		if e.LotID == 0 || e.Points >= 0 {
			continue
		}
		from := Entry{Account: HeldPoints, LotID: e.LotID, Points: e.Points}
		if t.Event == EventRefund {
			from = Entry{Account: Revenue, Points: e.Points}
		}
		lot, err := currentLot(tx, e.LotID)
		if err != nil {
			return err
		}
		if err := reinstateCard(tx, lot.CardID, s.Actor, s.At); err != nil {
			return err
		}
		if end := until(lot); lot.ExpiresAt.Before(end) {
			if lot, err = s.returnedLot(tx, lot, end); err != nil {
				return err
			}
		}
		t.Entries = append(t.Entries, from, Entry{Account: Avail, LotID: lot.ID, Points: -e.Points})
	}
	return Post(tx, t)
}

// returnedLot adds, to the card of the given lot, a lot for returned points that expires at the time until.
func (s Spend) returnedLot(tx Tx, lot Lot, until time.Time) (Lot, error) {
	was := lot
	lot.ExpiresAt, lot.Origin = until, originReturned
	var err error
	if lot.ID, err = tx.Ledger.InsertLot(Lot{CardID: lot.CardID, ExpiresAt: until,
		Origin: originReturned}); err != nil {
		return lot, err
	}
	return lot, tx.Audit.Record(s.At, s.Actor, "lot.returned", fmt.Sprintf("lot:%d", lot.ID),
		fmt.Sprintf("lot:%d until %s", was.ID, was.ExpiresAt.UTC().Format(time.RFC3339)),
		until.UTC().Format(time.RFC3339))
}

// currentLot returns the lot, or the lot that replaced it when its card was merged.
func currentLot(tx Tx, id int64) (Lot, error) {
	for {
		lot, err := tx.Ledger.Lot(id)
		if err != nil || lot.MergedInto == 0 {
			return lot, err
		}
		id = lot.MergedInto
	}
}

// reinstateCard puts a deleted card back on its owner's list, because it gets points. A frozen card stays frozen.
func reinstateCard(tx Tx, cardID int64, actor string, at time.Time) error {
	deleted, err := tx.Cards.Reinstate(cardID)
	if err != nil || !deleted {
		return err
	}
	return tx.Audit.Record(at, actor, "card.restored", audit.Card(cardID), "deleted", "")
}

// Refund returns the points that the leg spent to their lots, or to the lots that replaced these in a merge. The points
// are valid for at least durations.ReturnedPoints, in a new lot if their lot expires before. Other points of the lot
// that have expired are not restored. generation counts the refunds of a leg from 1. Refund fails with ErrStale if the
// leg has not spent its points.
func Refund(tx Tx, s Spend, generation int, remark string) error {
	spent, found, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", EventCommit, s.LegID))
	if err != nil || !found {
		return errors.Join(err, fmt.Errorf("leg %d has spent nothing: %w", s.LegID, ErrStale))
	}
	t := s.tx(EventRefund, generation, nil)
	t.Remark = remark
	return s.postReturn(tx, t, spent, func(Lot) time.Time { return s.At.Add(durations.ReturnedPoints) })
}

// reservation returns the ledger transaction with which the leg reserved its points. It fails with ErrStale if the leg
// also has a transaction of the event opposite: points that were committed cannot be released, and the reverse.
func (s Spend) reservation(tx Tx, opposite Event) (LedgerTx, error) {
	_, ended, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", opposite, s.LegID))
	if err != nil {
		return LedgerTx{}, err
	}
	if ended {
		return LedgerTx{}, fmt.Errorf("leg %d already has a %s: %w", s.LegID, opposite, ErrStale)
	}
	t, found, err := tx.Ledger.Find(fmt.Sprintf("%s:%d:0", EventReserve, s.LegID))
	if err == nil && !found {
		err = fmt.Errorf("leg %d holds no points: %w", s.LegID, ErrUnbalanced)
	}
	return t, err
}

// expireLot removes the spendable points of an expired lot, which must not be empty, and books them as expired. If
// points return to the lot, they can expire again, even in the same second: the ledger key therefore also counts the
// calls within a second.
func expireLot(tx Tx, lot Lot, now time.Time) error {
	for again := 0; ; again++ {
		key := fmt.Sprintf("%s:%d:%d:%d:%d", EventExpire, lot.ID, lot.ExpiresAt.Unix(), now.Unix(), again)
		if _, found, err := tx.Ledger.Find(key); err != nil {
			return err
		} else if found {
			continue
		}
		return Post(tx, LedgerTx{
			Key: key, Event: EventExpire, Actor: audit.System, At: now,
			Entries: []Entry{{Avail, lot.ID, -lot.Avail}, {ExpiredPoints, 0, lot.Avail}},
		})
	}
}
