package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/simulators/faults"
)

// cinemaWithError opens a legacy cinema for whose showings the gateway returns an error a number of times; 0 is always.
func cinemaWithError(t *testing.T, times int, code, message string) *pages.Visit {
	t.Helper()
	stack := pages.NewStack(t)
	page := stack.Catalog.CinemaPage(harness.Legacy)
	stack.PlanFaults(faults.Fault{
		Provider: "gateway", Operation: "opi.list.v2", Do: faults.Error, Code: code, Message: message, Times: times,
	})
	visit := pages.Plain(stack, phone.Options{})
	visit.Open(page)
	return visit
}

func TestGatewayReload_ReloadsThePage(t *testing.T) {
	t.Parallel()
	v := cinemaWithError(t, 1, "9999", "请刷新")
	require.NotEmpty(t, pages.CinemaOn(v).Showings())
	require.Len(t, v.Stack.Calls("gateway", "opi.list.v2"), 2)
}

func TestGatewayReload_Once(t *testing.T) {
	t.Parallel()
	v := cinemaWithError(t, 0, "9999", "请刷新")
	v.SeesToast("数据已更新，请刷新页面")
	require.Len(t, v.Stack.Calls("gateway", "opi.list.v2"), 2)
}

func TestGatewayError_IsShown(t *testing.T) {
	t.Parallel()
	cinemaWithError(t, 0, "2050", "该影院今日闭馆").SeesToast("该影院今日闭馆")
	cinemaWithError(t, 0, "2050", "NullPointerException").SeesToast("暂无数据")
}

// If the ranking fails, the app does not leave the home page, which keeps its films.
func TestGatewayError_KeepsTheHomePage(t *testing.T) {
	t.Parallel()
	for _, code := range []string{"2050", "9999"} {
		t.Run(code, func(t *testing.T) {
			t.Parallel()
			s := pages.NewStack(t)
			s.PlanFaults(faults.Fault{Provider: "gateway", Operation: "film.hot", Do: faults.Error, Code: code})
			visit := pages.Plain(s, phone.Options{Lean: true})
			visit.Open("/memberindex")
			visit.Members()
			visit.Open("/index")
			home := visit.Home()
			require.NotEmpty(t, home.Films())
			visit.SeesNoText("热映榜单")
			visit.At("/index")
		})
	}
}

// If one ticketing source fails completely, a buyer still reaches the cinemas of the other source from the home page
// and from the tab of the cinemas, and can lock seats there.
func TestProviderFails_TheOtherSourceSells(t *testing.T) {
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer()
		show, cinema := s.Catalog.ShowingOf(source), s.Catalog.CinemaOf(source)
		for _, other := range harness.Sources {
			if other != source {
				s.PlanFaults(faults.Fault{Provider: other.Provider, Operation: "*", Do: faults.Status})
			}
		}
		visit := pages.Plain(s, phone.Options{Lean: true, Tolerate: []string{"502", "503"}}).As(buyer)
		visit.Open("/index")
		visit.Home().Buy(show.Film).Enter(cinema).ShowsFilm(show.Film)
		visit.At(map[string]string{"legacy": "/multiplexDetail", "newmovie": "/multiplexNewDetail"}[source.Name])

		visit.Open("/index")
		visit.TabBar("影院")
		pages.Cinemas{Visit: visit}.Enter(cinema).Buy(show)
		hall := visit.SeatMap()
		hall.Best(2)
		require.Equal(t, source.Pending, buyer.Order(hall.Lock().Order()).State)
	})
}

// If a cinema does not show the wanted film, its page reports that instead of showing another film.
func TestCinema_WithoutTheWantedFilm(t *testing.T) {
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) {
		s := pages.NewStack(t)
		visit := pages.Plain(s, phone.Options{Lean: true})
		visit.Open(s.Catalog.CinemaPage(source) + "&moveName=没有的影片&moveId=none")
		visit.SeesText("该影院暂无")
	})
}
