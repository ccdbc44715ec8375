package payment

import (
	"fmt"
	"time"

	"marquee/server/fault"
	"marquee/server/money"
)

// State is how far a payment got.
type State string

const (
	Open   State = "open"   // points are held, the messaging app's part is not paid
	Paid   State = "paid"   // every leg captured: it paid the order
	Closed State = "closed" // ended without paying the order; its points are released
	Late   State = "late"   // money arrived after it was closed; that is being sent back

	// Disputed is closed with a paid trade at the gateway that is not the one we announced: a person must look.
	Disputed State = "disputed"
)

// LegKind says what a leg is paid with.
type LegKind string

const (
	ByCard LegKind = "card"
	ByApp  LegKind = "wx"
)

// Payment is one attempt to pay an order; an order has at most one that is open or paid.
type Payment struct {
	ID        int64
	OrderNo   string
	Attempt   int
	State     State
	Total     money.Fen
	CreatedAt time.Time
	Legs      []Leg // sum of amounts = Total
}

// Leg is the part of a payment that one card or the messaging app bears.
type Leg struct {
	ID            int64
	PaymentID     int64
	OrderNo       string
	Kind          LegKind
	Title         string // what the buyer reads: "超级卡(尾号0001)", "微信支付"
	CardID        int64  // card legs
	Amount        money.Fen
	Captured      money.Fen // 0, or Amount
	OutTradeNo    string    // app legs, unique
	TransactionID string    // the messaging app's, once captured
	OpenID        string    // who is to pay
	ExpiresAt     time.Time // of the trade, business time
}

// App is the messaging app's leg, if there is one.
func (p Payment) App() (Leg, bool) {
	for _, l := range p.Legs {
		if l.Kind == ByApp {
			return l, true
		}
	}
	return Leg{}, false
}

// OutTradeNo is the number of an attempt at the messaging app's payment.
func OutTradeNo(orderNo string, attempt int) string { return fmt.Sprintf("%s-%d", orderNo, attempt) }

// RefundProgress is how far a refund got.
type RefundProgress string

const (
	RefundReady   RefundProgress = "ready"   // decided, not sent
	RefundSending RefundProgress = "sending" // sent; the provider is at it
	RefundUnknown RefundProgress = "unknown" // sent, and no answer: ask before sending again
	RefundSettled RefundProgress = "done"
	RefundManual  RefundProgress = "manual" // a person must act; never guessed
)

// Refund sends a leg's captured amount back to where it came from.
type Refund struct {
	ID          int64
	LegID       int64
	OrderNo     string
	Kind        LegKind
	Title       string
	Generation  int
	Amount      money.Fen
	State       RefundProgress
	OutRefundNo string // app legs: leg:generation as the provider's key
	RefundID    string // the provider's
	Reason      string
	CreatedAt   time.Time
	SentAt      time.Time // first sending; zero before
	DoneAt      time.Time
}

// NewRefund is a refund of all that the leg captured.
func NewRefund(l Leg, generation int, reason string, now time.Time) Refund {
	r := Refund{
		LegID: l.ID, OrderNo: l.OrderNo, Kind: l.Kind, Title: l.Title, Generation: generation,
		Amount: l.Captured, State: RefundReady, Reason: reason, CreatedAt: now,
	}
	if l.Kind == ByApp {
		r.OutRefundNo = fmt.Sprintf("%s-r%d", l.OutTradeNo, generation)
	}
	return r
}

// ErrStale says that a payment or refund changed since it was read.
var ErrStale = fault.New(fault.Conflict, "payment_changed", "支付状态已变化，请刷新后重试")

// Payments reads and writes payments inside a transaction.
type Payments interface {
	// Insert writes the payment and its legs and fills in their ids. It fails with ErrStale when a payment of the
	// order is open or paid.
	Insert(p *Payment) error
	// OfOrder lists an order's payments with their legs, by attempt.
	OfOrder(orderNo string) ([]Payment, error)
	// ByTrade finds the payment whose app leg has this number, or fails with ErrTradeNotFound.
	ByTrade(outTradeNo string) (Payment, error)
	// Move changes the state if it still is from, or fails with ErrStale.
	Move(id int64, from, to State) error
	// CaptureLeg records the whole amount as captured, or fails with ErrStale when it was already.
	CaptureLeg(l Leg, transactionID string, at time.Time) error
}

// Refunds reads and writes refunds inside a transaction.
type Refunds interface {
	// Insert fails with ErrStale when the leg has a refund of this generation, or when its refunds would exceed
	// what it captured.
	Insert(r *Refund) error
	Get(id int64) (Refund, error)
	// ByNumber finds an app leg's refund by the number we gave it, or fails with ErrRefundNotFound.
	ByNumber(outRefundNo string) (Refund, error)
	OfOrder(orderNo string) ([]Refund, error)
	// Save writes progress if the refund still is in state from, or fails with ErrStale.
	Save(r Refund, from RefundProgress) error
}
