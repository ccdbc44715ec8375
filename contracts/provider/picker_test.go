//go:build pact

package provider_test

import (
	"context"

	"marquee/server/catalog"
)

// Phones whose orders have a fixed outcome at the simulators, and the city in which states look for cinemas.
const (
	mobile             = "13900000001"
	mobileRejected     = "13900001003" // the tickets are rejected
	mobileLate         = "13900001006" // newmovie answers DOING and locks later
	mobileLockRejected = "13900001007" // newmovie answers DOING and rejects later
	cityID             = "310100"
)

// picker finds seats for a state. It chooses seats that are free at the moment, so that a state can be set any number
// of times.
type picker struct {
	ctx     context.Context // the test's
	shows   func(use func(catalog.Show) (bool, error)) error
	seatMap func(context.Context, string) (catalog.SeatMap, error)
}

// choice chooses seats of a hall; it returns none if the hall does not have suitable ones.
type choice func(catalog.SeatMap) []catalog.Seat

// pick finds the first showing whose hall has seats for the choice.
func (p picker) pick(choose choice) (show catalog.Show, picked []catalog.Seat, err error) {
	err = p.shows(func(s catalog.Show) (bool, error) {
		m, err := p.seatMap(p.ctx, s.ID)
		if err != nil {
			return false, err
		}
		show, picked = m.Show, choose(m)
		return len(picked) > 0, nil
	})
	return show, picked, err
}

// singles are n free single seats of one area.
func singles(n int) choice {
	return func(m catalog.SeatMap) []catalog.Seat {
		byArea := map[string][]catalog.Seat{}
		for _, s := range m.Seats {
			if s.Available && s.Pair == catalog.Single {
				byArea[s.AreaID] = append(byArea[s.AreaID], s)
			}
			if len(byArea[s.AreaID]) == n {
				return byArea[s.AreaID]
			}
		}
		return nil
	}
}

// halfACouple is the free left half of a couples seat, and a free single seat of the same area.
func halfACouple(m catalog.SeatMap) []catalog.Seat {
	for _, half := range m.Seats {
		if !half.Available || half.Pair != catalog.LeftHalf {
			continue
		}
		for _, s := range m.Seats {
			if s.Available && s.Pair == catalog.Single && s.AreaID == half.AreaID {
				return []catalog.Seat{half, s}
			}
		}
	}
	return nil
}

// twoAreas are two free single seats of different areas.
func twoAreas(m catalog.SeatMap) []catalog.Seat {
	var first *catalog.Seat
	for i, s := range m.Seats {
		switch {
		case !s.Available || s.Pair != catalog.Single:
		case first == nil:
			first = &m.Seats[i]
		case s.AreaID != first.AreaID:
			return []catalog.Seat{*first, s}
		}
	}
	return nil
}
