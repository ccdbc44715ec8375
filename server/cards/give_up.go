package cards

import (
	"fmt"
	"time"

	"marquee/server/audit"
	"marquee/server/money"
)

// GiveUp removes all points from the cards of a buyer who closes the account, deletes the cards, and returns the number
// of removed points. The points are booked to the ledger account ExpiredPoints. by is the buyer or the operator, for
// ledger and audit. It fails with ErrCardBusy while a payment holds points. The buyer must have confirmed that the
// points are lost.
func GiveUp(tx Tx, cardIDs []int64, by string, now time.Time) (given money.Points, err error) {
	for _, id := range cardIDs {
		lots, err := tx.Ledger.Lots([]int64{id})
		if err != nil {
			return 0, err
		}
		for _, lot := range lots {
			if lot.Held != 0 {
				return 0, ErrCardBusy
			}
			if lot.Avail == 0 {
				continue
			}
			given += lot.Avail
			if err := Post(tx, LedgerTx{
				Key: fmt.Sprintf("%s:%d", EventForfeit, lot.ID), Event: EventForfeit, Actor: by, At: now,
				Entries: []Entry{{Avail, lot.ID, -lot.Avail}, {ExpiredPoints, 0, lot.Avail}},
			}); err != nil {
				return 0, err
			}
		}
		card, err := tx.Cards.Get(id, now)
		if err != nil {
			return 0, err
		}
		card.Deleted = true
		if err := tx.Cards.Save(card); err != nil {
			return 0, err
		}
		if err := tx.Audit.Record(now, by, "card.given_up", audit.Card(id), string(card.Status),
			"deleted"); err != nil {
			return 0, err
		}
	}
	return given, nil
}
