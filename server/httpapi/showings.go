package httpapi

import (
	"context"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
)

// Showings reads the showings of both sources. The newmovie provider calls a showing a session.
type Showings interface {
	// CinemaShows returns a newmovie cinema with its sessions; filmID "" selects all films. It returns
	// catalog.ErrCinemaNotFound.
	CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error)
	// Session returns a newmovie session. It returns catalog.ErrShowNotFound.
	Session(ctx context.Context, sessionID string) (catalog.Show, error)
	// LegacyShowings returns the showings of a legacy cinema. filmID and date (YYYY-MM-DD, of the cinema's calendar)
	// select, and may be "".
	LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error)
}

// showings serves the showings of a cinema.
type showings struct {
	catalog Showings
	now     func() time.Time
}

// newMovieCinema is a cinema in the newmovie provider's shape. The price is in yuan, the position in degrees; both are
// "" if the provider does not name them.
type newMovieCinema struct {
	ID         string `json:"cinemaId"`
	Code       string `json:"cinemaCode"`
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionId"`
	RegionName string `json:"regionName"`
	Lat        string `json:"latitude"`
	Lng        string `json:"longitude"`
	MinPrice   string `json:"minPrice"`
}

// sessionAnswer is the specification's Session (entity-session): times on the cinemas' clocks, prices in yuan. The list
// price is "" if the provider names none.
type sessionAnswer struct {
	ID        string `json:"sessionId"`
	Starts    string `json:"showTime"`
	Ends      string `json:"endTime"`
	Version   string `json:"version"`
	Language  string `json:"language"`
	Hall      string `json:"hall"`
	Price     string `json:"originPrice"`
	ListPrice string `json:"listPrice"`
	Sellable  bool   `json:"sellable"`
}

// sessionDetail adds the cinema and the film to a session.
type sessionDetail struct {
	sessionAnswer
	CinemaID   string `json:"cinemaId"`
	CinemaCode string `json:"cinemaCode"`
	CinemaName string `json:"cinemaName"`
	FilmID     string `json:"movieId"`
	FilmCode   string `json:"movieCode"`
	FilmName   string `json:"movieName"`
	Poster     string `json:"posterUrl"`
	Closes     string `json:"stopSellTime"`
}

// filmShowsAnswer is a film with its sessions in one cinema. The duration is in minutes.
type filmShowsAnswer struct {
	ID       string     `json:"movieId"`
	Code     string     `json:"movieCode"`
	Name     string     `json:"name"`
	Poster   string     `json:"posterUrl"`
	Showmark string     `json:"showmark"`
	Duration int        `json:"duration"`
	Category string     `json:"category"`
	Score    string     `json:"score"`
	Shows    []dayShows `json:"shows"`
}

// dayShows are the sessions of one day, in order of time.
type dayShows struct {
	Date     string          `json:"showDate"`
	Sessions []sessionAnswer `json:"sessions"`
}

// newSession shows as not sellable what a lock would refuse, by the shop's own rule.
func newSession(s catalog.Show, now time.Time) sessionAnswer {
	return sessionAnswer{
		ID: s.ID, Starts: clockText(s.Starts), Ends: clockText(s.Ends), Version: s.Version, Language: s.Language,
		Hall: s.Hall, Price: s.Price.String(), ListPrice: knownPrice(s.ListPrice), Sellable: s.OnSale(now),
	}
}

func newSessionDetail(s catalog.Show, now time.Time) sessionDetail {
	return sessionDetail{
		sessionAnswer: newSession(s, now), CinemaID: s.CinemaID, CinemaCode: s.CinemaCode, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster, Closes: clockText(s.Closes),
	}
}

// newFilmShows groups the sessions of a film, which come in order of time, by day.
func newFilmShows(f catalog.FilmShows, now time.Time) filmShowsAnswer {
	a := filmShowsAnswer{
		ID: f.Film.ID, Code: f.Film.Code, Name: f.Film.Name, Poster: f.Film.PosterURL, Showmark: f.Film.Version,
		Duration: f.Film.Minutes, Category: genreText(f.Film.Categories), Score: f.Film.Score, Shows: []dayShows{},
	}
	for _, s := range f.Shows {
		day := s.Starts.In(beijing.Time).Format(time.DateOnly)
		if n := len(a.Shows); n == 0 || a.Shows[n-1].Date != day {
			a.Shows = append(a.Shows, dayShows{Date: day})
		}
		last := &a.Shows[len(a.Shows)-1]
		last.Sessions = append(last.Sessions, newSession(s, now))
	}
	return a
}

