package httpapi

import (
	"context"
	"strconv"

	"marquee/server/cards"
	"marquee/server/money"
	"marquee/server/orders"
	"marquee/server/payment"
)

// GoodsCashier quotes and sells goods.
type GoodsCashier interface {
	QuoteGoods(ctx context.Context, userID int64, b orders.BuyGoods) (payment.Quote, error)
	// GoodsScope is which cards pay for a specification; goods.ErrGoodsNotFound.
	GoodsScope(ctx context.Context, skuID int64) (cards.Scope, error)
	BuyGoodsWithCards(ctx context.Context, userID int64, b orders.BuyGoods) (orders.Order, error)
	BuyGoodsWithApp(ctx context.Context, userID int64, b orders.BuyGoods) (bridge payment.BridgeParams, orderNo string, err error)
}

// CardRecharger sells points.
type CardRecharger interface {
	RechargeCard(ctx context.Context, userID int64, r orders.RechargeCard) (b payment.BridgeParams, orderNo string, err error)
}

// RechargePackages lists what can be recharged at once.
type RechargePackages interface {
	Packages(ctx context.Context) ([]cards.Package, error)
}

// wish reads what is bought from a goods form. position is where the app bought it from; the only place is 1.
func (r *request) wish(cardField string) (orders.BuyGoods, error) {
	f := r.form
	f.Integer("position", 1, 1, 1)
	b := orders.BuyGoods{
		SKUID: f.ID("ggid"), Pieces: int(f.Integer("number", 0, 1e6, 1)), Account: f.Text("phone"),
		CardIDs: f.IDs(cardField, maxCards), Password: f.Text("pass"), Key: f.Text("key"),
	}
	return b, f.Err()
}

// forGoods answers for goods where the form names a specification, and for an order where it does not.
func forGoods(goods, order call) call {
	return func(ctx context.Context, r *request) (any, error) {
		if r.form.Text("ggid") != "" {
			return goods(ctx, r)
		}
		return order(ctx, r)
	}
}

func (h *handler) quoteGoods(ctx context.Context, r *request) (any, error) {
	b, err := r.wish("fulika")
	if err != nil {
		return nil, err
	}
	q, err := h.Orders.QuoteGoods(ctx, r.user.ID, b)
	return newQuote(q), err
}

// payingCards lists the cards that may pay for the specification, with what paying takes besides.
func (h *handler) payingCards(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("ggid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	scope, err := h.Orders.GoodsScope(ctx, id)
	if err != nil {
		return nil, err
	}
	list, err := h.Cards.Paying(ctx, r.user.ID, scope)
	if err != nil {
		return nil, err
	}
	openID, err := h.Accounts.OpenID(ctx, r.user.ID)
	return struct {
		cardListAnswer
		HasPassword bool   `json:"has_password"`
		OpenID      string `json:"openid"`
	}{h.cardList(list), r.user.HasPassword, openID}, err
}

func (h *handler) buyGoodsWithCards(ctx context.Context, r *request) (any, error) {
	b, err := r.wish("ka_ids")
	if err != nil {
		return nil, err
	}
	o, err := h.Orders.BuyGoodsWithCards(ctx, r.user.ID, b)
	if err != nil {
		return nil, err
	}
	return newPaidGoods(o), nil
}

type paidGoods struct {
	OrderNo string `json:"order_no"`
	State   int    `json:"state"`
	Status  int    `json:"orderstatus"` // the same under the name it has for tickets
}

func newPaidGoods(o orders.Order) paidGoods {
	n := dialects[o.State].number
	return paidGoods{o.No, n, n}
}

func (h *handler) buyGoodsWithApp(ctx context.Context, r *request) (any, error) {
	b, err := r.wish("ka_ids")
	if err != nil {
		return nil, err
	}
	b.OpenID, b.ClaimedApp = r.form.Required("openid"), r.form.Yuan("wxprice")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	bridge, no, err := h.Orders.BuyGoodsWithApp(ctx, r.user.ID, b)
	return newBridge(bridge, no), err
}

// rechargeOffer answers Card/chongzhi.
func (h *handler) rechargeOffer(ctx context.Context, r *request) (any, error) {
	id := r.form.ID("khid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	card, err := h.Cards.Card(ctx, r.user.ID, id)
	if err != nil {
		return nil, err
	}
	list, err := h.Cards.Packages(ctx)
	type offer struct {
		ID     string `json:"id"`
		Points string `json:"num"`
		Price  string `json:"price"`
		Unit   string `json:"danjia"`
	}
	return struct {
		Number string     `json:"card_num"`
		Card   cardAnswer `json:"card"`
		List   []offer    `json:"taocan"`
	}{card.Number, h.newCard(card), each(list, func(p cards.Package) offer {
		return offer{strconv.FormatInt(p.ID, 10), p.Points.String(), p.Price.String(), p.UnitPrice()}
	})}, err
}

// recharge answers Card/czwxpay.
func (h *handler) recharge(ctx context.Context, r *request) (any, error) {
	f := r.form
	points, err := money.ParsePoints(f.Text("num"))
	w := orders.RechargeCard{
		CardID: f.ID("card_id"), Points: points, PackageID: f.Integer("taocan", 0, 1<<62, 0), Claimed: f.Yuan("price"),
		OpenID: f.Required("openid"), Key: f.Text("key"),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	if err != nil {
		return nil, cards.ErrRechargePoints
	}
	bridge, no, err := h.Orders.RechargeCard(ctx, r.user.ID, w)
	return newBridge(bridge, no), err
}

// rechargeSuccess answers Card/cxpay_success.
func (h *handler) rechargeSuccess(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "order_no")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	o, err := h.Orders.Confirm(ctx, r.user.ID, no)
	if err != nil {
		return nil, err
	}
	if o.Kind != orders.Recharge {
		return nil, orders.ErrOrderNotFound
	}
	var shown *cardAnswer
	if card, err := h.Cards.Card(ctx, r.user.ID, o.Snapshot.Points.CardID); err == nil { // it may have been merged since
		c := h.newCard(card)
		shown = &c
	}
	return struct {
		paidGoods
		Card *cardAnswer `json:"card"`
	}{newPaidGoods(o), shown}, nil
}
