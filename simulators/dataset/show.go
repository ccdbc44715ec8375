package dataset

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Show is one screening. It is computed whenever a client requests it, and never stored.
type Show struct {
	ID       string
	Cinema   *Cinema
	Hall     Hall
	Film     *Film
	Edition  string
	Language string
	Starts   time.Time
	Ends     time.Time
	Closes   time.Time // when the provider stops selling
	Day      time.Time // midnight of the playing day
	Price    int64     // fen, of a seat that is in no price area
	List     int64     // fen, the price at the cinema's box office, which is higher
	Blocked  bool      // the cinema does not sell it (a private booking); only newmovie reports it
}

// SeatPrice is the price of a seat in fen.
func (s Show) SeatPrice(seat Seat) int64 {
	for _, a := range s.Hall.Layout.Areas {
		if a.ID == seat.Area {
			return s.AreaPrice(a)
		}
	}
	return s.Price
}

// AreaPrice is the price of a price area in fen.
func (s Show) AreaPrice(a Area) int64 { return s.Price * a.Percent / 1000 * 10 }

// Sellable reports whether the provider sells tickets at t.
func (s Show) Sellable(t time.Time) bool { return !s.Blocked && t.Before(s.Closes) }

// firstDay is day 0 of the day numbers in show ids.
var firstDay = time.Date(2020, 1, 1, 0, 0, 0, 0, Zone)

// DaysOnSale is how many days of showings are on sale, the present day included.
const DaysOnSale = 7

const (
	dayDigits = 4                // of the day number
	stopSale  = 10 * time.Minute // before the start
)

func dayNumber(day time.Time) int { return int(day.Sub(firstDay).Hours()) / 24 }

// showID is the id of a showing: the digits of the cinema's id, the day, the hall and the place in the hall's
// program.
func showID(c Cinema, day time.Time, hall, slot int) string {
	return fmt.Sprintf("%s%04d%d%02d", c.ID, dayNumber(day), hall, slot)
}

// Show finds a screening by id, including one that is over. It returns false for a day that is not on sale yet.
func (country *Country) Show(source Source, id string) (Show, bool) {
	const tail = dayDigits + 3
	if len(id) < tail+5 || len(id) > tail+6 || strings.Trim(id, Digits) != "" {
		return Show{}, false
	}
	cinema, ok := country.Cinema(source, id[:len(id)-tail])
	if !ok {
		return Show{}, false
	}
	rest := id[len(id)-tail:]
	number, _ := strconv.Atoi(rest[:dayDigits])
	hall := int(rest[dayDigits] - '0')
	slot, _ := strconv.Atoi(rest[dayDigits+1:])
	day := firstDay.AddDate(0, 0, number)
	if hall < 1 || hall > len(cinema.Halls) || day.After(Day(country.Now()).AddDate(0, 0, DaysOnSale-1)) {
		return Show{}, false
	}
	slots := country.schedule(cinema, cinema.Halls[hall-1], day)
	if slot >= len(slots) {
		return Show{}, false
	}
	return country.makeShow(&cinema, cinema.Halls[hall-1], day, slot, slots[slot]), true
}

// Shows lists a cinema's screenings of the next seven days that have not begun, by time; film "" means all films.
func (country *Country) Shows(c Cinema, film string) []Show {
	var shows []Show
	today := Day(country.Now())
	for i := range DaysOnSale {
		shows = append(shows, country.ShowsOn(c, film, today.AddDate(0, 0, i))...)
	}
	return shows
}

// ShowsOn lists a cinema's screenings of one day that have not begun, by time. A day that is over or more than
// six days ahead has none.
func (country *Country) ShowsOn(c Cinema, film string, day time.Time) []Show {
	now := country.Now()
	today := Day(now)
	if day.Before(today) || day.After(today.AddDate(0, 0, DaysOnSale-1)) {
		return nil
	}
	var shows []Show
	for _, h := range c.Halls {
		for i, s := range country.schedule(c, h, day) {
			if s.starts.After(now) && (film == "" || country.films()[s.film].ID == film) {
				shows = append(shows, country.makeShow(&c, h, day, i, s))
			}
		}
	}
	sortShows(shows)
	return shows
}

// Days lists the days on sale at t, as their midnights.
func Days(t time.Time) []time.Time {
	days := make([]time.Time, DaysOnSale)
	for i := range days {
		days[i] = Day(t).AddDate(0, 0, i)
	}
	return days
}

