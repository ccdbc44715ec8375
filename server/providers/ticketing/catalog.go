// Package ticketing maps the answers of the ticketing providers to the shop's catalogue and orders, as far as the
// providers agree. Field names and codes that differ stay in the package of each provider. Errors returned here say
// what is wrong with an answer; the caller adds the fault.
package ticketing

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/fault"
)

// TimeLayout is how the providers write a time of day in Beijing.
const TimeLayout = "2006-01-02 15:04:05"

// PageSize is the number of rows that is asked for at once in lists that have pages.
const PageSize = 100

// maxPages ends the reading of a list whose total is wrong.
const maxPages = 100

// ParseTime reads a time in TimeLayout. "" is the zero time.
func ParseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.ParseInLocation(TimeLayout, s, beijing.Time)
	return t.UTC(), err
}

// EpochTime converts epoch seconds. 0 and less is the zero time.
func EpochTime(seconds int64) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// Convert converts the rows of a list. It fails if the list is missing, and names the first row that convert refuses.
func Convert[Row, T any](rows []Row, convert func(Row) (T, error)) ([]T, error) {
	if rows == nil {
		return nil, errors.New("list is missing")
	}
	out := make([]T, 0, len(rows))
	for i, row := range rows {
		v, err := convert(row)
		if err != nil {
			return nil, fmt.Errorf("entry %d: %w", i, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// Page is one page of a list, and how many rows the whole list has.
type Page[T any] struct {
	Rows  []T
	Total int
}

// ConvertPage converts a page like Convert. It fails if the total is missing.
func ConvertPage[Row, T any](total *int, rows []Row, convert func(Row) (T, error)) (Page[T], error) {
	if total == nil {
		return Page[T]{}, errors.New("total is missing")
	}
	converted, err := Convert(rows, convert)
	return Page[T]{Rows: converted, Total: *total}, err
}

// AllPages reads the pages of the named list, from page 1 on, until it has the total or a page is empty. It returns
// the error of read, and fault.ErrBadAnswer after maxPages pages.
func AllPages[T any](list string, read func(page int) (Page[T], error)) ([]T, error) {
	var all []T
	for n := 1; n <= maxPages; n++ {
		page, err := read(n)
		if err != nil {
			return nil, err
		}
		all = append(all, page.Rows...)
		if len(page.Rows) == 0 || len(all) >= page.Total {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%s: more than %d pages: %w", list, maxPages, fault.ErrBadAnswer)
}

// CheckID returns an error if an answer is about another object than the one that was asked for.
func CheckID(object, asked, got string) error {
	if got != asked {
		return fmt.Errorf("asked for %s %q, got %q", object, asked, got)
	}
	return nil
}

// CheckFilm returns f, and an error if it has no id or name or an unknown state.
func CheckFilm(f catalog.Film) (catalog.Film, error) {
	if f.ID == "" || f.Name == "" {
		return catalog.Film{}, fmt.Errorf("film %q without id or name", f.ID)
	}
	if f.State < catalog.NowShowing || f.State > catalog.Coming {
		return catalog.Film{}, fmt.Errorf("film %q with state %d", f.ID, f.State)
	}
	return f, nil
}

// Categories splits the list of a film's categories, "剧情|爱情".
func Categories(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '|' })
}

// FilmDetail holds the fields of a film's description that the providers send under the same names.
type FilmDetail struct {
	Poster      string `json:"img"`
	Name        string `json:"name"`
	EnglishName string `json:"nm"`
	Director    string `json:"director"`
	Star        string `json:"star"` // names, separated by spaces
	Category    string `json:"cat"`
	PubDesc     string `json:"pubDesc"` // "2026-11-20 中国大陆上映"
	Minutes     int    `json:"dur"`
	Synopsis    string `json:"desc"`
	Score       string `json:"score"`
	Wish        int    `json:"wish"`
	Version     string `json:"version"`
	Workers     []struct {
		Avatar    string `json:"avatarUrl"`
		Name      string `json:"actorName"`
		Character string `json:"characterName"`
	} `json:"workerList"`
}

var leadingDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// Complete returns the film with id, code, state and pre-sale taken from film, whose names differ between the
// providers. It fails as CheckFilm does.
func (d FilmDetail) Complete(film catalog.Film) (catalog.FilmDetail, error) {
	film.Name, film.EnglishName, film.PosterURL, film.Director = d.Name, d.EnglishName, d.Poster, d.Director
	film.Minutes, film.Score, film.Wish, film.Version = d.Minutes, d.Score, d.Wish, d.Version
	film.Stars, film.Categories = strings.Fields(d.Star), Categories(d.Category)
	film.Released = leadingDate.FindString(d.PubDesc)
	film, err := CheckFilm(film)
	if err != nil {
		return catalog.FilmDetail{}, err
	}
	detail := catalog.FilmDetail{Film: film, Synopsis: d.Synopsis}
	for _, w := range d.Workers {
		detail.Cast = append(detail.Cast, catalog.CastMember{AvatarURL: w.Avatar, Name: w.Name, Character: w.Character})
	}
	return detail, nil
}

// Region is a district of a city, as both providers send it.
type Region struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	Cinemas int    `json:"num"`
}

// Catalog returns the district. It fails without an id or with a negative number.
func (r Region) Catalog() (catalog.Region, error) {
	if r.ID == "" || r.Cinemas < 0 {
		return catalog.Region{}, fmt.Errorf("region %q with %d cinemas", r.ID, r.Cinemas)
	}
	return catalog.Region(r), nil
}

// Cinemas converts the cinemas of a city and its districts.
func Cinemas[Row any](
	regions []Region, cinemas []Row, convert func(Row) (catalog.Cinema, error),
) (list catalog.CinemaList, err error) {
	if list.Regions, err = Convert(regions, Region.Catalog); err != nil {
		return catalog.CinemaList{}, fmt.Errorf("regions: %w", err)
	}
	if list.Cinemas, err = Convert(cinemas, convert); err != nil {
		return catalog.CinemaList{}, fmt.Errorf("cinemas: %w", err)
	}
	return list, nil
}

// CheckCinema returns c at a position, which the providers send as text in degrees. It fails if c has no id or name,
// or if the position is not a number.
func CheckCinema(c catalog.Cinema, lat, lng string) (catalog.Cinema, error) {
	if c.ID == "" || c.Name == "" {
		return catalog.Cinema{}, fmt.Errorf("cinema %q without id or name", c.ID)
	}
	var latErr, lngErr error
	c.Lat, latErr = strconv.ParseFloat(lat, 64)
	c.Lng, lngErr = strconv.ParseFloat(lng, 64)
	if err := errors.Join(latErr, lngErr); err != nil {
		return catalog.Cinema{}, fmt.Errorf("cinema %q: %w", c.ID, err)
	}
	return c, nil
}

// CheckSeats checks the seats of a hall as a whole: there are seats, their ids and positions are unique, and each
// half of a couples seat has its other half beside it, the left one first. A hall with one wrong seat is refused,
// because a map drawn wrong sells the wrong seats.
func CheckSeats(seats []catalog.Seat) error {
	if len(seats) == 0 {
		return errors.New("hall without seats")
	}
	type position struct{ row, col int }
	ids := make(map[string]bool, len(seats))
	at := make(map[position]catalog.Pair, len(seats))
	for _, s := range seats {
		p := position{s.Row, s.Col}
		_, occupied := at[p]
		switch {
		case s.ID == "" || s.Name == "":
			return fmt.Errorf("seat %q at row %d column %d without id or name", s.ID, s.Row, s.Col)
		case ids[s.ID] || occupied:
			return fmt.Errorf("seat %q at row %d column %d is there twice", s.ID, s.Row, s.Col)
		case s.Row < 1 || s.Col < 1:
			return fmt.Errorf("seat %q at row %d column %d is outside the grid", s.ID, s.Row, s.Col)
		}
		ids[s.ID], at[p] = true, s.Pair
	}
	for p, pair := range at {
		if pair == catalog.LeftHalf && at[position{p.row, p.col + 1}] != catalog.RightHalf ||
			pair == catalog.RightHalf && at[position{p.row, p.col - 1}] != catalog.LeftHalf {
			return fmt.Errorf("couples seat at row %d column %d has no other half", p.row, p.col)
		}
	}
	return nil
}
