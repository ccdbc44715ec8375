package catalog_test

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/fault"
)

// sources fakes both providers with the test's data. Reads are counted, and fail while err is set.
type sources struct {
	clock *clocktest.Clock
	mu    sync.Mutex
	err   map[string]error
	reads atomic.Int32
	// unplaced cinemas have no position.
	unplaced bool
	entered  chan struct{} // when set, receives a value for every read of films
	gate     chan struct{} // when set, reads of films wait for it
}

func (s *sources) fail(source string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err[source] = err
}

func (s *sources) failing(source string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err[source]
}

type legacy struct {
	catalog.LegacyCatalog
	*sources
}

func (l legacy) Cities(context.Context) ([]catalog.City, error) {
	return []catalog.City{
		{ID: "500000", Name: "重庆市", Pinyin: "chongqing", LegacyID: "500000"},
		{ID: "310100", Name: "上海市", Pinyin: "shanghai", LegacyID: "310100", Hot: true},
		{ID: "330100", Name: "杭州市", Pinyin: "hangzhou", LegacyID: "330100"},
		{ID: "610100", Name: "西安市", Pinyin: "xian", LegacyID: "610100"},
	}, l.failing("legacy")
}

func (l legacy) Cinemas(_ context.Context, city, film string) (catalog.CinemaList, error) {
	if film != "" && film != "f1" && film != "legacy7" && film != "codeless" {
		return catalog.CinemaList{}, nil
	}
	return catalog.CinemaList{
		Regions: []catalog.Region{{ID: "L1", Name: "黄浦区"}, {ID: "L2", Name: "徐汇区"}},
		Cinemas: []catalog.Cinema{
			{Source: catalog.Legacy, ID: "1", Name: "人民影城", Address: "南京路1号", RegionID: "L1", RegionName: "黄浦区",
				Lat: 31.2336, Lng: 121.4737},
			{Source: catalog.Legacy, ID: "2", Name: "徐汇影城", RegionID: "L2", RegionName: "徐汇区", Lat: 31.1885,
				Lng: 121.4365},
		},
	}, l.failing("legacy")
}

func (l legacy) Showings(context.Context, string, string, string) (catalog.Showings, error) {
	return catalog.Showings{}, l.failing("legacy")
}

func (l legacy) Films(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{
		{ID: "f1", State: catalog.NowShowing}, {ID: "f9", State: catalog.Coming},
		{ID: "legacy7", Code: "007", State: catalog.NowShowing},
	}, l.failing("legacy")
}

// Film returns a film that newmovie has under another id, and a film without a code.
func (l legacy) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	codes := map[string]string{"legacy7": "007", "codeless": ""}
	code, found := codes[id]
	if !found {
		return catalog.FilmDetail{}, catalog.ErrFilmNotFound
	}
	return catalog.FilmDetail{Film: catalog.Film{ID: id, Code: code}}, l.failing("legacy")
}

type newmovie struct {
	catalog.NewMovieCatalog
	*sources
}

func (n newmovie) Cities(context.Context) ([]catalog.City, error) {
	return []catalog.City{
		{ID: "310100", Name: "上海市", Pinyin: "shanghai", NewMovieID: "2001"},
		{ID: "330100", Name: "杭州市", Pinyin: "hangzhou", NewMovieID: "2002", Hot: true},
		{ID: "110100", Name: "北京市", Pinyin: "beijing", NewMovieID: "2003"},
		{ID: "210200", Name: "大连市", Pinyin: "dalian", NewMovieID: "2004"},
	}, n.failing("newmovie")
}

func (n newmovie) Films(_ context.Context, city string) ([]catalog.Film, error) {
	n.reads.Add(1)
	if n.gate != nil {
		n.entered <- struct{}{}
		<-n.gate
	}
	return []catalog.Film{
		{ID: "f1", Name: "甲" + city, State: catalog.NowShowing}, {ID: "f2", State: catalog.OnPreSale},
		{ID: "f3", State: catalog.OnPreSale},
	}, n.failing("newmovie")
}

func (n newmovie) ComingFilms(context.Context, string) ([]catalog.Film, error) {
	return []catalog.Film{{ID: "f3", State: catalog.OnPreSale},
		{ID: "f4", State: catalog.Coming, Released: "2030-06-04"}}, nil
}

func (n newmovie) Film(_ context.Context, id string) (catalog.FilmDetail, error) {
	if id != "f1" {
		return catalog.FilmDetail{}, catalog.ErrFilmNotFound
	}
	return catalog.FilmDetail{Film: catalog.Film{ID: "f1", Code: "001"}}, nil
}

