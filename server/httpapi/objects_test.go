package httpapi

import (
	"context"
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/seating"
)

const examplesFolder = "../../contracts/examples/"

// TestObjects_OnTheWire compares the entire data of each answer, by backend, with the table of the backend in
// contracts/examples. A line of a table is a call: its path, and the fields other than the token. The objects behind
// the answers are those of this file. Their fields have different values, so that one that is missing, swapped with
// another or in another unit is noticed. The samples of the web app's tests are made of the tables.
//
// After a change of an answer, this command writes the tables. To add a call, first add its line with the data null.
// Read the difference before you commit it:
//
//	go test ./server/httpapi -run TestObjects -update
func TestObjects_OnTheWire(t *testing.T) {
	t.Parallel()
	tables, err := filepath.Glob(examplesFolder + "*.json")
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	for _, table := range tables {
		t.Run(strings.TrimSuffix(filepath.Base(table), ".json"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(table)
			require.NoError(t, err)
			var answers map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(text, &answers))
			require.NotEmpty(t, answers)
			r := newHarness(t, withObjects)
			for call, want := range answers {
				answer := r.object(t, call)
				got := answer.Data
				require.NotEqual(t, "null", string(got), "%s failed: %s", call, answer.Body)
				if !*update {
					require.JSONEq(t, string(want), string(got), call)
				}
				answers[call] = got
			}
			if *update {
				made, err := json.MarshalIndent(answers, "", "  ")
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(table, append(made, '\n'), 0o644))
			}
		})
	}
}

// object makes a call of a table, in which + stands for a space. A read of newmovie has a query.
func (r *harness) object(t *testing.T, call string) answer {
	t.Helper()
	if strings.HasPrefix(call, "/newmovie/api/") {
		return r.get(t, call)
	}
	words := strings.Fields(call)
	fields := map[string]string{"token": goodToken}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		fields[name] = strings.ReplaceAll(value, "+", " ")
	}
	return r.form(t, words[0], fields)
}

// objects is a shop with one object of each kind.
type objects struct{ *asked }

var (
	objectsStart = testNow.Add(3 * time.Hour) // 23:00 at the cinemas
	objectsFilm  = catalog.Film{
		ID: "m1", Code: "001X", Name: "长风渡", EnglishName: "The Long Crossing", PosterURL: "/p.svg", Score: "8.6",
		Stars: []string{"林一", "陈二"}, Director: "周三", Categories: []string{"剧情", "历史"}, Version: "IMAX 2D",
		Wish: 123456, PreSale: true, State: catalog.OnPreSale, Minutes: 121, Released: "2026-05-20",
	}
	objectsDetail = catalog.FilmDetail{Film: objectsFilm, Synopsis: "一座小城。", Cast: []catalog.CastMember{
		{AvatarURL: "/a1.svg", Name: "林一", Character: "老渡"}, {AvatarURL: "/a2.svg", Name: "陈二"},
	}}
	objectsCinemas = map[catalog.Source]catalog.Cinema{
		catalog.Legacy: {
			Source: catalog.Legacy, ID: "g100", Name: "星光影城", Address: "西藏中路1号", Phone: "021-1", RegionID: "310101",
			RegionName: "黄浦区", Lat: 31.2304, Lng: 121.4737, FromPrice: 3990,
		},
		catalog.NewMovie: {
			Source: catalog.NewMovie, ID: "n200", Code: "31000200", SourceID: "7", Name: "云幕影院", Address: "世纪大道2号",
			Phone: "021-2", RegionID: "310115", RegionName: "浦东新区", Lat: 31.24, Lng: 121.5, FromPrice: 4550,
		},
	}
	objectsAreas = []catalog.AreaPrice{{AreaID: "A", Name: "黄金区", Price: 5200}, {AreaID: "B", Name: "普通区", Price: 4200}}
)

func objectsShow(source catalog.Source) catalog.Show {
	return catalog.Show{
		Source: source, ID: "o1", CinemaID: "g100", CinemaCode: "31000200", CinemaName: "星光影城", FilmID: "m1",
		FilmCode: "001X", FilmName: "长风渡", FilmPoster: "/p.svg", Hall: "3号厅", Language: "国语", Version: "IMAX 2D",
		Starts: objectsStart, Ends: objectsStart.Add(2 * time.Hour), Closes: objectsStart.Add(-10 * time.Minute),
		Price: 4200, ListPrice: 6000, AreaPrices: objectsAreas,
	}
}

