package httpapi

import (
	"context"
	"time"

	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/order"
)

// GoodsCheckout quotes and sells goods. Buying makes the order and starts its payment in one step.
type GoodsCheckout interface {
	// QuoteGoods returns how the price would split between the cards and the messaging app. It reserves nothing.
	QuoteGoods(ctx context.Context, userID int64, b checkout.BuyGoods) (order.Quote, error)
	// GoodsScope returns which cards can pay for a specification, or goods.ErrGoodsNotFound.
	GoodsScope(ctx context.Context, skuID int64) (cards.Scope, error)
	// BuyGoodsWithCards buys with points alone. It returns the faults of package goods and of the payment password,
	// checkout.ErrQuantity, checkout.ErrTooManyUnpaid, cards.ErrCardUnusable or
	// cards.ErrPointsInsufficient.
	BuyGoodsWithCards(ctx context.Context, userID int64, b checkout.BuyGoods) (order.Order, error)
	// BuyGoodsWithApp makes the order, holds the stock and the points of the cards, and announces the rest to the
	// messaging app. It returns the errors of BuyGoodsWithCards and of TicketCheckout.PayWithApp.
	BuyGoodsWithApp(ctx context.Context, userID int64, b checkout.BuyGoods) (checkout.Announced, error)
}

// goodsPayments serves buying goods.
type goodsPayments struct {
	checkout   GoodsCheckout
	cards      PayingCards
	identities Identities
	now        func() time.Time
}

// readPurchase reads what is bought. The field position, where the app shows the goods, must be 1.
func readPurchase(r *request, cardField string) checkout.BuyGoods {
	f := r.form
	f.Integer("position", 1, 1, 1)
	return checkout.BuyGoods{
		SKUID: f.ID("ggid"), Pieces: int(f.Integer("number", 0, 1e6, 1)), Account: f.LongText("phone"),
		CardIDs: chosenCards(r, cardField), Password: f.Text("pass"), Key: f.Text("key"), LimitedAccess: r.limited(),
	}
}

// usableCards answers /Film/card with ggid: the cards that can pay for a specification, with what else paying needs.
// Errors: goods_not_found.
func (g goodsPayments) usableCards(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("ggid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	scope, err := g.checkout.GoodsScope(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := payingCards(ctx, r, g.cards, scope)
	if err != nil {
		return nil, err
	}
	openID, err := r.openID(ctx, g.identities)
	return struct {
		CardList
		HasPassword bool   `json:"has_password"`
		OpenID      string `json:"openid"`
	}{newCardList(list, g.now()), r.user.HasPassword, openID}, err
}

// quote answers /Kaquan/pay_date, and /Film/pay_date with ggid: what the chosen cards pay and what is left for the
// messaging app. Errors: goods_not_found, sold_out, quantity_invalid, card_unusable.
func (g goodsPayments) quote(ctx context.Context, r *request) (any, error) {
	b := readPurchase(r, "fulika")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	q, err := g.checkout.QuoteGoods(ctx, r.user.ID, b)
	return newQuote(q), err
}

// paidGoods is the state of an order of goods or points after its payment.
type paidGoods struct {
	OrderNo string `json:"order_no"`
	State   int    `json:"state"`
	Status  int    `json:"orderstatus"` // the state again, under the name that ticket orders use
}

func newPaidGoods(o order.Order) paidGoods {
	n := statusOf[o.State].number
	return paidGoods{o.No, n, n}
}

// payWithCards answers /Kaquan/flkpay, and /Film/flkpay with ggid: it buys goods with points alone. Errors: those of
// quote, recharge_account_required, recharge_account_invalid, points_insufficient, payment_password_wrong, too_many_unpaid.
func (g goodsPayments) payWithCards(ctx context.Context, r *request) (any, error) {
	b := readPurchase(r, "ka_ids")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	o, err := g.checkout.BuyGoodsWithCards(ctx, r.user.ID, b)
	return newPaidGoods(o), err
}

// payWithApp answers /Kaquan/wxpay, and /Film/wxpay with ggid: it orders goods and returns what opens the messaging
// app's payment. Errors: those of payWithCards, amount_mismatch, app_not_needed, h5_not_offered, openid_unproven.
func (g goodsPayments) payWithApp(ctx context.Context, r *request) (any, error) {
	b := readPurchase(r, "ka_ids")
	b.OpenID, b.H5ClientIP = appPayer(r)
	b.ClaimedApp = r.form.Yuan("wxprice")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	announced, err := g.checkout.BuyGoodsWithApp(ctx, r.user.ID, b)
	return newPrepaid(announced.Prepaid, announced.OrderNo), err
}
