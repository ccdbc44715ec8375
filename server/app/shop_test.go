package app_test

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/server/cards"
	"marquee/server/money"
	"marquee/simulators"
	"marquee/simulators/script"
)

// harness runs simulators and a shop on real sockets, on one clock.
type harness struct {
	t    *testing.T
	sims *simulators.Simulators
	shop *app.App
	url  string

	close func()
}

// newHarness starts a harness on an empty database. It stops at the end of the test.
func newHarness(t *testing.T) *harness {
	t.Helper()
	h := startHarness(t, filepath.Join(t.TempDir(), "shop.db"))
	t.Cleanup(h.close)
	return h
}

// startHarness starts new simulators, and a shop on a database that an earlier harness may have filled. The caller
// closes it.
func startHarness(t *testing.T, db string) *harness {
	t.Helper()
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &harness{t: t, sims: sims, url: "http://" + listener.Addr().String()}
	sims.Default().SetAppURL(h.url)
	sims.Default().SetPush(h.url + "/notify/gateway")
	cfg := simulatedConfig(t, sims)
	cfg.DB, cfg.PublicURL = db, h.url
	h.shop, err = app.New(t.Context(), cfg)
	require.NoError(t, err)
	sims.Default().Clock().OnAdvance(h.shop.Wake)
	server := h.shop.Server()
	go func() {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	ctx, stop := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	go func() { worked <- h.shop.Run(ctx) }()
	h.close = func() {
		require.NoError(t, server.Close())
		stop()
		require.NoError(t, <-worked)
		require.NoError(t, h.shop.Close())
		require.NoError(t, sims.Close())
	}
	return h
}

// simulatedConfig is the configuration that the simulators publish, on their clock and with short time-outs. The shop
// logs only if MARQUEE_TEST_LOG is set.
func simulatedConfig(t *testing.T, sims *simulators.Simulators) app.Config {
	t.Helper()
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	require.NoError(t, err)
	cfg.Now, cfg.Logger, cfg.CallTimeout = sims.Default().Clock().Now, slog.New(slog.DiscardHandler), 600*time.Millisecond
	if os.Getenv("MARQUEE_TEST_LOG") != "" {
		cfg.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return cfg
}

// planFault plans a fault of a simulated provider.
func (h *harness) planFault(f script.Fault) {
	h.t.Helper()
	_, err := h.sims.Default().Faults().Add(f)
	require.NoError(h.t, err)
}

// issueCard issues a welfare card with points, hundredths of a point, that are valid for 400 days.
func (h *harness) issueCard(number string, points money.Points) {
	h.t.Helper()
	require.NoError(h.t, h.shop.Cards().Issue(h.t.Context(), []cards.NewCard{{
		PID: cards.SuperCard, Number: number, Password: "12345678", Points: points,
		ExpiresAt: h.sims.Default().Clock().Now().Add(400 * 24 * time.Hour),
	}}, "test"))
}

// verifyBooks fails the test if ledger, seats, stock, payments and orders contradict each other.
func (h *harness) verifyBooks() {
	h.t.Helper()
	found, err := h.shop.Verify(h.t.Context())
	require.NoError(h.t, err)
	require.Empty(h.t, found)
}

// buyer is an HTTP client with the cookies and the session of one buyer.
type buyer struct {
	*harness
	http  *http.Client
	phone string
	token string
}

// newBuyer returns a buyer who is not logged in.
func (h *harness) newBuyer(phone string) *buyer {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(h.t, err)
	sim := strings.TrimPrefix(h.sims.URL(), "http://")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if strings.Contains(addr, "inapp.localhost") { // browsers resolve *.localhost, the resolver of Go does not
			addr = sim
		}
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &buyer{harness: h, phone: phone, http: &http.Client{
		Transport: transport, Jar: jar, Timeout: 40 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is the envelope of any call.
type answer struct {
	Code    any             `json:"code"`
	Msg     string          `json:"msg"`
	Error   any             `json:"error"`
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
}

// params are the fields of a form.
type params map[string]string

// call posts a form with the channel number and the token of the session. A call of /movie/route is signed.
func (b *buyer) call(path string, fields params) answer {
	b.t.Helper()
	c := b.sims.Default().Credentials().Shop
	form := params{"channel_no": c.ChannelNo, "token": b.token}
	for k, v := range fields {
		form[k] = v
	}
	if strings.HasPrefix(path, "/movie/route") {
		form["appkey"], form["v"] = c.AppKey, "2.0"
		form["timestamp"] = time.Now().In(time.FixedZone("", 8*3600)).Format(time.DateTime)
		form["sign"] = sign(form, c.Secret)
	}
	values := url.Values{}
	for k, v := range form {
		values.Set(k, v)
	}
	resp, err := b.http.PostForm(b.url+path, values)
	require.NoError(b.t, err)
	return b.read(resp)
}

// get requests a path without channel number, token or signature.
func (b *buyer) get(path string) answer {
	b.t.Helper()
	resp, err := b.http.Get(b.url + path)
	require.NoError(b.t, err)
	return b.read(resp)
}

func (b *buyer) read(resp *http.Response) answer {
	b.t.Helper()
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusOK, resp.StatusCode, "%s", body)
	var a answer
	require.NoError(b.t, json.Unmarshal(body, &a), "%s", body)
	return a
}

// sign computes the signature of the specification. It does not use the shop's code, so that an error there is found.
func sign(form params, secret string) string {
	var keys []string
	for k, v := range form {
		if v != "" && k != "sign" {
			keys = append(keys, k)
		}
	}
	sort.Strings(keys)
	text := secret
	for _, k := range keys {
		text += k + form[k]
	}
	sum := md5.Sum([]byte(text + secret))
	return strings.ToUpper(hex.EncodeToString(sum[:]))
}

// dataOf decodes the data of an answer, and fails the test if the answer is an error.
func dataOf[T any](t *testing.T, a answer) T {
	t.Helper()
	require.Empty(t, a.Error, "%s", a.Msg)
	var v T
	require.NoError(t, json.Unmarshal(a.Data, &v), "%s", a.Data)
	return v
}

// orderNo returns the order number of the answer to a lock or to a search for an unpaid order; "" if there is no order.
func orderNo(t *testing.T, a answer) string {
	t.Helper()
	return dataOf[struct{ Orderid string }](t, a).Orderid
}

// requireFault fails the test unless the answer is an error with the code.
func requireFault(t *testing.T, a answer, code string) {
	t.Helper()
	require.Equal(t, code, a.Error, "%s", a.Msg)
}

// newestSMSCode returns the code that was sent last to the phone.
func (b *buyer) newestSMSCode() string {
	b.t.Helper()
	resp, err := b.http.Get(b.sims.URL() + "/sim/v1/sms/messages?phone=" + b.phone)
	require.NoError(b.t, err)
	defer resp.Body.Close()
	var inbox struct {
		Messages []struct {
			Code string `json:"code"`
		} `json:"messages"`
	}
	require.NoError(b.t, json.NewDecoder(resp.Body).Decode(&inbox))
	require.NotEmpty(b.t, inbox.Messages)
	return inbox.Messages[0].Code
}

// login logs the buyer in by phone and SMS code.
func (b *buyer) login() *buyer {
	b.t.Helper()
	dataOf[any](b.t, b.call("/Login/sendcode", params{"phone": b.phone}))
	got := dataOf[struct{ Token, UID string }](b.t,
		b.call("/Login/phoneLogin", params{"phone": b.phone, "code": b.newestSMSCode()}))
	require.NotEmpty(b.t, got.Token)
	b.token = got.Token
	return b
}

// password is the payment password that setPaymentPassword sets.
const password = "246810"

func (b *buyer) setPaymentPassword() {
	b.t.Helper()
	b.sims.Default().Clock().Advance(time.Minute) // the shop sends one code per minute
	dataOf[any](b.t, b.call("/Member/getsendcode", nil))
	dataOf[any](b.t, b.call("/Member/editpassword", params{"code": b.newestSMSCode(), "password": password}))
}

// bindCard binds a card that issueCard has issued, and returns its id.
func (b *buyer) bindCard(number string) string {
	b.t.Helper()
	return dataOf[struct{ ID string }](b.t, b.call("/api/api.php/Card/addbinding",
		params{"kahao": number, "pass": "12345678"})).ID
}

// authorizeInApp goes through the login of the messaging app with an openid, and returns the proof for a quick login.
func (b *buyer) authorizeInApp(openID string) (yzCode string) {
	b.t.Helper()
	start := dataOf[struct{ URL string }](b.t, b.call("/Login/wxlogin", params{"url": b.url + "/quickLogin"}))
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, start.URL, nil)
	require.NoError(b.t, err)
	req.AddCookie(&http.Cookie{Name: "phone_openid", Value: openID})
	resp, err := b.http.Do(req)
	require.NoError(b.t, err)
	defer resp.Body.Close()
	require.Equal(b.t, http.StatusFound, resp.StatusCode)
	back, err := resp.Location()
	require.NoError(b.t, err)
	got := dataOf[struct {
		OpenID string `json:"openid"`
		Proof  string `json:"yz_code"`
	}](b.t, b.call("/Login/getopenid", params{"code": back.Query().Get("code"), "state": back.Query().Get("state")}))
	require.Equal(b.t, openID, got.OpenID)
	return got.Proof
}

// finishAppPayment ends a payment in the messaging app. Outcome is "pay" or "cancel".
func (h *harness) finishAppPayment(prepay, outcome string) {
	h.t.Helper()
	id := strings.TrimPrefix(prepay, "prepay_id=")
	resp, err := http.Post(h.sims.URL()+"/sim/v1/wechat/pay", "application/json",
		strings.NewReader(fmt.Sprintf(`{"prepay_id":%q,"outcome":%q}`, id, outcome)))
	require.NoError(h.t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(h.t, err)
	require.Less(h.t, resp.StatusCode, 300, "%s", body)
}
