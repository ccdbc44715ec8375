package orders

import (
	"context"
	"errors"
	"time"

	"marquee/server/cards"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/payment"
)

// What buying goods can fail with besides.
var (
	ErrAccountRequired = fault.New(fault.Invalid, "recharge_account_required", "请输入充值账号")
	ErrQuantity        = fault.New(fault.Invalid, "quantity_invalid", "每次限购一件")
	ErrTooManyUnpaid   = fault.New(fault.Limited, "too_many_unpaid", "未支付订单过多，请先支付或取消")
)

// BoughtGoods is what a goods order bought, as it was then.
type BoughtGoods struct {
	GoodsID, SKUID int64
	SKUCode        string
	Type           goods.Type
	Scope          goods.Scope
	Title          string
	Spec           string
	ImageURL       string
	Pieces         int
	Account        string // to be recharged
	EndsAt         time.Time
}

// BuyGoods is a buyer's wish for one piece of a specification.
type BuyGoods struct {
	SKUID      int64
	Pieces     int
	Account    string // required for a recharge
	CardIDs    []int64
	Password   string     // required with cards
	OpenID     string     // for the messaging app
	ClaimedApp *money.Fen // what the app showed as its part; compared, never used
	Key        string     // the same key again stands for the same order
}

func (b BuyGoods) body() string { return digest("goods", b.SKUID, b.Pieces, b.Account) }

// mostUnpaid bounds the stock that one buyer can keep from others without paying.
const mostUnpaid = 10

// goodsOrder is the order for a wish, PENDING from the start: there is nobody to ask for a lock.
func goodsOrder(userID int64, o goods.Offer, b BuyGoods, now time.Time) (Order, error) {
	if !o.Buyable() {
		return Order{}, goods.ErrGoodsNotFound
	}
	if b.Pieces != 1 {
		return Order{}, ErrQuantity
	}
	account, err := accountOf(o, b.Account)
	if err != nil {
		return Order{}, err
	}
	no, err := newOrderNo(now)
	if err != nil {
		return Order{}, err
	}
	image := o.SKU.ImageURL
	if image == "" {
		image = o.Goods.ImageURL
	}
	order := pendingOrder(no, Goods, userID, o.SKU.Price, now)
	order.Snapshot = Snapshot{Mobile: account, Goods: &BoughtGoods{
		GoodsID: o.Goods.ID, SKUID: o.SKU.ID, SKUCode: o.SKU.Code, Type: o.Goods.Type, Scope: o.Goods.Scope,
		Title: o.Goods.Title, Spec: o.SKU.Name, ImageURL: image, Pieces: b.Pieces, Account: account, EndsAt: o.SKU.EndsAt(now),
	}}
	return order, nil
}

func pendingOrder(no string, kind Kind, userID int64, total money.Fen, now time.Time) Order {
	return Order{
		No: no, Kind: kind, State: Pending, Version: 1, UserID: userID, Total: total, CreatedAt: now, UpdatedAt: now,
		ExpiresAt: now.Add(PayWithin).Truncate(time.Second),
	}
}

// QuoteGoods tells how the price would split between the cards and the messaging app. It promises nothing.
func (s *Service) QuoteGoods(ctx context.Context, userID int64, b BuyGoods) (payment.Quote, error) {
	offer, err := s.Store.Offer(ctx, b.SKUID)
	if err != nil {
		return payment.Quote{}, err
	}
	switch {
	case !offer.Buyable():
		return payment.Quote{}, goods.ErrGoodsNotFound
	case b.Pieces != 1:
		return payment.Quote{}, ErrQuantity
	case offer.SKU.Stock < b.Pieces:
		return payment.Quote{}, goods.ErrSoldOut
	}
	o := Order{Kind: Goods, UserID: userID, Total: offer.SKU.Price, Snapshot: Snapshot{Goods: &BoughtGoods{Scope: offer.Goods.Scope}}}
	chosen, err := ownCards(ctx, s.Store, &o, b.CardIDs, s.Now())
	if err != nil {
		return payment.Quote{}, err
	}
	return split(o.Total, chosen), nil
}

// GoodsScope is which cards pay for a specification; goods.ErrGoodsNotFound.
func (s *Service) GoodsScope(ctx context.Context, skuID int64) (cards.Scope, error) {
	offer, err := s.Store.Offer(ctx, skuID)
	return cards.Scope(offer.Goods.Scope), err
}

