package httpapi

import (
	"cmp"
	"context"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/checkout"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
	"marquee/server/order"
)

// TicketCheckout quotes and accepts the payment of an unpaid order.
type TicketCheckout interface {
	// Quote returns how the total would split between the cards and the messaging app. It reserves nothing: the payment
	// computes the split again.
	Quote(ctx context.Context, userID int64, orderNo string, cardIDs []int64) (order.Quote, error)
	// PayWithCards pays the entire order with points. payFaults are its errors.
	PayWithCards(ctx context.Context, userID int64, orderNo string, cardIDs []int64, password string) (
		order.Order, error)
	// PayWithApp reserves the points of the cards, and registers a trade for the rest with the messaging app's payment.
	// payWithAppFaults are its errors. After a fault of kind Unknown the payment stays open.
	PayWithApp(ctx context.Context, userID int64, p checkout.PayWithApp) (order.Prepaid, error)
}

// PaymentConfirmer returns an order after its payment, and queries the payment provider if the order is still unpaid.
type PaymentConfirmer interface {
	// Confirm may be called any number of times. It does not make a payment.
	Confirm(ctx context.Context, userID int64, orderNo string) (order.Order, error)
}

// PayingCards lists the cards that can pay for purchases of a scope.
type PayingCards interface {
	// Paying returns the cards in the order in which they expire.
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

// forGoods returns an operation that runs the operation goods if the form has the field ggid (the id of an SKU), and
// otherwise the operation order.
func forGoods(goods, order operation) operation {
	return operation{
		choices: []choice{{name: "ggid", operation: goods}, {operation: order}},
		call: func(ctx context.Context, r *request) (*wire.Text, error) {
			if r.form.Text("ggid") != "" {
				return goods.call(ctx, r)
			}
			return order.call(ctx, r)
		},
	}
}

// ShowUnpaidOrder selects the ticket order to pay.
type ShowUnpaidOrder struct {
	Order OrderNumber `form:"oid" required:"true"` // the order's number
}

// PaymentPage is a ticket order with the data of the payment page.
type PaymentPage struct {
	Order       TicketOrder `json:"order"`        // the order
	Time        int64       `json:"time"`         // unix seconds of business time
	HasPassword bool        `json:"has_password"` // the buyer has a payment password
	OpenID      string      `json:"openid"`       // the identity that pays in the messaging app; "" if none is bound
	Checking    bool        `json:"checking"`     // a payment may have taken money, and the shop is checking it
}

// show returns a ticket order with the data of the payment page.
func (p payments) show(ctx context.Context, r *request, in ShowUnpaidOrder) (PaymentPage, error) {
	d, err := readTicketOrder(ctx, p.orders, r, in.Order)
	if err != nil {
		return PaymentPage{}, err
	}
	openID, err := r.openID(ctx, p.identities)
	return PaymentPage{newTicketOrder(r, d.Order), p.now().Unix(), r.user.HasPassword, openID, d.Checking}, err
}

// ticketCards returns the cards that can pay for tickets, in the order in which they expire.
func (p payments) ticketCards(ctx context.Context, r *request, _ none) (CardList, error) {
	list, err := payingCards(ctx, r, p.cards, cards.Movies)
	return newCardList(list, p.now()), err
}

// payingCards returns the cards that the session can pay with: none with limited access.
func payingCards(ctx context.Context, r *request, from PayingCards, scope cards.Scope) ([]cards.Card, error) {
	if r.hasLimitedAccess() {
		return nil, nil
	}
	return from.Paying(ctx, r.user.ID, scope)
}

// mayPay returns account.ErrAccessLimited if a session with limited access has chosen cards.
func (r *request) mayPay(chosen CardIDs) error {
	if len(chosen) > 0 && r.hasLimitedAccess() {
		return account.ErrAccessLimited
	}
	return nil
}

// Quote is how a price would split: the specification's PayCalc (entity-paycalc).
type Quote struct {
	Cards   string `json:"dkprice"` // points that the cards pay
	App     string `json:"wxprice"` // yuan that the messaging app pays
	CardIDs string `json:"ka_ids"`  // the cards that pay, joined by commas
	Total   string `json:"total"`   // yuan
}

func newQuote(q order.Quote) Quote {
	return Quote{q.Cards.String(), q.App.String(), strings.Join(each(q.CardIDs, idText), ","), q.Total.String()}
}

// QuoteOrder is an order to quote, with the cards that would pay.
type QuoteOrder struct {
	Order OrderNumber `form:"oid" required:"true"` // the order's number
	Cards CardIDs     `form:"fulika"`              // the chosen cards, joined by commas
}

// quote returns what the chosen cards would pay of an order and what is left for the messaging app. It reserves
// nothing. From the order's expiretime on, it answers order_expired, as does every payment.
func (p payments) quote(ctx context.Context, r *request, in QuoteOrder) (Quote, error) {
	if err := r.mayPay(in.Cards); err != nil {
		return Quote{}, err
	}
	q, err := p.checkout.Quote(ctx, r.user.ID, string(in.Order), in.Cards)
	return newQuote(q), err
}

// PaidOrder is the state of a ticket order after its payment.
type PaidOrder struct {
	OrderNo string      `json:"order_no"`    // the order's number
	Status  OrderStatus `json:"orderstatus"` // a letter or a number, by its source
}

// PayOrderWithCards is an order with the cards that pay.
type PayOrderWithCards struct {
	Order    OrderNumber `form:"oid" required:"true"` // the order's number
	Cards    CardIDs     `form:"ka_ids"`              // the cards that pay, joined by commas
	Password string      `form:"pass"`                // the payment password
}

// payWithCards pays an entire order with points. The payment password is checked last: payment_password_wrong has the
// number of tries left, payment_password_locked the time when the lock ends, and payment_password_busy the time to wait
// before the next try.
func (p payments) payWithCards(ctx context.Context, r *request, in PayOrderWithCards) (
	TicketOrGoods[PaidOrder, PaidGoods], error,
) {
	var paid TicketOrGoods[PaidOrder, PaidGoods]
	o, err := p.checkout.PayWithCards(ctx, r.user.ID, string(in.Order), in.Cards, in.Password)
	if err == nil && o.Kind == order.Goods {
		goods := newPaidGoods(o)
		paid.Goods = &goods
		return paid, nil
	}
	paid.Ticket = &PaidOrder{o.No, orderStatus(o)}
	return paid, err
}

// AppPayer is the payer in the messaging app.
type AppPayer struct {
	Trade  string `form:"trade_type"` // JSAPI, the default; MWEB: any person, from a browser outside of the messaging app
	OpenID string `form:"openid"`     // the identity that pays; required without MWEB
}

// payer returns the identity that pays, or for MWEB the address of the browser.
func (a AppPayer) payer(r *request) (openID, h5ClientIP string, err error) {
	switch a.Trade {
	case h5Trade:
		return "", cmp.Or(clientIP(r.Request), readAddress(r.RemoteAddr).String()), nil
	case "", appTrade:
	default:
		return "", "", wire.InvalidField("trade_type", "is neither JSAPI nor MWEB")
	}
	if a.OpenID == "" {
		err = checkout.ErrOpenIDRequired
	}
	return a.OpenID, "", err
}

// PayOrderWithApp is an order with its payer in the messaging app and the cards that pay first.
type PayOrderWithApp struct {
	Order    OrderNumber `form:"oid" required:"true"` // the order's number
	Cards    CardIDs     `form:"ka_ids"`              // the cards whose points pay first, joined by commas
	Password string      `form:"pass"`                // the payment password; needed if cards pay
	Claimed  *money.Fen  `form:"wxprice"`             // yuan, what the buyer was shown for the messaging app
	AppPayer
}

// payWithApp pays with the messaging app, after the points of the chosen cards, and returns what opens the app's
// payment. Paying again with the same payer, cards and amount returns the open payment. With other ones, the open
// payment is closed first; if it turns out to be paid, the answer is already_paid. If the answer has an address that
// opens the app from a browser, the caller adds redirect_url to it.
func (p payments) payWithApp(ctx context.Context, r *request, in PayOrderWithApp) (Prepaid, error) {
	openID, h5ClientIP, err := in.payer(r)
	if err = cmp.Or(err, r.mayPay(in.Cards)); err != nil {
		return Prepaid{}, err
	}
	prepaid, err := p.checkout.PayWithApp(ctx, r.user.ID, checkout.PayWithApp{
		OrderNo: string(in.Order), CardIDs: in.Cards, Password: in.Password, ClaimedApp: in.Claimed,
		OpenID: openID, H5ClientIP: h5ClientIP,
	})
	return newPrepaid(prepaid, string(in.Order)), err
}

// The errors of paying.
var (
	quoteFaults = []*fault.Fault{
		order.ErrOrderNotFound, order.ErrOrderState, order.ErrOrderExpired, order.ErrAlreadyPaid, cards.ErrCardUnusable,
		cards.ErrPointsInsufficient, account.ErrAccessLimited,
	}
	payFaults = errorsOf(providerFaults, passwordFaults, quoteFaults, []*fault.Fault{
		checkout.ErrMethodRequired, order.ErrPaymentPending, order.ErrPaymentChanged, order.ErrUnpaidOrder, cards.ErrStale,
		order.ErrTradeClosed, checkout.ErrTooManyAttempts,
	})
	payWithAppFaults = errorsOf(payFaults, []*fault.Fault{
		checkout.ErrOpenIDRequired, checkout.ErrH5NotOffered, checkout.ErrAppNotNeeded, order.ErrAmountMismatch,
		account.ErrOpenIDUnproven,
	})
	resultFaults = errorsOf(providerFaults, []*fault.Fault{order.ErrOrderNotFound})
)

// The values of trade_type, as the vendor names them: for payments in the messaging app, and from a browser outside it.
const (
	appTrade = "JSAPI"
	h5Trade  = "MWEB"
)

// BridgeParams are the parameters of the JavaScript call that opens a payment in the messaging app, under the vendor's
// names.
type BridgeParams struct {
	AppID     string `json:"appId"`     // the shop's appid in the messaging app
	TimeStamp string `json:"timeStamp"` // unix seconds
	NonceStr  string `json:"nonceStr"`  // a random text
	Package   string `json:"package"`   // prepay_id=…, the payment's id at the vendor
	SignType  string `json:"signType"`  // RSA
	PaySign   string `json:"paySign"`   // the merchant's signature
}

// Prepaid is what opens a payment: parameters in the messaging app, an address in a browser. It is the specification's
// PayParams (entity-payparams) with the order's number.
type Prepaid struct {
	Bridge  *BridgeParams `json:"jsApiParameters,omitempty"` // missing for a payment from a browser
	Address string        `json:"h5_url,omitempty"`          // missing for a payment in the messaging app
	OrderNo string        `json:"order_no"`                  // the order's number
}

func newPrepaid(p order.Prepaid, orderNo string) Prepaid {
	if p.H5URL != "" {
		return Prepaid{Address: p.H5URL, OrderNo: orderNo}
	}
	bridge := BridgeParams(p.BridgeParams)
	return Prepaid{Bridge: &bridge, OrderNo: orderNo}
}

// ShowPayment selects an order whose payment is to be confirmed.
type ShowPayment struct {
	Order OrderNumber `form:"order_no" required:"true"` // the order's number
}

// PaidTickets is a ticket order after its payment.
type PaidTickets struct {
	PaidOrder
	Type  int         `json:"type" enum:"1,2"` // 1 legacy, 2 newmovie
	Order TicketOrder `json:"order"`           // the order
}

// PaidGoodsOrder is a goods order after its payment.
type PaidGoodsOrder struct {
	PaidGoods
	Type  int        `json:"type" enum:"1,2"` // 1 recharges an account, 2 delivers codes
	Order GoodsOrder `json:"order"`           // the order
}

// result returns the order of tickets or goods as it is after its payment. What the app reports of the payment is not
// used: while the order is unpaid, the shop queries the payment provider, once for all calls within a second. A
// recharge is not found here; it has another call.
func (p payments) result(ctx context.Context, r *request, in ShowPayment) (
	result TicketOrGoods[PaidTickets, PaidGoodsOrder], err error,
) {
	o, err := p.confirmer.Confirm(ctx, r.user.ID, string(in.Order))
	if err != nil {
		return result, err
	}
	switch o.Kind {
	case order.Goods:
		d, err := p.orders.Order(ctx, r.user.ID, o.No)
		if err != nil {
			return result, err
		}
		result.Goods = &PaidGoodsOrder{newPaidGoods(d.Order), int(d.Order.Snapshot.Goods.Type), newGoodsOrder(r, d)}
	case order.Recharge:
		return result, order.ErrOrderNotFound
	default:
		result.Ticket = &PaidTickets{PaidOrder{o.No, orderStatus(o)}, int(o.Source), newTicketOrder(r, o)}
	}
	return result, nil
}
