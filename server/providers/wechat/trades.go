package wechat

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"

	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

// maxDescription and maxReason are the vendor's limits in characters.
const (
	maxDescription = 127
	maxReason      = 80
)

// Prepay registers a payment with the vendor and returns the signed parameters with which a page opens it in the
// messaging app. It returns order.ErrAlreadyPaid or order.ErrTradeClosed if the trade number cannot be used again.
func (p *Pay) Prepay(ctx context.Context, req order.PrepayRequest) (_ order.BridgeParams, err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "prepay")
	defer end(&err)
	if err := p.keys.prepareCommand(ctx); err != nil {
		return order.BridgeParams{}, err
	}
	expires := p.wireTime(req.ExpiresAt)
	var a *jsapi.PrepayWithRequestPaymentResponse
	prepay := jsapi.PrepayRequest{
		Appid: core.String(p.cfg.AppID), Mchid: core.String(p.cfg.MchID), NotifyUrl: core.String(p.cfg.NotifyURL),
		OutTradeNo: core.String(req.OutTradeNo), TimeExpire: core.Time(expires),
		Description: core.String(shorten(req.Description, maxDescription)),
		Amount:      &jsapi.Amount{Total: core.Int64(int64(req.Amount)), Currency: core.String("CNY")},
		Payer:       &jsapi.Payer{Openid: core.String(req.OpenID)},
	}
	err = p.exchange(ctx, transport.Command, "prepay", func(ctx context.Context) (err error) {
		a, _, err = p.trades.PrepayWithRequestPayment(ctx, prepay)
		return err
	})
	if err != nil {
		if transport.RejectedWith(err, codeNumberUsed) {
			return order.BridgeParams{}, p.resolveUsedNumber(ctx, req.OutTradeNo, err)
		}
		return order.BridgeParams{}, err
	}
	if text(a.PrepayId) == "" || text(a.PaySign) == "" {
		return order.BridgeParams{}, transport.Command.BadAnswer("prepay", errors.New("answer without prepay_id"))
	}
	return order.BridgeParams{
		AppID: text(a.Appid), TimeStamp: text(a.TimeStamp), NonceStr: text(a.NonceStr),
		Package: text(a.Package), SignType: text(a.SignType), PaySign: text(a.PaySign),
	}, nil
}

// h5Scene is the vendor's name for a payment on a web page.
const h5Scene = "Wap"

// PrepayH5 registers a payment from a browser outside the messaging app ("H5下单" of the vendor's documentation). It
// returns the URL of the vendor's page, which opens the messaging app; the caller may add redirect_url. With a
// simulator the page is the simulator's. It fails as Prepay does.
func (p *Pay) PrepayH5(ctx context.Context, req order.PrepayRequest) (_ string, err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "prepay-h5")
	defer end(&err)
	if err := p.keys.prepareCommand(ctx); err != nil {
		return "", err
	}
	var a *h5.PrepayResponse
	prepay := h5.PrepayRequest{
		Appid: core.String(p.cfg.AppID), Mchid: core.String(p.cfg.MchID), NotifyUrl: core.String(p.cfg.NotifyURL),
		OutTradeNo: core.String(req.OutTradeNo), TimeExpire: core.Time(p.wireTime(req.ExpiresAt)),
		Description: core.String(shorten(req.Description, maxDescription)),
		Amount:      &h5.Amount{Total: core.Int64(int64(req.Amount)), Currency: core.String("CNY")},
		SceneInfo: &h5.SceneInfo{
			PayerClientIp: core.String(req.ClientIP), H5Info: &h5.H5Info{Type: core.String(h5Scene)},
		},
	}
	err = p.exchange(ctx, transport.Command, "prepay h5", func(ctx context.Context) (err error) {
		a, _, err = p.h5.Prepay(ctx, prepay)
		return err
	})
	if transport.RejectedWith(err, codeNumberUsed) {
		return "", p.resolveUsedNumber(ctx, req.OutTradeNo, err)
	}
	if err != nil {
		return "", err
	}
	page, err := url.Parse(text(a.H5Url))
	if err != nil || page.Scheme != "https" || page.Host == "" {
		return "", transport.Command.BadAnswer("prepay h5", errors.New("answer without an https h5_url"))
	}
	if at, err := url.Parse(p.cfg.SimulatorURL); err == nil && at.Host != "" {
		page.Scheme, page.Host = at.Scheme, at.Host // the browser opens the page itself, without roundTripper
	}
	return page.String(), nil
}

// resolveUsedNumber queries a trade whose number the vendor does not accept again. It returns order.ErrAlreadyPaid if
// the trade is paid, fault.ErrUnknown if the query fails, and otherwise order.ErrTradeClosed: the caller then tries
// again with another number.
func (p *Pay) resolveUsedNumber(ctx context.Context, outTradeNo string, cause error) error {
	t, err := p.Query(ctx, outTradeNo)
	if err != nil {
		return fmt.Errorf("%w: the trade number was used before (%v), and querying that trade failed: %w",
			fault.ErrUnknown, cause, err)
	}
	if t.State == order.TradePaid || t.State == order.TradeRefunded {
		return fmt.Errorf("%w: %w", order.ErrAlreadyPaid, cause)
	}
	return fmt.Errorf("%w: %w", order.ErrTradeClosed, cause)
}

