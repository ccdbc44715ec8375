package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/payment"
)

// BoughtPoints is what a recharge order bought.
type BoughtPoints struct {
	CardID     int64
	CardNumber string
	Points     money.Points
}

// RechargePricer knows what points cost.
type RechargePricer interface {
	Priced(ctx context.Context, points money.Points, packageID int64) (money.Fen, error)
}

// RechargeCard is a buyer's wish to put points on a card of theirs.
type RechargeCard struct {
	CardID    int64
	Points    money.Points
	PackageID int64      // 0: points of the buyer's own choice
	Claimed   *money.Fen // what the app showed; compared, never used
	OpenID    string
	Key       string // the same key again stands for the same order
}

// RechargeCard makes the order, announces it to the messaging app and returns what its bridge needs, with the
// order's number. The points are credited in the transaction that records the money. Faults: cards.ErrCardNotFound,
// those of RechargePricer, ErrAmountMismatch, those of PayWithApp.
func (s *Service) RechargeCard(ctx context.Context, userID int64, r RechargeCard) (payment.BridgeParams, string, error) {
	if s.Recharges == nil {
		return payment.BridgeParams{}, "", cards.ErrPackageNotFound
	}
	body := digest("recharge", r.CardID, r.Points, r.PackageID)
	price, err := s.rechargePrice(ctx, userID, r, body)
	if err != nil {
		return payment.BridgeParams{}, "", err
	}
	if r.Claimed != nil && *r.Claimed != price {
		return payment.BridgeParams{}, "", ErrAmountMismatch
	}
	w := PayWithApp{OpenID: r.OpenID}
	return s.buyWithApp(ctx, userID, Recharge, r.Key, body, w, func(tx Tx) (Order, error) {
		now := s.Now()
		card, err := tx.Cards.Cards.Get(r.CardID, now)
		if err == nil && (card.UserID != userID || card.Status == cards.Deleted) {
			err = cards.ErrCardNotFound
		}
		if errors.Is(err, cards.ErrCardNotFound) { // another buyer's card answers as one that is not there
			return Order{}, cards.ErrCardNotFound.WithMessage("卡不存在")
		}
		if err != nil {
			return Order{}, err
		}
		if card.Status != cards.Active {
			return Order{}, cards.ErrCardUnusable
		}
		no, err := newOrderNo(now)
		if err != nil {
			return Order{}, err
		}
		o := pendingOrder(no, Recharge, userID, price, now)
		o.Snapshot = Snapshot{Points: &BoughtPoints{CardID: card.ID, CardNumber: card.Number, Points: r.Points}}
		return o, s.insertPending(tx, &o, r.Key, body)
	})
}

// rechargePrice is what the order of the key was made for, however packages have changed since; without one, today's price.
func (s *Service) rechargePrice(ctx context.Context, userID int64, r RechargeCard, body string) (money.Fen, error) {
	if o, found, err := s.boughtBefore(ctx, userID, Recharge, r.Key, body); found || err != nil {
		return o.Total, err
	}
	return s.Recharges.Priced(ctx, r.Points, r.PackageID)
}

// credit delivers a recharge in the transaction that records its payment.
func credit(tx Tx, o *Order, now time.Time) error {
	b := o.Snapshot.Points
	return cards.Recharge(tx.Cards, cards.Credit{
		Key: o.No, OrderNo: o.No, CardID: b.CardID, Points: b.Points, Paid: o.Total, Actor: actor(o.UserID), At: now,
	})
}