// BuyGoodsWithCards buys with points alone: the order, the points and, where there are codes, the delivery in one
// transaction. Faults: ErrGoodsNotFound, ErrSoldOut, ErrAccountRequired, those of PayWithCards.
func (s *Service) BuyGoodsWithCards(ctx context.Context, userID int64, b BuyGoods) (Order, error) {
	if len(b.CardIDs) == 0 {
		return Order{}, payment.ErrMethodRequired
	}
	return together(s, b.Key, func() (Order, error) { return s.buyGoodsWithCards(saga(ctx), userID, b) },
		"goods by cards", userID, b.body(), b.CardIDs, b.Password)
}

func (s *Service) buyGoodsWithCards(ctx context.Context, userID int64, b BuyGoods) (Order, error) {
	if o, found, err := s.boughtBefore(ctx, userID, Goods, b.Key, b.body()); found || err != nil {
		return s.payBought(ctx, o, b, err)
	}
	if err := s.Passwords.VerifyPaymentPassword(ctx, userID, b.Password); err != nil {
		return Order{}, err
	}
	var o Order
	err := s.Store.Update(ctx, func(tx Tx) (err error) {
		if o, err = s.insertGoods(tx, userID, b); err != nil {
			return err
		}
		o, err = s.payByCards(tx, userID, o.No, b.CardIDs)
		return err
	})
	if errors.Is(err, ErrKeyReused) { // between the look and the write, the same call came through elsewhere
		o, _, err = s.boughtBefore(ctx, userID, Goods, b.Key, b.body())
		return s.payBought(ctx, o, b, err)
	}
	if err != nil {
		return Order{}, err
	}
	s.Wake()
	return o, nil
}

// payBought pays the order that the key stands for, unless that is done. One that ended unpaid says so.
func (s *Service) payBought(ctx context.Context, o Order, b BuyGoods, err error) (Order, error) {
	switch {
	case err != nil:
		return o, err
	case o.State == Cancelled || o.State == Expired:
		return Order{}, o.State.refusal()
	case o.State != Pending:
		return o, nil
	}
	return s.PayWithCards(ctx, o.UserID, o.No, b.CardIDs, b.Password)
}

// BuyGoodsWithApp makes the order, holds stock and points, announces the rest to the messaging app and returns what
// its bridge needs, with the order's number. Faults: as BuyGoodsWithCards and PayWithApp.
func (s *Service) BuyGoodsWithApp(ctx context.Context, userID int64, b BuyGoods) (payment.BridgeParams, string, error) {
	w := PayWithApp{CardIDs: b.CardIDs, Password: b.Password, OpenID: b.OpenID, ClaimedApp: b.ClaimedApp}
	return s.buyWithApp(ctx, userID, Goods, b.Key, b.body(), w, func(tx Tx) (Order, error) { return s.insertGoods(tx, userID, b) })
}

func (s *Service) insertGoods(tx Tx, userID int64, b BuyGoods) (Order, error) {
	now := s.Now()
	offer, err := tx.Stock.Offer(b.SKUID)
	if err != nil {
		return Order{}, err
	}
	o, err := goodsOrder(userID, offer, b, now)
	if err != nil {
		return o, err
	}
	if err := s.insertPending(tx, &o, b.Key, b.body()); err != nil {
		return o, err
	}
	return o, tx.Stock.Hold(o.No, offer, b.Pieces, now)
}

// insertPending writes an order that needs no lock, with its key and the task that will end it. The key comes first:
// whatever else has changed meanwhile, the same call again is the same order.
func (s *Service) insertPending(tx Tx, o *Order, key, body string) error {
	if key != "" {
		i := Idempotency{UserID: o.UserID, Route: string(o.Kind), Key: key, BodyHash: body, OrderNo: o.No, At: o.CreatedAt}
		if err := tx.Keys.Save(i); err != nil {
			return err
		}
	}
	unpaid, err := tx.Orders.CountUnpaid(o.UserID)
	if err != nil {
		return err
	}
	if unpaid >= mostUnpaid {
		return ErrTooManyUnpaid
	}
	if err := tx.Orders.Insert(o); err != nil {
		return err
	}
	return tx.Jobs.Schedule(TaskOrder, o.No, laneOf(o), o.ExpiresAt)
}
