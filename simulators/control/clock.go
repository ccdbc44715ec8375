package control

import (
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

// maxAdvance is the longest step by which a clock can be moved.
const maxAdvance = 400 * 24 * time.Hour

// horizon is the end of business time: an offset of centuries would not fit a time.Duration.
var horizon = time.Date(2100, 1, 1, 0, 0, 0, 0, dataset.Zone)

// Clock is the clock of a world.
type Clock struct {
	// World is the id of the world.
	World string `json:"world"`
	// Now is business time.
	Now time.Time `json:"now"`
	// Unix is business time in seconds.
	Unix int64 `json:"unix"`
	// Real is the real time, which signed calls contain as their timestamp.
	Real time.Time `json:"real"`
	// Seconds is how far business time is ahead of real time, in seconds.
	Seconds float64 `json:"offset_seconds"`
	// Frozen is true if business time is stopped.
	Frozen bool `json:"frozen"`
}

func clockOf(w World) Clock {
	state, real := w.Clock().State(), time.Now().In(dataset.Zone)
	now := state.Now.In(dataset.Zone)
	offset := w.Clock().Offset()
	if state.Frozen {
		offset = now.Sub(real)
	}
	return Clock{w.ID(), now, now.Unix(), real.In(dataset.Zone), offset.Seconds(), state.Frozen}
}

// getClock returns the business time of a world, the real time and their difference.
func getClock(w World, _ InWorld) (Clock, error) { return clockOf(w), nil }

// Advance is the step by which a clock moves: either seconds or to.
type Advance struct {
	// Seconds are business seconds, from 1 to 34560000. The clock only moves forward; POST /sim/v1/clock/reset undoes
	// all moves.
	Seconds *int64 `json:"seconds,omitempty"`
	// To is a later business time, at most 400 days ahead.
	To *time.Time `json:"to,omitempty"`
}

// AdvanceClock is the input of advanceClock.
type AdvanceClock struct {
	InWorld
	Body Advance
}

// advanceClock moves business time forward, by seconds or to a time. What becomes due in between, such as the expiry of
// a lock, a ticket push or a retry of a notification, is started in the order of its time.
func advanceClock(w World, in AdvanceClock) (Clock, error) {
	if err := in.Body.Apply(w.Clock()); err != nil {
		return Clock{}, err
	}
	return clockOf(w), nil
}

// Apply moves a clock. The error is an *Error: conflicting_fields, missing_field, clock_backwards or too_far.
func (a Advance) Apply(clock *testclock.Clock) error {
	const valid = "; valid fields: seconds, to"
	now, seconds, to := clock.Now(), a.Seconds, a.To
	switch {
	case seconds != nil && to != nil:
		return errConflictingFields.With("only one of seconds and to is allowed" + valid)
	case seconds == nil && to == nil:
		return errMissingField.With("one of seconds and to is required" + valid)
	case to == nil:
		// More than the limit would not fit a time.Duration.
		bounded := max(0, min(*seconds, int64(maxAdvance/time.Second)+1))
		at := now.Add(time.Duration(bounded) * time.Second)
		to = &at
	}
	shown := now.In(dataset.Zone).Format(time.RFC3339)
	switch d := to.Sub(now); {
	case d <= 0:
		return errClockBackwards.With(
			"the clock, which shows %s, only moves forward; POST /sim/v1/clock/reset undoes its advances", shown)
	case d > maxAdvance:
		return errTooFar.With("the clock moves by at most %d seconds per call", maxAdvance/time.Second)
	case to.After(horizon):
		return errTooFar.With("business time ends with the year 2099; the clock shows %s", shown)
	default:
		clock.Advance(d)
		return nil
	}
}

// freezeClock stops business time. It can still be advanced.
func freezeClock(w World, _ InWorld) (Clock, error) {
	w.Clock().Freeze()
	return clockOf(w), nil
}

// resumeClock lets business time run again.
func resumeClock(w World, _ InWorld) (Clock, error) {
	w.Clock().Resume()
	return clockOf(w), nil
}

// resetClock sets business time to what it would be if the clock had only run since the world was created, and lets it
// run. That is real time or, if now was given at the creation, that time plus the real time since then.
func resetClock(w World, _ InWorld) (Clock, error) {
	w.Clock().Reset()
	return clockOf(w), nil
}
