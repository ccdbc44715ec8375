package httpapi

import (
	"context"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
)

// Showings reads the showings of both sources. The newmovie provider calls a showing a session.
type Showings interface {
	// CinemaShows returns a newmovie cinema with its sessions; filmID "" selects all films. It returns
	// catalog.ErrCinemaNotFound.
	CinemaShows(ctx context.Context, cinemaID, filmID string) (catalog.CinemaShows, error)
	// Session returns a newmovie session. It returns catalog.ErrShowNotFound.
	Session(ctx context.Context, sessionID string) (catalog.Show, error)
	// LegacyShowings returns the showings of a legacy cinema. filmID and date (YYYY-MM-DD, of the cinema's calendar)
	// are filters, and may be "".
	LegacyShowings(ctx context.Context, cinemaID, filmID, date string) (catalog.Showings, error)
}

// showings serves the showings of a cinema.
type showings struct {
	catalog Showings
	now     func() time.Time
}

// NewMovieCinema is a cinema in the newmovie provider's shape.
type NewMovieCinema struct {
	ID         string `json:"cinemaId"`   // the cinema's id at the newmovie source
	Code       string `json:"cinemaCode"` // the cinema's national code
	SourceID   string `json:"sourceId"`   // the id of the system that sells the cinema's tickets
	Name       string `json:"name"`       // the name that buyers know
	Address    string `json:"address"`    // street and number
	Phone      string `json:"phone"`      // the phone number of the box office
	RegionID   string `json:"regionId"`   // the district's id
	RegionName string `json:"regionName"` // the district
	Lat        string `json:"latitude"`   // degrees with six decimals; "" if the position is not known
	Lng        string `json:"longitude"`  // degrees with six decimals; "" if the position is not known
	MinPrice   string `json:"minPrice"`   // yuan, the lowest of any film; "" if it is not known
}

// Session is a showing of a newmovie cinema: the specification's Session (entity-session).
type Session struct {
	ID        string `json:"sessionId"`   // the session's id
	Starts    string `json:"showTime"`    // yyyy-MM-dd HH:mm:ss on the cinema's clock
	Ends      string `json:"endTime"`     // yyyy-MM-dd HH:mm:ss; "" if the provider has no end
	Version   string `json:"version"`     // the format, such as IMAX 2D
	Language  string `json:"language"`    // of the dialogue
	Hall      string `json:"hall"`        // the hall's name
	Price     string `json:"originPrice"` // yuan, the price of a seat that is in no price area
	ListPrice string `json:"listPrice"`   // yuan, at the box office; "" if the provider has none
	Sellable  bool   `json:"sellable"`    // false if a lock would be answered with sale_stopped
}

// SessionDetail adds the cinema and the film to a session.
type SessionDetail struct {
	Session
	CinemaID   string `json:"cinemaId"`   // the cinema's id at the newmovie source
	CinemaCode string `json:"cinemaCode"` // the cinema's national code
	CinemaName string `json:"cinemaName"` // the name that buyers know
	FilmID     string `json:"movieId"`    // the film's id at the newmovie source
	FilmCode   string `json:"movieCode"`  // the film's code, the same at both sources
	FilmName   string `json:"movieName"`  // the Chinese title
	Poster     string `json:"posterUrl"`  // the address of the poster
	// yyyy-MM-dd HH:mm:ss, when the provider stops selling; "" if it has no such time
	Closes string `json:"stopSellTime"`
}

// FilmShows is a film with its sessions in one cinema.
type FilmShows struct {
	ID       string     `json:"movieId"`   // the film's id at the newmovie source
	Code     string     `json:"movieCode"` // the film's code, the same at both sources
	Name     string     `json:"name"`      // the Chinese title
	Poster   string     `json:"posterUrl"` // the address of the poster
	Showmark string     `json:"showmark"`  // the formats it is shown in
	Duration int        `json:"duration"`  // the length in minutes; 0 if it is not known
	Category string     `json:"category"`  // the genres, separated by pipes
	Score    string     `json:"score"`     // out of ten, with one decimal; "" if there is none yet
	Shows    []DayShows `json:"shows"`     // its days, in order
}

// DayShows are the sessions of one day.
type DayShows struct {
	Date     string    `json:"showDate"` // yyyy-MM-dd of the cinema's calendar
	Sessions []Session `json:"sessions"` // in order of time
}

// newSession converts a show. A session is not sellable if a lock would fail by the shop's rule.
func newSession(s catalog.Show, now time.Time) Session {
	return Session{
		ID: s.ID, Starts: clockText(s.Starts), Ends: clockText(s.Ends), Version: s.Version, Language: s.Language,
		Hall: s.Hall, Price: s.Price.String(), ListPrice: knownPrice(s.ListPrice), Sellable: s.OnSale(now),
	}
}

func newSessionDetail(s catalog.Show, now time.Time) SessionDetail {
	return SessionDetail{
		Session: newSession(s, now), CinemaID: s.CinemaID, CinemaCode: s.CinemaCode, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster, Closes: clockText(s.Closes),
	}
}

// newFilmShows groups the sessions of a film, which come in order of time, by day.
func newFilmShows(f catalog.FilmShows, now time.Time) FilmShows {
	a := FilmShows{
		ID: f.Film.ID, Code: f.Film.Code, Name: f.Film.Name, Poster: f.Film.PosterURL, Showmark: f.Film.Version,
		Duration: f.Film.Minutes, Category: genreText(f.Film.Categories), Score: f.Film.Score, Shows: []DayShows{},
	}
	for _, s := range f.Shows {
		day := s.Starts.In(beijing.Time).Format(time.DateOnly)
		if n := len(a.Shows); n == 0 || a.Shows[n-1].Date != day {
			a.Shows = append(a.Shows, DayShows{Date: day})
		}
		last := &a.Shows[len(a.Shows)-1]
		last.Sessions = append(last.Sessions, newSession(s, now))
	}
	return a
}

