package stage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/stretchr/testify/require"
)

type seat struct {
	id, name, area string
	free, single   bool
	price          int // fen; of the legacy source
}

// seats are those of a showing, row by row.
func (s *Stage) seats(show Showing) (seats []seat) {
	s.T.Helper()
	if show.Opiid != "" {
		var hall struct {
			List []struct {
				ID     string `json:"seatid"`
				Name   string `json:"name"`
				Area   string `json:"area"`
				Status int    `json:"status"`
				Flag   int    `json:"flag"`
			} `json:"seatList"`
			Opi struct {
				Price     int    `json:"price"`
				AreaPrice string `json:"areaPrice"` // "A:4200,B:5200", fen
			} `json:"opi"`
		}
		require.NoError(s.T, s.call("", "/movie/route", map[string]string{"method": "opi.seat", "opiid": show.Opiid}, &hall))
		prices := map[string]int{}
		for _, area := range strings.Split(hall.Opi.AreaPrice, ",") {
			if id, price, ok := strings.Cut(area, ":"); ok {
				prices[id], _ = strconv.Atoi(price)
			}
		}
		for _, c := range hall.List {
			price := cmp.Or(prices[c.Area], hall.Opi.Price)
			seats = append(seats, seat{c.ID, c.Name, c.Area, c.Status == 1, c.Flag == 0, price})
		}
		return seats
	}
	var hall struct {
		Rows []struct {
			Columns []struct {
				ID    string `json:"originSeatID"`
				Name  string `json:"seatName"`
				Area  string `json:"areaId"`
				State int    `json:"state"`
				Type  int    `json:"type"`
			} `json:"columns"`
		} `json:"rows"`
	}
	require.NoError(s.T, s.call("", "/newmovie/seat/map", map[string]string{"sessionId": show.SessionID}, &hall))
	for _, row := range hall.Rows {
		for _, c := range row.Columns {
			sold := c.State == 0 || c.State == 2 || c.State == 3 || c.State == 4
			seats = append(seats, seat{c.ID, c.Name, c.Area, !sold, c.Type == 1, 0})
		}
	}
	return seats
}

// IsFree reports whether seats of a showing can be had, by name.
func (s *Stage) IsFree(show Showing, names ...string) bool {
	s.T.Helper()
	free := 0
	for _, seat := range s.seats(show) {
		if seat.free && slices.Contains(names, seat.name) {
			free++
		}
	}
	return free == len(names)
}

// enough is how many free single seats of one area a showing has to have, so that buyers of a test find room in it.
const enough = 8

// roomy reports whether ordinary buyers find seats: some halls have nothing but couples seats.
func roomy(seats []seat) bool {
	for _, n := range singles(seats) {
		if n >= enough {
			return true
		}
	}
	return false
}

// singles counts the free single seats by area.
func singles(seats []seat) map[string]int {
	free := map[string]int{}
	for _, seat := range seats {
		if seat.free && seat.single {
			free[seat.area]++
		}
	}
	return free
}

// HallKind is a kind of hall, and what a test needs of its seats.
type HallKind struct {
	name, what string
	fits       func([]seat) bool
}

// The halls that are not like others.
var (
	CouplesHall = HallKind{"情侣厅", "with a free couples seat", func(seats []seat) bool {
		couples := slices.DeleteFunc(slices.Clone(seats), func(one seat) bool { return one.single || !one.free })
		return len(couples) >= enough
	}}
	AreasHall = HallKind{"IMAX", "with free seats of two areas", func(seats []seat) bool { return len(singles(seats)) >= 2 }}
)
