package cards

import (
	"context"
	"fmt"
	"time"

	"marquee/server/money"
)

// Package is an offer to recharge: so many points for so much money.
type Package struct {
	ID     int64
	Points money.Points
	Price  money.Fen
}

// UnitPrice is what one point costs, as text.
func (p Package) UnitPrice() string {
	unit := (int64(p.Price)*100 + int64(p.Points)/2) / int64(p.Points)
	return money.Fen(unit).String() + "元/点"
}

// What a buyer may recharge at once, and how long recharged points live.
const (
	LeastRecharge money.Points = 1_00
	MostRecharge  money.Points = 9999_00
	RechargeLife               = 3 * 365 * 24 * time.Hour
)

// Priced checks a wish to recharge against the shop's own price: that of the package, or a yuan a point.
func (s *Service) Priced(ctx context.Context, points money.Points, packageID int64) (money.Fen, error) {
	if packageID == 0 {
		if points < LeastRecharge || points > MostRecharge {
			return 0, ErrRechargePoints
		}
		return points.Fen(), nil
	}
	list, err := s.store.Packages(ctx)
	if err != nil {
		return 0, err
	}
	for _, p := range list {
		if p.ID == packageID && p.Points == points {
			return p.Price, nil
		}
	}
	return 0, ErrPackageNotFound
}

// Packages lists what can be recharged at once.
func (s *Service) Packages(ctx context.Context) ([]Package, error) { return s.store.Packages(ctx) }

// SetPackages replaces the packages.
func (s *Service) SetPackages(ctx context.Context, list []Package, actor string) error {
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

// Credit is points bought with money.
type Credit struct {
	Key     string // makes it happen once
	OrderNo string
	CardID  int64
	Points  money.Points
	Paid    money.Fen // what the messaging app took; the difference is the shop's gift
	Actor   string
	At      time.Time
}

// Recharge credits points that were paid for in the messaging app, as a lot of its own. A card that was merged or
// deleted since is followed or restored: what was paid for is never lost.
func Recharge(tx Tx, c Credit) error {
	t := LedgerTx{Key: "recharge:" + c.Key, Event: EventRecharge, OrderNo: c.OrderNo, Actor: c.Actor, At: c.At}
	if _, found, err := tx.Ledger.Find(t.Key); err != nil || found {
		return err
	}
	cardID, err := tx.Cards.MergeTarget(c.CardID)
	if err != nil {
		return err
	}
	if err := restore(tx, cardID, c.Actor, c.At); err != nil {
		return err
	}
	lot, err := tx.Ledger.InsertLot(Lot{CardID: cardID, ExpiresAt: c.At.Add(RechargeLife), Origin: string(EventRecharge)})
	if err != nil {
		return err
	}
	t.Entries = []Entry{{WxClearing, 0, -c.Paid.Points()}, {Avail, lot, c.Points}}
	if gift := c.Points - c.Paid.Points(); gift != 0 {
		t.Entries = append(t.Entries, Entry{Issued, 0, -gift})
	}
	return Post(tx, t)
}