// CinemaShows is a newmovie cinema with its films and their sessions.
type CinemaShows struct {
	Cinema NewMovieCinema `json:"cinema"` // the cinema
	Movies []FilmShows    `json:"movies"` // its films, or the chosen one
}

// ListSessions selects the sessions of a newmovie cinema.
type ListSessions struct {
	Cinema string `form:"cinemaId" required:"true"` // the cinema's id at the newmovie source
	Film   string `form:"movieId"`                  // the film's id at the newmovie source; all films if missing
}

// ofCinema returns a newmovie cinema with its films, or with one film, and their sessions by day.
func (c showings) ofCinema(ctx context.Context, in ListSessions) (CinemaShows, error) {
	found, err := c.catalog.CinemaShows(ctx, in.Cinema, in.Film)
	if err != nil {
		return CinemaShows{}, err
	}
	cinema, now := found.Cinema, c.now()
	lat, lng := degrees(cinema)
	return CinemaShows{
		NewMovieCinema{
			cinema.ID, cinema.Code, cinema.SourceID, cinema.Name, cinema.Address, cinema.Phone, cinema.RegionID,
			cinema.RegionName, lat, lng, knownPrice(cinema.FromPrice),
		},
		each(found.Films, func(f catalog.FilmShows) FilmShows { return newFilmShows(f, now) }),
	}, nil
}

// ShowSession selects a session.
type ShowSession struct {
	ID string `form:"sessionId" required:"true"` // the session's id
}

// session returns a session with its cinema and its film.
func (c showings) session(ctx context.Context, in ShowSession) (SessionDetail, error) {
	s, err := c.catalog.Session(ctx, in.ID)
	if err != nil {
		return SessionDetail{}, err
	}
	return newSessionDetail(s, c.now()), nil
}

// Showing is a showing of the legacy source: the specification's Showing (entity-showing).
type Showing struct {
	ID         string `json:"opiid"`      // the showing's id
	CinemaID   string `json:"cinemaid"`   // the cinema's id at the legacy source
	CinemaName string `json:"cinemaname"` // the name that buyers know
	FilmID     string `json:"movieid"`    // the film's id at the legacy source
	FilmCode   string `json:"moviecode"`  // the film's code, the same at both sources
	FilmName   string `json:"moviename"`  // the Chinese title
	Poster     string `json:"poster"`     // the address of the poster
	Date       string `json:"playdate"`   // yyyy-MM-dd of the cinema's calendar
	Starts     string `json:"playtime"`   // yyyy-MM-dd HH:mm:ss on the cinema's clock
	Ends       string `json:"endtime"`    // yyyy-MM-dd HH:mm:ss; "" if the gateway has no end
	Closes     string `json:"closetime"`  // yyyy-MM-dd HH:mm:ss, when the gateway stops selling; "" if it has no time
	Edition    string `json:"edition"`    // the format, such as IMAX 2D
	Language   string `json:"language"`   // of the dialogue
	Room       string `json:"roomname"`   // the hall's name
	ListPrice  int64  `json:"showPrice"`  // fen, at the box office
	Price      int64  `json:"price"`      // fen, the price of a seat that is in no price area
	AreaPrice  string `json:"areaPrice"`  // the price of each area in fen, such as A:4200,B:5200
}

func newGatewayShowing(s catalog.Show) Showing {
	areas := each(s.AreaPrices, func(a catalog.AreaPrice) string { return a.AreaID + ":" + idText(int64(a.Price)) })
	return Showing{
		ID: s.ID, CinemaID: s.CinemaID, CinemaName: s.CinemaName,
		FilmID: s.FilmID, FilmCode: s.FilmCode, FilmName: s.FilmName, Poster: s.FilmPoster,
		Date: s.Starts.In(beijing.Time).Format(time.DateOnly), Starts: clockText(s.Starts), Ends: clockText(s.Ends),
		Closes: clockText(s.Closes), Edition: s.Version, Language: s.Language, Room: s.Hall,
		ListPrice: int64(s.ListPrice), Price: int64(s.Price), AreaPrice: strings.Join(areas, ","),
	}
}

// ShowingList are showings of a legacy cinema.
type ShowingList struct {
	Dates []string  `json:"dates"`   // yyyy-MM-dd, the days on which the cinema has showings
	List  []Showing `json:"opiList"` // in order of time
}

// ListShowings selects the showings of a legacy cinema.
type ListShowings struct {
	Cinema string `form:"cinemaid" required:"true"` // the cinema's id at the legacy source
	Film   string `form:"movieid"`                  // the film's id at the legacy source; all films if missing
	Date   string `form:"date"`                     // yyyy-MM-dd of the cinema's calendar; all days if missing
}

// gatewayList returns the days on which a legacy cinema has showings, and the showings of a day and a film, if given.
func (c showings) gatewayList(ctx context.Context, in ListShowings) (ShowingList, error) {
	if _, err := time.Parse(time.DateOnly, in.Date); in.Date != "" && err != nil {
		return ShowingList{}, wire.InvalidField("date", "must be yyyy-MM-dd")
	}
	found, err := c.catalog.LegacyShowings(ctx, in.Cinema, in.Film, in.Date)
	return ShowingList{
		each(found.Dates, func(d string) string { return d }), each(found.Shows, newGatewayShowing),
	}, err
}
