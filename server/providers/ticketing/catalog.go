// Package ticketing maps the answers of the ticketing providers to the shop's catalogue and orders, as far as the
// providers agree. Field names and codes that differ are in the package of each provider. Errors returned here describe
// what is wrong with an answer; the caller adds the fault.
package ticketing

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/fault"
)

// TimeLayout is the providers' layout of a time in Beijing.
const TimeLayout = "2006-01-02 15:04:05"

// PageSize is the number of rows that is requested per page of a list.
const PageSize = 100

// maxPages limits the pages that are read of a list, in case its total is wrong.
const maxPages = 100

// minuteLayout is TimeLayout without seconds, which the specification does not require.
const minuteLayout = "2006-01-02 15:04"

// ParseTime parses a time in TimeLayout, with or without seconds. "" is the zero time.
func ParseTime(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	layout := TimeLayout
	if len(s) == len(minuteLayout) {
		layout = minuteLayout
	}
	t, err := time.ParseInLocation(layout, s, beijing.Time)
	return t.UTC(), err
}

// ParseTimeOn does what ParseTime does, and also accepts a time of day ("19:30") on a day (YYYY-MM-DD).
func ParseTimeOn(day, s string) (time.Time, error) {
	if s != "" && day != "" && !strings.Contains(s, "-") {
		s = day + " " + s
	}
	return ParseTime(s)
}

// EpochTime converts epoch seconds. 0 and less is the zero time.
func EpochTime(seconds int64) time.Time {
	if seconds <= 0 {
		return time.Time{}
	}
	return time.Unix(seconds, 0).UTC()
}

// Convert converts the rows of a list. It fails if the list is missing, or at the first row that cannot be converted.
// Use Readable for lists whose rows can be sold independently of each other.
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

// Row is one entry of a list. An error in decoding it does not fail the decoding of the list.
type Row[R any] struct {
	Value R
	Err   error
}

// UnmarshalJSON implements json.Unmarshaler. It returns no error but stores it in Err.
func (r *Row[R]) UnmarshalJSON(text []byte) error {
	r.Err = json.Unmarshal(text, &r.Value)
	return nil
}

// Readable converts the rows of a list for which convert succeeds, and records the others in out under the name of the
// call. It fails if the list is missing, or if it has rows and none can be read.
func Readable[R, T any](out *LeftOut, call string, rows []Row[R], convert func(R) (T, error)) ([]T, error) {
	if rows == nil {
		return nil, errors.New("list is missing")
	}
	converted := make([]T, 0, len(rows))
	var unreadable []error
	for i, row := range rows {
		v, err := convertRow(row, convert)
		if err != nil {
			unreadable = append(unreadable, fmt.Errorf("entry %d: %w", i, err))
			continue
		}
		converted = append(converted, v)
	}
	if len(converted) == 0 && len(unreadable) > 0 {
		return nil, unreadable[0]
	}
	out.Record(call, unreadable)
	return converted, nil
}

func convertRow[R, T any](row Row[R], convert func(R) (T, error)) (v T, err error) {
	if row.Err != nil {
		return v, row.Err
	}
	return convert(row.Value)
}

// Page is one page of a list.
type Page[T any] struct {
	Rows  []T // the readable ones
	Sent  int // how many rows the provider sent
	Total int // how many rows all pages have; unknownTotal if the provider does not send it
}

// unknownTotal is the total of a list whose provider sends none, as in the specification.
const unknownTotal = -1

// ReadablePage converts the rows of a page as Readable does. If total is missing, the page's Total is unknownTotal.
func ReadablePage[R, T any](
	out *LeftOut, call string, total *int, rows []Row[R], convert func(R) (T, error),
) (Page[T], error) {
	converted, err := Readable(out, call, rows, convert)
	page := Page[T]{Rows: converted, Sent: len(rows), Total: unknownTotal}
	if total != nil {
		page.Total = *total
	}
	return page, err
}

// last reports whether p is the last page. sent is the number of rows so far, including those of p. Without a total, a
// page that is not full is the last one, and so is a page that repeats the one before: such a provider ignores the page
// number.
func (p Page[T]) last(before Page[T], sent int) bool {
	if p.Total != unknownTotal || p.Sent == 0 {
		return p.Sent == 0 || sent >= p.Total
	}
	return p.Sent != PageSize || p.repeats(before)
}

func (p Page[T]) repeats(before Page[T]) bool {
	return len(p.Rows) > 0 && reflect.DeepEqual(p.Rows, before.Rows)
}

