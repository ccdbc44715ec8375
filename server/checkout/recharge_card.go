package checkout

import (
	"context"
	"errors"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/order"
)

// RechargeCard is a request to buy points for a card of the buyer.
type RechargeCard struct {
	CardID int64        // a card of the buyer
	Points money.Points // to be credited
	// PackageID is the chosen recharge package. 0 means a number of points that the buyer chose, or a package that
	// Points and Claimed identify.
	PackageID int64
	Claimed   *money.Fen // the price that the page showed, rejected if wrong; nil: not sent
	OpenID    string     // of the payer; must be an identity of the buyer
	// H5ClientIP replaces OpenID outside the messaging app, as in PayWithApp.
	H5ClientIP string
	Key        string // idempotency key: repeating a call with the same key returns the same order
}

// RechargeCard writes the order and announces its trade to the messaging app. The points are credited in the
// transaction that captures the money. It fails with cards.ErrCardNotFound, order.ErrAmountMismatch, and the faults of
// RechargePricer and PayWithApp.
func (s *Purchases) RechargeCard(ctx context.Context, userID int64, r RechargeCard) (Announced, error) {
	p := purchase{
		userID: userID, kind: order.Recharge, key: r.Key,
		fingerprint: order.Fingerprint("recharge", r.CardID, r.Points, r.PackageID),
	}
	price, err := s.rechargePrice(ctx, p, r)
	if err != nil {
		return Announced{}, err
	}
	if r.Claimed != nil && *r.Claimed != price {
		return Announced{}, order.ErrAmountMismatch
	}
	p.quote = func(context.Context) (order.Quote, error) { return split(price, nil), nil } // cards cannot pay for points
	p.insert = func(tx order.Tx) (order.Order, error) {
		now := s.now()
		card, err := tx.Cards.Cards.Get(r.CardID, now)
		if err == nil && (card.UserID != userID || card.Deleted) {
			err = cards.ErrCardNotFound
		}
		if errors.Is(err, cards.ErrCardNotFound) { // the same error as for another buyer's card
			return order.Order{}, cards.ErrCardNotFound.WithMessage("未找到这张卡")
		}
		if err != nil {
			return order.Order{}, err
		}
		if card.Status != cards.Active {
			return order.Order{}, cards.ErrCardUnusable
		}
		snapshot := order.Snapshot{
			Points: &order.BoughtPoints{CardID: card.ID, CardNumber: card.Number, Points: r.Points},
		}
		o, err := order.NewPending(order.Recharge, userID, price, snapshot, now)
		if err != nil {
			return order.Order{}, err
		}
		return o, s.insertPending(tx, &o, p.key, p.fingerprint)
	}
	return s.buyWithApp(ctx, p, PayWithApp{OpenID: r.OpenID, H5ClientIP: r.H5ClientIP})
}

// rechargePrice returns the price of the order that was made with the key, even if the packages have changed since, or
// the current price for a new key.
func (s *Purchases) rechargePrice(ctx context.Context, p purchase, r RechargeCard) (money.Fen, error) {
	if o, found, err := s.boughtBefore(ctx, p); found || err != nil {
		return o.Total, err
	}
	return s.recharges.Priced(ctx, cards.PriceQuery{Points: r.Points, PackageID: r.PackageID, Shown: r.Claimed})
}
