package order

import (
	"context"
	"time"

	"marquee/server/money"
)

// Gateway is the payment service of the messaging app. A trade is one payment there. Its number, OutTradeNo, is made by
// the shop and unique per order and attempt. Errors follow the rules of Deliverer: a call that may have acted fails
// with fault.Unknown.
type Gateway interface {
	// Prepay announces a trade: the gateway creates it, unpaid, and returns the bridge parameters with which the
	// buyer's page opens it. Announcing the same OutTradeNo again returns new parameters for the same trade. Prepay
	// fails with ErrAlreadyPaid if the trade is paid, and with ErrTradeClosed if its number cannot be used again,
	// usually because it is closed.
	Prepay(ctx context.Context, req PrepayRequest) (BridgeParams, error)
	// PrepayH5 is Prepay for a trade that any person may pay, from a browser outside the messaging app. It returns the
	// URL of the page that opens the messaging app.
	PrepayH5(ctx context.Context, req PrepayRequest) (address string, err error)
	// Query reads a trade. It fails with ErrTradeNotFound if the gateway does not know it.
	Query(ctx context.Context, outTradeNo string) (Trade, error)
	// Close ends an unpaid trade. Closing a closed trade succeeds. Close fails with ErrAlreadyPaid if the trade is
	// paid, and with ErrTradeNotFound if the gateway does not know the trade.
	Close(ctx context.Context, outTradeNo string) error
	// Refund sends money back. Repeating it with the same OutRefundNo within durations.RefundWindow does not refund
	// twice.
	Refund(ctx context.Context, req RefundRequest) (RefundResult, error)
	// QueryRefund reads a refund. It fails with ErrRefundNotFound if the gateway does not know it.
	QueryRefund(ctx context.Context, outRefundNo string) (RefundResult, error)
}

// PrepayRequest describes a trade that is announced to the gateway.
type PrepayRequest struct {
	OutTradeNo  string    // made by the function OutTradeNo
	Description string    // shown to the payer
	Amount      money.Fen // of the trade
	OpenID      string    // of the payer; "" for PrepayH5
	ClientIP    string    // of the buyer's browser; for PrepayH5
	ExpiresAt   time.Time // business time; the adapter converts it to the gateway's time
}

// BridgeParams are the arguments of getBrandWCPayRequest, the JavaScript function with which a page in the messaging
// app opens the payment sheet.
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

// Trade is the state of a trade, as the gateway reports it in the answer to a query or in a verified notification.
type Trade struct {
	OutTradeNo    string     // our number
	TransactionID string     // the gateway's number; "" before the payment
	State         TradeState // at the gateway
	Amount        money.Fen  // what the payer pays or has paid
	Currency      string     // of Amount, as an ISO 4217 code; "" for yuan
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
	RefundAbnormal // the payer's account cannot receive the money; an operator must act
)

// RefundResult is a refund as the gateway reports it.
type RefundResult struct {
	OutRefundNo string      // our number
	RefundID    string      // the gateway's number
	State       RefundState // at the gateway
	Amount      money.Fen   // what goes back to the payer

	OutTradeNo, TransactionID string // our number and the gateway's of the refunded trade
}

// RefundNotice is what a verified notification reports about a refund. Unlike the answer to a query, it contains the
// number of the merchant.
type RefundNotice struct {
	RefundResult
	MchID string
}
