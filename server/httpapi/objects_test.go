package httpapi

import (
	"context"
	"encoding/json"
	"os"
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

// TestObjects_OnTheWire compares the entire data of each answer, by backend, with the table of the backend in
// testdata/objects. A line of a table is a call: its path, and the fields other than the token. The objects behind the
// answers are those of this file. Their fields have different values, so that one that is missing, swapped with another
// or in another unit is noticed.
func TestObjects_OnTheWire(t *testing.T) {
	t.Parallel()
	for _, backend := range []string{"movie", "gateway", "newmovie", "login", "goods", "film", "card"} {
		t.Run(backend, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("testdata/objects/" + backend + ".json")
			require.NoError(t, err)
			var answers map[string]json.RawMessage
			require.NoError(t, json.Unmarshal(text, &answers))
			require.NotEmpty(t, answers)
			r := newHarness(t, withObjects)
			for call, want := range answers {
				require.JSONEq(t, string(want), string(r.object(t, call).Data), call)
			}
		})
	}
}

// object makes a call of a table. A path of reads of newmovie has a query, and is got.
func (r *harness) object(t *testing.T, call string) answer {
	t.Helper()
	if strings.HasPrefix(call, "/newmovie/api/") {
		return r.get(t, call)
	}
	words := strings.Fields(call)
	fields := map[string]string{"token": goodToken}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		fields[name] = value
	}
	return r.form(t, words[0], fields)
}

// objects is a shop with one object of each kind.
type objects struct{ unexpectedCatalog }

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

func (objects) Cities(context.Context, string) ([]catalog.City, error) {
	return []catalog.City{
		{ID: "310100", Name: "上海市", LegacyID: "3101", NewMovieID: "2001", Pinyin: "shanghai", Hot: true},
		{ID: "320500", Name: "苏州市", LegacyID: "3205", Pinyin: "suzhou"},
		{ID: "320200", Name: "无锡市", NewMovieID: "2002", Pinyin: "wuxi"},
	}, nil
}

func (o objects) HotCities(ctx context.Context) ([]catalog.City, error) {
	list, err := o.Cities(ctx, "")
	return list[:1], err
}

