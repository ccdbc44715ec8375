//go:build pact

package provider_test

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/credentials"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/signers"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/server/beijing"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/providers/wechat"
)

const (
	payHost     = "api.mch.weixin.qq.com"
	accountHost = "api.weixin.qq.com"
	openHost    = "open.weixin.qq.com"
	payer       = "oMarqueeDemo_bound_0001" // a demo buyer of the simulators; a real provider needs another one
)

// weChatStates sets the messaging app's states: it makes payments as the shop does, and pays them through the
// simulators' control API.
type weChatStates struct {
	target
	pay     *wechat.Pay
	key     *rsa.PrivateKey
	ctx     context.Context // the test's
	corrupt string          // what the front corrupts in the next request
}

func weChat(t *testing.T, at target) subject {
	t.Helper()
	k := at.keys.WeChat
	pay, err := wechat.NewPay(wechat.PayConfig{
		AppID: k.AppID, MchID: k.MchID, MchSerial: k.MchSerial, MchPrivateKeyPEM: k.MchPrivateKeyPEM,
		APIv3Key:  k.APIv3Key,
		NotifyURL: "https://shop.example/notify/wechat/pay", SimulatorURL: at.url, Now: at.now,
	})
	require.NoError(t, err)
	t.Cleanup(pay.Stop)
	key, err := utils.LoadPrivateKey(k.MchPrivateKeyPEM)
	require.NoError(t, err)
	w := &weChatStates{target: at, pay: pay, key: key, ctx: t.Context()}
	return subject{
		consumer: "marquee-shop", name: "wechat", reset: func() { w.corrupt = "" },
		front: resign(http.DefaultClient, w.sign),
		states: map[string]state{
			"known credentials":                  w.fresh,
			"no such thing":                      w.fresh,
			"a new payment":                      w.fresh,
			"an announced payment":               w.announced(8400),
			"a payment of another amount":        w.announced(4200),
			"a paid payment":                     w.paid,
			"a closed payment":                   w.closed,
			"a refunded payment":                 w.refunded(4200, false),
			"a payment refunded in part":         w.refundedInPart,
			"a refund that is done":              w.refunded(4200, true),
			"a day with a payment":               w.billed,
			"a day without payments":             w.billDay(60 * 24 * time.Hour),
			"a day whose bills are not made yet": w.unbilled,
			"an appid of another merchant":       w.otherAppID,
			"a wrong signature":                  w.wrongSignature,
			"a login code":                       w.code,
			"a code that was used":               w.usedCode,
			"a code that was never issued":       w.fresh,
			"a wrong app secret":                 w.wrongSecret,
			"an account token":                   w.accountToken,
			"an unknown account token":           w.fresh,
		},
	}
}

// sign puts the merchant's signature on a call of Pay APIv3, and sends every call to its vendor host.
func (w *weChatStates) sign(r *http.Request, body []byte) ([]byte, error) {
	u, err := url.Parse(w.url)
	if err != nil {
		return nil, err
	}
	u.Path, u.RawQuery = r.URL.Path, r.URL.RawQuery
	r.URL, r.Host = u, accountHost
	if strings.HasPrefix(u.Path, "/v3/") {
		r.Host = payHost
		key := &signers.SHA256WithRSASigner{
			MchID:               w.keys.WeChat.MchID,
			PrivateKey:          w.key,
			CertificateSerialNo: w.keys.WeChat.MchSerial,
		}
		signed := string(body)
		if w.corrupt == "signature" {
			signed += " "
		}
		authorization, err := (&credentials.WechatPayCredentials{Signer: key}).GenerateAuthorizationHeader(
			w.ctx,
			r.Method,
			u.RequestURI(),
			signed,
		)
		if err != nil {
			return nil, err
		}
		r.Header.Set("Authorization", authorization)
	}
	return body, nil
}

// base returns the values that every state has.
func (w *weChatStates) base() values {
	no := strings.TrimPrefix(orderNo(), "PACT")
	return values{
		"appid": w.keys.WeChat.AppID, "mchid": w.keys.WeChat.MchID, "secret": w.keys.WeChat.AppSecret, "openid": payer,
		"outTradeNo": no + "-1", "outRefundNo": "r" + no,
		"expires": time.Now().Add(10 * time.Minute).Format(time.RFC3339),
		"code":    "never-issued", "token": "unknown",
	}
}

func (w *weChatStates) fresh() (values, error) { return w.base(), nil }

// prepay creates a payment and returns its prepay_id.
func (w *weChatStates) prepay(amount money.Fen) (values, string, error) {
	v := w.base()
	params, err := w.pay.Prepay(w.ctx, order.PrepayRequest{
		OutTradeNo: v["outTradeNo"].(string), Description: "长夜", Amount: amount, OpenID: payer,
		ExpiresAt: w.now().Add(10 * time.Minute),
	})
	return v, strings.TrimPrefix(params.Package, "prepay_id="), err
}

func (w *weChatStates) announced(amount money.Fen) state {
	return func() (values, error) {
		v, _, err := w.prepay(amount)
		return v, err
	}
}

func (w *weChatStates) paid() (values, error) {
	v, prepayID, err := w.prepay(8400)
	if err != nil {
		return nil, err
	}
	body := fmt.Sprintf(`{"prepay_id":%q,"outcome":"pay"}`, prepayID)
	resp, err := http.Post(w.url+"/sim/v1/wechat/pay", "application/json", strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return nil, fmt.Errorf("only a simulator's phone pays by itself: status %d %s", resp.StatusCode, text)
	}
	return v, nil
}

