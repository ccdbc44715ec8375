package control

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// Showing is a screening. Times are business times, prices are in fen.
type Showing struct {
	// ID is the provider's id.
	ID string `json:"id"`
	// Provider is the ticketing provider.
	Provider string `json:"provider"`
	// Cinema is the cinema of the showing.
	Cinema Named `json:"cinema"`
	// City is the city of the cinema.
	City Named `json:"city"`
	// Film is the film of the showing.
	Film Named `json:"film"`
	// Hall is the auditorium.
	Hall Hall `json:"hall"`
	// Edition is the format, such as IMAX 3D.
	Edition string `json:"edition"`
	// Language is the language of the film.
	Language string `json:"language"`
	// Starts is the time of the start.
	Starts time.Time `json:"starts"`
	// Ends is the time of the end.
	Ends time.Time `json:"ends"`
	// Closes is the time at which the provider stops selling.
	Closes time.Time `json:"closes"`
	// Sellable is true if tickets are on sale now.
	Sellable bool `json:"sellable"`
	// PriceFen is the price of a seat that is in no price area.
	PriceFen int64 `json:"price_fen"`
}

// Named is the id and the name of a cinema, a city or a film.
type Named struct {
	// ID is the provider's id, or a city's division code.
	ID string `json:"id"`
	// Name is the name for people.
	Name string `json:"name"`
}

// Hall is the auditorium of a screening.
type Hall struct {
	// Name is the name for people.
	Name string `json:"name"`
	// Seats is the number of seats.
	Seats int `json:"seats"`
}

// TicketProvider is a provider that sells tickets.
type TicketProvider string

// Values lists the ticketing providers.
func (TicketProvider) Values() []string { return []string{"gateway", "newmovie"} }

func showingOf(provider string, s dataset.Show, now time.Time) Showing {
	return Showing{
		ID: s.ID, Provider: provider, Edition: s.Edition, Language: s.Language,
		Cinema: Named{s.Cinema.ID, s.Cinema.Name}, City: Named{s.Cinema.City.Code, s.Cinema.City.Name},
		Film: Named{s.Film.ID, s.Film.Name}, Hall: Hall{s.Hall.Name, len(s.Hall.Layout.Seats)},
		Starts: s.Starts, Ends: s.Ends, Closes: s.Closes, Sellable: s.Sellable(now), PriceFen: s.Price,
	}
}

// Contains is part of the input of a call that lists named items.
type Contains struct {
	// Contains selects the items with a text in their id, name, or other names.
	Contains string `query:"contains"`
}

// ListCities is the input of listCities.
type ListCities struct {
	InWorld
	Contains
	Paged
}

// City is a city with cinemas.
type City struct {
	// ID is the division code.
	ID string `json:"id"`
	// Name is the name for people.
	Name string `json:"name"`
	// Pinyin is the name in Latin letters.
	Pinyin string `json:"pinyin"`
	// Hot is true for one of the biggest cities.
	Hot bool `json:"hot"`
}

// CityList is a page of the cities.
type CityList struct {
	// Cities are sorted with the big ones first.
	Cities []City `json:"cities"`
	// Total is the number of cities on all pages.
	Total int `json:"total"`
}

// listCities lists cities, the big ones first.
func listCities(w World, in ListCities) (CityList, error) {
	text, list := strings.ToLower(in.Contains.Contains), []City{}
	for _, v := range w.Country().Cities() {
		if strings.Contains(v.Code, text) || strings.Contains(v.Name, text) || strings.Contains(v.Pinyin, text) {
			list = append(list, City{v.Code, v.Name, v.Pinyin, v.Hot})
		}
	}
	slices.SortStableFunc(list, func(a, b City) int { return rank(a.Hot) - rank(b.Hot) })
	return CityList{page(list, in.Paged), len(list)}, nil
}

