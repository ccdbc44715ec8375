package console

import (
	"crypto/sha1" // the algorithm of the JS-SDK's signature
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/e2e/phone"
	"marquee/simulators"
	"marquee/simulators/faults"
	"marquee/simulators/wechat"
)

// shopPage is the page of a minimal web app that can be paid in. It shows what the bridge returned.
const shopPage = `<!doctype html>
<html lang="zh-CN"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>小店</title>
<style>body { margin: 0; padding: 24px; font: 16px/1.6 system-ui } button { font: inherit; padding: 12px 20px; margin: 0 8px 16px 0 } output { display: block; overflow-wrap: anywhere }</style></head>
<body><h1>两张电影票</h1><button id="pay">付款</button><button id="scan">扫码</button><output>还没有付款</output>
<script>
const show = (text) => { document.querySelector('output').textContent = text }
const bridge = () => new Promise((ready) => {
  if (window.WeixinJSBridge) ready(window.WeixinJSBridge)
  else document.addEventListener('WeixinJSBridgeReady', () => ready(window.WeixinJSBridge), { once: true })
})
const ask = async (path) => (await fetch(path, { method: 'POST' })).json()
document.getElementById('pay').onclick = async () => {
  show('等待支付')
  const order = await ask('/prepay')
  const app = await bridge()
  app.invoke('getBrandWCPayRequest', order, (result) => show(result.err_msg))
}
document.getElementById('scan').onclick = async () => {
  const app = await bridge()
  const config = await ask('/config?url=' + encodeURIComponent(location.href))
  app.invoke('preVerifyJSAPI', config, (verified) => {
    if (verified.err_msg !== 'preVerifyJSAPI:ok') return show(verified.err_msg)
    app.invoke('scanQRCode', { needResult: 1 }, (result) => show(result.resultStr || result.err_msg))
  })
}
</script></body></html>`

// vendorTo is a transport that sends calls for the vendor's hosts to the simulators, with the vendor's Host header.
type vendorTo struct{ host string }

func (v vendorTo) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host, r.URL.Scheme, r.URL.Host = r.URL.Host, "http", v.host
	return http.DefaultTransport.RoundTrip(r)
}

// payClient returns a client that reaches the world's simulators as the vendor, and the vendor's payment SDK on it.
func (f *fixture) payClient(w *simulators.World) (*http.Client, *core.Client) {
	f.Helper()
	keys := w.Credentials().WeChat
	key, err := utils.LoadPrivateKey(keys.MchPrivateKeyPEM)
	f.must(err)
	client := &http.Client{Transport: vendorTo{strings.TrimPrefix(w.URL(), "http://")}}
	pay, err := core.NewClient(
		f.T.Context(),
		option.WithMerchantCredential(keys.MchID, keys.MchSerial, key),
		option.WithoutValidator(),
		option.WithHTTPClient(client),
	)
	f.must(err)
	return client, pay
}

// shopOf starts the shop of a world, whose orders are all for one person.
func (f *fixture) shopOf(w *simulators.World) {
	f.Helper()
	keys := w.Credentials().WeChat
	client, pay := f.payClient(w)
	var orders atomic.Int32
	answer := func(w http.ResponseWriter, value any, err error) {
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadGateway)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(value)
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, shopPage)
	})
	mux.HandleFunc("POST /prepay", func(w http.ResponseWriter, q *http.Request) {
		order, _, err := (&jsapi.JsapiApiService{Client: pay}).PrepayWithRequestPayment(
			q.Context(),
			jsapi.PrepayRequest{
				Appid: &keys.AppID, Mchid: &keys.MchID, Description: core.String("两张电影票"),
				OutTradeNo: core.String(fmt.Sprintf("PHONE%05d", orders.Add(1))),
				NotifyUrl:  core.String("http://127.0.0.1:1/notify"), Amount: &jsapi.Amount{Total: core.Int64(6980)},
				Payer: &jsapi.Payer{Openid: core.String(wechat.BoundOpenID)},
			},
		)
		answer(w, order, err)
	})
	mux.HandleFunc("POST /config", func(w http.ResponseWriter, q *http.Request) {
		get := func(path, field string) string {
			got, err := client.Get("http://api.weixin.qq.com" + path)
			if err != nil {
				return ""
			}
			defer got.Body.Close()
			var body map[string]any
			_ = json.NewDecoder(got.Body).Decode(&body)
			return fmt.Sprint(body[field])
		}
		token := get(
			"/cgi-bin/token?grant_type=client_credential&appid="+keys.AppID+"&secret="+keys.AppSecret,
			"access_token",
		)
		ticket, now := get(
			"/cgi-bin/ticket/getticket?type=jsapi&access_token="+token,
			"ticket",
		), fmt.Sprint(
			time.Now().Unix(),
		)
		sum := sha1.Sum(
			[]byte("jsapi_ticket=" + ticket + "&noncestr=n0nce&timestamp=" + now + "&url=" + q.URL.Query().Get("url")),
		)
		answer(w, map[string]any{
			"verifyAppId": keys.AppID, "verifyTimestamp": now, "verifyNonceStr": "n0nce",
			"verifySignature": hex.EncodeToString(sum[:]),
			"verifyJsApiList": []string{"scanQRCode"},
		}, nil)
	})
	server := httptest.NewServer(mux)
	f.Cleanup(server.Close)
	w.SetAppURL(server.URL)
}

