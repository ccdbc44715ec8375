package legacygateway

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

type cinemaJSON struct {
	ID         string `json:"cinemaid"`
	Name       string `json:"cinemaname"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	CityID     string `json:"cityid"`
	RegionID   string `json:"regionid"`
	RegionName string `json:"regionname"`
	Lat        string `json:"lat"`
	Lng        string `json:"lng"`
	MinPrice   int64  `json:"minprice"`
}

func cinemaOf(c dataset.Cinema) cinemaJSON {
	return cinemaJSON{
		ID: c.ID, Name: c.Name, Address: c.Address, Phone: c.Phone, CityID: c.City.Code, RegionID: c.Region.ID, RegionName: c.Region.Name,
		Lat: degrees(c.Lat), Lng: degrees(c.Lng), MinPrice: c.MinFen,
	}
}

func degrees(f float64) string { return strconv.FormatFloat(f, 'f', 6, 64) }

type regionJSON struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

func (g *Gateway) listCinemas(form url.Values) ([]byte, *refusal) {
	if form.Get("cityid") == "" {
		return nil, refuse("1001", "缺少参数cityid")
	}
	city, ok := g.c.Country.City(form.Get("cityid"))
	if !ok {
		return nil, refuse("2001", "城市不存在")
	}
	film, refused := g.knownFilm(form, false)
	if refused != nil {
		return nil, refused
	}
	list, count := []cinemaJSON{}, map[string]int{}
	for _, c := range g.c.Country.Cinemas(dataset.Gateway, city) {
		if film.ID != "" && !g.c.Country.Plays(c, film.ID) {
			continue
		}
		list = append(list, cinemaOf(c))
		count[c.Region.ID]++
	}
	regions := []regionJSON{}
	for _, r := range append([]dataset.Region{{ID: city.Code, Name: city.Name}}, city.Regions...) {
		if count[r.ID] > 0 {
			regions = append(regions, regionJSON{r.ID, r.Name, count[r.ID]})
		}
	}
	return success(map[string]any{"total": len(list), "regionList": regions, "cinemaList": list}), nil
}

func (g *Gateway) cinema(form url.Values) (dataset.Cinema, *refusal) {
	id := form.Get("cinemaid")
	if id == "" {
		return dataset.Cinema{}, refuse("1001", "缺少参数cinemaid")
	}
	c, ok := g.c.Country.Cinema(dataset.Gateway, id)
	if !ok {
		return dataset.Cinema{}, refuse("2003", "影院不存在")
	}
	return c, nil
}

func (g *Gateway) cinemaDetail(form url.Values) ([]byte, *refusal) {
	c, refused := g.cinema(form)
	if refused != nil {
		return nil, refused
	}
	films := g.c.Country.FilmsOf(g.c.Country.Shows(c, ""))
	return success(map[string]any{"cinema": cinemaOf(c), "filmList": g.films(films)}), nil
}

type showJSON struct {
	ID         string `json:"opiid"`
	CinemaID   string `json:"cinemaid"`
	CinemaName string `json:"cinemaname"`
	MovieID    string `json:"movieid"`
	MovieCode  string `json:"moviecode"`
	MovieName  string `json:"moviename"`
	Poster     string `json:"poster"`
	Date       string `json:"playdate"`
	Starts     string `json:"playtime"`
	Ends       string `json:"endtime"`
	Closes     string `json:"closetime"`
	Edition    string `json:"edition"`
	Language   string `json:"language"`
	RoomID     string `json:"roomid"`
	RoomName   string `json:"roomname"`
	List       int64  `json:"showPrice"`
	Price      int64  `json:"price"`
	Areas      string `json:"areaPrice"`
}

func (g *Gateway) show(s dataset.Show) showJSON {
	var areas []string
	for _, a := range s.Hall.Layout.Areas {
		areas = append(areas, a.ID+":"+strconv.FormatInt(s.AreaPrice(a), 10))
	}
	return showJSON{
		ID: s.ID, CinemaID: s.Cinema.ID, CinemaName: s.Cinema.Name, MovieID: s.Film.ID, MovieCode: s.Film.Code, MovieName: s.Film.Name,
		Poster: g.c.BaseURL() + s.Film.Poster(), Date: s.Day.Format(time.DateOnly), Starts: s.Starts.Format(timeLayout), Ends: s.Ends.Format(timeLayout),
		Closes: s.Closes.Format(timeLayout), Edition: s.Edition, Language: s.Language, RoomID: s.Cinema.ID + "-" + strconv.Itoa(s.Hall.Number),
		RoomName: s.Hall.Name, List: s.List, Price: s.Price, Areas: strings.Join(areas, ","),
	}
}

func (g *Gateway) listShows(form url.Values) ([]byte, *refusal) {
	c, refused := g.cinema(form)
	if refused != nil {
		return nil, refused
	}
	film, refused := g.knownFilm(form, false)
	if refused != nil {
		return nil, refused
	}
	day := time.Time{}
	if text := form.Get("date"); text != "" {
		var err error
		if day, err = time.ParseInLocation(time.DateOnly, text, zone); err != nil {
			return nil, refuse("1006", "date格式错误")
		}
	}
	dates, list := []string{}, []showJSON{}
	shows := g.c.Country.Shows(c, film.ID)
	for _, d := range dataset.Dates(shows) {
		dates = append(dates, d.Format(time.DateOnly))
	}
	for _, s := range shows {
		if day.IsZero() || s.Day.Equal(day) {
			list = append(list, g.show(s))
		}
	}
	return success(map[string]any{"dates": dates, "opiList": list}), nil
}