// rank returns a sort key that puts true before false.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// OfProvider is part of the input of a call about the ticketing providers.
type OfProvider struct {
	// Provider selects the items of one provider.
	Provider TicketProvider `query:"provider"`
}

// offices returns the box office of the provider, or all of them if none is given.
func (q OfProvider) offices(w World) []namedOffice {
	if o, ok := officeNamed(w, string(q.Provider)); ok {
		return []namedOffice{o}
	}
	return officesOf(w)
}

// cityOf returns the city with a code, which is required.
func cityOf(w World, code string) (dataset.City, error) {
	if code == "" {
		return dataset.City{}, errMissingParameter
	}
	city, ok := w.Country().City(code)
	if !ok {
		return city, errUnknownCity.With("there is no city %q; GET /sim/v1/cities lists them", code)
	}
	return city, nil
}

// ListCinemas is the input of listCinemas.
type ListCinemas struct {
	InWorld
	// City is a city's code.
	City string `query:"city"`
	OfProvider
	Contains
	Paged
}

// Cinema is a cinema of a ticketing provider.
type Cinema struct {
	// ID is the provider's id.
	ID string `json:"id"`
	// Provider is the ticketing provider.
	Provider string `json:"provider"`
	// Name is the name for people.
	Name string `json:"name"`
	// Address is the street and the number.
	Address string `json:"address"`
	// City is the cinema's city.
	City Named `json:"city"`
	// Halls is the number of halls.
	Halls int `json:"halls"`
	// AllDay is true if a film starts every quarter of an hour, day and night.
	AllDay bool `json:"all_day"`
}

// CinemaList is a page of the cinemas.
type CinemaList struct {
	// Cinemas are the cinemas of a city. The first one of each provider is open day and night.
	Cinemas []Cinema `json:"cinemas"`
	// Total is the number of cinemas on all pages.
	Total int `json:"total"`
}

// listCinemas lists the cinemas of a city.
func listCinemas(w World, in ListCinemas) (CinemaList, error) {
	city, err := cityOf(w, in.City)
	if err != nil {
		return CinemaList{}, err
	}
	text, list := in.Contains.Contains, []Cinema{}
	for _, o := range in.offices(w) {
		for _, v := range w.Country().Cinemas(o.Source(), city) {
			if strings.Contains(v.ID, text) || strings.Contains(v.Name, text) || strings.Contains(v.Address, text) {
				at := Named{city.Code, city.Name}
				list = append(list, Cinema{v.ID, o.Provider, v.Name, v.Address, at, len(v.Halls), v.AllDay})
			}
		}
	}
	return CinemaList{page(list, in.Paged), len(list)}, nil
}

// FilmState says whether tickets of a film are on sale.
type FilmState string

// Values lists the states of a film.
func (FilmState) Values() []string { return []string{"showing", "presale", "coming"} }

var filmStates = map[dataset.ShowState]FilmState{dataset.Showing: "showing", dataset.PreSale: "presale",
	dataset.Coming: "coming"}

// ListFilms is the input of listFilms.
type ListFilms struct {
	InWorld
	// State selects the films in one state.
	State FilmState `query:"state"`
	Contains
	Paged
}

// Film is a film.
type Film struct {
	// ID is the providers' id.
	ID string `json:"id"`
	// Code is the national film code.
	Code string `json:"code"`
	// Name is the Chinese name.
	Name string `json:"name"`
	// English is the English name.
	English string `json:"english"`
	// State says whether tickets are on sale.
	State FilmState `json:"state"`
	// Released is the release day, such as 2030-06-01.
	Released string `json:"released"`
	// Minutes is the duration in minutes.
	Minutes int `json:"minutes"`
}

// FilmList is a page of the films.
type FilmList struct {
	// Films are sorted with those on sale first.
	Films []Film `json:"films"`
	// Total is the number of films on all pages.
	Total int `json:"total"`
}

