package wechat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/payment"
)

// Prepay announces a payment and signs what the bridge needs.
func (p *Pay) Prepay(ctx context.Context, req payment.PrepayRequest) (payment.BridgeParams, error) {
	if err := p.certs.load(ctx); err != nil {
		return payment.BridgeParams{}, err
	}
	expires := p.wireTime(req.ExpiresAt)
	a, _, err := p.trades.PrepayWithRequestPayment(ctx, jsapi.PrepayRequest{
		Appid: core.String(p.cfg.AppID), Mchid: core.String(p.cfg.MchID), Description: core.String(shorten(req.Description, 127)),
		OutTradeNo: core.String(req.OutTradeNo), TimeExpire: core.Time(expires), NotifyUrl: core.String(p.cfg.NotifyURL),
		Amount: &jsapi.Amount{Total: core.Int64(int64(req.Amount)), Currency: core.String("CNY")},
		Payer:  &jsapi.Payer{Openid: core.String(req.OpenID)},
	})
	if err != nil {
		err = failure(acts, "prepay", err)
		if refusedWith(err, "OUT_TRADE_NO_USED") {
			return payment.BridgeParams{}, p.usedUp(ctx, req.OutTradeNo, err)
		}
		return payment.BridgeParams{}, err
	}
	if text(a.PrepayId) == "" || text(a.PaySign) == "" {
		return payment.BridgeParams{}, fmt.Errorf("prepay: answer without prepay_id: %w", fault.ErrUnknown)
	}
	return payment.BridgeParams{
		AppID: text(a.Appid), TimeStamp: text(a.TimeStamp), NonceStr: text(a.NonceStr),
		Package: text(a.Package), SignType: text(a.SignType), PaySign: text(a.PaySign),
	}, nil
}

// usedUp finds out why a number cannot be announced again: paid, or anything else, for which a new attempt is needed.
func (p *Pay) usedUp(ctx context.Context, outTradeNo string, cause error) error {
	t, err := p.Query(ctx, outTradeNo)
	if err != nil {
		return fmt.Errorf("%w: used (%v), then not to be queried: %w", fault.ErrUnknown, cause, err)
	}
	if t.State == payment.TradePaid || t.State == payment.TradeRefunded {
		return fmt.Errorf("%w: %w", payment.ErrAlreadyPaid, cause)
	}
	return fmt.Errorf("%w: %w", payment.ErrTradeClosed, cause)
}

// Query reads a trade by our number.
func (p *Pay) Query(ctx context.Context, outTradeNo string) (payment.Trade, error) {
	if err := p.certs.load(ctx); err != nil {
		return payment.Trade{}, err
	}
	a, _, err := p.trades.QueryOrderByOutTradeNo(ctx, jsapi.QueryOrderByOutTradeNoRequest{
		OutTradeNo: core.String(outTradeNo), Mchid: core.String(p.cfg.MchID),
	})
	if err != nil {
		return payment.Trade{}, failure(reads, "query trade", err)
	}
	t, err := trade(a)
	if err == nil && (t.OutTradeNo != outTradeNo || t.MchID != p.cfg.MchID) {
		err = fmt.Errorf("asked for trade %q of merchant %q, got %q of %q", outTradeNo, p.cfg.MchID, t.OutTradeNo, t.MchID)
	}
	if err != nil {
		return payment.Trade{}, fmt.Errorf("query trade: %w: %w", fault.ErrBadAnswer, err)
	}
	return t, nil
}

// Close ends an unpaid trade; closing a closed one succeeds.
func (p *Pay) Close(ctx context.Context, outTradeNo string) error {
	if err := p.certs.load(ctx); err != nil {
		return err
	}
	a, err := p.trades.CloseOrder(ctx, jsapi.CloseOrderRequest{OutTradeNo: core.String(outTradeNo), Mchid: core.String(p.cfg.MchID)})
	if err == nil && a.Response.StatusCode != http.StatusNoContent {
		return fmt.Errorf("close trade: answer with status %d: %w", a.Response.StatusCode, fault.ErrUnknown)
	}
	if err == nil {
		return nil
	}
	err = failure(acts, "close trade", err)
	if errors.Is(err, payment.ErrTradeClosed) {
		return nil
	}
	return err
}

// states are the vendor's trade states. The last three belong to barcode payment and should not be seen here.
var states = map[string]payment.TradeState{
	"SUCCESS":    payment.TradePaid,
	"REFUND":     payment.TradeRefunded,
	"NOTPAY":     payment.TradeUnpaid,
	"CLOSED":     payment.TradeClosed,
	"REVOKED":    payment.TradeClosed,
	"USERPAYING": payment.TradeUnpaid,
	"PAYERROR":   payment.TradeUnpaid,
}

// trade reads a transaction of a query or a notify. A paid one must say how much, by whom and under which number.
func trade(a *payments.Transaction) (payment.Trade, error) {
	state, ok := states[text(a.TradeState)]
	if !ok {
		return payment.Trade{}, fmt.Errorf("trade_state %q", text(a.TradeState))
	}
	t := payment.Trade{
		OutTradeNo: text(a.OutTradeNo), TransactionID: text(a.TransactionId), State: state,
		AppID: text(a.Appid), MchID: text(a.Mchid),
	}
	if a.Amount != nil && a.Amount.Total != nil {
		t.Amount = money.Fen(*a.Amount.Total)
	}
	if a.Payer != nil {
		t.OpenID = text(a.Payer.Openid)
	}
	if s := text(a.SuccessTime); s != "" {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return payment.Trade{}, fmt.Errorf("success_time: %w", err)
		}
		t.PaidAt = at.UTC()
	}
	switch {
	case t.OutTradeNo == "" || t.AppID == "" || t.MchID == "":
		return payment.Trade{}, errors.New("trade without out_trade_no, appid or mchid")
	case state != payment.TradePaid && state != payment.TradeRefunded:
		return t, nil
	case t.TransactionID == "" || t.Amount <= 0 || t.OpenID == "" || t.PaidAt.IsZero():
		return payment.Trade{}, fmt.Errorf("paid trade %q without transaction_id, amount, payer or success_time", t.OutTradeNo)
	}
	return t, nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// shorten cuts s to at most n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
