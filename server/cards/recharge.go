package cards

import (
	"context"
	"fmt"
	"time"

	"marquee/server/durations"
	"marquee/server/money"
)

// Package is an offer to recharge a card: a number of points for a price.
type Package struct {
	ID     int64
	Points money.Points // credited
	Price  money.Fen    // of the package, not of a point
}

// UnitPrice returns the price of one point, as the page shows it.
func (p Package) UnitPrice() string {
	unit := (int64(p.Price)*100 + int64(p.Points)/2) / int64(p.Points)
	return money.Fen(unit).String() + "元/点"
}

// Limits of a recharge.
const (
	minRecharge money.Points = 1_00
	maxRecharge money.Points = 9999_00
)

// PriceQuery is a request for the price of points.
type PriceQuery struct {
	Points    money.Points // wanted
	PackageID int64        // 0 if the buyer has not chosen a package
	Shown     *money.Fen   // the price that the buyer saw; nil if it was not sent
}

// Priced returns the price of points: that of the package, or ¥1 a point without one. The recharge call of the
// specification has no package id: if Points and Shown match a package, its price applies. Priced fails with
// ErrRechargePoints or ErrPackageNotFound.
func (s *Service) Priced(ctx context.Context, q PriceQuery) (money.Fen, error) {
	custom := q.PackageID == 0
	if custom && (q.Shown == nil || *q.Shown == q.Points.Fen()) {
		return customPrice(q.Points)
	}
	list, err := s.store.Packages(ctx)
	if err != nil {
		return 0, err
	}
	for _, p := range list {
		if p.Points == q.Points && (p.ID == q.PackageID || custom && p.Price == *q.Shown) {
			return p.Price, nil
		}
	}
	if custom {
		return customPrice(q.Points)
	}
	return 0, ErrPackageNotFound
}

// customPrice returns the price of a number of points that the buyer chose.
func customPrice(points money.Points) (money.Fen, error) {
	if points < minRecharge || points > maxRecharge {
		return 0, ErrRechargePoints
	}
	return points.Fen(), nil
}

// Packages lists the recharge packages in the order in which they are shown.
func (s *Service) Packages(ctx context.Context) ([]Package, error) { return s.store.Packages(ctx) }

// SetPackages replaces the recharge packages.
func (s *Issuer) SetPackages(ctx context.Context, list []Package, actor string) error {
	for i, p := range list {
		if p.Points <= 0 || p.Price <= 0 {
			return fmt.Errorf("package %d of %d: %w", i+1, len(list), ErrCardInvalid)
		}
	}
	return s.store.Update(ctx, func(tx Tx) error {
		if err := tx.Packages.Replace(list); err != nil {
			return err
		}
		return tx.Audit.Record(s.now(), actor, "packages.set", "packages", "", fmt.Sprintf("%d packages", len(list)))
	})
}

// Credit describes points that were bought with money.
type Credit struct {
	Key     string       // idempotency key
	OrderNo string       // of the recharge order
	CardID  int64        // the card of the order, which may have been merged since
	Points  money.Points // all points to credit, including bonus points
	Paid    money.Fen    // captured in the messaging app; points that are worth more than this are a bonus
	Actor   string       // as in LedgerTx
	At      time.Time    // business time
}

// Recharge credits points that were paid for in the messaging app, in a new lot. If the card was merged, the points go
// to the card that it was merged into, and a deleted card is put back on its owner's list: paid points are never lost.
// A second call with the same key changes nothing.
func Recharge(tx Tx, c Credit) error {
	t := LedgerTx{Key: "recharge:" + c.Key, Event: EventRecharge, OrderNo: c.OrderNo, Actor: c.Actor, At: c.At}
	if _, found, err := tx.Ledger.Find(t.Key); err != nil || found {
		return err
	}
	cardID, err := tx.Cards.MergeTarget(c.CardID)
	if err != nil {
		return err
	}
	if err := reinstateCard(tx, cardID, c.Actor, c.At); err != nil {
		return err
	}
	lot, err := tx.Ledger.InsertLot(Lot{CardID: cardID, ExpiresAt: c.At.Add(durations.RechargedPoints),
		Origin: string(EventRecharge)})
	if err != nil {
		return err
	}
	t.Entries = []Entry{{WxClearing, 0, -c.Paid.Points()}, {Avail, lot, c.Points}}
	if gift := c.Points - c.Paid.Points(); gift != 0 {
		t.Entries = append(t.Entries, Entry{Issued, 0, -gift})
	}
	return Post(tx, t)
}
