package httpapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/httpapi/wire"
	"marquee/server/order"
	"marquee/server/seating"
)

var (
	testChannel = wire.Channel{No: "ch1", AppKey: "200001", Secret: "channel secret"}
	testNow     = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	wireNow     = time.Date(2026, 4, 30, 4, 0, 0, 0, time.UTC)
)

const (
	goodToken = "a-live-token"
	indexHTML = `<!doctype html><head>` + configOpen + `{}` + scriptClose + `</head><body><div id="root">` +
		`<b>电影</b><!--picture--></div></body>`
	buyerPhone = "13800000001"
	formType   = "application/x-www-form-urlencoded"
)

// The fakes embed nil interfaces: a call that no test expects panics.
type (
	unexpectedLogins interface {
		AppLogin
		CodeLogin
	}
	unexpectedCatalog interface {
		Cities
		Cinemas
		Films
		Showings
		Dramas
	}
	unexpectedOrders interface {
		SeatLocker
		UnpaidOrders
		OrderCanceller
		OrderReader
		TicketCheckout
		GoodsCheckout
		CardRecharger
		PaymentConfirmer
		PaymentEvents
		RefundEvents
		TicketEvents
	}
)

// fakeAccounts has one buyer.
type fakeAccounts struct {
	unexpectedLogins
	from     account.Origin
	finished account.OAuthReturn
	codeErr  error
	access   account.Access // of the buyer's session
}

func (f *fakeAccounts) Session(_ context.Context, token string) (account.Session, error) {
	if token == goodToken {
		return account.Session{
			User:   account.User{ID: 1, Phone: buyerPhone, HasPassword: true, AvatarURL: "/avatars/own.jpg"},
			Access: f.access, OpenID: "of-the-session",
		}, nil
	}
	return account.Session{}, account.ErrLoginRequired
}

func (f *fakeAccounts) SendLoginCode(_ context.Context, phone string, from account.Origin) error {
	f.from = from
	if len(phone) != 11 {
		return account.ErrPhoneInvalid
	}
	return f.codeErr
}

func (f *fakeAccounts) StartOAuth(back, _ string) (string, string, string) {
	return "http://app.example/authorize?to=" + url.QueryEscape(back), "the-state", "the-seal"
}

func (f *fakeAccounts) FinishOAuth(_ context.Context, r account.OAuthReturn) (account.Identity, error) {
	f.finished = r
	switch {
	case r.Token != "" && r.Token != goodToken:
		return account.Identity{}, account.ErrLoginRequired
	case r.State != "the-state" || r.Seal != "the-seal":
		return account.Identity{}, account.ErrOAuthState
	}
	return account.Identity{OpenID: "openid", Proof: "proof", Browser: "the-browser"}, nil
}

func (f *fakeAccounts) Login(context.Context, account.EnteredCode) (account.Login, error) {
	return account.Login{Token: goodToken, UserID: 1}, nil
}

func (f *fakeAccounts) BindPhone(context.Context, account.EnteredCode, account.Proof, bool) (account.Login, error) {
	return account.Login{Token: goodToken, UserID: 1, Access: account.LimitedAccess}, nil
}

func (f *fakeAccounts) RememberDevice(_ context.Context, userID int64, before string) (string, error) {
	return fmt.Sprint("device of ", userID, " after ", before), nil
}

type fakeCatalog struct{ unexpectedCatalog }

func (fakeCatalog) Cities(context.Context, string) ([]catalog.City, error) {
	return []catalog.City{{ID: "310100", Name: "上海市", Pinyin: "shanghai", LegacyID: "310100", NewMovieID: "2001"}}, nil
}

func (c fakeCatalog) HotCities(ctx context.Context) ([]catalog.City, error) { return c.Cities(ctx, "") }

func (fakeCatalog) HotFilms(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{{ID: "h1", Name: "</script><script>alert(1)</script>", PosterURL: "/art/poster/h1.svg"}}, nil
}

func (fakeCatalog) Cinemas(context.Context, catalog.CinemaQuery) (catalog.CinemaPage, error) {
	return catalog.CinemaPage{Total: 1}, nil
}

// Film returns the only newmovie film, "m1", with its poster.
func (fakeCatalog) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	if id != "m1" {
		return catalog.FilmDetail{}, catalog.ErrFilmNotFound
	}
	return catalog.FilmDetail{Film: catalog.Film{ID: id, PosterURL: "/art/poster/m1.svg"}}, nil
}

