package httpapi

import (
	"cmp"
	"context"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/order"
)

// TicketCheckout quotes and takes the payment of an unpaid order.
type TicketCheckout interface {
	// Quote returns how the total would split between the cards and the messaging app. It reserves nothing: paying
	// quotes again.
	Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (order.Quote, error)
	// PayWithCards pays the whole order with points. It returns the faults of the payment password,
	// checkout.ErrMethodRequired, order.ErrOrderExpired, order.ErrAlreadyPaid, order.ErrPaymentPending,
	// cards.ErrCardUnusable or cards.ErrPointsInsufficient.
	PayWithCards(ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string) (
		order.Order, error)
	// PayWithApp holds the points and announces the rest to the messaging app. It returns the errors of PayWithCards,
	// checkout.ErrOpenIDRequired, checkout.ErrH5NotOffered, checkout.ErrAppNotNeeded, order.ErrAmountMismatch, or a
	// fault of kind Unknown if the gateway did not answer; the payment then stays open.
	PayWithApp(ctx context.Context, userID int64, p checkout.PayWithApp) (order.Prepaid, error)
}

// PaymentConfirmer returns an order after its payment, and queries the payment provider if the order is still unpaid.
type PaymentConfirmer interface {
	// Confirm may be called any number of times; it never pays.
	Confirm(ctx context.Context, userID int64, orderNo string) (order.Order, error)
}

// PayingCards lists the cards that can pay for purchases of a scope.
type PayingCards interface {
	// Paying returns the cards with the one that expires first in front.
	Paying(ctx context.Context, userID int64, scope cards.Scope) ([]cards.Card, error)
}

// Identities returns a buyer's identity in the messaging app.
type Identities interface {
	// OpenID returns "" for a buyer without a bound identity.
	OpenID(ctx context.Context, userID int64) (string, error)
}

// payments serves the payment page of an order.
type payments struct {
	checkout   TicketCheckout
	confirmer  PaymentConfirmer
	orders     OrderReader
	cards      PayingCards
	identities Identities
	now        func() time.Time
}

// forGoods makes the operation for goods if the form names a specification (field ggid), and the one for an order if
// not.
func forGoods(goods, order operation) operation {
	return operation{
		choices: []choice{{name: "ggid", operation: goods}, {operation: order}}, untyped: goods.untyped || order.untyped,
		call: func(ctx context.Context, r *request) (any, error) {
			if r.form.Text("ggid") != "" {
				return goods.call(ctx, r)
			}
			return order.call(ctx, r)
		},
	}
}

// show answers /Film/jsordershow and /movie/route/Movie/jsordershow: the unpaid ticket order with what the payment
// page needs. Errors: order_not_found.
func (p payments) show(ctx context.Context, r *request) (any, error) {
	d, err := readTicketOrder(ctx, p.orders, r, "oid")
	if err != nil {
		return nil, err
	}
	openID, err := r.openID(ctx, p.identities)
	return struct {
		Order       ticketOrder `json:"order"`
		Time        int64       `json:"time"`
		HasPassword bool        `json:"has_password"`
		OpenID      string      `json:"openid"`
		Checking    bool        `json:"checking"` // as /Dyorder/show has it
	}{newTicketOrder(r, d.Order), p.now().Unix(), r.user.HasPassword, openID, d.Checking}, err
}

// ticketCards answers /Film/card and /movie/route/Movie/card: the cards that can pay for tickets, those that end
// first in front.
func (p payments) ticketCards(ctx context.Context, r *request) (any, error) {
	list, err := payingCards(ctx, r, p.cards, cards.Movies)
	return newCardList(list, p.now()), err
}

// payingCards returns the cards that the session can pay with: none with limited access.
func payingCards(ctx context.Context, r *request, from PayingCards, scope cards.Scope) ([]cards.Card, error) {
	if r.limited() {
		return nil, nil
	}
	return from.Paying(ctx, r.user.ID, scope)
}

// chosenCards reads the ids of the cards that pay. With limited access no card pays.
func chosenCards(r *request, field string) []int64 {
	ids := r.form.IDs(field, cards.MaxChosen)
	if len(ids) > 0 && r.limited() {
		r.form.Reject(account.ErrAccessLimited)
	}
	return ids
}

// quoteAnswer is the specification's PayCalc (entity-paycalc).
type quoteAnswer struct {
	Cards   string `json:"dkprice"` // points
	App     string `json:"wxprice"` // yuan
	CardIDs string `json:"ka_ids"`
	Total   string `json:"total"` // yuan
}

func newQuote(q order.Quote) quoteAnswer {
	return quoteAnswer{q.Cards.String(), q.App.String(), strings.Join(each(q.CardIDs, idText), ","), q.Total.String()}
}

// quote answers /Film/pay_date and /movie/route/Movie/pay_date: what the chosen cards pay and what is left for the
// messaging app. Errors: order_not_found, order_expired, card_unusable, access_limited.
func (p payments) quote(ctx context.Context, r *request) (any, error) {
	no, ids := orderNo(r.form, "oid"), chosenCards(r, "fulika")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	q, err := p.checkout.Quote(ctx, r.user.ID, no, ids)
	return newQuote(q), err
}

