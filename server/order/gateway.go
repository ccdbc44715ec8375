package order

import (
	"context"
	"time"

	"marquee/server/money"
)

// Gateway is the payment service of the messaging app. OutTradeNo is our number, unique per order and attempt. Its
// faults follow the rules of Deliverer.
type Gateway interface {
	// Prepay announces a trade. Announcing the same OutTradeNo again returns a fresh set of bridge parameters. It fails
	// with ErrAlreadyPaid or ErrTradeClosed if the trade has ended.
	Prepay(ctx context.Context, req PrepayRequest) (BridgeParams, error)
	// PrepayH5 is Prepay for a trade that is paid from a browser, by any person. It returns the URL of the page that
	// opens the messaging app.
	PrepayH5(ctx context.Context, req PrepayRequest) (address string, err error)
	// Query reads a trade. It fails with ErrTradeNotFound if the gateway does not know it.
	Query(ctx context.Context, outTradeNo string) (Trade, error)
	// Close ends an unpaid trade. It fails with ErrAlreadyPaid if the money has moved, and with ErrTradeNotFound if the
	// gateway does not know the trade.
	Close(ctx context.Context, outTradeNo string) error
	// Refund sends money back. Repeating it with the same OutRefundNo does not refund twice.
	Refund(ctx context.Context, req RefundRequest) (RefundResult, error)
	// QueryRefund reads a refund. It fails with ErrRefundNotFound if the gateway does not know it.
	QueryRefund(ctx context.Context, outRefundNo string) (RefundResult, error)
}

// PrepayRequest announces a trade.
type PrepayRequest struct {
	OutTradeNo  string    // made by the function OutTradeNo
	Description string    // shown to the payer
	Amount      money.Fen // of the trade
	OpenID      string    // of the payer; "" for PrepayH5
	ClientIP    string    // of the buyer's browser; for PrepayH5
	ExpiresAt   time.Time // business time; the adapter turns it into wire time
}

// BridgeParams are the jsApiParameters for getBrandWCPayRequest.
type BridgeParams struct {
	AppID, TimeStamp, NonceStr, Package, SignType, PaySign string
}

// Prepaid is what the buyer's page needs to open an announced trade: the bridge parameters of the messaging app, or
// H5URL.
type Prepaid struct {
	BridgeParams
	H5URL string // "" inside the messaging app
}

// TradeState is the state of a trade at the gateway.
type TradeState int

// The states of a trade.
const (
	TradeUnpaid TradeState = iota
	TradePaid
	TradeClosed
	TradeRefunded // paid, and since then refunded in part or in full
)

// Trade is a payment as the gateway reports it, in a query or in a verified notification.
type Trade struct {
	OutTradeNo    string     // our number
	TransactionID string     // the gateway's number; "" before the payment
	State         TradeState // of a query or a notification
	Amount        money.Fen  // total
	Currency      string     // of Amount, ISO 4217, if it is not yuan
	AppID, MchID  string
	OpenID        string    // the payer
	PaidAt        time.Time // zero if the gateway reports no time
}

// RefundRequest sends Amount of a trade's Total back.
type RefundRequest struct {
	OutTradeNo    string // of the trade that was paid
	OutRefundNo   string // our number of the refund, unique
	Amount, Total money.Fen
	Reason        string // shown to the payer
}

// RefundState is the state of a refund at the gateway.
type RefundState int

// The states of a refund at the gateway.
const (
	RefundProcessing RefundState = iota
	RefundDone
	RefundClosed   // the gateway ended it; the money is still with the merchant
	RefundAbnormal // the payer's account cannot take it; an operator must act
)

// RefundResult is a refund as the gateway reports it.
type RefundResult struct {
	OutRefundNo string      // our number
	RefundID    string      // the gateway's number
	State       RefundState // the gateway's
	Amount      money.Fen   // what goes back to the payer

	OutTradeNo, TransactionID string // of the trade that it pays back: our number and the gateway's
}

// RefundNotice is what a verified notification reports about a refund. Unlike answers, it contains the merchant.
type RefundNotice struct {
	RefundResult
	MchID string
}