// LegacyCinema returns the only legacy cinema, "g1", which shows two films.
func (fakeCatalog) LegacyCinema(_ context.Context, id string) (catalog.Cinema, []catalog.Film, error) {
	if id != "g1" {
		return catalog.Cinema{}, nil, catalog.ErrCinemaNotFound
	}
	return catalog.Cinema{ID: id}, twoFilms(), nil
}

// CinemaShows returns the only newmovie cinema, "n1", which shows the same films as "g1".
func (fakeCatalog) CinemaShows(_ context.Context, id, _ string) (catalog.CinemaShows, error) {
	if id != "n1" {
		return catalog.CinemaShows{}, catalog.ErrCinemaNotFound
	}
	films := twoFilms()
	return catalog.CinemaShows{Films: []catalog.FilmShows{{Film: films[0]}, {Film: films[1]}}}, nil
}

func twoFilms() []catalog.Film {
	return []catalog.Film{
		{ID: "a", Code: "ca", Name: "甲", PosterURL: "/art/poster/a.svg"},
		{ID: "b", Code: "cb", Name: "乙", PosterURL: "/art/poster/b.svg"},
	}
}

type fakeShowcase struct{}

func (fakeShowcase) Banners(context.Context, content.Place) ([]content.Banner, error) {
	return []content.Banner{{ID: "1", ImageURL: `/art/banner.svg?a="b"&c`}}, nil
}

func (fakeShowcase) Tiles(context.Context, content.Row) ([]content.Tile, error) { return nil, nil }

func (fakeCatalog) Films(_ context.Context, city string) ([]catalog.Film, error) {
	if city != "310100" {
		return nil, catalog.ErrCityNotFound
	}
	return []catalog.Film{
		{ID: "f1", Stars: []string{"甲", "乙"}, Categories: []string{"剧情", "动作"}, PreSale: true},
		{ID: "f2"},
	}, nil
}

// fakeGoods has one category with one piece of goods.
type fakeGoods struct{}

func (fakeGoods) Categories(context.Context) ([]goods.Category, error) {
	return []goods.Category{{ID: 3, Name: "音乐"}}, nil
}

func (fakeGoods) List(_ context.Context, f goods.Filter, page, size int) ([]goods.Goods, int, error) {
	return []goods.Goods{{ID: 7, CategoryID: f.CategoryID, Title: fmt.Sprint(page, size, f.Shelves)}}, 1, nil
}

func (fakeGoods) Goods(_ context.Context, id int64) (goods.Goods, []goods.SKU, error) {
	if id != 7 {
		return goods.Goods{}, nil, goods.ErrGoodsNotFound
	}
	return goods.Goods{ID: 7, ImageURL: "/art/goods/7.svg", HTML: "</script><b>"}, nil, nil
}

// fakeTexts returns texts that hold their key.
type fakeTexts struct{}

func (fakeTexts) Text(_ context.Context, key content.Key) (content.Text, error) {
	return content.Text{Title: string(key), HTML: "<p>" + string(key) + "</p>"}, nil
}

// fakeOrders records which requests reached the orders.
type fakeOrders struct {
	unexpectedOrders
	locked   *seating.LockSeats
	paid     *checkout.PayWithApp
	captured []order.Trade
	err      error
}

func (f *fakeOrders) LockSeats(_ context.Context, _ int64, req seating.LockSeats) (order.Order, error) {
	f.locked = &req
	return order.Order{No: "1"}, f.err
}

func (f *fakeOrders) PayWithApp(_ context.Context, _ int64, p checkout.PayWithApp) (order.Prepaid, error) {
	f.paid = &p
	if p.H5ClientIP != "" {
		return order.Prepaid{H5URL: "https://pay.example/?no=1"}, f.err
	}
	return order.Prepaid{BridgeParams: order.BridgeParams{AppID: "wx1"}}, f.err
}

func (f *fakeOrders) Order(context.Context, int64, string) (order.Details, error) {
	return order.Details{}, order.ErrOrderNotFound
}

func (f *fakeOrders) Cancel(context.Context, int64, string) error { return f.err }

func (f *fakeOrders) Capture(_ context.Context, t order.Trade) error {
	f.captured = append(f.captured, t)
	return f.err
}

type fakeWebhooks struct {
	PaymentWebhooks
	err error
}

func (f fakeWebhooks) ParseNotify(context.Context, *http.Request) (order.Trade, error) {
	return order.Trade{OutTradeNo: "1-1"}, f.err
}