// cinemaShowsAnswer is a newmovie cinema with its films and their sessions.
type cinemaShowsAnswer struct {
	Cinema newMovieCinema    `json:"cinema"`
	Movies []filmShowsAnswer `json:"movies"`
}

// PictureOf returns the poster of the film with the chosen code or id, or of the first film if none is chosen.
func (a cinemaShowsAnswer) PictureOf(chosen string) string {
	for _, f := range a.Movies {
		if chosen == "" || f.Code == chosen || f.ID == chosen {
			return f.Poster
		}
	}
	return ""
}

// ofCinema answers /newmovie/api/movie/cinema_shows and /newmovie/seat/cinemaDetail: a newmovie cinema with its
// films, or with one film, and their sessions by day. Errors: cinema_not_found.
func (c showings) ofCinema(ctx context.Context, r *request) (any, error) {
	cinemaID, filmID := r.form.Required("cinemaId"), r.form.Text("movieId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	found, err := c.catalog.CinemaShows(ctx, cinemaID, filmID)
	if err != nil {
		return nil, err
	}
	cinema, now := found.Cinema, c.now()
	lat, lng := degrees(cinema)
	return cinemaShowsAnswer{
		newMovieCinema{
			cinema.ID, cinema.Code, cinema.SourceID, cinema.Name, cinema.Address, cinema.Phone, cinema.RegionID,
			cinema.RegionName, lat, lng, knownPrice(cinema.FromPrice),
		},
		each(found.Films, func(f catalog.FilmShows) filmShowsAnswer { return newFilmShows(f, now) }),
	}, nil
}

// session answers /newmovie/api/movie/session. Errors: show_not_found.
func (c showings) session(ctx context.Context, r *request) (any, error) {
	id := r.form.Required("sessionId")
	if r.form.Err() != nil {
		return nil, r.form.Err()
	}
	s, err := c.catalog.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	return newSessionDetail(s, c.now()), nil
}

// gatewayShowing is the specification's Showing (entity-showing): times on the cinemas' clocks, prices in fen.
type gatewayShowing struct {
	ID         string `json:"opiid"`
	CinemaID   string `json:"cinemaid"`
	CinemaName string `json:"cinemaname"`
	FilmID     string `json:"movieid"`
	FilmCode   string `json:"moviecode"`
	FilmName   string `json:"moviename"`
	Poster     string `json:"poster"`
	Date       string `json:"playdate"`
	Starts     string `json:"playtime"`
	Ends       string `json:"endtime"`
	Closes     string `json:"closetime"`
	Edition    string `json:"edition"`
	Language   string `json:"language"`
	Room       string `json:"roomname"`
	ListPrice  int64  `json:"showPrice"` // fen
	Price      int64  `json:"price"`     // fen
	AreaPrice  string `json:"areaPrice"` // area:fen, joined by commas
}

func newGatewayShowing(s catalog.Show) gatewayShowing {
	areas := each(s.AreaPrices, func(a catalog.AreaPrice) string { return a.AreaID + ":" + idText(int64(a.Price)) })
	return gatewayShowing{
		ID: s.ID, CinemaID: s.CinemaID, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster,
		Date: s.Starts.In(beijing.Time).Format(time.DateOnly), Starts: clockText(s.Starts), Ends: clockText(s.Ends),
		Closes: clockText(s.Closes), Edition: s.Version, Language: s.Language, Room: s.Hall,
		ListPrice: int64(s.ListPrice), Price: int64(s.Price), AreaPrice: strings.Join(areas, ","),
	}
}

// gatewayList answers the gateway's opi.list.v2: the days on which a legacy cinema has showings, and the showings of
// one day and film, if given. Errors: cinema_not_found.
func (c showings) gatewayList(ctx context.Context, r *request) (any, error) {
	f := r.form
	cinema, film, date := f.Required("cinemaid"), f.Text("movieid"), f.Text("date")
	if f.Err() != nil {
		return nil, f.Err()
	}
	found, err := c.catalog.LegacyShowings(ctx, cinema, film, date)
	return struct {
		Dates []string         `json:"dates"`
		List  []gatewayShowing `json:"opiList"`
	}{each(found.Dates, func(d string) string { return d }), each(found.Shows, newGatewayShowing)}, err
}
