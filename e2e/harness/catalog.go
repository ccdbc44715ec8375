package harness

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/httpapi"
)

// Source is a ticketing source.
type Source struct {
	Name     string
	Provider string // the provider's name in faults and in the journal
	Flag     int    // the source's number in the cinema list

	// The order states on the wire: a letter, or a number.
	Pending, Issued, Cancelled, Expired, Refunded string
}

// The two sources.
var (
	Legacy   = Source{"legacy", "gateway", 1, "N", "S", "C", "E", "R"}
	NewMovie = Source{"newmovie", "newmovie", 2, "0", "4", "2", "8", "7"}
	Sources  = []Source{Legacy, NewMovie}
)

// Showing identifies a showing, as in the address of a seat page.
type Showing struct {
	Opiid, SessionID string
	FilmID           string // of the source; "" if it is not known
}

// ShowingAt reads the showing from the address of a seat page.
func ShowingAt(t *testing.T, address string) Showing {
	at, err := url.Parse(address)
	require.NoError(t, err)
	s := Showing{Opiid: at.Query().Get("opiid"), SessionID: at.Query().Get("sessionId")}
	require.NotEqual(t, Showing{}, s, "%s is not a seat page", address)
	return s
}

// Listed is a showing as its cinema lists it.
type Listed struct {
	Showing
	Film  string
	Day   string // 2030-06-01
	Start string // 19:30
	Hall  string
}

// Moment formats the time of a showing like the shop: 6月2日 周日 19:30.
func (l Listed) Moment() string {
	day, err := time.Parse(time.DateOnly, l.Day)
	if err != nil {
		return ""
	}
	weekday := string([]rune("日一二三四五六")[day.Weekday()])
	return day.Format("1月2日 周") + weekday + " " + l.Start
}

// Catalog finds films, cinemas, showings and seats over HTTP. Tests choose showings by what they need, not by their
// position in a list, because films and halls differ from day to day.
type Catalog struct{ s *Stack }

// HomeCity is the city that a new visitor in a plain browser sees: the first of the popular cities.
func (c Catalog) HomeCity() httpapi.City {
	var hot httpapi.CityList
	c.s.call("", "/movie/route/Movie/hotcity", nil, &hot)
	require.NotEmpty(c.s.T, hot.List)
	return hot.List[0]
}

func (c Catalog) cinemaOf(source Source) httpapi.Cinema {
	var page httpapi.CinemaList
	c.s.call("", "/movie/route/Movie/cinema", map[string]string{"cityid": c.HomeCity().ID}, &page)
	for _, one := range page.Cinemas {
		if one.Flag == source.Flag {
			return one
		}
	}
	require.Fail(c.s.T, "the city has no cinema of "+source.Name)
	return httpapi.Cinema{}
}

// CinemaOf is the name of a cinema of the ticketing source in the home city.
func (c Catalog) CinemaOf(source Source) string {
	one := c.cinemaOf(source)
	return one.Name + one.Name1
}

// CinemaPage is the address of the page of the cinema that CinemaOf names.
func (c Catalog) CinemaPage(source Source) string {
	one := c.cinemaOf(source)
	if source == Legacy {
		return "/multiplexDetail?id=" + one.ID1
	}
	return "/multiplexNewDetail?id=" + one.ID2
}

// ShowingOf is a showing of tomorrow, in the cinema that CinemaOf names, with at least eight (room) free single seats
// of one area.
func (c Catalog) ShowingOf(source Source) Listed { return c.ShowingWith(room, source) }

// ShowingWith is ShowingOf with n free single seats.
func (c Catalog) ShowingWith(n int, source Source) Listed {
	return c.find(source, "with room tomorrow", func(show Listed) bool {
		return show.Day == c.day(1) && hasRoom(c.Seats(show.Showing), n)
	})
}

// ShowingToday is a showing of today, in the cinema that CinemaOf names, that starts in more than half an hour.
func (c Catalog) ShowingToday(source Source) Listed {
	soon := c.s.Now().Add(30 * time.Minute).In(shanghai).Format("15:04")
	return c.find(source, "on sale today", func(show Listed) bool { return show.Day == c.day(0) && show.Start > soon })
}

