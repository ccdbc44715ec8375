package seating_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/seating"
)

var noon = time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)

// hall has three rows of six seats: row 1 is area A, the rest B; 3-5 and 3-6 are the halves of a couples seat; 2-6 is
// sold; 2-5 has a separate price.
func hall(src catalog.Source) catalog.SeatMap {
	m := catalog.SeatMap{
		Show:  catalog.Show{Source: src, ID: "s", Starts: noon.Add(time.Hour), Price: 4000},
		Areas: []catalog.AreaPrice{{AreaID: "A", Price: 3000}},
	}
	for r := 1; r <= 3; r++ {
		for c := 1; c <= 6; c++ {
			s := catalog.Seat{ID: fmt.Sprintf("%d-%d", r, c), Name: fmt.Sprintf("%d排%d座", r, c), Row: r, Col: c,
				AreaID: "B", Available: true}
			if r == 1 {
				s.AreaID = "A"
			}
			m.Seats = append(m.Seats, s)
		}
	}
	set := func(id string, change func(*catalog.Seat)) {
		for i := range m.Seats {
			if m.Seats[i].ID == id {
				change(&m.Seats[i])
			}
		}
	}
	set("3-5", func(s *catalog.Seat) { s.Pair = catalog.LeftHalf })
	set("3-6", func(s *catalog.Seat) { s.Pair = catalog.RightHalf })
	set("2-6", func(s *catalog.Seat) { s.Available = false })
	set("2-5", func(s *catalog.Seat) { s.Price = 5000 })
	return m
}

func TestChoose(t *testing.T) {
	t.Parallel()
	ids := func(s ...string) seating.Wanted { return seating.Wanted{SeatIDs: s} }
	names := func(s ...string) seating.Wanted { return seating.Wanted{SeatNames: s} }
	for name, c := range map[string]struct {
		src   catalog.Source
		want  seating.Wanted
		total money.Fen
		fault *fault.Fault
	}{
		"one seat at the show's price": {catalog.Legacy, ids("2-1"), 4000, nil},
		"a seat with its own price":    {catalog.Legacy, ids("2-5"), 5000, nil},
		"a seat at its area's price":   {catalog.NewMovie, ids("1-1", "1-2"), 6000, nil},
		"four seats":                   {catalog.Legacy, ids("2-1", "2-2", "2-3", "2-4"), 16000, nil},
		"by name":                      {catalog.NewMovie, names("2排1座", "2排2座"), 8000, nil},
		"ids win over names": {catalog.Legacy, seating.Wanted{SeatIDs: []string{"2-1"},
			SeatNames: []string{"nowhere"}}, 4000, nil},
		"both halves of a couple":         {catalog.Legacy, ids("3-6", "3-5"), 8000, nil},
		"legacy sells two areas together": {catalog.Legacy, ids("1-1", "2-1"), 7000, nil},
		"newmovie does not":               {catalog.NewMovie, ids("1-1", "2-1"), 0, order.ErrMixedAreas},
		"no seats":                        {catalog.Legacy, ids(), 0, order.ErrNoSeats},
		"five seats": {catalog.Legacy, ids("1-1", "1-2", "1-3", "1-4", "1-5"), 0,
			order.ErrTooManySeats},
		"the left half of a couple":  {catalog.Legacy, ids("3-5", "3-4"), 0, order.ErrSplitCouple},
		"the right half of a couple": {catalog.NewMovie, ids("3-6"), 0, order.ErrSplitCouple},
		"not in the map":             {catalog.Legacy, ids("2-1", "9-9"), 0, order.ErrSeatNotInMap},
		"an empty id":                {catalog.Legacy, ids(""), 0, order.ErrSeatNotInMap},
		"a sold seat":                {catalog.Legacy, ids("2-6"), 0, order.ErrSeatTaken},
		"a seat twice":               {catalog.Legacy, ids("2-1", "2-1"), 0, fault.ErrInvalidInput},
	} {
		got, err := seating.Choose(hall(c.src), c.want, noon)
		if c.fault != nil {
			assert.ErrorIs(t, err, c.fault, name)
			continue
		}
		assert.NoError(t, err, name)
		assert.Equal(t, c.total, got.Total, name)
	}
}

func TestChoose_StopsSelling(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*catalog.Show)
		ok     bool
	}{
		"exactly fifteen minutes before": {func(s *catalog.Show) { s.Starts = noon.Add(15 * time.Minute) }, true},
		"a second less": {func(s *catalog.Show) { s.Starts = noon.Add(15*time.Minute - time.Second) },
			false},
		"begun":                            {func(s *catalog.Show) { s.Starts = noon.Add(-time.Minute) }, false},
		"the provider does not sell it":    {func(s *catalog.Show) { s.Unsellable = true }, false},
		"its own cutoff has passed":        {func(s *catalog.Show) { s.Closes = noon }, false},
		"its own cutoff is ahead":          {func(s *catalog.Show) { s.Closes = noon.Add(time.Second) }, true},
		"a cutoff after the start is none": {func(s *catalog.Show) { s.Closes = s.Starts.Add(time.Hour) }, true},
	} {
		m := hall(catalog.Legacy)
		c.change(&m.Show)
		_, err := seating.Choose(m, seating.Wanted{SeatIDs: []string{"2-1"}}, noon)
		if c.ok {
			assert.NoError(t, err, name)
		} else {
			assert.ErrorIs(t, err, order.ErrSaleStopped, name)
		}
	}
}

func TestChoose_SortsTheSeats(t *testing.T) {
	t.Parallel()
	c, err := seating.Choose(hall(catalog.Legacy), seating.Wanted{SeatIDs: []string{"2-3", "1-6", "2-1"}}, noon)
	assert.NoError(t, err)
	var ids []string
	for _, s := range c.Seats {
		ids = append(ids, s.ID)
	}
	assert.Equal(t, []string{"1-6", "2-1", "2-3"}, ids)
}

// For any ids, Choose returns either seats that are free or a fault of another kind than Internal.
func FuzzChoose(f *testing.F) {
	f.Add("1-1", "3-5")
	f.Add("", "2-6")
	f.Add("3-5", "3-6")
	f.Fuzz(func(t *testing.T, a, b string) {
		c, err := seating.Choose(hall(catalog.NewMovie), seating.Wanted{SeatIDs: []string{a, b}}, noon)
		if err != nil {
			assert.NotEqual(t, fault.Internal, fault.KindOf(err))
			return
		}
		assert.Len(t, c.Seats, 2)
		assert.Positive(t, c.Total)
		for _, s := range c.Seats {
			assert.True(t, s.Available)
		}
	})
}
