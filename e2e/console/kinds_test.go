package console

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/h5"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/native"

	"marquee/e2e/phone"
	"marquee/simulators"
)

const nowhere = "http://127.0.0.1:1/notify"

// nativeCode is the content of the QR code of a Native payment.
func (f *fixture) nativeCode(w *simulators.World, no string) string {
	f.Helper()
	keys := w.Credentials().WeChat
	_, pay := f.payClient(w)
	answer, _, err := (&native.NativeApiService{Client: pay}).Prepay(f.T.Context(), native.PrepayRequest{
		Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("两张电影票"), OutTradeNo: &no,
		NotifyUrl: core.String(nowhere), Amount: &native.Amount{Total: core.Int64(6980)},
	})
	f.must(err)
	return *answer.CodeUrl
}

// h5Link is the address to which the shop of an H5 payment sends its buyer.
func (f *fixture) h5Link(w *simulators.World, no string) string {
	f.Helper()
	keys := w.Credentials().WeChat
	_, pay := f.payClient(w)
	answer, _, err := (&h5.H5ApiService{Client: pay}).Prepay(f.T.Context(), h5.PrepayRequest{
		Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("两张电影票"), OutTradeNo: &no,
		NotifyUrl: core.String(nowhere), Amount: &h5.Amount{Total: core.Int64(6980)},
		SceneInfo: &h5.SceneInfo{
			PayerClientIp: core.String("203.0.113.7"), H5Info: &h5.H5Info{Type: core.String("Wap")},
		},
	})
	f.must(err)
	return *answer.H5Url
}

// tradeOf asks the provider for a trade, as a shop does.
func (f *fixture) tradeOf(w *simulators.World, no string) (state, openID string) {
	f.Helper()
	_, pay := f.payClient(w)
	keys := w.Credentials().WeChat
	trade, _, err := (&native.NativeApiService{Client: pay}).QueryOrderByOutTradeNo(
		f.T.Context(),
		native.QueryOrderByOutTradeNoRequest{OutTradeNo: &no, Mchid: &keys.MchID},
	)
	f.must(err)
	if trade.Payer != nil {
		openID = *trade.Payer.Openid
	}
	return *trade.TradeState, openID
}

func TestPhone_ScansANativeCodeAndOpensAnH5Link(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("")
		p.chooses("周一鸣")
		scan := func(content string) {
			p.must(p.GetByLabel("付款码内容或 H5 支付链接").Fill(content))
			p.must(p.named("region", "扫一扫").GetByRole("button").Click())
			p.sees(p.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "确认支付"}))
			p.sees(p.GetByText("¥69.80"))
		}
		for kind, content := range map[string]string{
			"NATIVE-001": f.nativeCode(p.World, "NATIVE-001"), "H5-0000001": f.h5Link(p.World, "H5-0000001"),
		} {
			scan(content)
			p.press("取消")
			p.sees(p.GetByRole("alert").GetByText("已取消"))
			state, _ := f.tradeOf(p.World, kind)
			require.Equal(p, "NOTPAY", state)
			p.must(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "返回手机"}).Click())
			scan(content)
			p.press("支付")
			p.sees(p.GetByRole("alert").GetByText("支付成功"))
			state, openID := f.tradeOf(p.World, kind)
			require.Equal(p, "SUCCESS", state)
			require.Equal(p, "oMarqueeDemo_unbound_02", openID, "who holds the phone")
			p.must(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "返回手机"}).Click())
			p.sees(p.records().Filter(playwright.LocatorFilterOptions{HasText: kind}))
		}
		p.must(p.GetByLabel("付款码内容或 H5 支付链接").Fill("weixin://wxpay/bizpayurl?pr=unknown"))
		p.must(p.named("region", "扫一扫").GetByRole("button").Click())
		p.sees(p.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "无法支付"}))
	})
}

// TestBrowser_OpensAnH5LinkAtTheVendorsAddress opens the vendor's https address, as the shop's page does, and returns
// to the shop.
func TestBrowser_OpensAnH5LinkAtTheVendorsAddress(t *testing.T) {
	t.Parallel()
	shop := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>小店</title><h1>付款结果 "+r.URL.Path+"</h1>")
	}))
	t.Cleanup(shop.Close)
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	f := &fixture{t, sims, phone.New(t, phone.Options{Proxy: sims.URL()})}
	w := f.world("browsing")
	link := f.h5Link(w, "H5-0000002")
	require.Regexp(t, `^https://wx\.tenpay\.com/`, link)
	f.must(f.Phone.Open(link + "&redirect_url=" + url.QueryEscape(shop.URL+"/done")))
	f.sees(f.GetByText("¥69.80"))
	for _, problem := range f.AxeViolations(t) {
		t.Error(problem)
	}
	f.press("支付")
	f.sees(f.GetByRole("heading", playwright.PageGetByRoleOptions{Name: "付款结果 /done"}))
	state, _ := f.tradeOf(w, "H5-0000002")
	require.Equal(t, "SUCCESS", state)
}