// AllPages reads the pages of the named list, of PageSize rows each, from page 1 to the last one. It returns the error
// of read, and fault.ErrBadAnswer after maxPages pages.
func AllPages[T any](list string, read func(page int) (Page[T], error)) ([]T, error) {
	var all []T
	var before Page[T]
	sent := 0
	for n := 1; n <= maxPages; n++ {
		page, err := read(n)
		if err != nil {
			return nil, err
		}
		sent += page.Sent
		if page.Total != unknownTotal || !page.repeats(before) {
			all = append(all, page.Rows...)
		}
		if page.last(before, sent) {
			return all, nil
		}
		before = page
	}
	return nil, fmt.Errorf("%s: more than %d pages: %w", list, maxPages, fault.ErrBadAnswer)
}

// CheckID returns an error if an answer is about a different object from the requested one.
func CheckID(object, asked, got string) error {
	if got != asked {
		return fmt.Errorf("asked for %s %q, got %q", object, asked, got)
	}
	return nil
}

// CheckFilm returns f. It fails if f has no id or no name, or an unknown state.
func CheckFilm(f catalog.Film) (catalog.Film, error) {
	if err := checkNamed(f); err != nil {
		return catalog.Film{}, err
	}
	if f.State < catalog.NowShowing || f.State > catalog.Coming {
		return catalog.Film{}, fmt.Errorf("film %q with state %d", f.ID, f.State)
	}
	return f, nil
}

// checkNamed returns an error for a film without id or name.
func checkNamed(f catalog.Film) error {
	if f.ID == "" || f.Name == "" {
		return fmt.Errorf("film %q without id or name", f.ID)
	}
	return nil
}

// Categories splits the list of a film's categories, "剧情|爱情".
func Categories(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '|' })
}

// FilmDetail holds the fields of a film's description that the providers send under the same names.
type FilmDetail struct {
	Poster      Text   `json:"img"`
	Name        Text   `json:"name"`
	EnglishName Text   `json:"nm"`
	Director    Text   `json:"director"`
	Star        Text   `json:"star"` // names, separated by spaces
	Category    Text   `json:"cat"`
	PubDesc     Text   `json:"pubDesc"` // "2026-11-20 中国大陆上映"
	Minutes     Number `json:"dur"`
	Synopsis    Text   `json:"desc"`
	Score       Text   `json:"score"`
	Wish        Number `json:"wish"`
	Version     Text   `json:"version"`
	Workers     List[struct {
		Avatar    Text `json:"avatarUrl"`
		Name      Text `json:"actorName"`
		Character Text `json:"characterName"`
	}] `json:"workerList"`
}

var leadingDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

// Complete returns the film with the fields of d. Its id, code, state and pre-sale are taken from film, because their
// names in the JSON differ between the providers. It fails as CheckFilm does, but accepts state 0: the specification's
// film detail has no state.
func (d FilmDetail) Complete(film catalog.Film) (catalog.FilmDetail, error) {
	film.Name, film.EnglishName, film.PosterURL, film.Director = string(d.Name), string(d.EnglishName),
		string(d.Poster), string(d.Director)
	film.Minutes, film.Score, film.Wish, film.Version = int(d.Minutes), string(d.Score), int(d.Wish), string(d.Version)
	film.Stars, film.Categories = strings.Fields(string(d.Star)), Categories(string(d.Category))
	film.Released = leadingDate.FindString(string(d.PubDesc))
	check := CheckFilm
	if film.State == catalog.UnknownState {
		check = func(f catalog.Film) (catalog.Film, error) { return f, checkNamed(f) }
	}
	film, err := check(film)
	if err != nil {
		return catalog.FilmDetail{}, err
	}
	detail := catalog.FilmDetail{Film: film, Synopsis: string(d.Synopsis)}
	for _, w := range d.Workers {
		detail.Cast = append(detail.Cast, catalog.CastMember{AvatarURL: string(w.Avatar), Name: string(w.Name),
			Character: string(w.Character)})
	}
	return detail, nil
}

// Region is a district of a city, as both providers send it.
type Region struct {
	ID      string `json:"id"`
	Name    Text   `json:"name"`
	Cinemas Number `json:"num"`
}

// Catalog converts the district. It fails if the id is missing or the number is negative.
func (r Region) Catalog() (catalog.Region, error) {
	if r.ID == "" || r.Cinemas < 0 {
		return catalog.Region{}, fmt.Errorf("region %q with %d cinemas", r.ID, r.Cinemas)
	}
	return catalog.Region{ID: r.ID, Name: string(r.Name), Cinemas: int(r.Cinemas)}, nil
}