func useCatalog(c *Config, catalog unexpectedCatalog) {
	c.Cities, c.Cinemas, c.Films, c.Showings, c.Dramas = catalog, catalog, catalog, catalog, catalog
}

type ready struct{ err error }

func (r ready) Ping(context.Context) error { return r.err }

// harness is the complete handler over fakes, behind an HTTP server.
type harness struct {
	*httptest.Server
	accounts *fakeAccounts
	orders   *fakeOrders
	log      *strings.Builder
}

// harnessConfig is a configuration over the fakes of r.
func harnessConfig(r *harness) Config {
	c := Config{
		Sessions: r.accounts, CodeLogin: r.accounts, Devices: r.accounts, AppLogin: r.accounts,
		Showcase: fakeShowcase{}, Goods: fakeGoods{}, Texts: fakeTexts{},
		SeatLocker: r.orders, UnpaidOrders: r.orders, OrderCanceller: r.orders, Orders: r.orders,
		TicketCheckout: r.orders, PaymentEvents: r.orders, RefundEvents: r.orders,
		Readiness: ready{}, PaymentWebhooks: fakeWebhooks{},
		Now: func() time.Time { return testNow }, WireNow: func() time.Time { return wireNow }, Channel: testChannel,
		Logger: slog.New(slog.DiscardHandler), Hosts: []string{"shop.example"},
		Web:   fstest.MapFS{"index.html": {Data: []byte(indexHTML)}, "routes.json": {Data: routesJSON}},
		Rates: Rates{Calls: -1, Logins: -1, Reads: -1},
	}
	useCatalog(&c, fakeCatalog{})
	return c
}

// newHarness lets change replace parts of the configuration.
func newHarness(t *testing.T, change func(*Config)) *harness {
	t.Helper()
	r := &harness{accounts: &fakeAccounts{}, orders: &fakeOrders{}, log: &strings.Builder{}}
	c := harnessConfig(r)
	c.Logger = slog.New(slog.NewJSONHandler(r.log, nil))
	if change != nil {
		change(&c)
	}
	h, err := New(c)
	require.NoError(t, err)
	r.Server = httptest.NewServer(h)
	t.Cleanup(r.Close)
	return r
}

// answer is any envelope.
type answer struct {
	Status    int             `json:"-"`
	Header    http.Header     `json:"-"`
	Body      string          `json:"-"`
	Code      any             `json:"code"`
	Msg       string          `json:"msg"`
	Error     any             `json:"error"`
	ErrorCode string          `json:"error_code"`
	Success   bool            `json:"success"`
	Data      json.RawMessage `json:"data"`
}

func (r *harness) do(t *testing.T, req *http.Request) answer {
	t.Helper()
	client := *r.Client() // the connections of the default client are closed when any server of a test ends
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	a := answer{Status: resp.StatusCode, Header: resp.Header, Body: string(body)}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "application/json") {
		require.NoError(t, json.Unmarshal(body, &a), "%s", body)
	}
	return a
}

func (r *harness) request(t *testing.T, method, path, body string) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, r.URL+path, strings.NewReader(body))
	require.NoError(t, err)
	if method == http.MethodPost {
		req.Header.Set("Content-Type", formType)
	}
	return req
}

func (r *harness) get(t *testing.T, path string) answer {
	t.Helper()
	return r.do(t, r.request(t, http.MethodGet, path, ""))
}

func (r *harness) post(t *testing.T, path, body string) answer {
	t.Helper()
	return r.do(t, r.request(t, http.MethodPost, path, body))
}

// form posts fields with the channel number, signed if the path requires it.
func (r *harness) form(t *testing.T, path string, fields map[string]string) answer {
	t.Helper()
	all := map[string]string{"channel_no": testChannel.No}
	for k, v := range fields {
		all[k] = v
	}
	if strings.HasPrefix(path, "/movie/route") {
		signFields(all, wireNow)
	}
	return r.post(t, path, encode(all))
}

// signFields adds the fields of a signed call made at a time.
func signFields(fields map[string]string, at time.Time) {
	fields["appkey"], fields["v"] = testChannel.AppKey, "2.0"
	fields["timestamp"] = at.In(beijing.Time).Format(wire.TimeLayout)
	fields["sign"] = testChannel.Sign(fields)
}

func encode(fields map[string]string) string {
	v := url.Values{}
	for k, s := range fields {
		v.Set(k, s)
	}
	return v.Encode()
}
