package httpapi

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/beijing"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/content"
	"marquee/server/goods"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/seating"
)

// asked has the arguments of the use cases that a call made, other than the context.
type asked struct {
	mu        sync.Mutex
	arguments []any
}

func (a *asked) note(arguments ...any) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.arguments = append(a.arguments, arguments...)
}

// TestFields_ReachTheUseCases makes calls with the fields that the specification lists, and compares what the use cases
// are asked. Buyer 1 makes the calls.
func TestFields_ReachTheUseCases(t *testing.T) {
	t.Parallel()
	const (
		me     = int64(1)
		buying = " ggid=11 number=1 phone=13800000009 position=1"
		cards2 = " ka_ids=3,4 pass=135246"
	)
	fen := func(f money.Fen) *money.Fen { return &f }
	ids, starts := []int64{3, 4}, time.Date(2026, 5, 1, 19, 30, 0, 0, beijing.Time)
	legacy := seating.LockSeats{
		Source: catalog.Legacy, ShowID: "o1", SeatIDs: []string{"s1", "s2"}, ClaimedTotal: fen(8400), Mobile: buyerPhone,
		Shown: seating.Shown{FilmID: "m1", Starts: starts}, Key: "k", Venue: catalog.Venue{CinemaID: "g100"},
	}
	newer := seating.LockSeats{
		Source: catalog.NewMovie, ShowID: "o1", SeatNames: []string{"5排6座", "5排7座"}, Mobile: buyerPhone,
		Shown: seating.Shown{FilmCode: "001X", Starts: starts, Price: fen(4200)},
		Venue: catalog.Venue{CinemaCode: "31000200"},
	}
	session := catalog.SessionQuery{CinemaCode: "31000200", FilmCode: "001X", Hall: "3号厅", Starts: starts}
	cinemas := catalog.CinemaQuery{
		CityID: "3101", RegionID: "q", Keyword: "星光", FilmID: "m1", FilmCode: "c1",
		Near: &catalog.Point{Lat: 31.2, Lng: 121.4},
	}
	quote := checkout.BuyGoods{SKUID: 11, Pieces: 1, Account: "13800000009", CardIDs: ids}
	byCards := quote
	byCards.Password = "135246"
	byApp := byCards
	byApp.OpenID = "openid-1"
	tickets := checkout.PayWithApp{OrderNo: "5", CardIDs: ids, Password: "135246", OpenID: "openid-1"}
	entered := account.EnteredCode{Phone: "13800000002", Code: "123456"}
	identity := account.Proof{Kind: account.ProofOfIdentity, Subject: "openid-1", Token: "proof"}
	points := checkout.RechargeCard{CardID: 3, Points: 100_00, Claimed: fen(99_00), OpenID: "openid-1"}

	for call, want := range map[string][]any{
		"/movie/route/Movie/cinema cityid=3101 quid=q keyword=星光 movieId=m1 movieCode=c1 lat=31.2 lng=121.4": {cinemas},

		"/movie/route/Movie/citylist keyword=上海":                       {"上海"},
		"/newmovie/seat/city keyword=sh":                               {"sh"},
		"/movie/route method=city.list keyword=上海":                     {"上海"},
		"/movie/route/Movie/guide":                                     {content.BuyingGuide, content.ViewingGuide},
		"/movie/route/Movie/getLocation url=http://shop.example/index": {"http://shop.example/index"},
		"/api/api.php/Card/bindingcard url=http://shop.example/bindingCard": {
			content.BindingGuide, "http://shop.example/bindingCard",
		},
		"/Login/single id=1":                              {content.Privacy},
		"/Login/single id=2":                              {content.UsageRules},
		"/Login/sendcode phone=13800000002":               {"13800000002"},
		"/Login/phoneLogin phone=13800000002 code=123456": {entered},
		"/Login/wxbindingPhone phone=13800000002 code=123456 openid=openid-1 yz_code=proof": {
			entered, identity,
		},
		"/Login/getopenid code=oauth state=the-state token=":      {account.OAuthReturn{Code: "oauth", State: "the-state"}},
		"/newmovie/seat/quicklogin openid=openid-1":               {"openid-1", ""},
		"/newmovie/seat/quicklogin openid=openid-1 yz_code=proof": {identity},
		"/Member/index":           {me, me, order.TabAll, 1, 1},
		"/newmovie/seat/userinfo": {me},
		"/Member/getsendcode":     {me},
		"/Member/editpassword code=123456 password=135246": {me, "123456", "135246"},

		"/movie/route method=film.hot cityid=3101":                                 {"3101"},
		"/movie/route method=film.detail movieid=m1":                               {"m1"},
		"/movie/route method=drama.list cityid=3101 pageNo=2 pageSize=20":          {"3101", 2, 20},
		"/movie/route method=drama.list cityid=3101":                               {"3101", 1, 25},
		"/movie/route method=cinema.detail cinemaid=g100":                          {"g100"},
		"/movie/route method=opi.list.v2 cinemaid=g100 movieid=m1 date=2026-05-02": {"g100", "m1", "2026-05-02"},
		"/movie/route method=opi.seat opiid=o1 cinemaid=g100": {
			me, catalog.Legacy, "o1", catalog.Venue{CinemaID: "g100"},
		},

		"/newmovie/api/movie/movies?cityId=2001&pageSize=5":         {"2001"},
		"/newmovie/api/movie/coming_movies?cityId=2001":             {"2001"},
		"/newmovie/api/movie/movie_detail?movieId=m1":               {"m1"},
		"/newmovie/api/movie/cinema_shows?cinemaId=n200&movieId=m1": {"n200", "m1"},
		"/newmovie/api/movie/session?sessionId=o1":                  {"o1"},
		"/newmovie/seat/cinemaDetail cinemaId=n200 movieId=m1":      {"n200", "m1"},
		"/newmovie/seat/map sessionId=o1 cinemaId=n200 movieId=m1 sid=9": {
			me, catalog.NewMovie, "o1", catalog.Venue{CinemaID: "n200"},
		},
		"/newmovie/seat/lock cinemaCode=31000200 movieCode=001X hallName=3号厅 seatNames=5排6座,5排7座 switchSeat=0 " +
			"sessionBeginTime=2026-05-01+19:30:00 originPrice=42.00 loveSeat=0": {session, me, newer},
		"/newmovie/seat/unpaid":       {me},
		"/newmovie/seat/cancel oid=5": {me, "5"},

		"/Film/lockseat opiid=o1 seatids=s1|s2 seatnames=a,b totalSettleAmount=8400 playtime=2026-05-01+19:30:00 " +
			"movieid=m1 cinemaid=g100 key=k": {me, legacy},
		"/movie/route/Movie/create_order opiid=o1 seatids=s1|s2 seatnames=a,b totalSettleAmount=8400 " +
			"playtime=2026-05-01+19:30:00 movieid=m1 cinemaid=g100 key=k": {me, legacy},
		"/newmovie/seat/ticketToken oid=5":           {me, "5", "26050117"},
		"/Film/unpayorder":                           {me},
		"/Film/jsordershow oid=5":                    {me, "5", me},
		"/Film/card":                                 {me, cards.Movies},
		"/Film/card ggid=11":                         {int64(11), me, cards.Cakes, me},
		"/Film/unlockseat oid=5":                     {me, "5"},
		"/Film/pay_date oid=5 fulika=3,4":            {me, "5", ids},
		"/Film/flkpay oid=5" + cards2:                {me, "5", ids, "135246"},
		"/Film/wxpay oid=5 openid=openid-1" + cards2: {me, tickets},
		"/Film/pay_success order_no=5":               {me, "5"},
		"/Film/pay_date fulika=3,4" + buying:         {me, quote},
		"/Film/flkpay" + cards2 + buying:             {me, byCards},

		"/movie/route/Movie/unpayorder":                           {me},
		"/movie/route/Movie/jsordershow oid=5":                    {me, "5", me},
		"/movie/route/Movie/card":                                 {me, cards.Movies},
		"/movie/route/Movie/unorder oid=5":                        {me, "5"},
		"/movie/route/Movie/pay_date oid=5 fulika=3,4":            {me, "5", ids},
		"/movie/route/Movie/flkpay oid=5" + cards2:                {me, "5", ids, "135246"},
		"/movie/route/Movie/wxpay oid=5 openid=openid-1" + cards2: {me, tickets},
		"/movie/route/Movie/pay_success order_no=5":               {me, "5"},

		"/Kaquan/pay_date fulika=3,4" + buying:            {me, quote},
		"/Kaquan/flkpay" + cards2 + buying:                {me, byCards},
		"/Kaquan/wxpay openid=openid-1" + cards2 + buying: {me, byApp},
		"/Kaquan/pay_success order_no=5":                  {me, "5"},
		"/Kaquan/lists fid=3 flag=1 pageno=2 pagesize=20": {
			goods.Filter{CategoryID: 3, Shelves: goods.MemberShelves}, 2, 20,
		},
		"/Kaquan/music pagesize=100":                      {goods.Filter{Shelves: []goods.Shelf{goods.Music}}, 1, 100},
		"/Kaquan/read flag=2 pagesize=500":                {goods.Filter{Shelves: []goods.Shelf{goods.Tools}}, 1, 500},
		"/Kaquan/show id=7":                               {int64(7)},
		"/Dyorder/show id=5":                              {me, "5", content.TicketWarning},
		"/Dyorder/kqshow id=26050118":                     {me, "26050118", "26050118", me},
		"/Dyorder/order type=2 pageno=3 pagesize=20":      {me, order.TabToUse, 3, 20},
		"/Dyorder/order type=0 pageno=1 pagesize=1000000": {me, order.TabAll, 1, 1_000_000},

		"/api/api.php/Card/lists flag=3":                                       {me, cards.PointsAsc},
		"/api/api.php/Card/nucard":                                             {me},
		"/api/api.php/Card/show khid=3":                                        {me, int64(3), int64(3)},
		"/api/api.php/Card/scanbinding content=MQ31":                           {me, "MQ31"},
		"/api/api.php/Card/addbinding kahao=8001 pass=secret":                  {me, "8001", "secret"},
		"/api/api.php/Card/consume khid=3 pageno=2 pagesize=20":                {me, int64(3), cards.Consumption, 2, 20},
		"/api/api.php/Card/recharge khid=3 pagesize=10000":                     {me, int64(3), cards.Recharges, 1, 10_000},
		"/api/api.php/Card/chongzhi khid=3":                                    {me, int64(3)},
		"/api/api.php/Card/czwxpay num=100 price=99 card_id=3 openid=openid-1": {me, points},
		"/api/api.php/Card/cxpay_success order_no=26050119":                    {me, "26050119", me, int64(3)},
		"/api/api.php/Card/delcard kid=3":                                      {me, int64(3)},
		"/api/api.php/Card/checkmergecards fulika=3,4 pid=1":                   {me, ids, cards.PID(1)},
		"/api/api.php/Card/mergecards fulika=3,4 pid=1 code=abc":               {me, ids, cards.PID(1), "abc"},
	} {
		var a asked
		got := newHarness(t, a.config).object(t, call)
		require.Equal(t, want, a.arguments, "%s: %s", call, got.Body)
	}
}
