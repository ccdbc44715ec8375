package visiting

import (
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// shared opens the present address of a visit on a phone of its own, as a friend does who gets it by message.
func shared(v *pages.Visit) *pages.Visit {
	at, err := url.Parse(v.Phone.URL())
	require.NoError(v.T, err)
	friend := pages.Plain(v.Stack, phone.Options{Lean: true})
	friend.Open(at.RequestURI())
	return friend
}

// The tab, the search and the scroll position of the home page survive the way to a film and back, and a reload. Who
// gets the address sees the same city, tab and search.
func TestPlace_Home(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.ChangeCity().Find("chengdu", "成都市")
	h.Home().InCity("成都市")
	h.Tab("即将上映")
	coming := h.Films()
	scrolled := func() (y float64) {
		h.Phone.Decode(t, "() => scrollY", &y)
		return y
	}
	_, err := h.Phone.Evaluate("() => scrollTo(0, 400)")
	require.NoError(t, err)
	h.Read(coming[2])
	h.Back()
	require.Equal(t, coming, h.Home().Films())
	h.Stack.Eventually("the page is where it was", func() bool { return scrolled() == 400 })
	h.Reload()
	require.Equal(t, coming, h.Home().Films())

	h.Search(coming[1])
	h.HasFilms(1)
	h.Stack.Eventually("the search is in the address", func() bool { return h.Query("q") == coming[1] })
	h.Read(coming[1])
	h.Back()
	h.HasFilms(1)
	friend := shared(h.Visit)
	friend.Home().InCity("成都市")
	require.Equal(t, coming[1:2], friend.Home().Films())
}

// The district of the cinemas survives the way to a cinema and back, a reload and sharing.
func TestPlace_District(t *testing.T) {
	t.Parallel()
	cinemas := pages.Plain(pages.NewStack(t), phone.Options{Lean: true}).Cinemas()
	region, n := cinemas.Region()
	cinemas.HasCinemas(n)
	cinemas.Reload()
	cinemas.HasCinemas(n)
	friend := shared(cinemas.Visit)
	friend.SeesText(region)
	pages.Cinemas{Visit: friend}.HasCinemas(n)
}

// A district belongs to its city: another city, and a friend in another city, see all cinemas of theirs.
func TestPlace_DistrictOfAnotherCity(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	cinemas := pages.Plain(s, phone.Options{Lean: true}).Cinemas()
	_, n := cinemas.Region()
	cinemas.HasCinemas(n)
	link := cinemas.Phone.URL()
	cinemas.ChangeCity().Find("chengdu", "成都市")
	listed := cinemas.Names()
	require.NotContains(t, cinemas.Phone.URL(), "quid")

	at, err := url.Parse(link)
	require.NoError(t, err)
	cinemas.Open(at.RequestURI())
	require.Equal(t, listed, cinemas.Names())
	require.NotContains(t, cinemas.Phone.URL(), "quid")
}

// The filter of the cards and the tab of the orders survive a reload and the way back.
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

	v.Open("/orderInfo")
	v.Orders().Tab("待付款")
	v.Reload()
	v.SeesText("没有待付款的订单")
}
