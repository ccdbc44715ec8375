package visiting

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

// home is the first page as a new visitor sees it.
func home(t *testing.T) pages.Home {
	t.Helper()
	visit := pages.Plain(pages.NewStack(t), phone.Options{Lean: true})
	visit.Open("/")
	return visit.Home()
}

func TestCity_Chosen(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.ChangeCity().Find("chengdu", "成都市")
	h.Home().InCity("成都市")
	h.Home().ChangeCity().Find("sz", "深圳市")
	h.Home().InCity("深圳市")
	h.TabBar("影院")
	h.At("/multiplex")
	h.SeesText("深圳")
	h.TabBar("影片")

	cities := h.Home().ChangeCity()
	cities.Letter("W")
	cities.Choose("最近访问", "成都市")
	h.Home().InCity("成都市")
	h.Home().ChangeCity().Choose("热门城市", "上海市")
	h.Home().InCity("上海市")
	// The choice survives a reload.
	h.Reload()
	h.Home().InCity("上海市")
}

func TestCity_Located(t *testing.T) {
	t.Parallel()
	v := pages.Plain(
		pages.NewStack(t),
		phone.Options{Lean: true, Where: playwright.Geolocation{Latitude: 31.2304, Longitude: 121.4737}},
	)
	v.Open("/index")
	// A first visit starts in the city of the position. If a busy machine finds the position late, that city is only
	// offered.
	v.Home().InLocatedCity("上海市")
	// A chosen city stays.
	v.Home().ChangeCity().Choose("热门城市", "北京市")
	v.Home().InCity("北京市")
	v.Home().ChangeCity().Choose("定位城市", "上海")
	v.Home().InCity("上海市")
}

func TestCity_NotFound(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.ChangeCity().Search("没有的城")
	h.SeesText("没有找到这个城市")
}

func TestHome_Search(t *testing.T) {
	t.Parallel()
	h := home(t)
	films := h.Films()
	require.Greater(t, len(films), 5)
	h.Search(films[3])
	h.HasFilms(1)
	require.Equal(t, films[3:4], h.Films())
	h.Search("没有这部影片")
	h.SeesText("没有找到“没有这部影片”相关影片")
	h.Search("")
	h.HasFilms(len(films))
}

func TestHome_ComingSoon(t *testing.T) {
	t.Parallel()
	h := home(t)
	showing := h.Films()
	h.Tab("即将上映")
	h.ShowsNot(showing[0])
	require.NotSubset(t, showing, h.Films())
}

// A film links to its cinemas of both sources and to their seats, from the home page and from the ranking, although the
// two sources have different ids for it.
func TestFilm_ToItsCinemas(t *testing.T) {
	t.Parallel()
	pages.BothSources(t, func(t *testing.T, source harness.Source) {
		s := pages.NewStack(t)
		_, visit := visiting(s)
		show := s.Catalog.ShowingOf(source)
		ids := map[string]bool{}
		for _, read := range []func() pages.Film{
			func() pages.Film { visit.Open("/index"); return visit.Home().Read(show.Film) },
			func() pages.Film { visit.Open("/hotlist"); return visit.HotList().Read(show.Film) },
		} {
			film := read()
			ids[film.Query("id")] = true
			cinema := film.Buy().Enter(s.Catalog.CinemaOf(source))
			cinema.ShowsFilm(show.Film)
			cinema.Buy(show)
			hall := visit.SeatMap()
			require.Equal(t, show.Opiid+show.SessionID, hall.Showing().Opiid+hall.Showing().SessionID)
			hall.Best(1)
		}
		require.Len(t, ids, 2, "the list is newmovie's, the ranking the gateway's")
	})
}

// A film that is marked on its page, opened from the ranking, is also marked in the lists of the home page.
func TestFilm_WishedFromTheRanking(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.Open("/hotlist")
	name := h.HotList().First()
	h.HotList().Read(name).Wish()
	h.Open("/index")
	h.Home().Tab("我想看")
	require.Equal(t, []string{name}, h.Films())
}

func TestHotList(t *testing.T) {
	t.Parallel()
	h := home(t)
	h.Open("/hotlist")
	name := h.HotList().First()
	h.HotList().Read(name)
	h.Back()
	h.HotList()
}

func TestCinemas_Search(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	name := s.Catalog.CinemaOf(harness.NewMovie)
	cinemas := pages.Plain(s, phone.Options{Lean: true}).Cinemas()
	cinemas.Search("没有这家影院")
	cinemas.SeesText("没有找到“没有这家影院”相关影院")
	cinemas.Search(name)
	cinemas.HasCinemas(1)
	cinemas.Enter(name)
}

// The header of the list of cinemas is at the same place as that of the home page, so that it does not move.
func TestCinemas_HeadAsAtHome(t *testing.T) {
	t.Parallel()
	visit := pages.Plain(pages.NewStack(t), phone.Options{Lean: true})
	const boxes = `() => ['.search-head', '.search-head__city', '.mq-search'].map((part) => {
		const { x, y, width, height } = document.querySelector(part).getBoundingClientRect()
		return { x, y, width, height }
	})`
	type box struct{ X, Y, Width, Height float64 }
	var home, cinemas []box
	visit.Open("/index")
	visit.Home().Films()
	visit.Phone.Decode(t, boxes, &home)
	visit.Open("/multiplex")
	visit.SeesText("家影院")
	visit.Phone.Decode(t, boxes, &cinemas)
	require.Equal(t, home, cinemas)
}

func TestCinemas_Region(t *testing.T) {
	t.Parallel()
	cinemas := pages.Plain(pages.NewStack(t), phone.Options{}).Cinemas()
	region, n := cinemas.Region()
	cinemas.HasCinemas(n)
	cinemas.SeesText(region)
}

func TestUnknownAddress(t *testing.T) {
	t.Parallel()
	visit := pages.Plain(pages.NewStack(t), phone.Options{Tolerate: []string{"404"}})
	visit.Open("/nowhere")
	visit.SeesText("页面不存在")
}

// The poster of a list moves to its place on the film's page. With reduced motion the page appears at once.
func TestFilm_PosterMoves(t *testing.T) {
	t.Parallel()
	const count = `
		window.moved = []
		const start = Document.prototype.startViewTransition
		Document.prototype.startViewTransition = function (change) {
			const transition = start.call(this, change)
			const posters = () => document.getAnimations().filter(({ effect }) => effect.pseudoElement?.endsWith('(poster)'))
			transition.ready.then(() => window.moved.push(posters().length > 0), () => window.moved.push('skipped'))
			return transition
		}`
	for _, reduced := range []bool{false, true} {
		s := pages.NewStack(t)
		v := pages.Plain(s, phone.Options{ReducedMotion: reduced})
		require.NoError(t, v.Phone.Context.AddInitScript(playwright.Script{Content: playwright.String(count)}))
		v.Open("/index")
		home := v.Home()
		name := home.Films()[0]
		home.Read(name) // loads the poster animation
		v.Back()
		v.Home().Read(name)
		var moved []any
		if reduced {
			v.Phone.Decode(t, "() => window.moved", &moved)
			require.Empty(t, moved)
			continue
		}
		s.Eventually("the poster moves", func() bool {
			v.Phone.Decode(t, "() => window.moved", &moved)
			return len(moved) > 0
		})
		require.Equal(t, true, moved[len(moved)-1])
	}
}