func (w *weChatStates) closed() (values, error) {
	v, _, err := w.prepay(8400)
	if err != nil {
		return nil, err
	}
	return v, w.pay.Close(w.ctx, v["outTradeNo"].(string))
}

func (w *weChatStates) refund(v values, outRefundNo string, amount money.Fen) error {
	_, err := w.pay.Refund(w.ctx, order.RefundRequest{
		OutTradeNo: v["outTradeNo"].(string), OutRefundNo: outRefundNo, Amount: amount, Total: 8400, Reason: "出票失败",
	})
	return err
}

// refunded refunds part of a payment. If arrived, it waits until the refund is complete.
func (w *weChatStates) refunded(amount money.Fen, arrived bool) state {
	return func() (values, error) {
		v, err := w.paid()
		if err != nil {
			return nil, err
		}
		no := v["outRefundNo"].(string)
		if err := w.refund(v, no, amount); err != nil || !arrived {
			return v, err
		}
		return v, w.until(func() (bool, error) {
			r, err := w.pay.QueryRefund(w.ctx, no)
			return r.State == order.RefundDone, err
		})
	}
}

// refundedInPart refunds a payment so far that less is left than the pact's refund asks for.
func (w *weChatStates) refundedInPart() (values, error) {
	v, err := w.paid()
	if err != nil {
		return nil, err
	}
	if err := w.refund(v, "p"+v["outRefundNo"].(string), 8000); err != nil || w.hurry == nil {
		return v, err
	}
	w.hurry(time.Minute) // the vendor requires a minute between two refunds of one trade
	return v, nil
}

// billed pays, and moves the clock by two days, when the bills of the payment's day are available.
func (w *weChatStates) billed() (values, error) {
	v, err := w.paid()
	if err != nil {
		return nil, err
	}
	if w.hurry == nil {
		return nil, errors.New("the bills of today are made tomorrow")
	}
	v["billDate"] = day(w.now())
	w.hurry(48 * time.Hour)
	return v, nil
}

// unbilled moves the clock to half past midnight, when the bills of the previous day are not available yet.
func (w *weChatStates) unbilled() (values, error) {
	if w.hurry == nil {
		return nil, errors.New("only simulators can be asked at a chosen time")
	}
	now := w.now().In(beijing.Time)
	midnight := time.Date(now.Year(), now.Month(), now.Day()+1, 0, 30, 0, 0, now.Location())
	w.hurry(midnight.Sub(now))
	return w.billDay(time.Hour)()
}

// day is the date of the bill that contains the time t.
func day(t time.Time) string { return t.In(beijing.Time).Format(time.DateOnly) }

// billDay returns the day that was the given time ago.
func (w *weChatStates) billDay(ago time.Duration) state {
	return func() (values, error) {
		v := w.base()
		v["billDate"] = day(w.now().Add(-ago))
		return v, nil
	}
}

func (w *weChatStates) otherAppID() (values, error) {
	v := w.base()
	v["appid"] = "wx0000000000000000"
	return v, nil
}

func (w *weChatStates) wrongSignature() (values, error) {
	w.corrupt = "signature"
	return w.base(), nil
}

func (w *weChatStates) wrongSecret() (values, error) {
	v := w.base()
	v["secret"] = "wrong"
	return v, nil
}

// get calls a host of the vendor without following redirects.
func (w *weChatStates) get(host, path string, query url.Values) (*http.Response, error) {
	r, err := http.NewRequestWithContext(w.ctx, http.MethodGet, w.url+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	r.Host = host
	return http.DefaultTransport.RoundTrip(r)
}

// code returns the code with which the vendor's login page redirects a browser back.
func (w *weChatStates) code() (values, error) {
	v := w.base()
	resp, err := w.get(openHost, "/connect/oauth2/authorize", url.Values{
		"appid": {w.keys.WeChat.AppID}, "redirect_uri": {"http://localhost/quickLogin"}, "response_type": {"code"},
		"scope": {"snsapi_base"}, "state": {"s"},
	})
	if err != nil {
		return nil, err
	}
	_ = resp.Body.Close()
	back, err := resp.Location()
	if err != nil {
		return nil, fmt.Errorf("authorize: status %d: %w", resp.StatusCode, err)
	}
	v["code"] = back.Query().Get("code")
	return v, nil
}

func (w *weChatStates) usedCode() (values, error) {
	v, err := w.code()
	if err != nil {
		return nil, err
	}
	account, err := wechat.NewAccount(
		wechat.AccountConfig{AppID: w.keys.WeChat.AppID, AppSecret: w.keys.WeChat.AppSecret, SimulatorURL: w.url},
	)
	if err != nil {
		return nil, err
	}
	_, err = account.Exchange(w.ctx, v["code"].(string))
	return v, err
}

func (w *weChatStates) accountToken() (values, error) {
	resp, err := w.get(accountHost, "/cgi-bin/token", url.Values{
		"grant_type": {"client_credential"}, "appid": {w.keys.WeChat.AppID}, "secret": {w.keys.WeChat.AppSecret},
	})
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	var a struct {
		Token string `json:"access_token"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil || a.Token == "" {
		return nil, fmt.Errorf("no account token: %w", err)
	}
	v := w.base()
	v["token"] = a.Token
	return v, nil
}
