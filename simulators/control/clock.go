package control

import (
	"time"

	"marquee/simulators/dataset"
)

// maxAdvance is how far a clock can be moved at once. The document has the same bound for seconds.
const maxAdvance = 400 * 24 * time.Hour

// horizon is the end of business time: an offset of centuries would not fit a time.Duration.
var horizon = time.Date(2100, 1, 1, 0, 0, 0, 0, dataset.Zone)

// clockState is a clock in an answer.
type clockState struct {
	World   string    `json:"world"`
	Now     time.Time `json:"now"`  // business time
	Unix    int64     `json:"unix"` // business time in seconds
	Real    time.Time `json:"real"` // real time, which signed timestamps carry
	Seconds float64   `json:"offset_seconds"`
	Frozen  bool      `json:"frozen"`
}

func clockOf(w *World) clockState {
	state, real := w.Clock.State(), time.Now().In(dataset.Zone)
	now := state.Now.In(dataset.Zone)
	offset := w.Clock.Offset()
	if state.Frozen {
		offset = now.Sub(real)
	}
	return clockState{w.ID, now, now.Unix(), real.In(dataset.Zone), offset.Seconds(), state.Frozen}
}

func showClock(w *World, _ *request) (any, error) { return clockOf(w), nil }

// advanceClock moves business time forward by seconds, or to a time.
func advanceClock(w *World, r *request) (any, error) {
	var q struct {
		Seconds int64      `json:"seconds"`
		To      *time.Time `json:"to"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	now := w.Clock.Now()
	d := time.Duration(q.Seconds) * time.Second
	if q.To != nil {
		d = q.To.Sub(now)
	}
	shown := now.In(dataset.Zone).Format(time.RFC3339)
	switch {
	case d <= 0:
		return nil, bad("clock_backwards",
			"the clock, which shows %s, only moves forward; POST /sim/v1/clock/reset returns to where it began", shown)
	case d > maxAdvance:
		return nil, bad("too_far", "to must be at most %d seconds ahead", maxAdvance/time.Second)
	case now.Add(d).After(horizon):
		return nil, bad("too_far", "business time ends with the year 2099; the clock shows %s", shown)
	}
	w.Clock.Advance(d)
	return clockOf(w), nil
}

func freezeClock(w *World, _ *request) (any, error) {
	w.Clock.Freeze()
	return clockOf(w), nil
}

func resumeClock(w *World, _ *request) (any, error) {
	w.Clock.Resume()
	return clockOf(w), nil
}

func resetClock(w *World, _ *request) (any, error) {
	w.Clock.Reset()
	return clockOf(w), nil
}