// UntilStart is the business time until a showing starts.
func (c Catalog) UntilStart(show Listed) time.Duration {
	at, err := time.ParseInLocation("2006-01-02 15:04", show.Day+" "+show.Start, shanghai)
	require.NoError(c.s.T, err)
	return at.Sub(c.s.Now())
}

// day is the date a number of days ahead, by business time.
func (c Catalog) day(ahead int) string {
	return c.s.Now().In(shanghai).AddDate(0, 0, ahead).Format(time.DateOnly)
}

// find returns the first showing that fits. If there is none, the test fails with a message in which the parameter what
// describes the wanted showing.
func (c Catalog) find(source Source, what string, fits func(Listed) bool) Listed {
	found := c.showings(source)
	if at := slices.IndexFunc(found, fits); at >= 0 {
		return found[at]
	}
	require.Fail(c.s.T, fmt.Sprintf("none of %d showings of %s is one %s", len(found), source.Name, what))
	return Listed{}
}

// showings lists the showings on sale of a cinema of the source.
func (c Catalog) showings(source Source) []Listed {
	if source == Legacy {
		return c.legacyShowings(c.cinemaOf(source).ID1)
	}
	return c.newmovieShowings(c.cinemaOf(source).ID2)
}

func (c Catalog) legacyShowings(cinema string) (found []Listed) {
	var answer httpapi.ShowingList
	c.s.call("", "/movie/route", map[string]string{"method": "opi.list.v2", "cinemaid": cinema}, &answer)
	for _, show := range answer.List {
		found = append(found, Listed{
			Showing{Opiid: show.ID, FilmID: show.FilmID}, show.FilmName, show.Date, timeOfDay(show.Starts), show.Room,
		})
	}
	return found
}

func (c Catalog) newmovieShowings(cinema string) (found []Listed) {
	var answer httpapi.CinemaShows
	c.s.get("/newmovie/api/movie/cinema_shows?cinemaId="+cinema, &answer)
	for _, movie := range answer.Movies {
		for _, day := range movie.Shows {
			for _, one := range day.Sessions {
				if one.Sellable {
					found = append(found, Listed{
						Showing{SessionID: one.ID, FilmID: movie.ID}, movie.Name, day.Date, timeOfDay(one.Starts),
						one.Hall,
					})
				}
			}
		}
	}
	return found
}

// timeOfDay returns 19:30 for 2030-06-01 19:30:00.
func timeOfDay(moment string) string {
	_, clock, _ := strings.Cut(moment, " ")
	return clock[:min(len(clock), len("15:04"))]
}

// SeatPage is the address of the seat page of a showing of tomorrow with free single seats.
func (c Catalog) SeatPage(source Source) string { return c.seatPage(source, c.ShowingOf(source)) }

// SeatPageIn is SeatPage for a hall of a kind.
func (c Catalog) SeatPageIn(kind HallKind, source Source) string {
	return c.seatPage(source, c.find(source, kind.what, func(show Listed) bool {
		return show.Day > c.day(0) && strings.Contains(show.Hall, kind.name) && kind.fits(c.Seats(show.Showing))
	}))
}

func (c Catalog) seatPage(source Source, show Listed) string {
	if source == Legacy {
		return "/filmSeat?movieid=" + show.FilmID + "&opiid=" + show.Opiid
	}
	return "/filmNewSeat?movieId=" + show.FilmID + "&cinemaId=" + c.cinemaOf(source).ID2 +
		"&sessionId=" + show.SessionID
}

// Seat is a seat of a hall.
type Seat struct {
	ID, Name, Area string
	Free           bool
	Single         bool // not one half of a couples seat
	Price          int  // in fen; 0 for newmovie
}

// Seats lists the seats of a showing, row by row.
func (c Catalog) Seats(show Showing) []Seat {
	if show.Opiid != "" {
		return c.legacySeats(show.Opiid)
	}
	return c.newSeats(show.SessionID)
}

func (c Catalog) legacySeats(opiid string) (seats []Seat) {
	var hall httpapi.ShowingSeats
	c.s.call("", "/movie/route", map[string]string{"method": "opi.seat", "opiid": opiid}, &hall)
	prices := map[string]int{}
	for _, area := range strings.Split(hall.Showing.AreaPrice, ",") { // "A:4200,B:5200", in fen
		if id, price, ok := strings.Cut(area, ":"); ok {
			prices[id], _ = strconv.Atoi(price)
		}
	}
	for _, one := range hall.Seats {
		price := cmp.Or(prices[one.Area], int(hall.Showing.Price))
		seats = append(seats, Seat{one.ID, one.Name, one.Area, one.Status == 1, one.Flag == 0, price})
	}
	return seats
}

