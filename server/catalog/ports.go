package catalog

import "context"

// LegacyCatalog reads the signed gateway's catalogue. Every id is that provider's own, and every list is whole:
// the adapter walks the pages.
type LegacyCatalog interface {
	// Cities fills ID, Name, Pinyin, Hot and LegacyID.
	Cities(ctx context.Context) ([]City, error)
	// Films are showing, on pre-sale and coming films of a city (its LegacyID; "" for the whole country), hottest
	// first.
	Films(ctx context.Context, cityID string) ([]Film, error)
	// Film fails with ErrFilmNotFound.
	Film(ctx context.Context, filmID string) (FilmDetail, error)
	// Cinemas are those of a city; with a film, only those with a future showing of it. It fails with ErrCityNotFound.
	Cinemas(ctx context.Context, cityID, filmID string) (CinemaList, error)
	// Cinema and the films it shows in the next seven days. It fails with ErrCinemaNotFound.
	Cinema(ctx context.Context, cinemaID string) (Cinema, []Film, error)
	// Showings of a cinema, earliest first; filmID and date (YYYY-MM-DD) may be "".
	Showings(ctx context.Context, cinemaID, filmID, date string) (Showings, error)
	// Dramas is one page of the project list and the total.
	Dramas(ctx context.Context, cityID string, page, size int) ([]Drama, int, error)
}

// NewMovieCatalog reads the bearer-token provider's catalogue. City ids are its own (NewMovieID).
type NewMovieCatalog interface {
	// Cities fills ID (the division code), Name, Pinyin, Hot and NewMovieID.
	Cities(ctx context.Context) ([]City, error)
	// Films are the films showing or on pre-sale in a city.
	Films(ctx context.Context, cityID string) ([]Film, error)
	// ComingFilms are the films not yet out.
	ComingFilms(ctx context.Context, cityID string) ([]Film, error)
	// Film fails with ErrFilmNotFound.
	Film(ctx context.Context, filmID string) (FilmDetail, error)
	// Cinemas are those of a city; with a film code, only those with a future session of it. It fails with
	// ErrCityNotFound.
	Cinemas(ctx context.Context, cityID, filmCode string) (CinemaList, error)
	// CinemaShows are a cinema and its sessions of the next seven days; filmID may be "". It fails with
	// ErrCinemaNotFound.
	CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error)
	// Session fails with ErrShowNotFound.
	Session(ctx context.Context, sessionID string) (Show, error)
}

// CinemaList is the cinemas of a city with its districts.
type CinemaList struct {
	Regions []Region
	Cinemas []Cinema
}

// Showings are the legacy showings of a cinema and the days (YYYY-MM-DD) that have any.
type Showings struct {
	Dates []string
	Shows []Show
}

// CinemaShows is a cinema with the sessions of each of its films.
type CinemaShows struct {
	Cinema Cinema
	Films  []FilmShows
}

// FilmShows are the sessions of one film, earliest first.
type FilmShows struct {
	Film  Film
	Shows []Show
}
