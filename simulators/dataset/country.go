// Package dataset generates what the simulated providers sell and know: a country of cities, cinemas, halls, films and
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

// Country is the generated market: cities, cinemas, films and showings. Its answers follow from the seed, the day on
// which it was made and the business time of the question. It is safe for concurrent use.
type Country struct {
	seed    uint64
	clock   *testclock.Clock
	founded time.Time     // midnight of the day the country was made: film releases count from it
	films   func() []Film // made when first asked for, like the dramas
	dramas  func() []Drama

	mu      sync.Mutex
	cinemas map[cinemaKey][]Cinema // a cache; generated on demand
}

// NewCountry returns the country of a seed as of the clock's present day.
func NewCountry(seed uint64, clock *testclock.Clock) *Country {
	return NewCountryAsOf(seed, clock, clock.Now())
}

// NewCountryAsOf returns the country of a seed as it was made on a day, which need not be the clock's.
func NewCountryAsOf(seed uint64, clock *testclock.Clock, day time.Time) *Country {
	country := &Country{seed: seed, clock: clock, founded: Day(day), cinemas: map[cinemaKey][]Cinema{}}
	country.films = sync.OnceValue(func() []Film { return makeFilms(seed, country.founded) })
	country.dramas = sync.OnceValue(func() []Drama { return makeDramas(seed, country.founded) })
	return country
}

// Seed is the seed from which the country is generated.
func (country *Country) Seed() uint64 { return country.seed }

// Founded is the midnight of the day on which the country was made.
func (country *Country) Founded() time.Time { return country.founded }

// Now is the present business time on the providers' wall clock.
func (country *Country) Now() time.Time { return country.clock.Now().In(Zone) }

// Day is the midnight, on the providers' wall clock, that begins the day of t.
func Day(t time.Time) time.Time {
	y, m, d := t.In(Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, Zone)
}