func (c Catalog) newSeats(sessionID string) (seats []Seat) {
	var hall httpapi.SeatMap
	c.s.call("", "/newmovie/seat/map", map[string]string{"sessionId": sessionID}, &hall)
	for _, row := range hall.Rows {
		for _, one := range row.Columns {
			sold := slices.Contains([]int{0, 2, 3, 4}, one.State)
			seats = append(seats, Seat{one.SeatID, one.Name, one.AreaID, !sold, one.Type == 1, 0})
		}
	}
	return seats
}

// FreeSeats returns n free single seats of one area.
func (c Catalog) FreeSeats(show Showing, n int) (free []Seat) {
	seats := c.Seats(show)
	room := freeSingles(seats)
	for _, seat := range seats {
		fits := seat.Free && seat.Single && room[seat.Area] >= n
		if fits && (len(free) == 0 || seat.Area == free[0].Area) && len(free) < n {
			free = append(free, seat)
		}
	}
	require.Len(c.s.T, free, n, "the hall does not have as many free seats")
	return free
}

// IsFree reports whether all of the named seats of a showing are free.
func (c Catalog) IsFree(show Showing, names ...string) bool {
	free := 0
	for _, seat := range c.Seats(show) {
		if seat.Free && slices.Contains(names, seat.Name) {
			free++
		}
	}
	return free == len(names)
}

// room is how many free single seats of one area a showing must have so that the buyers of a test find seats.
const room = 8

// hasRoom reports whether one area has n free single seats. Some halls have only couples seats.
func hasRoom(seats []Seat, n int) bool {
	for _, free := range freeSingles(seats) {
		if free >= n {
			return true
		}
	}
	return false
}

// freeSingles counts the free single seats by area.
func freeSingles(seats []Seat) map[string]int {
	free := map[string]int{}
	for _, seat := range seats {
		if seat.Free && seat.Single {
			free[seat.Area]++
		}
	}
	return free
}

// HallKind is a kind of hall, with the condition that its seats must meet.
type HallKind struct {
	name, what string
	fits       func([]Seat) bool
}

// Kinds of halls in which the seat map differs from that of most halls.
var (
	CouplesHall = HallKind{"情侣厅", "with free couples seats", func(seats []Seat) bool {
		couples := slices.DeleteFunc(slices.Clone(seats), func(one Seat) bool { return one.Single || !one.Free })
		return len(couples) >= room
	}}
	AreasHall = HallKind{"IMAX", "with free seats of two areas", func(seats []Seat) bool {
		return len(freeSingles(seats)) >= 2
	}}
)

// Films returns the id of a film that is showing, and of one in pre-sale.
func (c Catalog) Films() (showing, preSale string) {
	var now, coming httpapi.Page[httpapi.Film]
	city := c.HomeCity().ID
	c.s.get("/newmovie/api/movie/movies?pageSize=100&cityId="+city, &now)
	c.s.get("/newmovie/api/movie/coming_movies?cityId="+city, &coming)
	for _, film := range coming.List {
		if film.PreShow == 1 {
			preSale = film.ID
		}
	}
	require.NotEmpty(c.s.T, preSale, "the city has a film in pre-sale")
	return now.List[0].ID, preSale
}

// GoodsOf is the id of the demo goods with the title.
func (c Catalog) GoodsOf(title string) string {
	var page httpapi.Page[httpapi.Goods]
	c.s.call("", "/Kaquan/lists", map[string]string{"pagesize": "100"}, &page)
	for _, one := range page.List {
		if one.Title == title {
			return one.ID
		}
	}
	require.Fail(c.s.T, "the shop has no goods with the title "+title)
	return ""
}

// SKUOf is the id of the first specification of the goods.
func (c Catalog) SKUOf(title string) string {
	var shown httpapi.GoodsDetail
	c.s.call("", "/Kaquan/show", map[string]string{"id": c.GoodsOf(title)}, &shown)
	require.NotEmpty(c.s.T, shown.List)
	return shown.List[0].ID
}
