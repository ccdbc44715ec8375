package catalog

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"marquee/server/cache"
	"marquee/server/durations"
	"marquee/server/money"
)

const (
	// pricesWait is how long a list of cinemas waits for prices that are not cached. Prices that come later appear in
	// the next list.
	pricesWait = 800 * time.Millisecond
	// pricesCinemas is the number of cinemas whose prices are cached: enough for all cinemas of the largest cities
	// together.
	pricesCinemas = 4096
	// priceReaders is the maximum number of cinemas of a source that are read at the same time, for all lists together.
	// One list needs a call for each of its cinemas.
	priceReaders = 8
)

// filmPrices caches the lowest prices of the films of each cinema. One read of a cinema serves the lists of all its
// films.
type filmPrices struct {
	offers           *cache.Cache[offers]
	legacy, newMovie chan struct{} // one element for each read in progress
}

func newFilmPrices(now func() time.Time) filmPrices {
	return filmPrices{
		cache.NewSized[offers](now, cache.Ages{Fresh: durations.FilmPrices}, pricesCinemas),
		make(chan struct{}, priceReaders), make(chan struct{}, priceReaders),
	}
}

// offer is the lowest price among the shows of a film whose sale ends at the time ends or later.
type offer struct {
	ends  time.Time
	price money.Fen
}

// offers are the prices of a cinema, by film: by the id at the legacy source, or by the code at newmovie. Those of a
// film are ordered by the end of the sale, the latest first, and each is cheaper than the one before. If the source did
// not answer, offers is nil.
type offers map[string][]offer

// add adds the prices of a film's shows.
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

// addFilmPrices sets the price of the query's film at each of the cinemas. It reads the cinemas whose prices are not
// cached, in the order of the list, and waits for them for pricesWait. Prices that are not read by then stay 0.
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

// setFilmPrice sets FilmPrice from the cached prices of the cinema, and reports whether there are any.
func (s *Service) setFilmPrice(q CinemaQuery, c *NearCinema) bool {
	kept, ok := s.filmPrices.offers.Kept(offersKey(c.Cinema), durations.FilmPrices)
	film := q.FilmID
	if c.Source == NewMovie {
		film = q.FilmCode
	}
	c.FilmPrice = kept.lowest(film, s.now())
	return ok
}

func offersKey(c Cinema) string { return fmt.Sprint(int(c.Source), " ", c.ID) }

// readOffers reads the prices of a source's cinemas into the cache until ctx ends. A read that has begun continues
// after that, and counts as one of the priceReaders until it ends.
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

// offersOf reads the prices of a cinema; it returns nil if the source does not answer.
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