// Query returns a trade by the shop's number. It returns order.ErrTradeNotFound if the vendor does not know it.
func (p *Pay) Query(ctx context.Context, outTradeNo string) (_ order.Trade, err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "query")
	defer end(&err)
	if err := p.keys.prepareQuery(ctx); err != nil {
		return order.Trade{}, err
	}
	var a *payments.Transaction
	err = p.exchange(ctx, transport.Query, "query trade", func(ctx context.Context) (err error) {
		a, _, err = p.trades.QueryOrderByOutTradeNo(ctx, jsapi.QueryOrderByOutTradeNoRequest{
			OutTradeNo: core.String(outTradeNo), Mchid: core.String(p.cfg.MchID),
		})
		return err
	})
	if err != nil {
		return order.Trade{}, err
	}
	t, err := trade(a)
	if err == nil && (t.OutTradeNo != outTradeNo || t.MchID != p.cfg.MchID) {
		err = fmt.Errorf("asked for trade %q of merchant %q, got %q of %q",
			outTradeNo, p.cfg.MchID, t.OutTradeNo, t.MchID)
	}
	if err != nil {
		return order.Trade{}, transport.Query.BadAnswer("query trade", err)
	}
	return t, nil
}

// Close closes an unpaid trade. Closing a closed trade succeeds. It returns order.ErrAlreadyPaid for a paid one.
func (p *Pay) Close(ctx context.Context, outTradeNo string) (err error) {
	ctx, end := p.cfg.Operations.Begin(ctx, "close")
	defer end(&err)
	if err := p.keys.prepareCommand(ctx); err != nil {
		return err
	}
	var a *core.APIResult
	err = p.exchange(ctx, transport.Command, "close trade", func(ctx context.Context) (err error) {
		a, err = p.trades.CloseOrder(ctx, jsapi.CloseOrderRequest{
			OutTradeNo: core.String(outTradeNo), Mchid: core.String(p.cfg.MchID),
		})
		return err
	})
	if errors.Is(err, order.ErrTradeClosed) {
		return nil
	}
	if err != nil {
		return err
	}
	if status := a.Response.StatusCode; status != http.StatusNoContent {
		return transport.Command.BadAnswer("close trade", fmt.Errorf("answer with status %d", status))
	}
	return nil
}

// states maps the vendor's trade states. The last three belong to payment by bar code, which the shop does not use.
var states = map[string]order.TradeState{
	"SUCCESS":    order.TradePaid,
	"REFUND":     order.TradeRefunded,
	"NOTPAY":     order.TradeUnpaid,
	"CLOSED":     order.TradeClosed,
	"REVOKED":    order.TradeClosed,
	"USERPAYING": order.TradeUnpaid,
	"PAYERROR":   order.TradeUnpaid,
}

// trade converts the transaction of a query or a notify. It fails if a paid one has no amount, payer, number or time.
func trade(a *payments.Transaction) (order.Trade, error) {
	state, ok := states[text(a.TradeState)]
	if !ok {
		return order.Trade{}, fmt.Errorf("trade_state %q", text(a.TradeState))
	}
	t := order.Trade{
		OutTradeNo: text(a.OutTradeNo), TransactionID: text(a.TransactionId), State: state,
		AppID: text(a.Appid), MchID: text(a.Mchid),
	}
	if a.Amount != nil && a.Amount.Total != nil {
		t.Amount = money.Fen(*a.Amount.Total)
		if currency := text(a.Amount.Currency); currency != "CNY" {
			t.Currency = currency // the vendor omits the field for yuan
		}
	}
	if a.Payer != nil {
		t.OpenID = text(a.Payer.Openid)
	}
	if s := text(a.SuccessTime); s != "" {
		at, err := time.Parse(time.RFC3339, s)
		if err != nil {
			return order.Trade{}, fmt.Errorf("success_time: %w", err)
		}
		t.PaidAt = at.UTC()
	}
	switch {
	case t.OutTradeNo == "" || t.AppID == "" || t.MchID == "":
		return order.Trade{}, errors.New("trade without out_trade_no, appid or mchid")
	case state != order.TradePaid && state != order.TradeRefunded:
		return t, nil
	case t.TransactionID == "" || t.Amount <= 0 || t.OpenID == "" || t.PaidAt.IsZero():
		return order.Trade{}, fmt.Errorf("paid trade %q without transaction_id, amount, payer or time", t.OutTradeNo)
	}
	return t, nil
}

// text returns the value of an optional field of the SDK, or "" for nil.
func text(s *string) string {
	if s == nil {
		return ""
	}
	return transport.Text(*s)
}

// shorten cuts s to at most n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
