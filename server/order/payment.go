package order

import (
	"fmt"
	"time"

	"marquee/server/money"
)

// PaymentState is the state of a payment.
type PaymentState string

// The states of a payment.
const (
	PaymentOpen   PaymentState = "open"   // points are held, the messaging app's part is not paid
	PaymentPaid   PaymentState = "paid"   // every leg captured: it paid the order
	PaymentClosed PaymentState = "closed" // ended without paying the order; its held points are released
	PaymentLate   PaymentState = "late"   // money arrived that did not pay the order; it is refunded

	// PaymentUnknown is a payment whose trade has passed its end without the gateway reporting whether it was paid. Its
	// points are released and its order may end. If the gateway reports later that the trade was paid, the money is
	// refunded in full.
	PaymentUnknown PaymentState = "unknown"
	// PaymentDisputed is a payment that has ended although the gateway has a paid trade for it: that trade differs from
	// the announced one, for example in its amount. An operator must review it.
	PaymentDisputed PaymentState = "disputed"
	// PaymentSettled was disputed or unknown and has been settled by an operator outside the shop. If the gateway
	// reports money later, an operator must deal with it.
	PaymentSettled PaymentState = "settled"
)

// LegKind is the means of payment of a leg.
type LegKind string

// The kinds of legs.
const (
	ByCard LegKind = "card" // points of a welfare card
	ByApp  LegKind = "wx"   // the messaging app
)

// Payment is one attempt to pay an order. At most one payment of an order is open or paid.
type Payment struct {
	ID        int64
	OrderNo   string
	Attempt   int // counts from 1
	State     PaymentState
	Total     money.Fen // the total of the order
	CreatedAt time.Time // business time
	Legs      []Leg     // the sum of their amounts is Total
}

// Leg is the part of a payment that is paid by one card or in the messaging app.
type Leg struct {
	ID            int64 // 0 until Payments.Insert fills it in
	PaymentID     int64
	OrderNo       string
	Kind          LegKind
	Title         string    // shown to the buyer: "超级卡（尾号0001）", "微信支付"
	CardID        int64     // card legs
	Amount        money.Fen // what the leg pays
	Captured      money.Fen // 0 or Amount
	OutTradeNo    string    // app legs: our number of the trade, unique
	TransactionID string    // app legs: the gateway's number; "" before the capture
	OpenID        string    // app legs: the payer; "" with H5, or if the buyer has closed the account
	H5            bool      // app legs: the trade is paid from a browser, by any person
	ExpiresAt     time.Time // app legs: the end of the trade, business time
}

// App returns the messaging app's leg, if the payment has one.
func (p Payment) App() (Leg, bool) {
	for _, l := range p.Legs {
		if l.Kind == ByApp {
			return l, true
		}
	}
	return Leg{}, false
}

// checking reports whether it is uncertain if the payment took money in the messaging app; see Details.Checking.
func (p Payment) checking(now time.Time) bool {
	leg, byApp := p.App()
	switch p.State {
	case PaymentUnknown, PaymentDisputed:
		return true
	case PaymentOpen:
		return byApp && !now.Before(leg.ExpiresAt)
	}
	return false
}

// OutTradeNo returns our number of an attempt's trade at the gateway.
func OutTradeNo(orderNo string, attempt int) string { return fmt.Sprintf("%s-%d", orderNo, attempt) }

// Quote is how a total splits between welfare cards and the messaging app.
type Quote struct {
	Total   money.Fen   // the price of the order
	Cards   money.Fen   // covered by cards
	App     money.Fen   // left for the messaging app
	CardIDs []int64     // the cards that pay, in the order in which they are used
	Parts   []QuotePart // what each of the cards pays, in the order of CardIDs
}

// QuotePart is what one card pays.
type QuotePart struct {
	CardID int64
	Amount money.Fen // at most the balance of the card
}

// CardBalance is what a card can pay at most.
type CardBalance struct {
	CardID int64
	Avail  money.Points // points that can be spent now
}

// Split covers the total with the balances, in the order given, and leaves the rest to the messaging app. 1 point pays
// ¥1.
func Split(total money.Fen, balances []CardBalance) Quote {
	q := Quote{Total: total, App: total}
	for _, b := range balances {
		take := min(q.App, b.Avail.Fen())
		if take <= 0 {
			continue
		}
		q.App -= take
		q.Cards += take
		q.CardIDs = append(q.CardIDs, b.CardID)
		q.Parts = append(q.Parts, QuotePart{CardID: b.CardID, Amount: take})
	}
	return q
}