var objectsCities = []catalog.City{
	{ID: "310100", Name: "上海市", LegacyID: "3101", NewMovieID: "2001", Pinyin: "shanghai", Hot: true},
	{ID: "320500", Name: "苏州市", LegacyID: "3205", Pinyin: "suzhou"},
	{ID: "320200", Name: "无锡市", NewMovieID: "2002", Pinyin: "wuxi"},
}

func (o objects) Cities(_ context.Context, keyword string) ([]catalog.City, error) {
	o.note(keyword)
	return objectsCities, nil
}

func (objects) HotCities(context.Context) ([]catalog.City, error) { return objectsCities[:1], nil }

func (o objects) Cinemas(_ context.Context, q catalog.CinemaQuery) (catalog.CinemaPage, error) {
	o.note(q)
	far := objectsCinemas[catalog.NewMovie]
	far.FromPrice = 0
	return catalog.CinemaPage{
		Total:   42,
		Regions: []catalog.Region{{ID: "310101", Name: "黄浦区", Cinemas: 5}, {ID: "310115", Name: "浦东新区", Cinemas: 37}},
		Cinemas: []catalog.NearCinema{
			{Cinema: objectsCinemas[catalog.Legacy], Km: 2.36, FilmPrice: 4150},
			{Cinema: objectsCinemas[catalog.NewMovie], Km: 0},
			{Cinema: far, Km: -1},
		},
	}, nil
}

func (o objects) LegacyCinema(_ context.Context, id string) (catalog.Cinema, []catalog.Film, error) {
	o.note(id)
	return objectsCinemas[catalog.Legacy], []catalog.Film{objectsFilm}, nil
}

func (o objects) Films(_ context.Context, city string) ([]catalog.Film, error) {
	o.note(city)
	return []catalog.Film{objectsFilm}, nil
}

func (o objects) ComingFilms(_ context.Context, city string) ([]catalog.Film, error) {
	o.note(city)
	later := objectsFilm
	later.Score, later.PreSale, later.State = "", false, catalog.Coming
	return []catalog.Film{later}, nil
}

func (o objects) HotFilms(_ context.Context, city string) ([]catalog.Film, error) {
	o.note(city)
	return []catalog.Film{objectsFilm}, nil
}

func (o objects) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	o.note(id)
	return objectsDetail, nil
}

func (o objects) LegacyFilm(_ context.Context, id string) (catalog.FilmDetail, error) {
	o.note(id)
	return objectsDetail, nil
}

func (o objects) CinemaShows(_ context.Context, cinema, film string) (catalog.CinemaShows, error) {
	o.note(cinema, film)
	late, stopped := objectsShow(catalog.NewMovie), objectsShow(catalog.NewMovie)
	late.ID, late.Starts, late.Ends, late.Closes = "o2", objectsStart.Add(2*time.Hour), time.Time{}, time.Time{}
	late.ListPrice = 0
	stopped.ID, stopped.Starts = "o0", testNow.Add(14*time.Minute)
	return catalog.CinemaShows{Cinema: objectsCinemas[catalog.NewMovie], Films: []catalog.FilmShows{
		{Film: objectsFilm, Shows: []catalog.Show{stopped, objectsShow(catalog.NewMovie), late}},
	}}, nil
}

func (o objects) Session(_ context.Context, id string) (catalog.Show, error) {
	o.note(id)
	return objectsShow(catalog.NewMovie), nil
}

func (o objects) LegacyShowings(_ context.Context, cinema, film, day string) (catalog.Showings, error) {
	o.note(cinema, film, day)
	return catalog.Showings{
		Dates: []string{"2026-05-01", "2026-05-03"}, Shows: []catalog.Show{objectsShow(catalog.Legacy)},
	}, nil
}

func (o objects) Dramas(_ context.Context, city string, page, size int) ([]catalog.Drama, int, error) {
	o.note(city, page, size)
	return []catalog.Drama{{
		ID: "d1", Name: "茶馆", PosterURL: "/d.svg", Venue: "大剧院", City: "上海", When: "2026.05.01-05.09", FromPrice: 18000,
	}}, 31, nil
}

