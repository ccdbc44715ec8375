package payment

import (
	"context"
	"time"

	"marquee/server/money"
)

// Gateway is the messaging app's payment. OutTradeNo is ours, unique per order and attempt.
// Faults follow the same law as ticket sources: definite, or of kind fault.Unknown.
type Gateway interface {
	// Prepay announces a payment; the same OutTradeNo again returns a fresh set of bridge parameters.
	// It fails with ErrAlreadyPaid or ErrTradeClosed when the trade is past that.
	Prepay(ctx context.Context, req PrepayRequest) (BridgeParams, error)
	// Query reads a trade; ErrTradeNotFound when the gateway never heard of it.
	Query(ctx context.Context, outTradeNo string) (Trade, error)
	// Close ends an unpaid trade; ErrAlreadyPaid when the money has moved, ErrTradeNotFound when unknown.
	Close(ctx context.Context, outTradeNo string) error
	// Refund sends money back; the same OutRefundNo again is the same refund.
	Refund(ctx context.Context, req RefundRequest) (RefundResult, error)
	// QueryRefund reads a refund; ErrRefundNotFound when the gateway never heard of it.
	QueryRefund(ctx context.Context, outRefundNo string) (RefundResult, error)
}

// PrepayRequest announces what is to be paid.
type PrepayRequest struct {
	OutTradeNo  string
	Description string
	Amount      money.Fen
	OpenID      string
	ExpiresAt   time.Time // business time; the adapter turns it into wire time
}

// BridgeParams are the jsApiParameters for getBrandWCPayRequest.
type BridgeParams struct {
	AppID, TimeStamp, NonceStr, Package, SignType, PaySign string
}

// TradeState is the state of a trade at the gateway.
type TradeState int

const (
	TradeUnpaid TradeState = iota
	TradePaid
	TradeClosed
	TradeRefunded // paid, and since then refunded in part or whole
)

// Trade is a payment as the gateway knows it: from a query, or from a verified notify.
type Trade struct {
	OutTradeNo    string
	TransactionID string
	State         TradeState
	Amount        money.Fen // total
	AppID, MchID  string
	OpenID        string // who paid
	PaidAt        time.Time
}

// RefundRequest sends Amount of a trade's Total back.
type RefundRequest struct {
	OutTradeNo    string
	OutRefundNo   string
	Amount, Total money.Fen
	Reason        string
}

// RefundState is how far a refund got.
type RefundState int

const (
	RefundProcessing RefundState = iota
	RefundDone
	RefundClosed   // the gateway gave up; money is still with the merchant
	RefundAbnormal // the buyer's account cannot take it; a person must act
)

// RefundResult is a refund as the gateway knows it.
type RefundResult struct {
	OutRefundNo string
	RefundID    string
	State       RefundState
	Amount      money.Fen
}
