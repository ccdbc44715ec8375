package checkout

import (
	"context"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
)

// ErrQuantity means that the request is not for exactly one piece.
var ErrQuantity = fault.New(fault.Invalid, "quantity_invalid", "每次限购一件")

// BuyGoods is a request to buy one piece of a specification (SKU) of goods.
type BuyGoods struct {
	SKUID      int64      // of the specification
	Pieces     int        // must be 1
	Account    string     // required for a recharge
	CardIDs    []int64    // cards, in any order: the first to expire pays first; the messaging app pays the rest
	Password   string     // required with cards
	OpenID     string     // for the messaging app
	H5ClientIP string     // IP address of a browser outside the messaging app, as in PayWithApp
	ClaimedApp *money.Fen // the messaging app's part that the page showed, rejected if wrong; nil: not sent
	Key        string     // idempotency key: repeating a call with the same key returns the same order
	// LimitedAccess is recorded in order.Snapshot.
	LimitedAccess bool
}

func (s *Purchases) goodsPurchase(userID int64, b BuyGoods) purchase {
	fingerprint := order.Fingerprint("goods", b.SKUID, b.Pieces, b.Account)
	return purchase{
		userID: userID, kind: order.Goods, key: b.Key, fingerprint: fingerprint,
		quote:  func(ctx context.Context) (order.Quote, error) { return s.quoteGoods(ctx, userID, b, true) },
		insert: func(tx order.Tx) (order.Order, error) { return s.insertGoods(tx, userID, b, fingerprint) },
	}
}

// QuoteGoods returns how the price would split between the cards and the messaging app. It is not binding.
func (s *Purchases) QuoteGoods(ctx context.Context, userID int64, b BuyGoods) (order.Quote, error) {
	return s.quoteGoods(ctx, userID, b, false)
}

// quoteGoods is QuoteGoods. If final is true, it also checks the account to be recharged.
func (s *Purchases) quoteGoods(ctx context.Context, userID int64, b BuyGoods, final bool) (order.Quote, error) {
	offer, err := s.store.Offer(ctx, b.SKUID)
	if err != nil {
		return order.Quote{}, err
	}
	switch {
	case !offer.Buyable():
		return order.Quote{}, goods.ErrGoodsNotFound
	case b.Pieces != 1:
		return order.Quote{}, ErrQuantity
	case offer.SKU.Stock < b.Pieces:
		return order.Quote{}, goods.ErrSoldOut
	}
	if final {
		if _, err := offer.Goods.ReadAccount(b.Account); err != nil {
			return order.Quote{}, err
		}
	}
	snapshot := order.Snapshot{Goods: &order.BoughtGoods{Scope: offer.Goods.Scope}}
	o := order.Order{Kind: order.Goods, UserID: userID, Total: offer.SKU.Price, Snapshot: snapshot}
	return s.quote(ctx, o, b.CardIDs)
}

// GoodsScope returns which cards pay for a specification. It fails with goods.ErrGoodsNotFound.
func (s *Purchases) GoodsScope(ctx context.Context, skuID int64) (cards.Scope, error) {
	offer, err := s.store.Offer(ctx, skuID)
	return cards.Scope(offer.Goods.Scope), err
}

// BuyGoodsWithCards buys with points only: the order, the points and the delivery of codes are one transaction. It
// fails with the faults of package goods, ErrQuantity, ErrTooManyUnpaid, order.ErrUnpaidLimited, and those of
// PayWithCards.
func (s *Purchases) BuyGoodsWithCards(ctx context.Context, userID int64, b BuyGoods) (order.Order, error) {
	if len(b.CardIDs) == 0 {
		return order.Order{}, ErrMethodRequired
	}
	p := s.goodsPurchase(userID, b)
	if o, found, err := s.boughtBefore(ctx, p); found || err != nil {
		return s.payBoughtBefore(ctx, o, b, err)
	}
	o, rejection := s.insertPaid(ctx, p, b)
	if rejection != nil { // perhaps a concurrent call with the same key has made the order
		if o, found, err := s.boughtBefore(ctx, p); found || err != nil {
			return s.payBoughtBefore(ctx, o, b, err)
		}
		return order.Order{}, rejection
	}
	s.runner.Wake()
	return o, nil
}

