package catalog

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"marquee/server/durations"
	"marquee/server/money"
)

const (
	// pricesWait is how long a list waits for offers that are not kept. Later ones appear in the next list.
	pricesWait = 800 * time.Millisecond
	// pricesCinemas is for how many cinemas offers are kept: those of the largest cities together.
	pricesCinemas = 4096
	// priceReaders is how many cinemas of a source are read at a time, for all lists together. It bounds the calls to a
	// source, because one list needs a call for each of its cinemas.
	priceReaders = 8
)

// filmPrices keeps what the films of a cinema cost. One read of a cinema serves the lists of all its films.
type filmPrices struct {
	offers           *Cache[offers]
	legacy, newMovie chan struct{} // one element for each read that is in progress
}

func newFilmPrices(now func() time.Time) filmPrices {
	return filmPrices{
		newCache[offers](now, Ages{Fresh: durations.FilmPrices}, pricesCinemas),
		make(chan struct{}, priceReaders), make(chan struct{}, priceReaders),
	}
}

// offer is the lowest price among the shows of a film whose sale ends at ends or later.
type offer struct {
	ends  time.Time
	price money.Fen
}

// offers are the offers of a cinema by film: by the id of the legacy source, or by the code at newmovie. Those of a
// film are ordered by their end, the latest first, and each is cheaper than the one before. nil means that the source
// did not answer.
type offers map[string][]offer

// add adds the shows of a film.
func (o offers) add(film string, shows []Show) {
	shows = slices.DeleteFunc(slices.Clone(shows), func(s Show) bool { return s.Unsellable || s.Price <= 0 })
	slices.SortFunc(shows, func(a, b Show) int { return b.SaleEnds().Compare(a.SaleEnds()) })
	for _, show := range shows {
		if had := o[film]; len(had) == 0 || show.Price < had[len(had)-1].price {
			o[film] = append(had, offer{show.SaleEnds(), show.Price})
		}
	}
}

// lowest returns the lowest price of a film's shows that are on sale, and 0 if there are none.
func (o offers) lowest(film string, now time.Time) (price money.Fen) {
	for _, offer := range o[film] {
		if !now.Before(offer.ends) {
			break
		}
		price = offer.price
	}
	return price
}

// addFilmPrices sets the prices of the query's film at the cinemas. It reads the cinemas whose offers are not kept, in
// the order of the list, and waits for them for pricesWait; the prices of the others stay unknown.
func (s *Service) addFilmPrices(ctx context.Context, q CinemaQuery, cinemas []NearCinema) {
	ctx, cancel := context.WithTimeout(ctx, pricesWait)
	defer cancel()
	var missing []Cinema
	for i := range cinemas {
		if !s.setFilmPrice(q, &cinemas[i]) {
			missing = append(missing, cinemas[i].Cinema)
		}
	}
	both(
		func() error { return s.readOffers(ctx, Legacy, s.filmPrices.legacy, missing) },
		func() error { return s.readOffers(ctx, NewMovie, s.filmPrices.newMovie, missing) },
	)
	for i := range cinemas {
		s.setFilmPrice(q, &cinemas[i])
	}
}

// setFilmPrice reports whether the offers of the cinema are kept.
func (s *Service) setFilmPrice(q CinemaQuery, c *NearCinema) bool {
	kept, ok := s.filmPrices.offers.kept(offersKey(c.Cinema), durations.FilmPrices)
	film := q.FilmID
	if c.Source == NewMovie {
		film = q.FilmCode
	}
	c.FilmPrice = kept.lowest(film, s.now())
	return ok
}

func offersKey(c Cinema) string { return fmt.Sprint(int(c.Source), " ", c.ID) }

// readOffers reads the offers of a source's cinemas into the cache until ctx ends. A read that has begun continues
// after that, and keeps its place among the readers.
func (s *Service) readOffers(ctx context.Context, source Source, readers chan struct{}, cinemas []Cinema) error {
	var wg sync.WaitGroup
	for _, c := range cinemas {
		if c.Source != source {
			continue
		}
		select {
		case readers <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		wg.Go(func() {
			defer func() { <-readers }()
			_, _ = s.filmPrices.offers.Get(context.WithoutCancel(ctx), offersKey(c), // never fails: see offersOf
				func(ctx context.Context) (offers, error) { return s.offersOf(ctx, c), nil })
		})
	}
	read := make(chan struct{})
	go func() { wg.Wait(); close(read) }()
	select {
	case <-read:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// offersOf reads the offers of a cinema; nil if the source does not answer.
func (s *Service) offersOf(ctx context.Context, c Cinema) offers {
	found := offers{}
	var err error
	if c.Source == Legacy {
		var shown Showings
		shown, err = s.legacy.Showings(ctx, c.ID, "", "")
		byFilm := map[string][]Show{}
		for _, show := range shown.Shows {
			byFilm[show.FilmID] = append(byFilm[show.FilmID], show)
		}
		for film, shows := range byFilm {
			found.add(film, shows)
		}
	} else {
		var shown CinemaShows
		shown, err = s.newMovie.CinemaShows(ctx, c.ID, "")
		for _, film := range shown.Films {
			found.add(film.Film.Code, film.Shows)
		}
	}
	if err != nil {
		s.log.WarnContext(ctx, "read prices of a cinema failed", "source", c.Source, "cinema", c.ID, "error", err)
		return nil
	}
	return found
}