// telephone is the phone page with a shop in it.
type telephone struct {
	*fixture
	*simulators.World
	app playwright.FrameLocator
}

// pickUp starts a shop and opens the phone page of its world.
func (f *fixture) pickUp(query string) telephone {
	f.Helper()
	w := f.world("called")
	f.shopOf(w)
	f.must(f.Phone.Open(f.sims.URL() + "/phone?world=called" + query))
	p := telephone{f, w, f.FrameLocator("#app")}
	p.sees(p.app.GetByRole("heading", playwright.FrameLocatorGetByRoleOptions{Name: "两张电影票"}))
	return p
}

func (p telephone) touch(button string) {
	p.Helper()
	p.must(
		p.app.GetByRole("button", playwright.FrameLocatorGetByRoleOptions{Name: button, Exact: playwright.Bool(true)}).
			Click(),
	)
}

func (p telephone) dialog(title string) playwright.Locator {
	return p.app.GetByRole("dialog", playwright.FrameLocatorGetByRoleOptions{Name: title})
}

// chooses picks a person, a system or a bridge, and waits until the shop is loaded again.
func (p telephone) chooses(name string) {
	p.Helper()
	p.must(p.GetByRole("radio", playwright.PageGetByRoleOptions{Name: name}).Check())
	p.shows("还没有付款")
}

// shows waits until the shop shows what the bridge returned.
func (p telephone) shows(text string) {
	p.Helper()
	require.NoError(p, expect.Locator(p.app.Locator("output")).ToContainText(text))
}

func (p telephone) records() playwright.Locator {
	return p.GetByRole("region", playwright.PageGetByRoleOptions{Name: "支付记录"}).GetByRole("listitem")
}

func (p telephone) picture(name string) {
	p.Helper()
	if os.Getenv("MARQUEE_SCREENS") == "" {
		return
	}
	_, err := p.Screenshot(
		playwright.PageScreenshotOptions{Path: playwright.String("../artifacts/screens/phone-" + name + ".png")},
	)
	p.must(err)
}

func TestPhone_PaysCancelsFailsAndKeepsTheRecord(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("")
		for outcome, result := range map[string]string{"支付": ":ok", "取消": ":cancel", "模拟支付失败": ":fail"} {
			p.touch("付款")
			sheet := p.dialog("确认支付")
			p.sees(sheet.GetByText("¥69.80"))
			p.sees(sheet.GetByText("付款人 林晚晴"))
			p.must(
				sheet.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: outcome,
					Exact: playwright.Bool(true)}).
					Click(),
			)
			p.shows("get_brand_wcpay_request" + result)
		}
		require.NoError(p, expect.Locator(p.records()).ToHaveCount(3))
		require.NoError(
			p,
			expect.Locator(p.records().Filter(playwright.LocatorFilterOptions{HasText: "支付成功"})).ToHaveCount(1),
		)

		p.chooses("周一鸣")
		p.sees(p.GetByText("暂无支付记录"))
		p.touch("付款")
		p.shows("get_brand_wcpay_request:fail") // the order is another person's
	})
}

// The client draws a title bar above the page, with the page's title and a back button.
func TestPhone_HasATitleBar(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("")
		title := p.Locator("#title")
		require.NoError(p, expect.Locator(title).ToHaveText("小店"))
		_, err := p.app.Locator("body").
			Evaluate(`() => { history.pushState(null, '', '/second'); document.title = '第二页' }`, nil)
		p.must(err)
		require.NoError(p, expect.Locator(title).ToHaveText("第二页"))
		p.must(p.GetByRole("button", playwright.PageGetByRoleOptions{Name: "返回上一页"}).Click())
		require.NoError(p, expect.Locator(p.GetByLabel("页面路径")).ToHaveValue("/"))
	})
}

