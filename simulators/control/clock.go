package control

import (
	"net/http"
	"time"

	"marquee/simulators/dataset"
)

const maxAdvance = 400 * 24 * time.Hour

// horizon is where business time ends: an offset of centuries would no longer fit a duration.
var horizon = time.Date(2100, 1, 1, 0, 0, 0, 0, dataset.Zone)

type clockState struct {
	World   string    `json:"world"`
	Now     time.Time `json:"now"`  // business time
	Unix    int64     `json:"unix"` // business time in seconds
	Real    time.Time `json:"real"` // wire time
	Seconds float64   `json:"offset_seconds"`
	Frozen  bool      `json:"frozen"`
}

func (a *api) clock(w *World, _ *http.Request) (int, any, error) {
	return http.StatusOK, clockOf(w), nil
}

func clockOf(w *World) clockState {
	state, real := w.Clock.State(), time.Now()
	now := state.Now.In(dataset.Zone)
	offset := w.Clock.Offset()
	if state.Frozen {
		offset = now.Sub(real)
	}
	return clockState{w.ID, now, now.Unix(), real.In(dataset.Zone), offset.Seconds(), state.Frozen}
}

func (a *api) advance(w *World, r *http.Request) (int, any, error) {
	var q struct {
		Seconds *int64     `json:"seconds"`
		To      *time.Time `json:"to"`
	}
	if err := decode(r, &q, "seconds, to"); err != nil {
		return 0, nil, err
	}
	switch {
	case q.Seconds == nil && q.To == nil:
		return 0, nil, bad("missing_field", "one of seconds and to is required")
	case q.Seconds != nil && q.To != nil:
		return 0, nil, bad("conflicting_fields", "seconds and to exclude one another")
	}
	const most = int64(maxAdvance / time.Second)
	if q.Seconds != nil && *q.Seconds > most {
		return 0, nil, bad("too_far", "seconds must be at most %d", most)
	}
	var d time.Duration
	if q.Seconds != nil {
		d = time.Duration(max(*q.Seconds, -1)) * time.Second
	} else {
		d = q.To.Sub(w.Clock.Now())
	}
	switch {
	case d <= 0:
		return 0, nil, bad("clock_backwards", "the clock, which shows %s, only moves forward; POST /sim/v1/clock/reset returns to where it began", w.Clock.Now().In(dataset.Zone).Format(time.RFC3339))
	case d > maxAdvance:
		return 0, nil, bad("too_far", "to must be at most %d seconds ahead", most)
	}
	if w.Clock.Now().Add(d).After(horizon) {
		return 0, nil, bad("too_far", "business time ends with the year 2099; the clock shows %s", w.Clock.Now().In(dataset.Zone).Format(time.RFC3339))
	}
	w.Clock.Advance(d)
	return a.clock(w, r)
}

func (a *api) freeze(w *World, r *http.Request) (int, any, error) {
	w.Clock.Freeze()
	return a.clock(w, r)
}

func (a *api) resume(w *World, r *http.Request) (int, any, error) {
	w.Clock.Resume()
	return a.clock(w, r)
}

func (a *api) resetClock(w *World, r *http.Request) (int, any, error) {
	w.Clock.Reset()
	return a.clock(w, r)
}