// paidAnswer is the state of a ticket order after its payment.
type paidAnswer struct {
	OrderNo string `json:"order_no"`
	Status  any    `json:"orderstatus"` // a letter or a number, as in ticketOrder
}

// payWithCards answers /Film/flkpay and /movie/route/Movie/flkpay: it pays the whole order with points. Errors:
// payment_method_required, points_insufficient, payment_password_wrong, order_expired, already_paid.
func (p payments) payWithCards(ctx context.Context, r *request) (any, error) {
	f := r.form
	no, ids, password := orderNo(f, "oid"), f.IDs("ka_ids", cards.MaxChosen), f.Text("pass")
	if f.Err() != nil {
		return nil, f.Err()
	}
	if len(ids) == 0 {
		return nil, checkout.ErrMethodRequired
	}
	o, err := p.checkout.PayWithCards(ctx, r.user.ID, no, ids, password)
	if err == nil && o.Kind == order.Goods {
		return newPaidGoods(o), nil
	}
	return paidAnswer{o.No, orderStatus(o)}, err
}

// payWithApp answers /Film/wxpay and /movie/route/Movie/wxpay: it pays with the messaging app, after the points of
// the chosen cards, and returns what opens the app's payment. Errors: amount_mismatch, app_not_needed, h5_not_offered,
// openid_unproven, payment_password_wrong, payment_attempts_exceeded, order_expired, already_paid, access_limited.
func (p payments) payWithApp(ctx context.Context, r *request) (any, error) {
	f := r.form
	req := checkout.PayWithApp{
		OrderNo: orderNo(f, "oid"), CardIDs: chosenCards(r, "ka_ids"), Password: f.Text("pass"),
		ClaimedApp: f.Yuan("wxprice"),
	}
	req.OpenID, req.H5ClientIP = appPayer(r)
	if f.Err() != nil {
		return nil, f.Err()
	}
	prepaid, err := p.checkout.PayWithApp(ctx, r.user.ID, req)
	return newPrepaid(prepaid, req.OrderNo), err
}

// h5Trade is the value of trade_type for a payment from a browser outside the messaging app, as the vendor names it.
const h5Trade = "MWEB"

// appPayer reads who pays in the messaging app: the identity in the field openid, or with trade_type MWEB any person,
// from a browser of the returned address.
func appPayer(r *request) (openID, h5ClientIP string) {
	if r.form.Text("trade_type") == h5Trade {
		return "", cmp.Or(clientIP(r.Request), readAddress(r.RemoteAddr).String())
	}
	return r.form.Required("openid"), ""
}

// bridgeParams are the parameters of the messaging app's payment call, under its own names.
type bridgeParams struct {
	AppID     string `json:"appId"`
	TimeStamp string `json:"timeStamp"`
	NonceStr  string `json:"nonceStr"`
	Package   string `json:"package"`
	SignType  string `json:"signType"`
	PaySign   string `json:"paySign"`
}

// bridgeAnswer is the specification's PayParams (entity-payparams) with the order's number.
type bridgeAnswer struct {
	Params  bridgeParams `json:"jsApiParameters"`
	OrderNo string       `json:"order_no"`
}

// h5Answer is the address that opens the payment from a browser, with the order's number.
type h5Answer struct {
	Address string `json:"h5_url"`
	OrderNo string `json:"order_no"`
}

func newPrepaid(p order.Prepaid, orderNo string) any {
	if p.H5URL != "" {
		return h5Answer{p.H5URL, orderNo}
	}
	return bridgeAnswer{bridgeParams(p.BridgeParams), orderNo}
}

// confirmOrder confirms the payment of the order in the field order_no.
func confirmOrder(ctx context.Context, by PaymentConfirmer, r *request) (order.Order, error) {
	no := orderNo(r.form, "order_no")
	if r.form.Err() != nil {
		return order.Order{}, r.form.Err()
	}
	return by.Confirm(ctx, r.user.ID, no)
}

// result answers /Film/pay_success, /movie/route/Movie/pay_success and /Kaquan/pay_success: the order of tickets or
// goods as it is after its payment. What the app reports of the payment is not used. Errors: order_not_found, also
// for a recharge, which has a call of its own.
func (p payments) result(ctx context.Context, r *request) (any, error) {
	o, err := confirmOrder(ctx, p.confirmer, r)
	if err != nil {
		return nil, err
	}
	switch o.Kind {
	case order.Goods:
		d, err := p.orders.Order(ctx, r.user.ID, o.No)
		if err != nil {
			return nil, err
		}
		return struct {
			paidGoods
			Type  int        `json:"type"`
			Order goodsOrder `json:"order"`
		}{newPaidGoods(d.Order), int(d.Order.Snapshot.Goods.Type), newGoodsOrder(r, d)}, nil
	case order.Recharge:
		return nil, order.ErrOrderNotFound
	}
	return struct {
		paidAnswer
		Type  int         `json:"type"`
		Order ticketOrder `json:"order"`
	}{paidAnswer{o.No, orderStatus(o)}, int(o.Source), newTicketOrder(r, o)}, nil
}