func TestPhone_ScansWhatIsTyped(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("&os=ios")
		p.touch("扫码")
		scanner := p.dialog("扫一扫")
		p.must(scanner.GetByLabel("二维码或条形码内容").Fill("CARD-8011"))
		p.must(scanner.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "完成"}).Click())
		p.shows(`{"scan_code":{"scan_result":"CARD-8011"}}`)
		p.chooses("Android")
		p.touch("扫码")
		p.must(scanner.GetByLabel("二维码或条形码内容").Fill("CARD-8012"))
		p.must(scanner.GetByLabel("二维码或条形码内容").Press("Enter"))
		require.NoError(p, expect.Locator(p.app.Locator("output")).ToHaveText("CARD-8012"))
		p.touch("扫码")
		card := p.Credentials().Cards[0]
		_, err := scanner.GetByLabel("或选一张演示卡").
			SelectOption(playwright.SelectOptionValues{Labels: &[]string{"超级卡 " + card.Kahao}})
		p.must(err)
		p.must(scanner.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "完成"}).Click())
		require.NoError(p, expect.Locator(p.app.Locator("output")).ToHaveText(card.Kahao+":"+card.Pass))
		p.touch("扫码")
		p.must(scanner.GetByRole("button", playwright.LocatorGetByRoleOptions{Name: "取消"}).Click())
		p.shows("scanQRCode:cancel")
	})
}

func TestPhone_ABridgeThatIsLateOrAbsent(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("&bridge=late")
		p.touch("付款")
		p.sees(p.dialog("确认支付"))
		p.chooses("未注入")
		p.touch("付款")
		p.shows("等待支付")
		script, err := p.app.Locator("body").
			Evaluate(`async () => typeof WeixinJSBridge + await (await fetch('/__phone/bridge.js')).text()`, nil)
		p.must(err)
		require.Regexp(p, `^undefined(?s:.*)"bridge":"absent"`, script, "and none is on its way")
		p.shows("等待支付")
		require.NoError(p, expect.Locator(p.dialog("确认支付")).ToHaveCount(0))
	})
}

func TestPhone_ShowsItsMessagesAndLeadsToItsConsole(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("")
		p.text(p.World, "13900000001", "246810")
		p.sees(
			p.GetByRole("region", playwright.PageGetByRoleOptions{Name: "短信"}).
				GetByText("246810", playwright.LocatorGetByTextOptions{Exact: playwright.Bool(true)}),
		)
		p.must(p.GetByRole("link", playwright.PageGetByRoleOptions{Name: "控制台"}).Click())
		p.must(expect.Page(p.Page).ToHaveURL(p.sims.URL() + "/?world=called"))
		p.live()
		require.NoError(p, expect.Locator(p.GetByLabel("World", exact)).ToHaveValue("called"))
		p.must(
			p.named("navigation", "Pages").
				GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Phone"}).
				ScrollIntoViewIfNeeded(),
		)
		href, err := p.named("navigation", "Pages").
			GetByRole("link", playwright.LocatorGetByRoleOptions{Name: "Phone"}).
			GetAttribute("href")
		p.must(err)
		require.Equal(p, "/phone?world=called", href, "and back")
	})
}

func TestPhone_ReportsThatItsWorldHasEnded(t *testing.T) {
	onBoth(t, func(f *fixture) {
		p := f.pickUp("")
		p.World.Close()
		p.sees(p.GetByRole("alert").GetByText("called"))
	}, "404")
}

func TestPhone_OnEveryScreenByDayAndNight(t *testing.T) {
	t.Parallel()
	for light, dark := range map[string]bool{"day": false, "night": true} {
		t.Run(light, func(t *testing.T) {
			t.Parallel()
			p := newFixture(t, phone.Options{Desktop: true, Dark: dark, ReducedMotion: true}).pickUp("")
			see := func(name string) {
				for _, size := range sizes {
					p.Resize(p.T, size.width, size.height)
					at := fmt.Sprintf("%s-%d-%s", name, size.width, light)
					p.picture(at)
					for _, problem := range p.HorizontalOverflow(p.T) {
						p.Errorf("%s: wider than the screen: %s", at, problem)
					}
					if size.width == 320 || size.width == 1280 {
						for _, problem := range p.AxeViolations(p.T) {
							p.Errorf("%s: %s", at, problem)
						}
					}
				}
			}
			see("empty")
			p.text(p.World, "13900000001", "246810")
			_, err := p.Faults().
				Add(faults.Fault{Provider: "wechat", Operation: "pay", Do: "bridge-cancel-after-pay", Times: 1})
			p.must(err)
			p.touch("付款")
			p.sees(p.dialog("确认支付"))
			see("sheet")
			p.must(p.dialog("确认支付").GetByRole("button").First().Click())
			p.shows(":cancel")
			require.NoError(p, expect.Locator(p.records()).ToHaveCount(1))
			p.touch("扫码")
			p.sees(p.dialog("扫一扫"))
			see("scanner")
		})
	}
}
