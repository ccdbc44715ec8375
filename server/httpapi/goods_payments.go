package httpapi

import (
	"context"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/goods"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/order"
)

// GoodsCheckout quotes and sells goods. Buying makes the order and starts its payment in one step.
type GoodsCheckout interface {
	// QuoteGoods returns how the price would split between the cards and the messaging app. It reserves nothing.
	QuoteGoods(ctx context.Context, userID int64, b checkout.BuyGoods) (order.Quote, error)
	// GoodsScope returns which cards can pay for an SKU, or goods.ErrGoodsNotFound.
	GoodsScope(ctx context.Context, skuID int64) (cards.Scope, error)
	// BuyGoodsWithCards buys only with points. buyGoodsFaults are its errors.
	BuyGoodsWithCards(ctx context.Context, userID int64, b checkout.BuyGoods) (order.Order, error)
	// BuyGoodsWithApp creates the order, reserves the stock and the points of the cards, and registers a trade for the
	// rest with the messaging app's payment. buyGoodsWithAppFaults are its errors.
	BuyGoodsWithApp(ctx context.Context, userID int64, b checkout.BuyGoods) (checkout.Announced, error)
}

// goodsPayments serves buying goods.
type goodsPayments struct {
	checkout   GoodsCheckout
	cards      PayingCards
	identities Identities
	now        func() time.Time
}

// purchase is the goods to buy.
type purchase struct {
	Position int     `form:"position" min:"1" max:"1" default:"1"` // always 1; it is not used
	SKU      wire.ID `form:"ggid" required:"true"`                 // the id of the SKU
	Pieces   int     `form:"number" max:"1000000" default:"1"`     // the number of pieces
	// the account that is recharged, in the format of the goods; "" for codes
	Account  string `form:"phone" max:"512"`
	Password string `form:"pass"` // the payment password; needed if cards pay
	// an idempotency key: a repeated key returns the same order
	Key string `form:"key"`
}

// buy converts the form for the checkout. It returns account.ErrAccessLimited if a session with limited access has
// chosen cards.
func (p purchase) buy(r *request, chosen CardIDs) (checkout.BuyGoods, error) {
	return checkout.BuyGoods{
		SKUID: int64(p.SKU), Pieces: p.Pieces, Account: p.Account, CardIDs: chosen, Password: p.Password, Key: p.Key,
		LimitedAccess: r.hasLimitedAccess(),
	}, r.mayPay(chosen)
}

// ListGoodsCards selects an SKU.
type ListGoodsCards struct {
	SKU wire.ID `form:"ggid" required:"true"` // the id of the SKU
}

// GoodsCards are the cards that can pay for goods, with the other data of the payment page.
type GoodsCards struct {
	CardList
	HasPassword bool   `json:"has_password"` // the buyer has a payment password
	OpenID      string `json:"openid"`       // the identity that pays in the messaging app; "" if none is bound
}

// usableCards returns the cards that can pay for an SKU, with the other data of the payment page. Cards of the types 1,
// 5, 9, 10 and 11 pay for everything, 2 and 6 for the scope "cake", 3 and 7 for the scope "movie" and for tickets, 4
// and 8 for the scope "book".
func (g goodsPayments) usableCards(ctx context.Context, r *request, in ListGoodsCards) (GoodsCards, error) {
	scope, err := g.checkout.GoodsScope(ctx, int64(in.SKU))
	if err != nil {
		return GoodsCards{}, err
	}
	list, err := payingCards(ctx, r, g.cards, scope)
	if err != nil {
		return GoodsCards{}, err
	}
	openID, err := r.openID(ctx, g.identities)
	return GoodsCards{newCardList(list, g.now()), r.user.HasPassword, openID}, err
}

// QuoteGoods is a purchase to quote, with the cards that would pay.
type QuoteGoods struct {
	purchase
	Cards CardIDs `form:"fulika"` // the chosen cards, joined by commas
}

// quote returns what the chosen cards would pay of goods and what is left for the messaging app. It reserves nothing.
func (g goodsPayments) quote(ctx context.Context, r *request, in QuoteGoods) (Quote, error) {
	b, err := in.buy(r, in.Cards)
	if err != nil {
		return Quote{}, err
	}
	q, err := g.checkout.QuoteGoods(ctx, r.user.ID, b)
	return newQuote(q), err
}

// PaidGoods is the state of an order of goods or points after its payment.
type PaidGoods struct {
	OrderNo string `json:"order_no"`                          // the order's number
	State   int    `json:"state" enum:"0,1,2,4,7,8,11"`       // the same numbers as those of newmovie ticket orders
	Status  int    `json:"orderstatus" enum:"0,1,2,4,7,8,11"` // the same state, under the name that ticket orders use
}

func newPaidGoods(o order.Order) PaidGoods {
	n := statusOf[o.State].number
	return PaidGoods{o.No, n, n}
}

// BuyGoodsWithCards is a purchase with the cards that pay.
type BuyGoodsWithCards struct {
	purchase
	Cards CardIDs `form:"ka_ids"` // the cards that pay, joined by commas
}

// payWithCards buys goods only with points. Codes are delivered at once. A buyer can have at most ten unpaid goods
// orders (too_many_unpaid), and must wait before ordering again after several ended unpaid (lock_limited).
func (g goodsPayments) payWithCards(ctx context.Context, r *request, in BuyGoodsWithCards) (PaidGoods, error) {
	b, err := in.buy(r, in.Cards)
	if err != nil {
		return PaidGoods{}, err
	}
	o, err := g.checkout.BuyGoodsWithCards(ctx, r.user.ID, b)
	return newPaidGoods(o), err
}

// BuyGoodsWithApp is a purchase with the payer in the messaging app.
type BuyGoodsWithApp struct {
	purchase
	Cards   CardIDs    `form:"ka_ids"`  // the cards whose points pay first, joined by commas
	Claimed *money.Fen `form:"wxprice"` // yuan, what the buyer was shown for the messaging app
	AppPayer
}

// payWithApp orders goods and returns what opens the messaging app's payment.
func (g goodsPayments) payWithApp(ctx context.Context, r *request, in BuyGoodsWithApp) (Prepaid, error) {
	b, err := in.buy(r, in.Cards)
	if err != nil {
		return Prepaid{}, err
	}
	if b.OpenID, b.H5ClientIP, err = in.payer(r); err != nil {
		return Prepaid{}, err
	}
	b.ClaimedApp = in.Claimed
	announced, err := g.checkout.BuyGoodsWithApp(ctx, r.user.ID, b)
	return newPrepaid(announced.Prepaid, announced.OrderNo), err
}

// The errors of buying goods.
var (
	quoteGoodsFaults = []*fault.Fault{
		goods.ErrGoodsNotFound, goods.ErrSoldOut, checkout.ErrQuantity, cards.ErrCardUnusable, cards.ErrPointsInsufficient,
		account.ErrAccessLimited, goods.ErrAccountRequired, goods.ErrAccountInvalid,
	}
	buyGoodsFaults = errorsOf(payFaults, quoteGoodsFaults, []*fault.Fault{
		checkout.ErrTooManyUnpaid, order.ErrUnpaidLimited, order.ErrKeyReused,
	})
	buyGoodsWithAppFaults = errorsOf(buyGoodsFaults, payWithAppFaults)
)