// Cinemas converts the cinemas and the districts of a city. It leaves out those that cannot be read, and fails as
// Readable does.
func Cinemas[R any](
	out *LeftOut, call string, regions List[Row[Region]], cinemas []Row[R], convert func(R) (catalog.Cinema, error),
) (list catalog.CinemaList, err error) {
	if regions == nil {
		regions = List[Row[Region]]{}
	}
	if list.Regions, err = Readable(out, call, regions, Region.Catalog); err != nil {
		return catalog.CinemaList{}, fmt.Errorf("regions: %w", err)
	}
	if list.Cinemas, err = Readable(out, call, cinemas, convert); err != nil {
		return catalog.CinemaList{}, fmt.Errorf("cinemas: %w", err)
	}
	return list, nil
}

// CheckCinema returns c at a position, which the providers send as text in degrees. The position is unknown if one of
// the texts is not a number of degrees. CheckCinema fails if c has no id or name.
func CheckCinema(c catalog.Cinema, lat, lng string) (catalog.Cinema, error) {
	if c.ID == "" || c.Name == "" {
		return catalog.Cinema{}, fmt.Errorf("cinema %q without id or name", c.ID)
	}
	latitude, latErr := strconv.ParseFloat(lat, 64)
	longitude, lngErr := strconv.ParseFloat(lng, 64)
	// The comparisons are false for NaN, which ParseFloat accepts.
	if latErr == nil && lngErr == nil && math.Abs(latitude) <= 90 && math.Abs(longitude) <= 180 {
		c.Lat, c.Lng = latitude, longitude
	}
	return c, nil
}

// CheckSeats checks that a hall has seats, that their ids and positions are unique, and that the halves of each couple
// seat are next to each other, the left one first. One wrong seat fails the entire hall, because a map drawn wrong
// sells the wrong seats.
func CheckSeats(seats []catalog.Seat) error {
	if len(seats) == 0 {
		return errors.New("hall without seats")
	}
	at, err := checkPlaces(seats)
	if err != nil {
		return err
	}
	for p, pair := range at {
		if pair == catalog.LeftHalf && at[position{p.row, p.col + 1}] != catalog.RightHalf ||
			pair == catalog.RightHalf && at[position{p.row, p.col - 1}] != catalog.LeftHalf {
			return fmt.Errorf("couples seat at row %d column %d has no other half", p.row, p.col)
		}
	}
	return nil
}

// CloseSeats takes the seats with the given ids off sale, because their type is unknown. If one of them is the other
// half of a couples seat, that half is taken off sale, too. All of them become single seats.
func CloseSeats(seats []catalog.Seat, ids map[string]bool) {
	if len(ids) == 0 {
		return
	}
	closed := map[position]bool{}
	for _, s := range seats {
		if ids[s.ID] {
			closed[position{s.Row, s.Col}] = true
		}
	}
	for i := range seats {
		s := &seats[i]
		if closed[position{s.Row, s.Col}] ||
			s.Pair == catalog.LeftHalf && closed[position{s.Row, s.Col + 1}] ||
			s.Pair == catalog.RightHalf && closed[position{s.Row, s.Col - 1}] {
			s.Pair, s.Available, s.State = catalog.Single, false, catalog.StateSold
		}
	}
}

// position is a place in the grid of a hall.
type position struct{ row, col int }

// checkPlaces checks that ids and positions are unique. It returns the kind of seat at each position.
func checkPlaces(seats []catalog.Seat) (map[position]catalog.Pair, error) {
	ids := make(map[string]bool, len(seats))
	at := make(map[position]catalog.Pair, len(seats))
	for _, s := range seats {
		p := position{s.Row, s.Col}
		_, occupied := at[p]
		switch {
		case s.ID == "" || s.Name == "":
			return nil, fmt.Errorf("seat %q at row %d column %d without id or name", s.ID, s.Row, s.Col)
		case ids[s.ID] || occupied:
			return nil, fmt.Errorf("seat %q at row %d column %d appears twice", s.ID, s.Row, s.Col)
		case s.Row < 1 || s.Col < 1:
			return nil, fmt.Errorf("seat %q at row %d column %d is outside the grid", s.ID, s.Row, s.Col)
		}
		ids[s.ID], at[p] = true, s.Pair
	}
	return at, nil
}