// SeatMap returns a hall whose rows differ in length: a single seat, a sold couple and a free one, and an aisle.
func (o objects) SeatMap(_ context.Context, user int64, source catalog.Source, id string) (catalog.SeatMap, error) {
	o.note(user, source, id)
	seats := []catalog.Seat{
		{ID: "s1", Name: "5排6座", RowID: "R5", RowName: "5", Row: 1, Col: 2, AreaID: "A", Price: 5200, Available: true,
			State: 10},
		{ID: "s2", Name: "6排1座", RowID: "R6", RowName: "6", Row: 2, Col: 1, AreaID: "B", Price: 4200,
			Pair: catalog.LeftHalf, State: 4},
		{ID: "s3", Name: "6排2座", RowID: "R6", RowName: "6", Row: 2, Col: 2, AreaID: "B", Price: 4200,
			Pair: catalog.RightHalf, Available: true, State: -1},
	}
	return catalog.SeatMap{Show: objectsShow(source), Seats: seats, Areas: objectsAreas}, nil
}

func (o objects) CompleteShow(_ context.Context, show catalog.Show, at catalog.Venue) catalog.Show {
	o.note(at)
	return show
}

func (objects) Banners(_ context.Context, place content.Place) ([]content.Banner, error) {
	return []content.Banner{{ID: "b1", ImageURL: "/b.svg", LinkURL: "/hotlist", Title: string(place)}}, nil
}

func (objects) Tiles(_ context.Context, row content.Row) ([]content.Tile, error) {
	return []content.Tile{{
		ID: "t-" + string(row), ImageURL: "/t.svg", Title: "双人券", Price: "69.00", URL: "/couponsDetail?id=1",
	}}, nil
}

func (o objects) Text(_ context.Context, key content.Key) (content.Text, error) {
	o.note(key)
	return content.Text{Title: "标题 " + string(key), HTML: "<p>" + string(key) + "</p>"}, nil
}

var objectsGoods = goods.Goods{
	ID: 7, CategoryID: 3, Type: goods.VirtualCode, Account: goods.QQAccount, Title: "音乐月卡", ImageURL: "/g.svg", Product: "绿钻", Spec: "一个月",
	HTML: "<p>详情</p>", Price: 1580, Stock: 12,
}

type objectsGoodsCatalog struct{ *asked }

func (objectsGoodsCatalog) Categories(context.Context) ([]goods.Category, error) {
	return []goods.Category{{ID: 3, Name: "音乐", ImageURL: "/c.svg"}}, nil
}

// List returns the goods with the shelves in their title.
func (o objectsGoodsCatalog) List(_ context.Context, f goods.Filter, page, size int) ([]goods.Goods, int, error) {
	o.note(f, page, size)
	g := objectsGoods
	for _, shelf := range f.Shelves {
		g.Title += " " + string(shelf)
	}
	return []goods.Goods{g}, 25, nil
}

func (o objectsGoodsCatalog) Goods(_ context.Context, id int64) (goods.Goods, []goods.SKU, error) {
	o.note(id)
	return objectsGoods, []goods.SKU{
		{ID: 11, Name: "月卡", Spec: "31天", ImageURL: "/k.svg", Price: 1580, Stock: 5, ValidDays: 31},
		{ID: 12, Name: "年卡", Spec: "366天", Price: 15800, Stock: 7},
	}, nil
}

var objectsEnd = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

func objectsCards() []cards.Card {
	card := func(id int64, pid cards.PID, number string, balance money.Points, ends time.Time) cards.Card {
		return cards.Card{
			ID: id, PID: pid, Number: number, UserID: 1, Status: cards.Active, Balance: balance, EndTime: ends,
		}
	}
	used := card(5, 9, "8009000000000005", 0, objectsEnd)
	return []cards.Card{
		card(3, 1, "8001000000000003", 123_45, objectsEnd), card(4, 11, "8011000000000004", 7_00, testNow.Add(time.Hour)),
		used,
	}
}

type objectsCardPages struct {
	Cards
	*asked
}

func (o objectsCardPages) List(_ context.Context, user int64, f cards.Filter) ([]cards.Card, error) {
	o.note(user, f)
	return objectsCards()[:2], nil
}