// listFilms lists films, those on sale first.
func listFilms(w World, in ListFilms) (FilmList, error) {
	text, list := strings.ToLower(in.Contains.Contains), []Film{}
	for _, f := range w.Country().Films() {
		state := filmStates[f.State(w.Country().Now())]
		found := strings.Contains(f.ID, text) || strings.Contains(f.Code, text) || strings.Contains(f.Name, text) ||
			strings.Contains(strings.ToLower(f.English), text)
		if found && (in.State == "" || in.State == state) {
			list = append(list, Film{f.ID, f.Code, f.Name, f.English, state, f.Released.Format(time.DateOnly),
				f.Minutes})
		}
	}
	return FilmList{page(list, in.Paged), len(list)}, nil
}

// ListShowings is the input of listShowings.
type ListShowings struct {
	InWorld
	// City is a city's code; it is required without a cinema.
	City string `query:"city"`
	// Cinema is the id of a cinema; missing: all cinemas of the city.
	Cinema string `query:"cinema"`
	OfProvider
	// Film selects the showings of one film, by its id.
	Film string `query:"film"`
	// Day is a day on sale, such as 2030-06-01; missing: today.
	Day string `query:"day"`
	Paged
}

// ShowingList is a page of the showings of a day.
type ShowingList struct {
	// Showings are the showings of the day that have not started, earliest first.
	Showings []Showing `json:"showings"`
	// Total is the number of showings on all pages.
	Total int `json:"total"`
	// Day is the day, such as 2030-06-01.
	Day string `json:"day"`
	// Days are the days on sale.
	Days []string `json:"days"`
}

// listShowings lists the screenings of one day that have not started, at a cinema or in an entire city.
func listShowings(w World, in ListShowings) (ShowingList, error) {
	cinemas, err := in.cinemas(w)
	if err != nil {
		return ShowingList{}, err
	}
	now := w.Country().Now()
	if in.Film != "" {
		if _, ok := w.Country().Film(in.Film); !ok {
			return ShowingList{}, errUnknownFilm.With("there is no film %q; GET /sim/v1/films lists them", in.Film)
		}
	}
	days := dataset.Days(now)
	names := make([]string, len(days))
	for i, d := range days {
		names[i] = d.Format(time.DateOnly)
	}
	day := slices.Index(names, cmp.Or(in.Day, names[0]))
	if day < 0 {
		return ShowingList{}, errBadDay.With("day must be from %s to %s", names[0], names[len(names)-1])
	}
	list := []Showing{}
	for _, v := range cinemas {
		for _, s := range w.Country().ShowsOn(v.Cinema, in.Film, days[day]) {
			list = append(list, showingOf(v.provider, s, now))
		}
	}
	slices.SortStableFunc(list, func(a, b Showing) int { return a.Starts.Compare(b.Starts) })
	return ShowingList{page(list, in.Paged), len(list), names[day], names}, nil
}

type cinemaOf struct {
	dataset.Cinema
	provider string
}

// cinemas returns the requested cinemas: one cinema, or all cinemas of a city.
func (in ListShowings) cinemas(w World) ([]cinemaOf, error) {
	var list []cinemaOf
	if in.Cinema != "" {
		for _, o := range in.offices(w) {
			if v, ok := w.Country().Cinema(o.Source(), in.Cinema); ok {
				list = append(list, cinemaOf{v, o.Provider})
			}
		}
		if list == nil {
			return nil, errUnknownCinema.With("there is no cinema %q; GET /sim/v1/cinemas?city= lists them", in.Cinema)
		}
		if at := list[0].City.Code; in.City != "" && in.City != at {
			return nil, errUnknownCinema.With("cinema %s is in %s and not in %s", in.Cinema, at, in.City)
		}
		return list, nil
	}
	city, err := cityOf(w, in.City)
	if err != nil {
		return nil, err
	}
	for _, o := range in.offices(w) {
		for _, v := range w.Country().Cinemas(o.Source(), city) {
			list = append(list, cinemaOf{v, o.Provider})
		}
	}
	return list, nil
}
