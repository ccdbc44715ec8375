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

// house is simulators and a shop on real sockets, on one clock.
type house struct {
	t    *testing.T
	sims *simulators.Simulators
	shop *app.App
	url  string

	close func()
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := openHouse(t, filepath.Join(t.TempDir(), "shop.db"))
	t.Cleanup(h.close)
	return h
}

// openHouse starts simulators that remember nothing, and a shop on the database of an earlier one.
func openHouse(t *testing.T, db string) *house {
	t.Helper()
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	h := &house{t: t, sims: sims, url: "http://" + listener.Addr().String()}
	sims.Default().SetAppURL(h.url)
	sims.Default().SetPush(h.url + "/notify/gateway")
	cfg := simulated(t, sims)
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

func simulated(t *testing.T, sims *simulators.Simulators) app.Config {
	t.Helper()
	cfg, err := app.FromEnvironment(sims.Default().ShopEnvironment())
	require.NoError(t, err)
	cfg.Now, cfg.Logger, cfg.CallTimeout = sims.Default().Clock().Now, slog.New(slog.DiscardHandler), 600*time.Millisecond
	if os.Getenv("MARQUEE_TEST_LOG") != "" {
		cfg.Logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return cfg
}

func (h *house) plan(f script.Fault) {
	h.t.Helper()
	_, err := h.sims.Default().Faults().Add(f)
	require.NoError(h.t, err)
}

// card issues a welfare card.
func (h *house) card(number string, points money.Points) {
	h.t.Helper()
	require.NoError(h.t, h.shop.Cards().Issue(h.t.Context(), []cards.NewCard{{
		PID: cards.SuperCard, Number: number, Password: "12345678", Points: points, ExpiresAt: h.sims.Default().Clock().Now().Add(400 * 24 * time.Hour),
	}}, "test"))
}

// consistent cross-checks ledger, seats and orders.
func (h *house) consistent() {
	h.t.Helper()
	found, err := h.shop.Orders().Verify(h.t.Context())
	require.NoError(h.t, err)
	require.Empty(h.t, found)
}

// browser is one phone's browser.
type browser struct {
	*house
	http  *http.Client
	phone string
	token string
}

func (h *house) browser(phone string) *browser {
	h.t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(h.t, err)
	sim := strings.TrimPrefix(h.sims.URL(), "http://")
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if strings.Contains(addr, "inapp.localhost") { // a name that only browsers resolve
			addr = sim
		}
		return (&net.Dialer{}).DialContext(ctx, network, addr)
	}}
	h.t.Cleanup(transport.CloseIdleConnections)
	return &browser{house: h, phone: phone, http: &http.Client{
		Transport: transport, Jar: jar, Timeout: 40 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// answer is any envelope.
type answer struct {
	Code    any             `json:"code"`
	Msg     string          `json:"msg"`
	Error   any             `json:"error"`
	Success bool            `json:"success"`
	Data    json.RawMessage `json:"data"`
}

// call posts a form, with channel number, token and signature.
func (b *browser) call(path string, fields map[string]string) answer {
	b.t.Helper()
	c := b.sims.Default().Credentials().Shop
	form := map[string]string{"channel_no": c.ChannelNo, "token": b.token}
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

func (b *browser) get(path string) answer {
	b.t.Helper()
	resp, err := b.http.Get(b.url + path)
	require.NoError(b.t, err)
	return b.read(resp)
}

func (b *browser) read(resp *http.Response) answer {
	b.t.Helper()
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(b.t, err)
	require.Equal(b.t, http.StatusOK, resp.StatusCode, "%s", body)
	var a answer
	require.NoError(b.t, json.Unmarshal(body, &a), "%s", body)
	return a
}

// sign is the specification's signature, written here once more so that a mistake of the shop's cannot cancel out.
func sign(form map[string]string, secret string) string {
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

// want reads the data of an answer that must be a success.
func want[T any](t *testing.T, a answer) T {
	t.Helper()
	require.Empty(t, a.Error, "%s", a.Msg)
	var v T
	require.NoError(t, json.Unmarshal(a.Data, &v), "%s", a.Data)
	return v
}

// refused reads an answer that must be a failure with the code.
func refused(t *testing.T, a answer, code string) {
	t.Helper()
	require.Equal(t, code, a.Error, "%s", a.Msg)
}

// code is the newest one sent to the phone.
func (b *browser) code() string {
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

func (b *browser) login() *browser {
	b.t.Helper()
	want[any](b.t, b.call("/Login/sendcode", map[string]string{"phone": b.phone}))
	got := want[struct{ Token, UID string }](b.t, b.call("/Login/phoneLogin", map[string]string{"phone": b.phone, "code": b.code()}))
	require.NotEmpty(b.t, got.Token)
	b.token = got.Token
	return b
}

const password = "246810"

func (b *browser) setPassword() {
	b.t.Helper()
	b.sims.Default().Clock().Advance(time.Minute) // the wait between two codes
	want[any](b.t, b.call("/Member/getsendcode", nil))
	want[any](b.t, b.call("/Member/editpassword", map[string]string{"code": b.code(), "password": password}))
}

func (b *browser) bind(card string) string {
	b.t.Helper()
	return want[struct{ ID string }](b.t, b.call("/api/api.php/Card/addbinding", map[string]string{"kahao": card, "pass": "12345678"})).ID
}

// oauth walks through the messaging app's login as the person with the openid.
func (b *browser) oauth(openID string) (yzCode string) {
	b.t.Helper()
	start := want[struct{ URL string }](b.t, b.call("/Login/wxlogin", map[string]string{"url": b.url + "/quickLogin"}))
	req, err := http.NewRequestWithContext(b.t.Context(), http.MethodGet, start.URL, nil)
	require.NoError(b.t, err)
	req.AddCookie(&http.Cookie{Name: "phone_openid", Value: openID})
	resp, err := b.http.Do(req)
	require.NoError(b.t, err)
	defer resp.Body.Close()
	require.Equal(b.t, http.StatusFound, resp.StatusCode)
	back, err := resp.Location()
	require.NoError(b.t, err)
	got := want[struct {
		OpenID string `json:"openid"`
		Proof  string `json:"yz_code"`
	}](b.t, b.call("/Login/getopenid", map[string]string{"code": back.Query().Get("code"), "state": back.Query().Get("state")}))
	require.Equal(b.t, openID, got.OpenID)
	return got.Proof
}

// pay ends the payment of a prepay id.
func (h *house) pay(prepay, outcome string) {
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