// Plays reports whether the cinema has a screening of the film that has not begun.
func (country *Country) Plays(c Cinema, film string) bool {
	today := Day(country.Now())
	now := country.Now()
	for i := range DaysOnSale {
		for _, h := range c.Halls {
			for _, s := range country.schedule(c, h, today.AddDate(0, 0, i)) {
				if country.films()[s.film].ID == film && s.starts.After(now) {
					return true
				}
			}
		}
	}
	return false
}

// Dates lists the days of the given screenings, in order.
func Dates(shows []Show) []time.Time {
	var days []time.Time
	for _, s := range shows {
		if len(days) == 0 || days[len(days)-1] != s.Day {
			days = append(days, s.Day)
		}
	}
	return days
}

// FilmsOf lists the films of the given screenings, in the order of Films.
func (country *Country) FilmsOf(shows []Show) []Film {
	seen := map[string]bool{}
	for _, s := range shows {
		seen[s.Film.ID] = true
	}
	var films []Film
	for _, f := range country.Films() {
		if seen[f.ID] {
			films = append(films, f)
		}
	}
	return films
}

// slot is one screening in the program of a hall.
type slot struct {
	starts time.Time
	film   int // index in Country.films
}

// schedule is a hall's program of one day. It is derived only from the seed, the hall and the day.
func (country *Country) schedule(c Cinema, h Hall, day time.Time) []slot {
	r := RandOf(country.seed, "schedule", c.ID, strconv.Itoa(dayNumber(day)), strconv.Itoa(h.Number))
	longest := 1000 // minutes; no film is as long
	if c.AllDay {
		longest = 108 // the next film in this hall starts two hours later
	}
	total := 0
	for _, f := range country.films() {
		if f.Minutes <= longest && !f.Released.After(day) {
			total += f.popularity
		}
	}
	pick := func() int {
		n := r.N(total)
		for i, f := range country.films() {
			if f.Minutes > longest || f.Released.After(day) {
				continue
			}
			if n -= f.popularity; n < 0 {
				return i
			}
		}
		return 0
	}
	var slots []slot
	if c.AllDay {
		for i := range 12 {
			slots = append(slots, slot{day.Add(time.Duration(i*120+(h.Number-1)*15) * time.Minute), pick()})
		}
		return slots
	}
	at := 9*60 + 10*r.N(10)
	for at <= 23*60 {
		film := pick()
		slots = append(slots, slot{day.Add(time.Duration(at) * time.Minute), film})
		at = (at + country.films()[film].Minutes + 15 + 5*r.N(3) + 4) / 5 * 5
	}
	return slots
}

// makeShow creates a screening. Its language, its price and whether it is blocked are derived from the seed and the
// place in the program.
func (country *Country) makeShow(c *Cinema, h Hall, day time.Time, index int, s slot) Show {
	film := &country.films()[s.film]
	r := RandOf(country.seed, "show", c.ID, strconv.Itoa(dayNumber(day)), strconv.Itoa(h.Number), strconv.Itoa(index))
	show := Show{
		ID: showID(*c, day, h.Number, index), Cinema: c, Hall: h, Film: film, Day: day, Starts: s.starts,
		Ends: s.starts.Add(time.Duration(film.Minutes) * time.Minute), Closes: s.starts.Add(-stopSale),
		Language: "国语", Edition: film.Edition,
	}
	if r.Chance(0.12) {
		show.Language = "原版"
	}
	if h.Layout.Kind != "IMAX" {
		show.Edition = strings.TrimPrefix(strings.TrimPrefix(film.Edition, "IMAX "), "CINITY ")
	}
	base := int64(3600)
	switch hour := s.starts.Hour(); {
	case hour < 12:
		base = 3200
	case hour >= 18:
		base = 4290
	}
	if wd := s.starts.Weekday(); wd == time.Saturday || wd == time.Sunday {
		base += 300
	}
	if strings.Contains(show.Edition, "3D") {
		base += 600
	}
	show.Price = c.price(base+h.Layout.Surcharge, 0)
	show.List = c.price(base+h.Layout.Surcharge, 0.3)
	show.Blocked = c.Source == NewMovie && !c.AllDay && r.Chance(0.02)
	return show
}

// sortShows sorts screenings by time. Screenings at the same time remain in the order of their halls.
func sortShows(shows []Show) {
	slices.SortStableFunc(shows, func(a, b Show) int { return a.Starts.Compare(b.Starts) })
}
