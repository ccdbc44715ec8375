package legacygateway

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
)

type wireCity struct {
	ID     string `json:"cityid"`
	Name   string `json:"cityname"`
	Pinyin string `json:"pinyin"`
	Hot    int    `json:"hot"`
}

func (w wireCity) city() (catalog.City, error) {
	if w.ID == "" || w.Name == "" {
		return catalog.City{}, errors.New("city without id or name")
	}
	return catalog.City{ID: w.ID, Name: w.Name, Pinyin: w.Pinyin, LegacyID: w.ID, Hot: w.Hot == 1}, nil
}

type wireFilm struct {
	ID       string `json:"movieid"`
	Code     string `json:"moviecode"`
	Name     string `json:"moviename"`
	Poster   string `json:"poster"`
	Score    string `json:"score"`
	Director string `json:"director"`
	Star     string `json:"star"`
	Category string `json:"category"`
	Version  string `json:"version"`
	Duration int    `json:"duration"`
	Wish     int    `json:"wish"`
	ShowSt   int    `json:"showst"`
	Released string `json:"publishdate"`
}

func (w wireFilm) film() (catalog.Film, error) {
	state := catalog.ShowState(w.ShowSt)
	if w.ID == "" || w.Name == "" {
		return catalog.Film{}, errors.New("film without id or name")
	}
	if state < catalog.NowShowing || state > catalog.Coming {
		return catalog.Film{}, fmt.Errorf("film %q with showst %d", w.ID, w.ShowSt)
	}
	return catalog.Film{
		ID: w.ID, Code: w.Code, Name: w.Name, PosterURL: w.Poster, Score: w.Score, Director: w.Director,
		Stars: strings.Fields(w.Star), Categories: split(w.Category, "|"), Version: w.Version, Minutes: w.Duration,
		Wish: w.Wish, State: state, PreSale: state == catalog.OnPreSale, Released: w.Released,
	}, nil
}

type wireFilmDetail struct {
	ID       string `json:"movieid"`
	Code     string `json:"moviecode"`
	Img      string `json:"img"`
	Name     string `json:"name"`
	English  string `json:"nm"`
	Director string `json:"director"`
	Star     string `json:"star"`
	Cat      string `json:"cat"`
	PubDesc  string `json:"pubDesc"` // "2026-11-20 中国大陆上映"
	Dur      int    `json:"dur"`
	Desc     string `json:"desc"`
	Score    string `json:"score"`
	Wish     int    `json:"wish"`
	Version  string `json:"version"`
	ShowSt   int    `json:"showst"`
	Workers  []struct {
		Avatar    string `json:"avatarUrl"`
		Name      string `json:"actorName"`
		Character string `json:"characterName"`
	} `json:"workerList"`
}

var leadingDate = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}`)

func (w wireFilmDetail) detail() (catalog.FilmDetail, error) {
	film, err := wireFilm{
		ID: w.ID, Code: w.Code, Name: w.Name, Poster: w.Img, Score: w.Score, Director: w.Director, Star: w.Star,
		Category: w.Cat, Version: w.Version, Duration: w.Dur, Wish: w.Wish, ShowSt: w.ShowSt,
		Released: leadingDate.FindString(w.PubDesc),
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
	ID         string `json:"cinemaid"`
	Name       string `json:"cinemaname"`
	Address    string `json:"address"`
	Phone      string `json:"phone"`
	RegionID   string `json:"regionid"`
	RegionName string `json:"regionname"`
	Lat        string `json:"lat"`
	Lng        string `json:"lng"`
	MinPrice   int64  `json:"minprice"`
}

func (w wireCinema) cinema() (catalog.Cinema, error) {
	if w.ID == "" || w.Name == "" {
		return catalog.Cinema{}, errors.New("cinema without id or name")
	}
	lat, latErr := strconv.ParseFloat(w.Lat, 64)
	lng, lngErr := strconv.ParseFloat(w.Lng, 64)
	price, priceErr := fen(w.MinPrice)
	if err := errors.Join(latErr, lngErr, priceErr); err != nil {
		return catalog.Cinema{}, fmt.Errorf("cinema %q: %w", w.ID, err)
	}
	return catalog.Cinema{
		Source: catalog.Legacy, ID: w.ID, Name: w.Name, Address: w.Address, Phone: w.Phone,
		RegionID: w.RegionID, RegionName: w.RegionName, Lat: lat, Lng: lng, FromPrice: price,
	}, nil
}

type wireDrama struct {
	ID       string `json:"projectid"`
	Name     string `json:"name"`
	Poster   string `json:"poster"`
	Venue    string `json:"venue"`
	City     string `json:"city"`
	ShowTime string `json:"showtime"`
	MinPrice int64  `json:"minprice"`
}

func (w wireDrama) drama() (catalog.Drama, error) {
	price, err := fen(w.MinPrice)
	if err != nil || w.ID == "" || w.Name == "" {
		return catalog.Drama{}, fmt.Errorf("drama %q: without id, name or price", w.ID)
	}
	return catalog.Drama{
		ID: w.ID, Name: w.Name, PosterURL: w.Poster, Venue: w.Venue, City: w.City, When: w.ShowTime, FromPrice: price,
	}, nil
}

// instant reads a wall-clock text of the gateway; "" is the zero time.
func instant(s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.ParseInLocation(timeLayout, s, beijing.Time)
	return t.UTC(), err
}

// split is strings.Split without empty parts.
func split(s, sep string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(sep, r) })
}