func (objects) Cinemas(context.Context, catalog.CinemaQuery) (catalog.CinemaPage, error) {
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

func (objects) LegacyCinema(context.Context, string) (catalog.Cinema, []catalog.Film, error) {
	return objectsCinemas[catalog.Legacy], []catalog.Film{objectsFilm}, nil
}

func (objects) Films(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{objectsFilm}, nil
}

func (objects) ComingFilms(context.Context, string) ([]catalog.Film, error) {
	later := objectsFilm
	later.Score, later.PreSale, later.State = "", false, catalog.Coming
	return []catalog.Film{later}, nil
}

func (objects) HotFilms(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{objectsFilm}, nil
}

func (objects) Film(context.Context, string) (catalog.FilmDetail, error) { return objectsDetail, nil }

func (objects) LegacyFilm(context.Context, string) (catalog.FilmDetail, error) {
	return objectsDetail, nil
}

func (objects) CinemaShows(context.Context, string, string) (catalog.CinemaShows, error) {
	late, stopped := objectsShow(catalog.NewMovie), objectsShow(catalog.NewMovie)
	late.ID, late.Starts, late.Ends, late.Closes = "o2", objectsStart.Add(2*time.Hour), time.Time{}, time.Time{}
	late.ListPrice = 0
	stopped.ID, stopped.Starts = "o0", testNow.Add(14*time.Minute)
	return catalog.CinemaShows{Cinema: objectsCinemas[catalog.NewMovie], Films: []catalog.FilmShows{
		{Film: objectsFilm, Shows: []catalog.Show{stopped, objectsShow(catalog.NewMovie), late}},
	}}, nil
}

func (objects) Session(context.Context, string) (catalog.Show, error) {
	return objectsShow(catalog.NewMovie), nil
}

func (objects) LegacyShowings(context.Context, string, string, string) (catalog.Showings, error) {
	return catalog.Showings{
		Dates: []string{"2026-05-01", "2026-05-03"}, Shows: []catalog.Show{objectsShow(catalog.Legacy)},
	}, nil
}

func (objects) Dramas(context.Context, string, int, int) ([]catalog.Drama, int, error) {
	return []catalog.Drama{{
		ID: "d1", Name: "茶馆", PosterURL: "/d.svg", Venue: "大剧院", City: "上海", When: "2026.05.01-05.09", FromPrice: 18000,
	}}, 31, nil
}

// SeatMap returns a hall whose rows differ in length: a single seat, a sold couple and a free one, and an aisle.
func (objects) SeatMap(_ context.Context, _ int64, source catalog.Source, _ string) (catalog.SeatMap, error) {
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

func (objects) CompleteShow(_ context.Context, show catalog.Show, _ catalog.Venue) catalog.Show {
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

func (objects) Text(_ context.Context, key content.Key) (content.Text, error) {
	return content.Text{Title: "标题 " + string(key), HTML: "<p>" + string(key) + "</p>"}, nil
}

var objectsGoods = goods.Goods{
	ID: 7, CategoryID: 3, Type: goods.VirtualCode, Title: "音乐月卡", ImageURL: "/g.svg", Product: "绿钻", Spec: "一个月",
	HTML: "<p>详情</p>", Price: 1580, Stock: 12,
}

type objectsGoodsCatalog struct{}

func (objectsGoodsCatalog) Categories(context.Context) ([]goods.Category, error) {
	return []goods.Category{{ID: 3, Name: "音乐", ImageURL: "/c.svg"}}, nil
}

// List returns the goods with the shelves in their title.
func (objectsGoodsCatalog) List(_ context.Context, f goods.Filter, _, _ int) ([]goods.Goods, int, error) {
	g := objectsGoods
	for _, shelf := range f.Shelves {
		g.Title += " " + string(shelf)
	}
	return []goods.Goods{g}, 25, nil
}

func (objectsGoodsCatalog) Goods(context.Context, int64) (goods.Goods, []goods.SKU, error) {
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

type objectsCardPages struct{ Cards }

func (objectsCardPages) List(context.Context, int64, cards.Filter) ([]cards.Card, error) {
	return objectsCards()[:2], nil
}

func (objectsCardPages) Unusable(context.Context, int64) ([]cards.Card, error) {
	return objectsCards()[2:], nil
}

func (objectsCardPages) Code(int64) string { return "card-code" }

func (objectsCardPages) Card(context.Context, int64, int64) (cards.Card, error) {
	return objectsCards()[0], nil
}

func (objectsCardPages) Packages(context.Context) ([]cards.Package, error) {
	return []cards.Package{{ID: 21, Points: 100_00, Price: 99_00}, {ID: 22, Points: 500_00, Price: 480_00}}, nil
}

func (objectsCardPages) Records(
	_ context.Context, _, _ int64, events []cards.Event, _, _ int,
) ([]cards.Record, int, error) {
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

func (objectsCardPages) Count(context.Context, int64) (int, error) { return 15, nil }

type objectsOrders struct{ OrderReader }

func (objectsOrders) List(context.Context, int64, order.Tab, int, int) (order.Page, error) {
	ticket, bought := issuedOrder(catalog.Legacy), boughtCode()
	return order.Page{
		Orders: []order.Order{ticket, bought.Order}, Total: 9,
		Counts: order.Counts{All: 9, Pending: 1, ToUse: 5, Completed: 3},
		Money:  map[string]order.Details{bought.Order.No: bought},
	}, nil
}

func (objectsOrders) Order(_ context.Context, _ int64, no string) (order.Details, error) {
	if no == boughtCode().Order.No {
		return boughtCode(), nil
	}
	return order.Details{Order: issuedOrder(catalog.NewMovie), Legs: boughtCode().Legs}, nil
}

func (objectsOrders) CodesOf(context.Context, string) ([]goods.Code, error) {
	return []goods.Code{{Num: "A1", Pass: "p1"}, {Num: "A2", Pass: "http://redeem.example/A2"}}, nil
}

func (objectsOrders) OpenID(context.Context, int64) (string, error) { return "openid-1", nil }

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

func (objectsOrders) Unpaid(context.Context, int64) (order.Order, bool, error) {
	return issuedOrder(catalog.NewMovie), true, nil
}

func (objectsOrders) LockSeats(context.Context, int64, seating.LockSeats) (order.Order, error) {
	return order.Order{No: "26050117"}, nil
}

func (objectsOrders) FindSession(context.Context, catalog.SessionQuery) (catalog.Show, error) {
	return objectsShow(catalog.NewMovie), nil
}

func (objectsOrders) Confirm(_ context.Context, _ int64, no string) (order.Order, error) {
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

func (objectsOrders) TicketPage(context.Context, string) (string, time.Duration, error) {
	return "https://tickets.example/?t=1", 5 * time.Minute, nil
}

// objectsCheckout quotes, and pays, in the same way for tickets, goods and points.
type objectsCheckout struct{}

var (
	objectsQuote   = order.Quote{Total: 8580, Cards: 5000, App: 3580, CardIDs: []int64{3, 4}}
	objectsPrepaid = order.Prepaid{BridgeParams: order.BridgeParams{
		AppID: "wx1", TimeStamp: "1777636800", NonceStr: "nonce", Package: "prepay_id=1", SignType: "RSA", PaySign: "sign",
	}}
)

func (objectsCheckout) Quote(context.Context, int64, string, []int64) (order.Quote, error) {
	return objectsQuote, nil
}

func (objectsCheckout) QuoteGoods(context.Context, int64, checkout.BuyGoods) (order.Quote, error) {
	return order.Quote{Total: 1580, App: 1580}, nil
}

func (objectsCheckout) GoodsScope(context.Context, int64) (cards.Scope, error) {
	return cards.Cakes, nil
}

func (objectsCheckout) PayWithCards(context.Context, int64, string, []int64, string) (order.Order, error) {
	o := issuedOrder(catalog.Legacy)
	o.State = order.Paid
	return o, nil
}

func (objectsCheckout) BuyGoodsWithCards(context.Context, int64, checkout.BuyGoods) (order.Order, error) {
	return boughtCode().Order, nil
}

func (objectsCheckout) PayWithApp(_ context.Context, _ int64, p checkout.PayWithApp) (order.Prepaid, error) {
	if p.H5ClientIP != "" {
		return order.Prepaid{H5URL: "https://pay.example/?no=1"}, nil
	}
	return objectsPrepaid, nil
}

func (objectsCheckout) BuyGoodsWithApp(context.Context, int64, checkout.BuyGoods) (checkout.Announced, error) {
	return checkout.Announced{OrderNo: "26050118", Prepaid: objectsPrepaid}, nil
}

func (objectsCheckout) RechargeCard(context.Context, int64, checkout.RechargeCard) (checkout.Announced, error) {
	return checkout.Announced{OrderNo: "26050119", Prepaid: objectsPrepaid}, nil
}

func (objectsCardPages) Paying(_ context.Context, _ int64, scope cards.Scope) ([]cards.Card, error) {
	if scope == cards.Movies {
		return objectsCards()[:1], nil
	}
	return objectsCards()[1:2], nil
}

func (objectsCardPages) CheckMerge(context.Context, int64, []int64, cards.PID) (cards.MergePreview, error) {
	all := objectsCards()
	return cards.MergePreview{
		Gone: []cards.Card{all[1], all[2]}, Kept: all[0], Code: "merge-code", GonePoints: 7_00, KeptPoints: 130_45,
	}, nil
}

func (objectsCardPages) Merge(context.Context, int64, []int64, cards.PID, string) (int64, error) {
	return 3, nil
}

func (objectsCardPages) Bind(context.Context, int64, string, string) (int64, error) { return 31, nil }

func (objectsCardPages) BindScanned(context.Context, int64, string) (int64, error) { return 32, nil }

func (objectsCardPages) Delete(context.Context, int64, int64) error { return nil }

// SignJS signs a page with its own address.
func (objects) SignJS(_ context.Context, page string) (content.JSConfig, error) {
	return content.JSConfig{AppID: "wx1", NonceStr: "nonce", Signature: "of " + page, Timestamp: wireNow.Unix()}, nil
}

type objectsAccounts struct{ *fakeAccounts }

func (objectsAccounts) Session(_ context.Context, token string) (account.User, error) {
	if token != goodToken {
		return account.User{}, account.ErrLoginRequired
	}
	return account.User{ID: 1, Phone: buyerPhone, AvatarURL: "/avatars/1.jpg", HasPassword: true}, nil
}

// objectsPasswords takes every payment password.
type objectsPasswords struct{}

func (objectsPasswords) SendPasswordCode(context.Context, int64, account.Origin) error { return nil }

func (objectsPasswords) SetPaymentPassword(context.Context, int64, string, string) error { return nil }

func withObjects(c *Config) {
	shop, wallet, orders, pay := objects{}, objectsCardPages{}, objectsOrders{}, objectsCheckout{}
	accounts := objectsAccounts{&fakeAccounts{}}
	useCatalog(c, shop)
	c.SeatMaps, c.Shows, c.Showcase, c.Texts, c.JS, c.Goods = shop, shop, shop, shop, shop, objectsGoodsCatalog{}
	c.Cards, c.CardCounter, c.RechargeOffers, c.PayingCards = wallet, wallet, wallet, wallet
	c.CardMerger, c.CardBinder = wallet, wallet
	c.Orders, c.GoodsCodes, c.Identities, c.UnpaidOrders, c.SeatLocker = orders, orders, orders, orders, orders
	c.SessionFinder, c.PaymentConfirmer, c.TicketPages = orders, orders, orders
	c.TicketCheckout, c.GoodsCheckout, c.CardRecharger = pay, pay, pay
	c.Sessions, c.CodeLogin, c.AppLogin = accounts, accounts, accounts
	c.PaymentPasswords = objectsPasswords{}
	c.Logo, c.App.Links.Service = "/logo.svg", "https://service.example/"
}
