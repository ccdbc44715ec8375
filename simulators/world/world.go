package world

import (
	"sync"
	"time"
)

// Zone is the wall clock of every text the providers send.
var Zone = time.FixedZone("GMT+8", 8*60*60)

// World is the seeded country. What it says follows from the seed, the day it was made on, and the business
// time it is asked at. It is safe for concurrent use.
type World struct {
	seed    uint64
	clock   *Clock
	founded time.Time // midnight of the day the world was made: film releases count from it
	films   []Film
	dramas  []Drama

	mu      sync.Mutex
	cinemas map[cinemaKey][]Cinema // made when first asked for
}

// New returns the world of a seed as of the clock's present day.
func New(seed uint64, clock *Clock) *World { return Found(seed, clock, clock.Now()) }

// Found returns the world of a seed as it was made on a day, which need not be the clock's.
func Found(seed uint64, clock *Clock, day time.Time) *World {
	w := &World{seed: seed, clock: clock, founded: Day(day), cinemas: map[cinemaKey][]Cinema{}}
	w.films = makeFilms(seed, w.founded)
	w.dramas = makeDramas(seed, w.founded)
	return w
}

// Seed is the seed the world follows from.
func (w *World) Seed() uint64 { return w.seed }

// Founded is the midnight of the day the world was made on.
func (w *World) Founded() time.Time { return w.founded }

// Now is the present business time on the providers' wall clock.
func (w *World) Now() time.Time { return w.clock.Now().In(Zone) }

// Day is the midnight, on the providers' wall clock, that begins the day of t.
func Day(t time.Time) time.Time {
	y, m, d := t.In(Zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, Zone)
}
