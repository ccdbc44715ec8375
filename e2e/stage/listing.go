package stage

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// Tests play on showings that are chosen for what they are, never for their place in a list: which film runs in which
// hall differs from day to day.

// Listed is a showing as its cinema lists it.
type Listed struct {
	Showing
	Film  string
	Day   string // 2030-06-01
	Start string // 19:30
	Hall  string
}

// cinema is one of a city's list; what the source does not use is empty.
type cinema struct {
	Flag      int
	Name      string
	Name1     string
	Cinemaid1 string
	Cinemaid2 string
}

func (s *Stage) cinemaOf(source Source) cinema {
	s.T.Helper()
	var page struct {
		Cinemas []cinema `json:"yingyuan"`
	}
	require.NoError(s.T, s.call("", "/movie/route/Movie/cinema", map[string]string{"cityid": s.homeCity()}, &page))
	for _, c := range page.Cinemas {
		if c.Flag == source.Flag {
			return c
		}
	}
	require.Fail(s.T, "no cinema of "+source.Name)
	return cinema{}
}

// CinemaOf names a cinema of the source in the city that a new visitor sees.
func (s *Stage) CinemaOf(source Source) string {
	s.T.Helper()
	c := s.cinemaOf(source)
	return c.Name + c.Name1
}

// ShowingOf is a showing of tomorrow in that cinema, with room for buyers.
func (s *Stage) ShowingOf(source Source) Listed {
	s.T.Helper()
	return s.find(source, "with room tomorrow", func(show Listed) bool {
		return show.Day == s.day(1) && roomy(s.seats(show.Showing))
	})
}

// ShowingToday is a showing of today in that cinema that is sold for another while.
func (s *Stage) ShowingToday(source Source) Listed {
	s.T.Helper()
	soon := s.Sims.Default().Clock().Now().Add(30 * time.Minute).In(shanghai).Format("15:04")
	return s.find(source, "on sale today", func(show Listed) bool { return show.Day == s.day(0) && show.Start > soon })
}

// UntilStart is how far away a showing is.
func (s *Stage) UntilStart(show Listed) time.Duration {
	s.T.Helper()
	at, err := time.ParseInLocation("2006-01-02 15:04", show.Day+" "+show.Start, shanghai)
	require.NoError(s.T, err)
	return at.Sub(s.Sims.Default().Clock().Now())
}

// day is today's date and those after it, by the stage's clock.
func (s *Stage) day(ahead int) string {
	return s.Sims.Default().Clock().Now().In(shanghai).AddDate(0, 0, ahead).Format(time.DateOnly)
}

// find is the first showing that fits.
func (s *Stage) find(source Source, what string, fits func(Listed) bool) Listed {
	s.T.Helper()
	found := s.showings(source)
	if at := slices.IndexFunc(found, fits); at >= 0 {
		return found[at]
	}
	require.Fail(s.T, fmt.Sprintf("no showing of %s %s among %d", source.Name, what, len(found)))
	return Listed{}
}

// showings are those of a cinema of the source that are on sale.
func (s *Stage) showings(source Source) []Listed {
	s.T.Helper()
	if source == Legacy {
		return s.legacyShowings(s.cinemaOf(source).Cinemaid1)
	}
	return s.newShowings(s.cinemaOf(source).Cinemaid2)
}

func (s *Stage) legacyShowings(cinema string) (found []Listed) {
	s.T.Helper()
	var answer struct {
		List []struct{ Opiid, Moviename, Playdate, Playtime, Roomname string } `json:"opiList"`
	}
	require.NoError(s.T, s.call("", "/movie/route", map[string]string{"method": "opi.list.v2", "cinemaid": cinema}, &answer))
	for _, show := range answer.List {
		found = append(found, Listed{Showing{Opiid: show.Opiid}, show.Moviename, show.Playdate, clockOf(show.Playtime), show.Roomname})
	}
	return found
}

func (s *Stage) newShowings(cinema string) (found []Listed) {
	s.T.Helper()
	var answer struct {
		Movies []struct {
			Name  string
			Shows []struct {
				Date     string `json:"showDate"`
				Sessions []struct {
					ID       string `json:"sessionId"`
					Time     string `json:"showTime"`
					Hall     string
					Sellable *bool // nil is yes
				}
			}
		}
	}
	require.NoError(s.T, s.get("/newmovie/api/movie/cinema_shows?cinemaId="+cinema, &answer))
	for _, movie := range answer.Movies {
		for _, day := range movie.Shows {
			for _, one := range day.Sessions {
				if one.Sellable == nil || *one.Sellable {
					found = append(found, Listed{Showing{SessionID: one.ID}, movie.Name, day.Date, clockOf(one.Time), one.Hall})
				}
			}
		}
	}
	return found
}

// clockOf is 19:30 of 2030-06-01 19:30:00.
func clockOf(moment string) string {
	_, clock, _ := strings.Cut(moment, " ")
	return clock[:min(len(clock), len("15:04"))]
}
