// Package catalog holds what can be bought at the box office: cities, films, cinemas, showings and seat
// maps, and which ticketing source each cinema belongs to. It is read from the providers, never owned.
package catalog

import (
	"time"

	"marquee/server/fault"
	"marquee/server/money"
)

// Source is a ticketing provider. Its number is the order type of the specification.
type Source int

const (
	Legacy   Source = 1 // the signed gateway; cinema flag 1
	NewMovie Source = 2 // the bearer-token provider; any other cinema flag
)

// City is a prefecture-level city. Each provider knows it by an id of its own; an empty id means the
// provider does not serve it.
type City struct {
	ID         string // the administrative division code, such as "310100"
	Name       string // with its suffix: "上海市"
	Pinyin     string // lower case without tones: "shanghai"
	LegacyID   string
	NewMovieID string
	Hot        bool
}

// Region is a district of a city with the number of cinemas in it.
type Region struct {
	ID, Name string
	Cinemas  int
}

// ShowState says whether a film can be bought now.
type ShowState int

const (
	NowShowing ShowState = 1 // now showing
	OnPreSale  ShowState = 2 // not out yet, but on sale
	Coming     ShowState = 3 // not on sale yet
)

// Film is a film as lists show it.
type Film struct {
	ID          string // movieId, shared by both providers
	Code        string // movieCode, the national film code
	Name        string
	EnglishName string
	PosterURL   string
	Score       string // "9.1", or "" before release
	Stars       []string
	Director    string
	Categories  []string
	Version     string // "2D", "IMAX 3D"
	Wish        int    // people who want to see it
	PreSale     bool
	State       ShowState
	Minutes     int
	Released    string // YYYY-MM-DD
}

// FilmDetail adds what only the detail page shows.
type FilmDetail struct {
	Film
	Synopsis string
	Cast     []CastMember
}

// CastMember is one line of the cast list.
type CastMember struct {
	AvatarURL, Name, Character string
}

// Drama is a stage project of the drama list.
type Drama struct {
	ID, Name, PosterURL, Venue, City, When string
	FromPrice                              money.Fen
}

// Cinema is a cinema of one source.
type Cinema struct {
	Source     Source
	ID         string // the provider's id
	Code       string // cinemaCode; the newmovie provider's key for orders
	SourceID   string // newmovie's upstream
	Name       string
	Address    string
	Phone      string
	RegionID   string
	RegionName string
	Lat, Lng   float64
	FromPrice  money.Fen
}

// AreaPrice is the price of one price area of a hall.
type AreaPrice struct {
	AreaID, Name string
	Price        money.Fen
}

// Show is one screening. (A "showing" of the legacy source, a "session" of newmovie.)
type Show struct {
	Source     Source
	ID         string // opiid or sessionId
	CinemaID   string
	CinemaCode string
	CinemaName string
	FilmID     string
	FilmCode   string
	FilmName   string
	FilmPoster string
	Hall       string
	Language   string
	Version    string // edition
	Starts     time.Time
	Ends       time.Time
	Closes     time.Time // the provider's own cutoff; zero when it names none
	Price      money.Fen // what a seat costs the buyer outside a price area
	ListPrice  money.Fen // the cinema's own price, shown struck through
	AreaPrices []AreaPrice
	Unsellable bool // the provider says so
}

// StopSale is how long before the start the shop stops selling.
const StopSale = 15 * time.Minute

// OnSale reports whether tickets may still be sold: at least StopSale before the start, the provider sells
// the show, and its own cutoff, where it precedes the start, has not passed.
func (s Show) OnSale(now time.Time) bool {
	if s.Unsellable || s.Starts.Sub(now) < StopSale {
		return false
	}
	return s.Closes.IsZero() || !s.Closes.Before(s.Starts) || now.Before(s.Closes)
}

// Pair says whether a seat is half of a couples seat.
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
	Price     money.Fen
	Pair      Pair
	Available bool
	State     int // newmovie's own state number, passed through to the app
}

// StateSold is newmovie's state of a seat that cannot be had.
const StateSold = 2

// SeatMap is a hall with the state of its seats for one show.
type SeatMap struct {
	Show  Show
	Seats []Seat
	Areas []AreaPrice
}

// Seat finds a seat by id.
func (m SeatMap) Seat(id string) (Seat, bool) {
	for _, s := range m.Seats {
		if s.ID == id {
			return s, true
		}
	}
	return Seat{}, false
}

// What a lookup can fail with.
var (
	ErrCityNotFound   = fault.New(fault.NotFound, "city_not_found", "暂无数据")
	ErrFilmNotFound   = fault.New(fault.NotFound, "film_not_found", "暂无数据")
	ErrCinemaNotFound = fault.New(fault.NotFound, "cinema_not_found", "暂无数据")
	ErrShowNotFound   = fault.New(fault.NotFound, "show_not_found", "场次不存在或已下架")
)
