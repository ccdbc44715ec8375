package visiting

import (
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// shared opens the current address of a visit on another phone, like a friend who receives it in a message.
func shared(v *pages.Visit) *pages.Visit {
	at, err := url.Parse(v.Phone.URL())
	require.NoError(v.T, err)
	friend := pages.Plain(v.Stack, phone.Options{Lean: true})
	friend.Open(at.RequestURI())
	return friend
}

// scrolledTo waits until the page is scrolled by y pixels.
func scrolledTo(v *pages.Visit, y float64) {
	v.Stack.Eventually("the page is where it was", func() bool {
		var scrolled float64
		v.Phone.Decode(v.T, "() => scrollY", &scrolled)
		return scrolled == y
	})
}

// The tab, the search and the scroll position of the home page survive going to a film and back, and a reload. A shared
// address shows the same city, tab and search.
func TestPlace_Home(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.ChangeCity().Find("chengdu", "成都市")
	h.Home().InCity("成都市")
	h.Tab("即将上映")
	coming := h.Films()
	_, err := h.Phone.Evaluate("() => scrollTo(0, 400)")
	require.NoError(t, err)
	h.Read(coming[2])
	h.Back()
	require.Equal(t, coming, h.Home().Films())
	scrolledTo(h.Visit, 400)
	h.Reload()
	require.Equal(t, coming, h.Home().Films())
	scrolledTo(h.Visit, 400)

	h.Search(coming[1])
	h.HasFilms(1)
	h.Stack.Eventually("the search is in the address", func() bool { return h.Query("q") == coming[1] })
	h.Read(coming[1])
	h.Back()
	h.HasFilms(1)
	friend := shared(h.Visit)
	friend.Home().InCity("成都市")
	friend.Home().HasFilms(1)
	require.Equal(t, coming[1:2], friend.Home().Films())
}

// The district of the cinemas survives going to a cinema and back, a reload and sharing.
func TestPlace_District(t *testing.T) {
	t.Parallel()
	cinemas := pages.Plain(pages.NewStack(t), phone.Options{Lean: true}).Cinemas()
	region, n := cinemas.Region()
	cinemas.HasCinemas(n)
	cinemas.EnterFirst().Back()
	cinemas.HasCinemas(n)
	cinemas.Reload()
	cinemas.HasCinemas(n)
	friend := shared(cinemas.Visit)
	friend.SeesText(region)
	pages.Cinemas{Visit: friend}.HasCinemas(n)
}

// A district belongs to its city. A link shows its city and district, and offers the customer's own city, which then
// shows all cinemas.
func TestPlace_DistrictOfAnotherCity(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	cinemas := pages.Plain(s, phone.Options{Lean: true}).Cinemas()
	region, n := cinemas.Region()
	cinemas.HasCinemas(n)
	link, err := url.Parse(cinemas.Phone.URL())
	require.NoError(t, err)
	cinemas.ChangeCity().Find("chengdu", "成都市")
	pages.Home{Visit: cinemas.Visit}.InCity("成都市")
	listed := cinemas.Names()
	require.NotContains(t, cinemas.Phone.URL(), "quid")

	cinemas.Open(link.RequestURI())
	cinemas.SeesText(region)
	cinemas.HasCinemas(n)
	require.Equal(t, link.Query().Get("city"), cinemas.Query("city"))
	require.NoError(t, cinemas.Phone.GetByText("切换到成都").Click())
	s.Eventually("the own cinemas are listed", func() bool { return slices.Equal(listed, cinemas.Names()) })
	require.NotContains(t, cinemas.Phone.URL(), "quid")
}

// After another city is chosen, going back to an earlier page shows that city, also if the app was loaded again in
// between.
func TestPlace_OlderCity(t *testing.T) {
	t.Parallel()
	v := pages.Plain(pages.NewStack(t), phone.Options{Lean: true})
	cinemas := v.Cinemas()
	cinemas.ChangeCity().Find("chengdu", "成都市")
	pages.Home{Visit: v}.InCity("成都市")
	chengdu := v.Query("city")
	v.ChooseCity("上海市")
	require.NoError(t, v.Phone.Return())
	v.At("/multiplex")
	pages.Home{Visit: v}.InCity("上海市")
	v.Stack.Eventually("the address follows", func() bool { return v.Query("city") != chengdu })
}

// The search, the order and the choice of known cinemas survive going to a cinema and back, and a reload. Search and
// order are shared; the known cinemas differ from phone to phone.
func TestPlace_Cinemas(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	cinemas := pages.Plain(s, phone.Options{Lean: true}).Cinemas()
	name := s.Catalog.CinemaOf(harness.NewMovie)
	cinemas.Enter(name).Back()
	cinemas.Sort("价格最低")
	cinemas.KnownOnly()
	kept := func() {
		cinemas.HasCinemas(1)
		cinemas.SortedBy("价格最低")
	}
	kept()
	cinemas.Enter(name).Back()
	kept()
	cinemas.Reload()
	kept()

	cinemas.KnownOnly()
	cinemas.Search(name)
	s.Eventually("the search is in the address", func() bool { return cinemas.Query("q") == name })
	kept()
	cinemas.Enter(name).Back()
	kept()
	cinemas.Reload()
	kept()
	friend := pages.Cinemas{Visit: shared(cinemas.Visit)}
	friend.HasCinemas(1)
	friend.SortedBy("价格最低")
}

// The board of the ranking survives going to a film and back, a reload and sharing.
func TestPlace_HotList(t *testing.T) {
	t.Parallel()
	v := pages.Plain(pages.NewStack(t), phone.Options{Lean: true})
	v.Open("/hotlist")
	ranking := v.HotList()
	ranking.Board("期待榜")
	name := ranking.First()
	ranking.Read(name)
	v.Back()
	ranking.OnBoard("期待榜")
	v.Reload()
	ranking.OnBoard("期待榜")
	require.Equal(t, name, v.HotList().First())
	shared(v).HotList().OnBoard("期待榜")
}

// The filter of the cards and the tab of the orders survive a reload and going back.
func TestPlace_CardsAndOrders(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(10_00), harness.WithCard(20_00))
	v := pages.Plain(s, phone.Options{Lean: true}).As(buyer)
	v.Open("/securitycards")
	cards := v.WelfareCards()
	cards.Sort("到期优先")
	cards.First(buyer.Cards[1])
	v.Reload()
	cards.First(buyer.Cards[1])
	cards.Open(buyer.Cards[0])
	v.Back()
	v.WelfareCards().First(buyer.Cards[1])
	cards.Tab("即将过期")
	v.SeesText("没有即将过期的福利卡")
	v.Reload()
	v.WelfareCards().OnTab("即将过期")

	order := buyer.LockSomeSeats(harness.Legacy, 1)
	v.Open("/orderInfo")
	v.Orders().Tab("待付款").Count(1)
	v.Reload()
	v.Orders().OnTab("待付款")
	require.Equal(t, order, v.Orders().Open().ID())
	v.Back()
	v.Orders().OnTab("待付款")
	v.Orders().Count(1)
}
