package catalog

import "context"

// LegacyCatalog reads the catalog of the signed gateway. All ids are that provider's. Lists are complete: the
// implementation reads all pages.
type LegacyCatalog interface {
	// Cities returns cities with ID, Name, Pinyin, Hot and LegacyID.
	Cities(ctx context.Context) ([]City, error)
	// Films returns the films of a city, released, on pre-sale or coming, hottest first. cityID is the LegacyID, or ""
	// for the entire country.
	Films(ctx context.Context, cityID string) ([]Film, error)
	// Film returns a film. It returns ErrFilmNotFound if the gateway does not have it.
	Film(ctx context.Context, filmID string) (FilmDetail, error)
	// Cinemas returns the cinemas of a city; with a film, only those with a future showing of it. It returns
	// ErrCityNotFound.
	Cinemas(ctx context.Context, cityID, filmID string) (CinemaList, error)
	// Cinema returns a cinema and the films it shows in the next seven days. It returns ErrCinemaNotFound.
	Cinema(ctx context.Context, cinemaID string) (Cinema, []Film, error)
	// Showings returns the showings of a cinema, earliest first. filmID and date (YYYY-MM-DD) may be "".
	Showings(ctx context.Context, cinemaID, filmID, date string) (Showings, error)
	// Dramas returns one page of the stage productions, and how many there are on all pages. Pages count from 1.
	Dramas(ctx context.Context, cityID string, page, size int) ([]Drama, int, error)
}

// NewMovieCatalog reads the catalog of newmovie, the provider with bearer tokens. City ids are that provider's
// (NewMovieID).
type NewMovieCatalog interface {
	// Cities returns cities with ID (the division code), Name, Pinyin, Hot and NewMovieID.
	Cities(ctx context.Context) ([]City, error)
	// Films returns the films that are showing or on pre-sale in a city.
	Films(ctx context.Context, cityID string) ([]Film, error)
	// ComingFilms returns the films that are not released yet.
	ComingFilms(ctx context.Context, cityID string) ([]Film, error)
	// Film returns a film. It returns ErrFilmNotFound if newmovie does not have it.
	Film(ctx context.Context, filmID string) (FilmDetail, error)
	// Cinemas returns the cinemas of a city; with a film code, only those with a future session of it. It returns
	// ErrCityNotFound.
	Cinemas(ctx context.Context, cityID, filmCode string) (CinemaList, error)
	// CinemaShows returns a cinema and its sessions of the next seven days. filmID may be "". It returns
	// ErrCinemaNotFound.
	CinemaShows(ctx context.Context, cinemaID, filmID string) (CinemaShows, error)
	// Session returns a session by its id. It returns ErrShowNotFound.
	Session(ctx context.Context, sessionID string) (Show, error)
}

// CinemaList holds the cinemas of a city, and its districts.
type CinemaList struct {
	Regions []Region // with the numbers of their cinemas
	Cinemas []Cinema
}

// Showings are the showings of a legacy cinema and the days (YYYY-MM-DD) that have showings.
type Showings struct {
	Dates []string // earliest first
	Shows []Show   // earliest first
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