func (o objectsCardPages) Unusable(_ context.Context, user int64) ([]cards.Card, error) {
	o.note(user)
	return objectsCards()[2:], nil
}

func (o objectsCardPages) Code(id int64) string {
	o.note(id)
	return "card-code"
}

func (o objectsCardPages) Card(_ context.Context, user, id int64) (cards.Card, error) {
	o.note(user, id)
	return objectsCards()[0], nil
}

func (objectsCardPages) Packages(context.Context) ([]cards.Package, error) {
	return []cards.Package{{ID: 21, Points: 100_00, Price: 99_00}, {ID: 22, Points: 500_00, Price: 480_00}}, nil
}

func (o objectsCardPages) Records(
	_ context.Context, user, id int64, events []cards.Event, page, size int,
) ([]cards.Record, int, error) {
	o.note(user, id, events, page, size)
	var list []cards.Record
	for i, event := range events {
		points := money.Points(100 * (i + 1))
		if event == cards.EventCommit || event == cards.EventDeduct {
			points = -points
		}
		list = append(list, cards.Record{Event: event, Points: points, Remark: string(event), At: testNow})
	}
	list[0].Order = cards.RecordOrder{No: "26050117", Kind: "ticket", Title: "长风渡"}
	return list, 25, nil
}

func (o objectsCardPages) Count(_ context.Context, user int64) (int, error) {
	o.note(user)
	return 15, nil
}

type objectsOrders struct {
	OrderReader
	*asked
}

func (o objectsOrders) List(_ context.Context, user int64, tab order.Tab, page, size int) (order.Page, error) {
	o.note(user, tab, page, size)
	ticket, bought := issuedOrder(catalog.Legacy), boughtCode()
	return order.Page{
		Orders: []order.Order{ticket, bought.Order}, Total: 9,
		Counts: order.Counts{All: 9, Pending: 1, ToUse: 5, Completed: 3},
		Money:  map[string]order.Details{bought.Order.No: bought},
	}, nil
}

func (o objectsOrders) Order(_ context.Context, user int64, no string) (order.Details, error) {
	o.note(user, no)
	if no == boughtCode().Order.No {
		return boughtCode(), nil
	}
	return order.Details{Order: issuedOrder(catalog.NewMovie), Legs: boughtCode().Legs}, nil
}

func (o objectsOrders) CodesOf(_ context.Context, no string) ([]goods.Code, error) {
	o.note(no)
	return []goods.Code{{Num: "A1", Pass: "p1"}, {Num: "A2", Pass: "http://redeem.example/A2"}}, nil
}

func (o objectsOrders) OpenID(_ context.Context, user int64) (string, error) {
	o.note(user)
	return "openid-1", nil
}

// boughtCode is a goods order that a card and the messaging app paid for.
func boughtCode() order.Details {
	created := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	return order.Details{
		Order: order.Order{
			No: "26050118", Kind: order.Goods, State: order.Issued, Total: 1580, CreatedAt: created,
			ExpiresAt: created.Add(15 * time.Minute),
			Snapshot: order.Snapshot{Goods: &order.BoughtGoods{
				GoodsID: 7, SKUID: 11, Type: goods.VirtualCode, Title: "音乐月卡", Spec: "月卡", ImageURL: "/g.svg", Pieces: 2,
				Account: "13800000009", EndsAt: objectsEnd,
			}},
		},
		Legs: []order.Leg{
			{Kind: order.ByCard, CardID: 3, Title: "超级卡（尾号0003）", Amount: 1000, Captured: 1000},
			{Kind: order.ByApp, Title: "微信支付", Amount: 580},
		},
	}
}

func (o objectsOrders) Unpaid(_ context.Context, user int64) (order.Order, bool, error) {
	o.note(user)
	return issuedOrder(catalog.NewMovie), true, nil
}

func (o objectsOrders) LockSeats(_ context.Context, user int64, l seating.LockSeats) (order.Order, error) {
	o.note(user, l)
	return order.Order{No: "26050117"}, nil
}

func (o objectsOrders) FindSession(_ context.Context, q catalog.SessionQuery) (catalog.Show, error) {
	o.note(q)
	return objectsShow(catalog.NewMovie), nil
}