// insertPaid checks a purchase and writes the order together with its payment.
func (s *Purchases) insertPaid(ctx context.Context, p purchase, b BuyGoods) (o order.Order, err error) {
	q, err := p.quote(ctx)
	if err != nil {
		return o, err
	}
	if err := s.payer.checkCards(ctx, p.userID, q, b.Password); err != nil {
		return o, err
	}
	// Continue even if the buyer closes the page, so that no purchase is left half done.
	err = s.store.Update(context.WithoutCancel(ctx), func(tx order.Tx) (err error) {
		if o, err = p.insert(tx); err != nil {
			return err
		}
		o, err = s.payer.payByCards(tx, p.userID, o.No, b.CardIDs)
		return err
	})
	return o, err
}

// payBoughtBefore answers a repeated call: it pays the order that the first call made if that is still PENDING, and
// returns it as it is if it was paid. It fails if the order has ended unpaid. o and err are what boughtBefore returned.
func (s *Purchases) payBoughtBefore(ctx context.Context, o order.Order, b BuyGoods, err error) (order.Order, error) {
	switch {
	case err != nil:
		return o, err
	case o.State == order.Cancelled || o.State == order.Expired:
		return order.Order{}, o.State.NotPendingError()
	case o.State != order.Pending:
		return o, nil
	}
	return s.payer.PayWithCards(ctx, o.UserID, o.No, b.CardIDs, b.Password)
}

// BuyGoodsWithApp writes the order, holds stock and points, and announces to the messaging app a trade for the part
// that points do not cover. It fails with the faults of BuyGoodsWithCards and PayWithApp.
func (s *Purchases) BuyGoodsWithApp(ctx context.Context, userID int64, b BuyGoods) (Announced, error) {
	req := PayWithApp{
		CardIDs: b.CardIDs, Password: b.Password, OpenID: b.OpenID, H5ClientIP: b.H5ClientIP, ClaimedApp: b.ClaimedApp,
	}
	return s.buyWithApp(ctx, s.goodsPurchase(userID, b), req)
}

// insertGoods writes a PENDING order for one piece and holds its stock.
func (s *Purchases) insertGoods(tx order.Tx, userID int64, b BuyGoods, fingerprint string) (order.Order, error) {
	now := s.now()
	offer, err := tx.Stock.Offer(b.SKUID)
	if err != nil {
		return order.Order{}, err
	}
	if !offer.Buyable() {
		return order.Order{}, goods.ErrGoodsNotFound
	}
	if b.Pieces != 1 {
		return order.Order{}, ErrQuantity
	}
	account, err := offer.Goods.ReadAccount(b.Account)
	if err != nil {
		return order.Order{}, err
	}
	image := offer.SKU.ImageURL
	if image == "" {
		image = offer.Goods.ImageURL
	}
	snapshot := order.Snapshot{Mobile: account, LimitedAccess: b.LimitedAccess, Goods: &order.BoughtGoods{
		GoodsID: offer.Goods.ID, SKUID: offer.SKU.ID, SKUCode: offer.SKU.Code, Type: offer.Goods.Type,
		Scope: offer.Goods.Scope, Title: offer.Goods.Title, Spec: offer.SKU.Name, ImageURL: image,
		Pieces: b.Pieces, Account: account, EndsAt: offer.SKU.EndsAt(now),
	}}
	o, err := order.NewPending(order.Goods, userID, offer.SKU.Price, snapshot, now)
	if err != nil {
		return o, err
	}
	if err := s.insertPending(tx, &o, b.Key, fingerprint); err != nil {
		return o, err
	}
	return o, tx.Stock.Hold(o.No, offer, b.Pieces, now)
}