func (n newmovie) Cinemas(_ context.Context, _, code string) (catalog.CinemaList, error) {
	if code != "" && code != "001" && code != "007" {
		return catalog.CinemaList{}, nil
	}
	list := catalog.CinemaList{
		Regions: []catalog.Region{{ID: "N7", Name: "徐汇区"}, {ID: "N8", Name: "静安区"}},
		Cinemas: []catalog.Cinema{
			{Source: catalog.NewMovie, ID: "11", Name: "静安巨幕", RegionID: "N8", RegionName: "静安区", Lat: 31.2297,
				Lng: 121.4480},
			{Source: catalog.NewMovie, ID: "12", Name: "徐汇巨幕", RegionID: "N7", RegionName: "徐汇区", Lat: 31.1900,
				Lng: 121.4300},
		},
	}
	for i := range list.Cinemas {
		list.Cinemas[i].Code = "cc" + list.Cinemas[i].ID
	}
	if n.unplaced {
		list.Cinemas[0].Lat, list.Cinemas[0].Lng = 0, 0
	}
	return list, n.failing("newmovie")
}

// CinemaShows returns one film with sessions in two halls at the same time.
func (n newmovie) CinemaShows(_ context.Context, cinemaID, _ string) (catalog.CinemaShows, error) {
	show := catalog.Show{
		Source: catalog.NewMovie, ID: "s1", CinemaID: cinemaID, CinemaCode: "cc" + cinemaID, CinemaName: "徐汇巨幕",
		FilmID: "f1", FilmCode: "001", Hall: "1号厅", Starts: time.Date(2026, 5, 1, 11, 30, 0, 0, time.UTC),
	}
	n.reads.Add(1)
	second := show
	second.ID, second.Hall = "s2", "2号厅"
	return catalog.CinemaShows{
		Cinema: catalog.Cinema{ID: cinemaID, Code: "cc" + cinemaID},
		Films:  []catalog.FilmShows{{Film: catalog.Film{ID: "f1"}, Shows: []catalog.Show{show, second}}},
	}, n.failing("newmovie")
}

func newService(t *testing.T) (*catalog.Service, *sources) {
	t.Helper()
	s := &sources{clock: clocktest.New(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)), err: map[string]error{}}
	return catalog.New(catalog.Config{
		Legacy: legacy{sources: s}, NewMovie: newmovie{sources: s}, Now: s.clock.Now,
		Logger: slog.New(slog.DiscardHandler),
	}), s
}

func ids(p catalog.CinemaPage) (n []string) {
	for _, c := range p.Cinemas {
		n = append(n, c.ID)
	}
	return n
}

func TestCinemas_BothSourcesNearestFirst(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	page, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100",
		Near: &catalog.Point{Lat: 31.2336, Lng: 121.4737}})
	require.NoError(t, err)
	require.Equal(t, []string{"1", "11", "2", "12"}, ids(page))
	require.InDelta(t, 0, page.Cinemas[0].Km, 0.001)
	require.InDelta(t, 2.48, page.Cinemas[1].Km, 0.05)
	require.Equal(t, 4, page.Total)
	require.Equal(t, []catalog.Region{
		{ID: "L1", Name: "黄浦区", Cinemas: 1}, {ID: "L2", Name: "徐汇区", Cinemas: 2}, {ID: "N8", Name: "静安区", Cinemas: 1},
	}, page.Regions)
}

func TestCinemas_WithoutAPositionComeLast(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	src.unplaced = true
	page, err := s.Cinemas(t.Context(),
		catalog.CinemaQuery{CityID: "310100", Near: &catalog.Point{Lat: 31.2336, Lng: 121.4737}})
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2", "12", "11"}, ids(page))
	require.Negative(t, page.Cinemas[3].Km)
}

func TestFindSession_ByTheSpecificationsFields(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	starts := time.Date(2026, 5, 1, 11, 30, 0, 0, time.UTC)
	q := catalog.SessionQuery{CinemaCode: "cc12", FilmCode: "001", Hall: "1号厅", Starts: starts}
	show, err := s.FindSession(t.Context(), q)
	require.NoError(t, err)
	require.Equal(t, "s1", show.ID)
	for name, change := range map[string]func(*catalog.SessionQuery){
		"another cinema": func(q *catalog.SessionQuery) { q.CinemaCode = "cc99" },
		"another film":   func(q *catalog.SessionQuery) { q.FilmCode = "002" },
		"another start":  func(q *catalog.SessionQuery) { q.Starts = starts.Add(time.Minute) },
		"two halls":      func(q *catalog.SessionQuery) { q.Hall = "" },
	} {
		changed := q
		change(&changed)
		_, err := s.FindSession(t.Context(), changed)
		require.Equal(t, fault.NotFound, fault.KindOf(err), name)
	}
}

