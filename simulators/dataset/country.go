// Package dataset generates the data of the simulated providers: a country of cities, cinemas, halls, films and
// showings, and the credentials and cards of the demo shop. Everything is derived from a seed: the same seed gives the
// same data on every machine.
package dataset

import (
	"sync"
	"time"

	"marquee/simulators/testclock"
)

// Zone is the time zone of every local time that the providers send (UTC+8, without daylight saving).
var Zone = time.FixedZone("GMT+8", 8*60*60)

// Country is the generated market: cities, cinemas, films and showings. The results of its methods depend only on the
// seed, the day of its creation and the current business time. It is safe for concurrent use.
type Country struct {
	seed    uint64
	clock   *testclock.Clock
	founded time.Time     // midnight of the day of its creation; release days of films are relative to it
	films   func() []Film // generated at the first call, like dramas
	dramas  func() []Drama

	mu      sync.Mutex
	cinemas map[cinemaKey][]Cinema // a cache; generated on demand
}

// NewCountry returns the country of a seed, created on the clock's current day.
func NewCountry(seed uint64, clock *testclock.Clock) *Country {
	return NewCountryAsOf(seed, clock, clock.Now())
}

// NewCountryAsOf returns the country of a seed as if it was created on a given day, for example the day in a snapshot.
func NewCountryAsOf(seed uint64, clock *testclock.Clock, day time.Time) *Country {
	country := &Country{seed: seed, clock: clock, founded: Day(day), cinemas: map[cinemaKey][]Cinema{}}
	country.films = sync.OnceValue(func() []Film { return makeFilms(seed, country.founded) })
	country.dramas = sync.OnceValue(func() []Drama { return makeDramas(seed, country.founded) })
	return country
}

// Seed is the seed from which the country is generated.
func (country *Country) Seed() uint64 { return country.seed }

// Founded is the midnight of the day on which the country was created. Release days of films are relative to it.
func (country *Country) Founded() time.Time { return country.founded }

// Now is the current business time in the providers' time zone.
func (country *Country) Now() time.Time { return country.clock.Now().In(Zone) }

// Day is the midnight, in the providers' time zone, at which the day of t begins.
func Day(t time.Time) time.Time {
	y, m, d := t.In(Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, Zone)
}
