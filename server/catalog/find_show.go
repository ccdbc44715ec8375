package catalog

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"marquee/server/durations"
)

// Venue identifies the cinema on whose page the buyer chose a show. Either id may be "".
type Venue struct {
	CinemaID   string // the source's id
	CinemaCode string // newmovie's code
}

// CompleteShow returns a show with its cinema and film, which sources need not send together with the seats: in the
// specification, a showing has no cinema, and a session has neither cinema nor film. at is the venue that the buyer's
// page sent. It is used only if the source lists the show there, and otherwise the show is returned as it is. The
// listed show is cached for durations.Lists, because every read of a seat map needs it.
func (s *Service) CompleteShow(ctx context.Context, show Show, at Venue) Show {
	complete := show.CinemaID != "" && show.FilmID != ""
	if complete || at == (Venue{}) {
		return show
	}
	key := fmt.Sprint(show.Source, " ", show.ID, " ", show.Starts.Unix(), " ", at.CinemaID, " ", at.CinemaCode)
	listed, err := s.listedShows.Get(ctx, key, func(ctx context.Context) (Show, error) {
		return s.listedShow(ctx, show, at)
	})
	if err != nil {
		s.log.WarnContext(ctx, "find cinema of a show failed", "source", show.Source, "show", show.ID, "error", err)
		return show
	}
	show.CinemaID, show.CinemaCode, show.CinemaName = listed.CinemaID, listed.CinemaCode, listed.CinemaName
	show.FilmID, show.FilmCode, show.FilmName = listed.FilmID, listed.FilmCode, listed.FilmName
	show.FilmPoster = listed.FilmPoster
	return show
}

// listedShow returns the show with the fields from its cinema's list of shows. It returns ErrShowNotFound if the cinema
// does not list it.
func (s *Service) listedShow(ctx context.Context, show Show, at Venue) (Show, error) {
	same := func(listed Show) bool { return listed.ID == show.ID && listed.Starts.Equal(show.Starts) }
	if show.Source == NewMovie {
		return s.findSession(ctx, at, same)
	}
	cinema, films, err := s.LegacyCinema(ctx, at.CinemaID)
	if err != nil {
		return Show{}, err
	}
	found, err := s.LegacyShowings(ctx, at.CinemaID, show.FilmID, "")
	if err != nil {
		return Show{}, err
	}
	i := slices.IndexFunc(found.Shows, same)
	if i < 0 {
		return Show{}, ErrShowNotFound
	}
	listed := found.Shows[i]
	listed.CinemaName = cinema.Name
	if i := slices.IndexFunc(films, func(f Film) bool { return f.ID == listed.FilmID }); i >= 0 {
		listed.FilmCode, listed.FilmPoster = films[i].Code, films[i].PosterURL
	}
	return listed, nil
}

// SessionQuery describes a newmovie session without its id. All fields but Hall are required.
type SessionQuery struct {
	CinemaCode string
	FilmCode   string
	Hall       string // "" for any
	Starts     time.Time
}

// FindSession returns the only session of a cinema with a film, a start and a hall. It returns ErrShowNotFound if there
// is none or more than one.
func (s *Service) FindSession(ctx context.Context, q SessionQuery) (Show, error) {
	return s.findSession(ctx, Venue{CinemaCode: q.CinemaCode}, func(show Show) bool {
		return show.FilmCode == q.FilmCode && show.Starts.Equal(q.Starts) && (q.Hall == "" || show.Hall == q.Hall)
	})
}

func (s *Service) findSession(ctx context.Context, at Venue, wanted func(Show) bool) (Show, error) {
	if at.CinemaID == "" {
		id, err := s.codes.find(at.CinemaCode, s.now, func() error { return s.readCinemaCodes(ctx) })
		if err != nil {
			return Show{}, err
		}
		at.CinemaID = id
	}
	cinema, err := s.CinemaShows(ctx, at.CinemaID, "")
	if err != nil {
		return Show{}, err
	}
	var found []Show
	for _, film := range cinema.Films {
		for _, show := range film.Shows {
			if wanted(show) {
				found = append(found, show)
			}
		}
	}
	if len(found) != 1 {
		return Show{}, fmt.Errorf("cinema %s has %d such sessions: %w", at.CinemaID, len(found), ErrShowNotFound)
	}
	return found[0], nil
}

const (
	// codeReaders is the maximum number of cities that are read at the same time.
	codeReaders = 8
)

// cinemaCodes maps the code of a cinema to its newmovie id, because newmovie has no call for that. It is a cache: every
// replica can build it again from newmovie's lists of cinemas.
type cinemaCodes struct {
	mu      sync.Mutex
	ids     map[string]string
	reading sync.Mutex // held while the cities are read
	readAt  time.Time  // when the cinemas of all cities were last read; guarded by reading
}

func (c *cinemaCodes) add(cinemas ...Cinema) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, cinema := range cinemas {
		c.ids[cinema.Code] = cinema.ID
	}
}

func (c *cinemaCodes) id(code string) (string, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, ok := c.ids[code]
	return id, ok
}

// find returns the newmovie id of a cinema. For a code that is not in the map yet it calls readAllCities, which adds
// the cinemas of all cities. After a successful call, the next one is made durations.CinemaCodes later at the earliest.
// It returns ErrCinemaNotFound for an unknown code.
func (c *cinemaCodes) find(code string, now func() time.Time, readAllCities func() error) (string, error) {
	if code == "" {
		return "", ErrCinemaNotFound
	}
	if id, ok := c.id(code); ok {
		return id, nil
	}
	c.reading.Lock()
	defer c.reading.Unlock()
	if id, ok := c.id(code); ok {
		return id, nil
	}
	if age := now().Sub(c.readAt); age >= 0 && age < durations.CinemaCodes {
		return "", ErrCinemaNotFound
	}
	if err := readAllCities(); err != nil {
		return "", err
	}
	c.readAt = now()
	if id, ok := c.id(code); ok {
		return id, nil
	}
	return "", ErrCinemaNotFound
}

// readCinemaCodes reads the cinemas of all cities, which adds their codes. If the cinemas of a city cannot be read, it
// logs that and continues.
func (s *Service) readCinemaCodes(ctx context.Context) error {
	cities, err := s.allCities(ctx)
	if err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(codeReaders)
	for _, city := range cities {
		group.Go(func() error {
			_, err := s.newMovieCinemasOf(ctx, city, CinemaQuery{})
			if err != nil && !errors.Is(err, context.Canceled) {
				s.log.WarnContext(ctx, "read cinema codes of a city failed", "city", city.ID, "error", err)
			}
			return ctx.Err()
		})
	}
	return group.Wait()
}