func (o objectsOrders) Confirm(_ context.Context, user int64, no string) (order.Order, error) {
	o.note(user, no)
	switch no {
	case boughtCode().Order.No:
		return boughtCode().Order, nil
	case "26050119":
		points := &order.BoughtPoints{CardID: 3, CardNumber: "8001000000000003", Points: 100_00}
		return order.Order{
			No: no, Kind: order.Recharge, State: order.Issued, Snapshot: order.Snapshot{Points: points},
		}, nil
	}
	return issuedOrder(catalog.Legacy), nil
}

func (o objectsOrders) Cancel(_ context.Context, user int64, no string) error {
	o.note(user, no)
	return nil
}

func (o objectsOrders) TicketPage(_ context.Context, no string) (string, time.Duration, error) {
	o.note(no)
	return "https://tickets.example/?t=1", 5 * time.Minute, nil
}

// objectsCheckout quotes, and pays, in the same way for tickets, goods and points.
type objectsCheckout struct{ *asked }

var (
	objectsQuote   = order.Quote{Total: 8580, Cards: 5000, App: 3580, CardIDs: []int64{3, 4}}
	objectsPrepaid = order.Prepaid{BridgeParams: order.BridgeParams{
		AppID: "wx1", TimeStamp: "1777636800", NonceStr: "nonce", Package: "prepay_id=1", SignType: "RSA", PaySign: "sign",
	}}
)

func (o objectsCheckout) Quote(_ context.Context, user int64, no string, ids []int64) (order.Quote, error) {
	o.note(user, no, ids)
	return objectsQuote, nil
}

func (o objectsCheckout) QuoteGoods(_ context.Context, user int64, b checkout.BuyGoods) (order.Quote, error) {
	o.note(user, b)
	return order.Quote{Total: 1580, App: 1580}, nil
}

func (o objectsCheckout) GoodsScope(_ context.Context, sku int64) (cards.Scope, error) {
	o.note(sku)
	return cards.Cakes, nil
}

func (o objectsCheckout) PayWithCards(
	_ context.Context, user int64, no string, ids []int64, pass string,
) (order.Order, error) {
	o.note(user, no, ids, pass)
	paid := issuedOrder(catalog.Legacy)
	paid.State = order.Paid
	return paid, nil
}

func (o objectsCheckout) BuyGoodsWithCards(_ context.Context, user int64, b checkout.BuyGoods) (order.Order, error) {
	o.note(user, b)
	return boughtCode().Order, nil
}

func (o objectsCheckout) PayWithApp(_ context.Context, user int64, p checkout.PayWithApp) (order.Prepaid, error) {
	o.note(user, p)
	if p.H5ClientIP != "" {
		return order.Prepaid{H5URL: "https://pay.example/?no=1"}, nil
	}
	return objectsPrepaid, nil
}

func (o objectsCheckout) BuyGoodsWithApp(_ context.Context, user int64, b checkout.BuyGoods) (checkout.Announced, error) {
	o.note(user, b)
	return checkout.Announced{OrderNo: "26050118", Prepaid: objectsPrepaid}, nil
}

func (o objectsCheckout) RechargeCard(_ context.Context, user int64, r checkout.RechargeCard) (checkout.Announced, error) {
	o.note(user, r)
	return checkout.Announced{OrderNo: "26050119", Prepaid: objectsPrepaid}, nil
}

func (o objectsCardPages) Paying(_ context.Context, user int64, scope cards.Scope) ([]cards.Card, error) {
	o.note(user, scope)
	if scope == cards.Movies {
		return objectsCards()[:1], nil
	}
	return objectsCards()[1:2], nil
}

func (o objectsCardPages) CheckMerge(_ context.Context, user int64, ids []int64, pid cards.PID) (cards.MergePreview, error) {
	o.note(user, ids, pid)
	all := objectsCards()
	return cards.MergePreview{
		Gone: []cards.Card{all[1], all[2]}, Kept: all[0], Code: "merge-code", GonePoints: 7_00, KeptPoints: 130_45,
	}, nil
}

func (o objectsCardPages) Merge(_ context.Context, user int64, ids []int64, pid cards.PID, code string) (int64, error) {
	o.note(user, ids, pid, code)
	return 3, nil
}

