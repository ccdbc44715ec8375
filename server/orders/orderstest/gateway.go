package orderstest

import (
	"context"
	"sync"

	"marquee/server/money"
	"marquee/server/payment"
)

// The merchant that the gateway belongs to.
const (
	AppID = "wx0000000000000001"
	MchID = "1900000001"
)

// Gateway is the messaging app's payment.
type Gateway struct {
	Script
	clock *Clock

	mu      sync.Mutex
	trades  map[string]*payment.Trade
	opened  map[string]payment.PrepayRequest
	refunds map[string]*payment.RefundResult
	Slow    bool // refunds stay under way until Settle is called
}

// NewGateway makes an empty gateway.
func NewGateway(clock *Clock) *Gateway {
	return &Gateway{
		clock: clock, trades: map[string]*payment.Trade{}, opened: map[string]payment.PrepayRequest{},
		refunds: map[string]*payment.RefundResult{},
	}
}

// Prepay implements payment.Gateway.
func (g *Gateway) Prepay(_ context.Context, req payment.PrepayRequest) (b payment.BridgeParams, err error) {
	err = g.run("prepay", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[req.OutTradeNo]
		if t == nil {
			t = &payment.Trade{OutTradeNo: req.OutTradeNo, State: payment.TradeUnpaid, Amount: req.Amount, AppID: AppID, MchID: MchID, OpenID: req.OpenID}
			g.trades[req.OutTradeNo], g.opened[req.OutTradeNo] = t, req
		}
		switch t.State {
		case payment.TradeClosed:
			return payment.ErrTradeClosed
		case payment.TradePaid, payment.TradeRefunded:
			return payment.ErrAlreadyPaid
		}
		b = payment.BridgeParams{AppID: AppID, Package: "prepay_id=" + req.OutTradeNo, SignType: "RSA"}
		return nil
	})
	return b, err
}

// Pay is the buyer paying. It tells whether the money moved, and returns the trade as a notify would carry it.
func (g *Gateway) Pay(outTradeNo string) (payment.Trade, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.trades[outTradeNo]
	if t == nil || t.State != payment.TradeUnpaid || !g.clock.Now().Before(g.opened[outTradeNo].ExpiresAt) {
		return payment.Trade{}, false
	}
	t.State, t.TransactionID, t.PaidAt = payment.TradePaid, "42"+outTradeNo, g.clock.Now()
	return *t, true
}

// Alter changes what the gateway says of a trade.
func (g *Gateway) Alter(outTradeNo string, change func(*payment.Trade)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change(g.trades[outTradeNo])
}

// Query implements payment.Gateway.
func (g *Gateway) Query(_ context.Context, outTradeNo string) (t payment.Trade, err error) {
	err = g.run("query", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		found := g.trades[outTradeNo]
		if found == nil {
			return payment.ErrTradeNotFound
		}
		t = *found
		return nil
	})
	return t, err
}

// Close implements payment.Gateway.
func (g *Gateway) Close(_ context.Context, outTradeNo string) error {
	return g.run("close", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[outTradeNo]
		switch {
		case t == nil:
			return payment.ErrTradeNotFound
		case t.State == payment.TradePaid, t.State == payment.TradeRefunded:
			return payment.ErrAlreadyPaid
		}
		t.State = payment.TradeClosed
		return nil
	})
}

// Refund implements payment.Gateway.
func (g *Gateway) Refund(_ context.Context, req payment.RefundRequest) (r payment.RefundResult, err error) {
	err = g.run("refund", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[req.OutTradeNo]
		if t == nil || (t.State != payment.TradePaid && t.State != payment.TradeRefunded) {
			return payment.ErrTradeNotFound
		}
		known := g.refunds[req.OutRefundNo]
		if known == nil {
			known = &payment.RefundResult{OutRefundNo: req.OutRefundNo, RefundID: "50" + req.OutRefundNo, Amount: req.Amount}
			if !g.Slow {
				known.State = payment.RefundDone
			}
			g.refunds[req.OutRefundNo] = known
			t.State = payment.TradeRefunded
		}
		r = *known
		return nil
	})
	return r, err
}

// QueryRefund implements payment.Gateway.
func (g *Gateway) QueryRefund(_ context.Context, outRefundNo string) (r payment.RefundResult, err error) {
	err = g.run("query_refund", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		known := g.refunds[outRefundNo]
		if known == nil {
			return payment.ErrRefundNotFound
		}
		r = *known
		return nil
	})
	return r, err
}

// Settle moves all refunds to the given state.
func (g *Gateway) Settle(to payment.RefundState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.refunds {
		r.State = to
	}
}

// Money is what buyers paid and what they got back.
func (g *Gateway) Money() (paid, refunded money.Fen) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.trades {
		if t.State == payment.TradePaid || t.State == payment.TradeRefunded {
			paid += t.Amount
		}
	}
	for _, r := range g.refunds {
		if r.State == payment.RefundDone {
			refunded += r.Amount
		}
	}
	return paid, refunded
}

// TradeState is the state of a trade; TradeClosed when there is none.
func (g *Gateway) TradeState(outTradeNo string) payment.TradeState {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := g.trades[outTradeNo]; t != nil {
		return t.State
	}
	return payment.TradeClosed
}