func TestCompleteShow_TakesTheCinemaThatListsIt(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	bare := catalog.Show{Source: catalog.NewMovie, ID: "s1", Starts: time.Date(2026, 5, 1, 11, 30, 0, 0, time.UTC)}
	got := s.CompleteShow(t.Context(), bare, catalog.Venue{CinemaCode: "cc12"})
	require.Equal(t, "徐汇巨幕", got.CinemaName)
	require.Equal(t, "f1", got.FilmID)
	reads := src.reads.Load()
	require.Equal(t, got, s.CompleteShow(t.Context(), bare, catalog.Venue{CinemaCode: "cc12"}))
	require.Equal(t, reads, src.reads.Load(), "every reader of a seat map asks, and the source is asked once a minute")
	require.Equal(t, bare, s.CompleteShow(t.Context(), bare, catalog.Venue{}))
	other := bare
	other.ID = "s9"
	require.Equal(t, other, s.CompleteShow(t.Context(), other, catalog.Venue{CinemaID: "12"}), "not listed there")
	src.fail("newmovie", fault.ErrUnavailable)
	require.Equal(t, bare, s.CompleteShow(t.Context(), bare, catalog.Venue{CinemaID: "13"}))
}

func TestCinemas_Narrowed(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	for name, c := range map[string]struct {
		query catalog.CinemaQuery
		want  []string
	}{
		"no place given":                   {catalog.CinemaQuery{}, []string{"1", "2", "12", "11"}},
		"a district, both sources":         {catalog.CinemaQuery{RegionID: "L2"}, []string{"2", "12"}},
		"the same, by the other's id":      {catalog.CinemaQuery{RegionID: "N7"}, []string{"2", "12"}},
		"a district that is not there":     {catalog.CinemaQuery{RegionID: "X"}, nil},
		"a name":                           {catalog.CinemaQuery{Keyword: "巨幕"}, []string{"12", "11"}},
		"an address":                       {catalog.CinemaQuery{Keyword: "南京路"}, []string{"1"}},
		"a film":                           {catalog.CinemaQuery{FilmID: "f1"}, []string{"1", "2", "12", "11"}},
		"a code without a film is ignored": {catalog.CinemaQuery{FilmCode: "999"}, []string{"1", "2", "12", "11"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c.query.CityID = "310100"
			page, err := s.Cinemas(t.Context(), c.query)
			require.NoError(t, err)
			require.ElementsMatch(t, c.want, ids(page))
			for _, cinema := range page.Cinemas {
				require.Negative(t, cinema.Km)
			}
			require.Equal(t, 4, page.Total, "the total is the city's")
		})
	}
	_, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100", FilmID: "nothing"})
	require.ErrorIs(t, err, catalog.ErrFilmNotFound)
}

// A film has one code and an id at each source: cinemas of both sources are found with either id.
func TestCinemas_OfAFilmWithTwoIDs(t *testing.T) {
	t.Parallel()
	for name, q := range map[string]catalog.CinemaQuery{
		"the id of newmovie and the code":    {CityID: "310100", FilmID: "new7", FilmCode: "007"},
		"the id of the ranking and the code": {CityID: "310100", FilmID: "legacy7", FilmCode: "007"},
		"only the id of the ranking":         {CityID: "310100", FilmID: "legacy7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newService(t)
			page, err := s.Cinemas(t.Context(), q)
			require.NoError(t, err)
			require.Len(t, page.Cinemas, 4)
		})
	}
}

// Newmovie selects cinemas by the film's code. Without one it would return all cinemas of the city.
func TestCinemas_OfAFilmWithoutCode(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	page, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100", FilmID: "codeless"})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"1", "2"}, ids(page))
}

func TestCinemas_WhileOneSourceFailsTheOthersAreListed(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	_, err := s.Cities(t.Context(), "")
	require.NoError(t, err)
	src.fail("legacy", fault.ErrUnavailable)
	page, err := s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100"})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"11", "12"}, ids(page))
	src.fail("newmovie", fault.ErrUnavailable)
	src.clock.Advance(2 * time.Hour)
	_, err = s.Cinemas(t.Context(), catalog.CinemaQuery{CityID: "310100"})
	require.ErrorIs(t, err, fault.ErrUnavailable)
}

func TestShow_OnSale(t *testing.T) {
	t.Parallel()
	starts := time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		show  catalog.Show
		until time.Duration // before the start
		want  bool
	}{
		"an hour before":            {catalog.Show{}, time.Hour, true},
		"15 minutes before":         {catalog.Show{}, 15 * time.Minute, true},
		"a second under 15 minutes": {catalog.Show{}, 15*time.Minute - time.Second, false},
		"begun":                     {catalog.Show{}, -time.Minute, false},
		"not sold":                  {catalog.Show{Unsellable: true}, time.Hour, false},
		"closed by the provider":    {catalog.Show{Closes: starts.Add(-time.Hour)}, 30 * time.Minute, false},
		"at the provider's close":   {catalog.Show{Closes: starts.Add(-time.Hour)}, time.Hour, false},
		"before the provider's close": {catalog.Show{Closes: starts.Add(-time.Hour)}, time.Hour + time.Second,
			true},
		"a close after the start means none":  {catalog.Show{Closes: starts.Add(time.Hour)}, 20 * time.Minute, true},
		"a close at the start means none too": {catalog.Show{Closes: starts}, 16 * time.Minute, true},
	} {
		c.show.Starts = starts
		require.Equal(t, c.want, c.show.OnSale(starts.Add(-c.until)), name)
	}
}
