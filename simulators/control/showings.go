package control

import (
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// Showing is a screening in an answer. Times are business times, prices are in fen.
type Showing struct {
	ID       string    `json:"id"`
	Provider string    `json:"provider"`
	Cinema   Named     `json:"cinema"`
	City     Named     `json:"city"`
	Film     Named     `json:"film"`
	Hall     Hall      `json:"hall"`
	Edition  string    `json:"edition"`
	Language string    `json:"language"`
	Starts   time.Time `json:"starts"`
	Ends     time.Time `json:"ends"`
	Closes   time.Time `json:"closes"` // the provider sells until then
	Sellable bool      `json:"sellable"`
	PriceFen int64     `json:"price_fen"` // outside a price area
}

// Named is the id and the name of a cinema, a city or a film.
type Named struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

// Hall is the auditorium of a screening.
type Hall struct {
	Name  string `json:"name"`
	Seats int    `json:"seats"` // number of seats
}

func showingOf(provider string, s dataset.Show, now time.Time) Showing {
	return Showing{
		ID: s.ID, Provider: provider, Edition: s.Edition, Language: s.Language,
		Cinema: Named{s.Cinema.ID, s.Cinema.Name}, City: Named{s.Cinema.City.Code, s.Cinema.City.Name},
		Film: Named{s.Film.ID, s.Film.Name}, Hall: Hall{s.Hall.Name, len(s.Hall.Layout.Seats)},
		Starts: s.Starts, Ends: s.Ends, Closes: s.Closes, Sellable: s.Sellable(now), PriceFen: s.Price,
	}
}

func listCities(w *World, r *request) (any, error) {
	type city struct {
		ID     string `json:"id"`
		Name   string `json:"name"`
		Pinyin string `json:"pinyin"`
		Hot    bool   `json:"hot"`
	}
	text, list := strings.ToLower(r.text("contains")), []city{}
	for _, v := range w.Country.Cities() {
		if strings.Contains(v.Code, text) || strings.Contains(v.Name, text) || strings.Contains(v.Pinyin, text) {
			list = append(list, city{v.Code, v.Name, v.Pinyin, v.Hot})
		}
	}
	slices.SortStableFunc(list, func(a, b city) int { return rank(a.Hot) - rank(b.Hot) })
	return map[string]any{"cities": page(list, r), "total": len(list)}, nil
}

// rank sorts true before false.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// offices returns the box office of the query's provider, or without one all of them.
func offices(w *World, r *request) ([]Office, error) {
	provider := r.text("provider")
	if provider == "" {
		return w.Offices, nil
	}
	o, ok := w.office(provider)
	if !ok {
		return nil, bad("unknown_provider", "unknown provider %q; valid: gateway, newmovie", provider)
	}
	return []Office{o}, nil
}

// cityOf returns the city of the query, which is required.
func cityOf(w *World, r *request) (dataset.City, error) {
	code := r.text("city")
	if code == "" {
		return dataset.City{}, bad("missing_parameter",
			"city is required: a code of GET /sim/v1/cities, such as 310100")
	}
	city, ok := w.Country.City(code)
	if !ok {
		return city, bad("unknown_city", "there is no city %q; GET /sim/v1/cities lists them", code)
	}
	return city, nil
}

func listCinemas(w *World, r *request) (any, error) {
	chosen, err := offices(w, r)
	if err != nil {
		return nil, err
	}
	city, err := cityOf(w, r)
	if err != nil {
		return nil, err
	}
	type cinema struct {
		ID       string `json:"id"`
		Provider string `json:"provider"`
		Name     string `json:"name"`
		Address  string `json:"address"`
		City     Named  `json:"city"`
		Halls    int    `json:"halls"`
		AllDay   bool   `json:"all_day"` // a film starts every quarter of an hour
	}
	text, list := r.text("contains"), []cinema{}
	for _, o := range chosen {
		for _, v := range w.Country.Cinemas(o.Source(), city) {
			if strings.Contains(v.ID, text) || strings.Contains(v.Name, text) || strings.Contains(v.Address, text) {
				at := Named{city.Code, city.Name}
				list = append(list, cinema{v.ID, o.Provider, v.Name, v.Address, at, len(v.Halls), v.AllDay})
			}
		}
	}
	return map[string]any{"cinemas": page(list, r), "total": len(list)}, nil
}

var filmStates = map[dataset.ShowState]string{dataset.Showing: "showing", dataset.PreSale: "presale",
	dataset.Coming: "coming"}

func listFilms(w *World, r *request) (any, error) {
	type film struct {
		ID       string `json:"id"`
		Code     string `json:"code"`
		Name     string `json:"name"`
		English  string `json:"english"`
		State    string `json:"state"`
		Released string `json:"released"` // a day
		Minutes  int    `json:"minutes"`
	}
	text, list := strings.ToLower(r.text("contains")), []film{}
	for _, f := range w.Country.Films() {
		state := filmStates[f.State(w.Country.Now())]
		found := strings.Contains(f.ID, text) || strings.Contains(f.Code, text) || strings.Contains(f.Name, text) ||
			strings.Contains(strings.ToLower(f.English), text)
		if found && (r.text("state") == "" || r.text("state") == state) {
			list = append(list, film{f.ID, f.Code, f.Name, f.English, state, f.Released.Format(time.DateOnly),
				f.Minutes})
		}
	}
	return map[string]any{"films": page(list, r), "total": len(list)}, nil
}

// listShowings lists the screenings of one day that have not begun, at a cinema or in a whole city.
func listShowings(w *World, r *request) (any, error) {
	chosen, err := offices(w, r)
	if err != nil {
		return nil, err
	}
	cinemas, err := cinemasOf(w, r, chosen)
	if err != nil {
		return nil, err
	}
	now := w.Country.Now()
	if film := r.text("film"); film != "" {
		if _, ok := w.Country.Film(film); !ok {
			return nil, bad("unknown_film", "there is no film %q; GET /sim/v1/films lists them", film)
		}
	}
	days := dataset.Days(now)
	day := days[0]
	if text := r.text("day"); text != "" {
		i := slices.IndexFunc(days, func(d time.Time) bool { return d.Format(time.DateOnly) == text })
		if i < 0 {
			return nil, bad("bad_day", "day must be from %s to %s",
				days[0].Format(time.DateOnly), days[len(days)-1].Format(time.DateOnly))
		}
		day = days[i]
	}
	list := []Showing{}
	for _, v := range cinemas {
		for _, s := range w.Country.ShowsOn(v.Cinema, r.text("film"), day) {
			list = append(list, showingOf(v.provider, s, now))
		}
	}
	slices.SortStableFunc(list, func(a, b Showing) int { return a.Starts.Compare(b.Starts) })
	names := make([]string, len(days))
	for i, d := range days {
		names[i] = d.Format(time.DateOnly)
	}
	return map[string]any{"showings": page(list, r), "total": len(list), "day": day.Format(time.DateOnly),
		"days": names}, nil
}

type cinemaOf struct {
	dataset.Cinema
	provider string
}

// cinemasOf returns the cinemas that the query names: one cinema, or all cinemas of a city.
func cinemasOf(w *World, r *request, chosen []Office) ([]cinemaOf, error) {
	var list []cinemaOf
	if id := r.text("cinema"); id != "" {
		for _, o := range chosen {
			if v, ok := w.Country.Cinema(o.Source(), id); ok {
				list = append(list, cinemaOf{v, o.Provider})
			}
		}
		if list == nil {
			return nil, bad("unknown_cinema", "there is no cinema %q; GET /sim/v1/cinemas?city= lists them", id)
		}
		if city := r.text("city"); city != "" && city != list[0].City.Code {
			return nil, bad("unknown_cinema", "cinema %s is in %s and not in %s", id, list[0].City.Code, city)
		}
		return list, nil
	}
	city, err := cityOf(w, r)
	if err != nil {
		return nil, err
	}
	for _, o := range chosen {
		for _, v := range w.Country.Cinemas(o.Source(), city) {
			list = append(list, cinemaOf{v, o.Provider})
		}
	}
	return list, nil
}
