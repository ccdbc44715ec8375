package httpapi

import (
	"context"
	"strconv"
	"strings"

	"marquee/server/cards"
	"marquee/server/orders"
	"marquee/server/payment"
)

// Cashier quotes and takes payments.
type Cashier interface {
	Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (payment.Quote, error)
	PayWithCards(ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string) (orders.Order, error)
	PayWithApp(ctx context.Context, userID int64, p orders.PayWithApp) (payment.BridgeParams, error)
}

// PaymentConfirmer tells what became of a payment, asking the payment provider when need be.
type PaymentConfirmer interface {
	Confirm(ctx context.Context, userID int64, orderNo string) (orders.Order, error)
}

// PayingCards lists the cards that may pay for what has a scope.
type PayingCards interface {
	Paying(ctx context.Context, userID int64, scope cards.Scope) ([]cards.Card, error)
}

// Payers tells the buyer's messaging-app identity.
type Payers interface {
	OpenID(ctx context.Context, userID int64) (string, error)
}

// maxCards is how many cards one payment may name.
const maxCards = 50

// orderToPay answers jsordershow: what the payment page shows.
func (h *handler) orderToPay(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "oid")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	d, err := ticketDetails(h.Orders.Order(ctx, r.user.ID, no))
	if err != nil {
		return nil, err
	}
	openID, err := h.Accounts.OpenID(ctx, r.user.ID)
	return struct {
		Order       ticketOrder `json:"order"`
		Time        int64       `json:"time"`
		HasPassword bool        `json:"has_password"`
		OpenID      string      `json:"openid"`
	}{newTicketOrder(d.Order), h.Now().Unix(), r.user.HasPassword, openID}, err
}

func (h *handler) ticketCards(ctx context.Context, r *request) (any, error) {
	list, err := h.Cards.Paying(ctx, r.user.ID, cards.Movies)
	return h.cardList(list), err
}

func (h *handler) quote(ctx context.Context, r *request) (any, error) {
	no, ids := orderNo(r.form, "oid"), r.form.IDs("fulika", maxCards)
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	q, err := h.Orders.Quote(ctx, r.user.ID, no, ids)
	return newQuote(q), err
}

type quoteAnswer struct {
	Cards   string `json:"dkprice"`
	App     string `json:"wxprice"`
	CardIDs string `json:"ka_ids"`
	Total   string `json:"total"`
}

func newQuote(q payment.Quote) quoteAnswer {
	return quoteAnswer{q.Cards.String(), q.App.String(), joined(q.CardIDs), q.Total.String()}
}

func joined(ids []int64) string {
	return strings.Join(each(ids, func(id int64) string { return strconv.FormatInt(id, 10) }), ",")
}

type paidAnswer struct {
	OrderNo string `json:"order_no"`
	Status  any    `json:"orderstatus"`
}

// payWithCards answers flkpay.
func (h *handler) payWithCards(ctx context.Context, r *request) (any, error) {
	f := r.form
	no, ids, password := orderNo(f, "oid"), f.IDs("ka_ids", maxCards), f.Text("pass")
	if f.Err() != nil {
		return nil, f.Err()
	}
	if len(ids) == 0 {
		return nil, payment.ErrMethodRequired
	}
	o, err := h.Orders.PayWithCards(ctx, r.user.ID, no, ids, password)
	if err == nil && o.Kind == orders.Goods {
		return newPaidGoods(o), nil
	}
	return paidAnswer{o.No, orderStatus(o)}, err
}

// payWithApp answers wxpay.
func (h *handler) payWithApp(ctx context.Context, r *request) (any, error) {
	f := r.form
	p := orders.PayWithApp{
		OrderNo: orderNo(f, "oid"), CardIDs: f.IDs("ka_ids", maxCards), Password: f.Text("pass"), OpenID: f.Required("openid"),
		ClaimedApp: f.Yuan("wxprice"),
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	b, err := h.Orders.PayWithApp(ctx, r.user.ID, p)
	return newBridge(b, p.OrderNo), err
}

type bridgeParams struct {
	AppID     string `json:"appId"`
	TimeStamp string `json:"timeStamp"`
	NonceStr  string `json:"nonceStr"`
	Package   string `json:"package"`
	SignType  string `json:"signType"`
	PaySign   string `json:"paySign"`
}

type bridgeAnswer struct {
	Params  bridgeParams `json:"jsApiParameters"`
	OrderNo string       `json:"order_no"`
}

func newBridge(b payment.BridgeParams, orderNo string) bridgeAnswer {
	return bridgeAnswer{bridgeParams(b), orderNo}
}

// paySuccess tells what became of a payment; the bridge's word is never taken for it.
func (h *handler) paySuccess(ctx context.Context, r *request) (any, error) {
	no := orderNo(r.form, "order_no")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	o, err := h.Orders.Confirm(ctx, r.user.ID, no)
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case orders.Goods:
		d, err := h.Orders.Order(ctx, r.user.ID, no)
		if err != nil {
			return nil, err
		}
		return struct {
			paidGoods
			Type  int       `json:"type"`
			Order cardOrder `json:"order"`
		}{newPaidGoods(d.Order), int(d.Order.Snapshot.Goods.Type), newCardOrder(d)}, nil
	case orders.Recharge:
		return nil, orders.ErrOrderNotFound // it is asked about on its card
	}
	return struct {
		paidAnswer
		Type  int         `json:"type"`
		Order ticketOrder `json:"order"`
	}{paidAnswer{o.No, orderStatus(o)}, int(o.Source), newTicketOrder(o)}, nil
}
