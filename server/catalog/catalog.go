// Package catalog describes what the shop sells tickets for: cities, films, cinemas, showings and seat maps. The data
// comes from two ticketing providers, the sources. Service combines both into one catalog and caches their answers
// for some seconds or minutes; see README.md.
package catalog

import (
	"time"

	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/money"
)

// Source is a ticketing provider. Its number is what the specification calls the order type.
type Source int

const (
	Legacy   Source = 1 // the signed gateway; its cinemas have the flag 1 in the web app's calls
	NewMovie Source = 2 // the bearer-token provider; its cinemas have any other flag
)

// City is a prefecture-level city. Each source has its own id for it; "" means that the source does not serve it.
type City struct {
	ID         string // the administrative division code, such as "310100"
	Name       string // with its suffix: "上海市"
	Pinyin     string // lower case without tones: "shanghai"
	LegacyID   string // the city's id at the legacy source
	NewMovieID string // the city's id at newmovie
	Hot        bool   // a source marks it as popular
}

// Region is a district of a city with the number of cinemas in it.
type Region struct {
	ID, Name string
	Cinemas  int // how many
}

// ShowState is whether tickets of a film can be bought now.
type ShowState int

const (
	UnknownState ShowState = 0 // the source has not reported it
	NowShowing   ShowState = 1 // released
	OnPreSale    ShowState = 2 // not released yet, but on sale
	Coming       ShowState = 3 // not on sale yet
)

// Film is a film as lists show it.
type Film struct {
	ID          string // of its source
	Code        string // movieCode, the national film code
	Name        string // in Chinese
	EnglishName string
	PosterURL   string
	Score       string   // "9.1"; "" before the release
	Stars       []string // names, the first billed first
	Director    string
	Categories  []string  // genres, in Chinese
	Version     string    // "2D", "IMAX 3D"
	Wish        int       // how many people marked that they want to see it
	PreSale     bool      // on sale before its release
	State       ShowState // UnknownState if the source does not report it
	Minutes     int       // duration
	Released    string    // YYYY-MM-DD
}

// FilmDetail is a film with what only its own page shows.
type FilmDetail struct {
	Film
	Synopsis string       // plain text
	Cast     []CastMember // as the source orders it
}

// CastMember is one line of the cast list.
type CastMember struct {
	AvatarURL, Name, Character string
}

// Drama is a stage production.
type Drama struct {
	ID, Name, PosterURL, Venue, City string
	When                             string // for display, such as "2026.12.01-12.24"
	FromPrice                        money.Fen
}

// Cinema is a cinema of one source.
type Cinema struct {
	Source     Source
	ID         string // the source's id
	Code       string // cinemaCode, which newmovie requires in orders; "" at the legacy source
	SourceID   string // the ticketing system from which newmovie has the cinema; "" at the legacy source
	Name       string
	Address    string
	Phone      string
	RegionID   string
	RegionName string
	Lat, Lng   float64   // degrees; both are 0 if the source has no position
	FromPrice  money.Fen // 0 if the source has no price
}

// position returns where the cinema is, and nil if the source has no position.
func (c Cinema) position() *Point {
	if c.Lat == 0 && c.Lng == 0 {
		return nil
	}
	return &Point{c.Lat, c.Lng}
}

// AreaPrice is the price of one price area of a hall.
type AreaPrice struct {
	AreaID, Name string    // as in Seat.AreaID
	Price        money.Fen // what a seat of the area costs the buyer
}

// Show is one screening: a showing of the legacy source or a session of newmovie. Its times are instants in UTC.
type Show struct {
	Source     Source
	ID         string // opiid or sessionId
	CinemaID   string // "" if the source does not send it with the show: see Service.CompleteShow
	CinemaCode string // "" at the legacy source
	CinemaName string
	FilmID     string
	FilmCode   string
	FilmName   string
	FilmPoster string
	Hall       string // name of the auditorium
	Language   string
	Version    string      // such as "2D" or "IMAX 3D"
	Starts     time.Time   // begin of the screening
	Ends       time.Time   // zero if the source has no end
	Closes     time.Time   // when the source stops selling; zero if it has no such time
	Price      money.Fen   // what a seat without a price area costs the buyer
	ListPrice  money.Fen   // the cinema's own price, which pages show struck through; 0 if the source has none
	AreaPrices []AreaPrice // empty if the hall has no price areas
	Unsellable bool        // the source marks it as not for sale
}

// OnSale reports whether tickets may still be sold: the start is at least durations.StopSale away, the source sells the
// show, and the source's closing time has not passed. A closing time that is not before the start is ignored.
func (s Show) OnSale(now time.Time) bool {
	if s.Unsellable || s.Starts.Sub(now) < durations.StopSale {
		return false
	}
	return !s.closesEarly() || now.Before(s.Closes)
}

// SaleEnds returns when the sale of the show ends by the rule of OnSale: durations.StopSale before the start, or at the
// source's closing time if that is earlier.
func (s Show) SaleEnds() time.Time {
	end := s.Starts.Add(-durations.StopSale)
	if s.closesEarly() && s.Closes.Before(end) {
		return s.Closes
	}
	return end
}

// closesEarly reports whether the source has a closing time before the start.
func (s Show) closesEarly() bool { return !s.Closes.IsZero() && s.Closes.Before(s.Starts) }

// Pair is whether a seat is the left or the right half of a couples seat, or a single seat.
type Pair int

const (
	Single Pair = iota
	LeftHalf
	RightHalf
)

// Seat is one seat of a seat map.
type Seat struct {
	ID        string // seatid or originSeatID
	Name      string // "5排6座"
	RowID     string // newmovie rowsId
	RowName   string // "5"
	Row, Col  int    // position in the grid, from 1; gaps are aisles
	AreaID    string
	Price     money.Fen // what the seat costs the buyer
	Pair      Pair      // half of a couples seat, or Single
	Available bool      // the seat can be locked now
	State     int       // the source's number for the state
}

// Two of newmovie's numbers for the state of a seat.
const (
	StateFree = 1
	StateSold = 2
)

// SeatMap is a hall with the state of its seats for one show.
type SeatMap struct {
	Show  Show // with the prices that hold for Seats
	Seats []Seat
	Areas []AreaPrice // empty if the hall has no price areas
}

// Seat returns the seat with an id, and false if the hall has none.
func (m SeatMap) Seat(id string) (Seat, bool) {
	for _, s := range m.Seats {
		if s.ID == id {
			return s, true
		}
	}
	return Seat{}, false
}

// Faults of reading one city, film, cinema or showing.
var (
	ErrCityNotFound   = fault.New(fault.NotFound, "city_not_found", "暂无数据")
	ErrFilmNotFound   = fault.New(fault.NotFound, "film_not_found", "暂无数据")
	ErrCinemaNotFound = fault.New(fault.NotFound, "cinema_not_found", "暂无数据")
	ErrShowNotFound   = fault.New(fault.NotFound, "show_not_found", "场次不存在或已下架").WithExplanation(
		"there is no such showing, or the shop has sold no seat of it")
)

// Faults that the legacy gateway reports.
var (
	// ErrReload means that the legacy gateway requires the page to be reloaded (specification, msg-gateway-9999). The
	// shop answers the page with the same code, 9999.
	ErrReload = fault.New(fault.Unavailable, "gateway_reload", "数据已更新，请刷新页面")
	// ErrStatus means that the legacy gateway answered a query with an HTTP status other than 200 (specification,
	// msg-gateway-http). Errors that match it match fault.ErrUnavailable as well.
	ErrStatus = fault.New(fault.Unavailable, "gateway_status", "请求失败")
)
