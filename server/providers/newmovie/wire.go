package newmovie

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
)

type wireCity struct {
	ID     string `json:"cityId"` // the provider's own
	Name   string `json:"cityName"`
	Pinyin string `json:"pinyin"`
	Adcode string `json:"adcode"`
	Hot    int    `json:"hot"`
}

func (w wireCity) city() (catalog.City, error) {
	if w.ID == "" || w.Name == "" || w.Adcode == "" {
		return catalog.City{}, errors.New("city without id, name or division code")
	}
	return catalog.City{ID: w.Adcode, Name: w.Name, Pinyin: w.Pinyin, NewMovieID: w.ID, Hot: w.Hot == 1}, nil
}

type wireFilm struct {
	ID        string `json:"movieId"`
	Code      string `json:"movieCode"`
	Name      string `json:"name"`
	Poster    string `json:"posterUrl"`
	Score     string `json:"score"`
	Star      string `json:"star"`
	Director  string `json:"director"`
	Category  string `json:"category"`
	Version   string `json:"version"`
	Wish      int    `json:"wish"`
	IsPreShow int    `json:"isPreShow"`
	ShowSt    int    `json:"showSt"`
	Duration  int    `json:"duration"` // minutes
	OpenDay   string `json:"openDay"`
}

func (w wireFilm) film() (catalog.Film, error) {
	state := catalog.ShowState(w.ShowSt)
	if w.ID == "" || w.Name == "" {
		return catalog.Film{}, errors.New("film without id or name")
	}
	if state < catalog.NowShowing || state > catalog.Coming {
		return catalog.Film{}, fmt.Errorf("film %q with showSt %d", w.ID, w.ShowSt)
	}
	return catalog.Film{
		ID: w.ID, Code: w.Code, Name: w.Name, PosterURL: w.Poster, Score: w.Score, Director: w.Director,
		Stars: strings.Fields(w.Star), Categories: split(w.Category), Version: w.Version, Minutes: w.Duration,
		Wish: w.Wish, State: state, PreSale: w.IsPreShow == 1, Released: w.OpenDay,
	}, nil
}

type wireFilmDetail struct {
	ID        string `json:"movieId"`
	Code      string `json:"movieCode"`
	Img       string `json:"img"`
	Name      string `json:"name"`
	English   string `json:"nm"`
	Director  string `json:"director"`
	Star      string `json:"star"`
	Cat       string `json:"cat"`
	PubDesc   string `json:"pubDesc"` // "2026-11-20 中国大陆上映"
	Dur       int    `json:"dur"`
	Desc      string `json:"desc"`
	Score     string `json:"score"`
	Wish      int    `json:"wish"`
	Version   string `json:"version"`
	ShowSt    int    `json:"showSt"`
	IsPreShow int    `json:"isPreShow"`
	Workers   []struct {
		Avatar    string `json:"avatarUrl"`
		Name      string `json:"actorName"`
		Character string `json:"characterName"`
	} `json:"workerList"`
}

var leadingDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

func (w wireFilmDetail) detail() (catalog.FilmDetail, error) {
	film, err := wireFilm{
		ID: w.ID, Code: w.Code, Name: w.Name, Poster: w.Img, Score: w.Score, Star: w.Star, Director: w.Director,
		Category: w.Cat, Version: w.Version, Wish: w.Wish, IsPreShow: w.IsPreShow, ShowSt: w.ShowSt, Duration: w.Dur,
		OpenDay: leadingDate.FindString(w.PubDesc),
	}.film()
	if err != nil {
		return catalog.FilmDetail{}, err
	}
	film.EnglishName = w.English
	d := catalog.FilmDetail{Film: film, Synopsis: w.Desc}
	for _, m := range w.Workers {
		d.Cast = append(d.Cast, catalog.CastMember{AvatarURL: m.Avatar, Name: m.Name, Character: m.Character})
	}
	return d, nil
}

type wireRegion struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Num  int    `json:"num"`
}

func (w wireRegion) region() (catalog.Region, error) {
	if w.ID == "" || w.Num < 0 {
		return catalog.Region{}, fmt.Errorf("region %q with %d cinemas", w.ID, w.Num)
	}
	return catalog.Region{ID: w.ID, Name: w.Name, Cinemas: w.Num}, nil
}

type wireCinema struct {
	ID         string `json:"cinemaId"`
	Code       string `json:"cinemaCode"`
	SourceID   string `json:"sourceId"`
	Name       string `json:"name"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionId"`
	RegionName string `json:"regionName"`
	Latitude   string `json:"latitude"`
	Longitude  string `json:"longitude"`
	MinPrice   string `json:"minPrice"` // yuan
}

func (w wireCinema) cinema() (catalog.Cinema, error) {
	if w.ID == "" || w.Code == "" || w.Name == "" {
		return catalog.Cinema{}, fmt.Errorf("cinema %q without id, code or name", w.ID)
	}
	lat, latErr := strconv.ParseFloat(w.Latitude, 64)
	lng, lngErr := strconv.ParseFloat(w.Longitude, 64)
	price, priceErr := money.ParseFen(w.MinPrice)
	if err := errors.Join(latErr, lngErr, priceErr); err != nil {
		return catalog.Cinema{}, fmt.Errorf("cinema %q: %w", w.ID, err)
	}
	return catalog.Cinema{
		Source: catalog.NewMovie, ID: w.ID, Code: w.Code, SourceID: w.SourceID, Name: w.Name, Address: w.Address, Phone: w.Phone,
		RegionID: w.RegionID, RegionName: w.RegionName, Lat: lat, Lng: lng, FromPrice: price,
	}, nil
}

// split reads a list of categories, separated by |.
func split(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return r == '|' })
}
