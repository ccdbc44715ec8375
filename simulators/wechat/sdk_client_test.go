package wechat_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/wechatpay-apiv3/wechatpay-go/core"
	"github.com/wechatpay-apiv3/wechatpay-go/core/auth/verifiers"
	"github.com/wechatpay-apiv3/wechatpay-go/core/downloader"
	"github.com/wechatpay-apiv3/wechatpay-go/core/option"
	"github.com/wechatpay-apiv3/wechatpay-go/services/payments/jsapi"
	"github.com/wechatpay-apiv3/wechatpay-go/utils"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/wechat"
)

// wechatServer is the messaging app on a socket, and a merchant that it notifies.
type wechatServer struct {
	*wechat.Simulator
	clock   *testclock.Clock
	plan    *faults.Plan
	journal *journal.Journal
	keys    dataset.WeChatCredentials
	server  *httptest.Server
	shop    *merchant
	appURL  atomic.Pointer[string]
}

// start runs the simulator and chooses its handlers by Host and path, as the simulators' port does.
func start(t *testing.T) *wechatServer {
	t.Helper()
	return startWith(t, func(*wechat.Config) {})
}

// startWith is start with a changed configuration.
func startWith(t *testing.T, change func(*wechat.Config)) *wechatServer {
	t.Helper()
	clock := testclock.New()
	r := &wechatServer{clock: clock, plan: faults.NewPlan(), journal: journal.New(200, clock.Now),
		keys: dataset.NewCredentials(1).WeChat}
	r.appURL.Store(new(string))
	config := wechat.Config{
		Seed: 1, Clock: clock, Plan: r.plan, Journal: r.journal, Credentials: r.keys,
		PlatformKey: dataset.PlatformKeyPEM(), PublicKey: dataset.PublicKeyPairPEM(),
		AppURL: func() string { return *r.appURL.Load() },
	}
	change(&config)
	r.Simulator = wechat.New(config)
	t.Cleanup(r.Simulator.Close)
	hosts := map[string]http.Handler{wechat.PayHost: r.PayHandler(), wechat.OpenHost: r.OpenHandler(),
		wechat.APIHost: r.APIHandler()}
	api, phone := r.APIHandler(), r.PhoneHandler()
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		switch h := hosts[q.Host]; {
		case h != nil:
			h.ServeHTTP(w, q)
		case strings.HasPrefix(q.URL.Path, "/sns/") || strings.HasPrefix(q.URL.Path, "/cgi-bin/"):
			api.ServeHTTP(w, q)
		default:
			phone.ServeHTTP(w, q)
		}
	}))
	t.Cleanup(r.server.Close)
	r.shop = newMerchant(t)
	return r
}

// vendor is a transport that dials the simulator and keeps the vendor's Host, path and query.
type vendor struct{ target *url.URL }

func (v vendor) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Host = r.URL.Host
	r.URL.Scheme, r.URL.Host = v.target.Scheme, v.target.Host
	return http.DefaultTransport.RoundTrip(r)
}

func (r *wechatServer) client(t *testing.T) *http.Client {
	t.Helper()
	target, err := url.Parse(r.server.URL)
	require.NoError(t, err)
	return &http.Client{Transport: vendor{target}, Timeout: 5 * time.Second}
}

// sdk returns the vendor's client, which downloads the platform's certificates. It also makes the merchant verify
// notifications with them.
func (r *wechatServer) sdk(t *testing.T) *core.Client {
	t.Helper()
	ctx := context.Background()
	key, err := utils.LoadPrivateKey(r.keys.MchPrivateKeyPEM)
	require.NoError(t, err)
	plain, err := core.NewClient(ctx,
		option.WithMerchantCredential(r.keys.MchID, r.keys.MchSerial,
			key), option.WithoutValidator(), option.WithHTTPClient(r.client(t)))
	require.NoError(t, err)
	manager := downloader.NewCertificateDownloaderMgr(ctx)
	require.NoError(t, manager.RegisterDownloaderWithClient(ctx, plain, r.keys.MchID, r.keys.APIv3Key))
	client, err := core.NewClient(ctx,
		option.WithWechatPayAutoAuthCipherUsingDownloaderMgr(r.keys.MchID, r.keys.MchSerial, key,
			manager), option.WithHTTPClient(r.client(t)))
	require.NoError(t, err)
	r.shop.verifier = verifiers.NewSHA256WithRSAVerifier(manager.GetCertificateVisitor(r.keys.MchID))
	r.shop.rearm(r.keys.APIv3Key)
	return client
}

func (r *wechatServer) order(no string, fen int64) jsapi.PrepayRequest {
	return jsapi.PrepayRequest{
		Appid: core.String(r.keys.AppID), Mchid: core.String(r.keys.MchID), Description: core.String("两张电影票"),
		OutTradeNo: core.String(no), NotifyUrl: core.String(r.shop.URL), Attach: core.String("attached"),
		Amount: &jsapi.Amount{Total: core.Int64(fen)}, Payer: &jsapi.Payer{Openid: core.String(wechat.BoundOpenID)},
	}
}

func (r *wechatServer) prepay(t *testing.T, client *core.Client, no string, fen int64) string {
	t.Helper()
	return r.prepayOrder(t, client, r.order(no, fen))
}

func (r *wechatServer) prepayOrder(t *testing.T, client *core.Client, order jsapi.PrepayRequest) string {
	t.Helper()
	answer, _, err := (&jsapi.JsapiApiService{Client: client}).Prepay(context.Background(), order)
	require.NoError(t, err)
	return *answer.PrepayId
}

func (r *wechatServer) state(t *testing.T, client *core.Client, no string) string {
	t.Helper()
	answer, _, err := (&jsapi.JsapiApiService{Client: client}).QueryOrderByOutTradeNo(context.Background(),
		jsapi.QueryOrderByOutTradeNoRequest{OutTradeNo: core.String(no), Mchid: core.String(r.keys.MchID)})
	require.NoError(t, err)
	return *answer.TradeState
}

func (r *wechatServer) fault(t *testing.T, f faults.Fault) {
	t.Helper()
	f.Provider = wechat.Name
	_, err := r.plan.Add(f)
	require.NoError(t, err)
}