func (o objectsCardPages) Bind(_ context.Context, user int64, number, password string) (int64, error) {
	o.note(user, number, password)
	return 31, nil
}

func (o objectsCardPages) BindScanned(
	_ context.Context, user int64, scanned string, _ func(*url.URL) bool,
) (int64, error) {
	o.note(user, scanned)
	return 32, nil
}

func (o objectsCardPages) Delete(_ context.Context, user, id int64) error {
	o.note(user, id)
	return nil
}

// SignJS signs a page with its own address.
func (o objects) SignJS(_ context.Context, page string) (content.JSConfig, error) {
	o.note(page)
	return content.JSConfig{AppID: "wx1", NonceStr: "nonce", Signature: "of " + page, Timestamp: wireNow.Unix()}, nil
}

type objectsAccounts struct {
	*fakeAccounts
	*asked
}

func (objectsAccounts) Session(_ context.Context, token string) (account.Session, error) {
	if token != goodToken {
		return account.Session{}, account.ErrLoginRequired
	}
	u := account.User{ID: 1, Phone: buyerPhone, AvatarURL: "/avatars/1.jpg", HasPassword: true}
	return account.Session{User: u}, nil
}

func (o objectsAccounts) SendLoginCode(ctx context.Context, phone string, from account.Origin) error {
	o.note(phone)
	return o.fakeAccounts.SendLoginCode(ctx, phone, from)
}

func (o objectsAccounts) Login(ctx context.Context, entered account.EnteredCode) (account.Login, error) {
	o.note(entered)
	return o.fakeAccounts.Login(ctx, entered)
}

func (o objectsAccounts) BindPhone(
	ctx context.Context, entered account.EnteredCode, identity account.Proof, further bool,
) (account.Login, error) {
	o.note(entered, identity)
	return o.fakeAccounts.BindPhone(ctx, entered, identity, further)
}

func (o objectsAccounts) FinishOAuth(ctx context.Context, back account.OAuthReturn) (account.Identity, error) {
	o.note(back)
	return o.fakeAccounts.FinishOAuth(ctx, back)
}

// QuickLogin finds no phone for the identity.
func (o objectsAccounts) QuickLogin(_ context.Context, identity account.Proof) (account.Login, error) {
	o.note(identity)
	return account.Login{OpenID: identity.Subject, Proof: "next-proof"}, nil
}

func (o objectsAccounts) DeviceLogin(_ context.Context, openID, device string) (account.Login, string, error) {
	o.note(openID, device)
	return account.Login{Token: goodToken, UserID: 1}, device, nil
}

// objectsPasswords accepts every payment password.
type objectsPasswords struct{ *asked }

func (o objectsPasswords) SendPasswordCode(_ context.Context, user int64, _ account.Origin) error {
	o.note(user)
	return nil
}

func (o objectsPasswords) SetPaymentPassword(_ context.Context, user int64, code, password string) error {
	o.note(user, code, password)
	return nil
}

func withObjects(c *Config) { (&asked{}).config(c) }

// config sets the use cases, which record their arguments in a.
func (a *asked) config(c *Config) {
	shop, wallet := objects{asked: a}, objectsCardPages{asked: a}
	orders, pay := objectsOrders{asked: a}, objectsCheckout{a}
	accounts := objectsAccounts{&fakeAccounts{}, a}
	useCatalog(c, shop)
	c.SeatMaps, c.Shows, c.Showcase, c.Texts, c.JS, c.Goods = shop, shop, shop, shop, shop, objectsGoodsCatalog{a}
	c.Cards, c.CardCounter, c.RechargeOffers, c.PayingCards = wallet, wallet, wallet, wallet
	c.CardMerger, c.CardBinder = wallet, wallet
	c.Orders, c.GoodsCodes, c.Identities, c.UnpaidOrders, c.SeatLocker = orders, orders, orders, orders, orders
	c.SessionFinder, c.PaymentConfirmer, c.TicketPages, c.OrderCanceller = orders, orders, orders, orders
	c.TicketCheckout, c.GoodsCheckout, c.CardRecharger = pay, pay, pay
	c.Sessions, c.CodeLogin, c.AppLogin = accounts, accounts, accounts
	c.PaymentPasswords = objectsPasswords{a}
	c.Logo, c.App.Links.Service = "/logo.svg", "https://service.example/"
}
