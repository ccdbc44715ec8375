package purchasetest

import (
	"context"
	"sync"

	"marquee/server/clocktest"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
)

// The app id and the merchant number of every trade of the gateway.
const (
	AppID = "wx0000000000000001"
	MchID = "1900000001"
)

// Gateway is a fake payment gateway of the messaging app: it implements order.Gateway in memory. A Plan can have the
// operations "prepay", "query", "close", "refund" and "query_refund".
type Gateway struct {
	Plans
	clock *clocktest.Clock

	mu       sync.Mutex
	trades   map[string]*order.Trade
	opened   map[string]order.PrepayRequest
	refunds  map[string]*order.RefundResult
	moments  map[string]refundMoments // by out_refund_no
	Slow     bool                     // refunds stay in progress until Settle is called
	override func(*order.RefundResult)
}

// NewGateway returns a gateway without trades.
func NewGateway(clock *clocktest.Clock) *Gateway {
	return &Gateway{
		clock: clock, trades: map[string]*order.Trade{}, opened: map[string]order.PrepayRequest{},
		refunds: map[string]*order.RefundResult{}, moments: map[string]refundMoments{},
	}
}

// Prepay implements order.Gateway.
func (g *Gateway) Prepay(_ context.Context, req order.PrepayRequest) (b order.BridgeParams, err error) {
	err = g.run("prepay", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[req.OutTradeNo]
		if t == nil {
			t = &order.Trade{OutTradeNo: req.OutTradeNo, State: order.TradeUnpaid, Amount: req.Amount, AppID: AppID,
				MchID: MchID, OpenID: req.OpenID}
			g.trades[req.OutTradeNo], g.opened[req.OutTradeNo] = t, req
		}
		switch t.State {
		case order.TradeClosed:
			return order.ErrTradeClosed
		case order.TradePaid, order.TradeRefunded:
			return order.ErrAlreadyPaid
		}
		b = order.BridgeParams{AppID: AppID, Package: "prepay_id=" + req.OutTradeNo, SignType: "RSA"}
		return nil
	})
	return b, err
}

// PrepayH5 implements order.Gateway. Its operation in a Plan is also "prepay". It fails for a request without ClientIP
// or with an OpenID.
func (g *Gateway) PrepayH5(ctx context.Context, req order.PrepayRequest) (string, error) {
	if req.ClientIP == "" || req.OpenID != "" {
		return "", fault.ErrInternal
	}
	_, err := g.Prepay(ctx, req)
	if err != nil {
		return "", err
	}
	return "https://pay.example/h5?no=" + req.OutTradeNo, nil
}

// Pay pays a trade as the buyer does, and returns the trade as a notification reports it. It returns false if the trade
// does not exist, is not unpaid, or has expired.
func (g *Gateway) Pay(outTradeNo string) (order.Trade, bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	t := g.trades[outTradeNo]
	if t == nil || t.State != order.TradeUnpaid || !g.clock.Now().Before(g.opened[outTradeNo].ExpiresAt) {
		return order.Trade{}, false
	}
	t.State, t.TransactionID, t.PaidAt = order.TradePaid, "42"+outTradeNo, g.clock.Now()
	if t.OpenID == "" {
		t.OpenID = "the-person-at-the-browser"
	}
	return *t, true
}

// Remember adds a trade of an earlier fake gateway, for a test that continues with the database of the shop but a new
// fake.
func (g *Gateway) Remember(t order.Trade) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.trades[t.OutTradeNo] = &t
}

// Alter changes the trade that the gateway reports for the number.
func (g *Gateway) Alter(outTradeNo string, change func(*order.Trade)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change(g.trades[outTradeNo])
}

// Query implements order.Gateway.
func (g *Gateway) Query(_ context.Context, outTradeNo string) (t order.Trade, err error) {
	err = g.run("query", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		found := g.trades[outTradeNo]
		if found == nil {
			return order.ErrTradeNotFound
		}
		t = *found
		return nil
	})
	return t, err
}

// Close implements order.Gateway.
func (g *Gateway) Close(_ context.Context, outTradeNo string) error {
	return g.run("close", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[outTradeNo]
		switch {
		case t == nil:
			return order.ErrTradeNotFound
		case t.State == order.TradePaid, t.State == order.TradeRefunded:
			return order.ErrAlreadyPaid
		}
		t.State = order.TradeClosed
		return nil
	})
}

// Refund implements order.Gateway.
func (g *Gateway) Refund(_ context.Context, req order.RefundRequest) (r order.RefundResult, err error) {
	err = g.run("refund", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		t := g.trades[req.OutTradeNo]
		if t == nil || (t.State != order.TradePaid && t.State != order.TradeRefunded) {
			return order.ErrTradeNotFound
		}
		known := g.refunds[req.OutRefundNo]
		if known == nil {
			known = &order.RefundResult{OutRefundNo: req.OutRefundNo, RefundID: "50" + req.OutRefundNo,
				Amount: req.Amount, OutTradeNo: req.OutTradeNo, TransactionID: t.TransactionID}
			if !g.Slow {
				known.State = order.RefundDone
			}
			g.refunds[req.OutRefundNo] = known
			g.noteMoments(known)
			t.State = order.TradeRefunded
		}
		r = g.overridden(*known)
		return nil
	})
	return r, err
}

// QueryRefund implements order.Gateway.
func (g *Gateway) QueryRefund(_ context.Context, outRefundNo string) (r order.RefundResult, err error) {
	err = g.run("query_refund", func() error {
		g.mu.Lock()
		defer g.mu.Unlock()
		known := g.refunds[outRefundNo]
		if known == nil {
			return order.ErrRefundNotFound
		}
		r = g.overridden(*known)
		return nil
	})
	return r, err
}

// OverrideRefunds makes the gateway apply change to its answers about refunds, until OverrideRefunds is called with
// nil.
func (g *Gateway) OverrideRefunds(change func(*order.RefundResult)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.override = change
}

func (g *Gateway) overridden(r order.RefundResult) order.RefundResult {
	if g.override != nil {
		g.override(&r)
	}
	return r
}

// Settle sets the state of all refunds.
func (g *Gateway) Settle(to order.RefundState) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, r := range g.refunds {
		r.State = to
		g.noteMoments(r)
	}
}

// Money returns the sum that buyers paid, and the sum of the completed refunds.
func (g *Gateway) Money() (paid, refunded money.Fen) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, t := range g.trades {
		if t.State == order.TradePaid || t.State == order.TradeRefunded {
			paid += t.Amount
		}
	}
	for _, r := range g.refunds {
		if r.State == order.RefundDone {
			refunded += r.Amount
		}
	}
	return paid, refunded
}

// TradeState returns the state of a trade, or TradeClosed if it does not exist.
func (g *Gateway) TradeState(outTradeNo string) order.TradeState {
	g.mu.Lock()
	defer g.mu.Unlock()
	if t := g.trades[outTradeNo]; t != nil {
		return t.State
	}
	return order.TradeClosed
}
