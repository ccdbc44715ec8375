package legacygateway

import (
	"bytes"
	"encoding/json"
	"net/url"
	"sync"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

type seatJSON struct {
	ID     string `json:"seatid"`
	Name   string `json:"name"`
	Row    int    `json:"row"`
	Column int    `json:"column"`
	RowNo  string `json:"rowname"`
	Area   string `json:"area"`
	Status int    `json:"status"`
	Flag   int    `json:"flag"`
}

// halls are the encoded seats of each layout. Between two answers only their status changes.
type halls struct{ of sync.Map } // *dataset.Layout -> []seatText

// seatText is an encoded seat on both sides of its status.
type seatText struct{ before, after []byte }

func (h *halls) seats(l *dataset.Layout) []seatText {
	if known, ok := h.of.Load(l); ok {
		return known.([]seatText)
	}
	seats := make([]seatText, len(l.Seats))
	for i, s := range l.Seats {
		whole, err := json.Marshal(seatJSON{ID: s.ID, Name: s.Name, Row: s.Row, Column: s.Col, RowNo: s.RowName, Area: s.Area, Flag: int(s.Pair)})
		if err != nil {
			panic(err) // our own types always encode
		}
		before, after, _ := bytes.Cut(whole, []byte(`"status":0`))
		seats[i] = seatText{append(before, `"status":`...), after}
	}
	h.of.Store(l, seats)
	return seats
}

func (g *Gateway) seatMap(form url.Values) ([]byte, *refusal) {
	id := form.Get("opiid")
	if id == "" {
		return nil, refuse("1001", "缺少参数opiid")
	}
	encoded, err := g.office.Map(id, g.hall)
	if err != nil {
		return nil, refusalOf(err)
	}
	return encoded, nil
}

// hall is the whole answer about a hall.
func (g *Gateway) hall(v boxoffice.View) []byte {
	show, err := json.Marshal(g.show(v.Show))
	if err != nil {
		panic(err)
	}
	seats := g.halls.seats(v.Show.Hall.Layout)
	size := len(show) + 100
	for _, s := range seats {
		size += len(s.before) + len(s.after) + 2
	}
	text := make([]byte, 0, size)
	text = append(text, `{"success":true,"error":null,"data":{"opi":`...)
	text = append(append(text, show...), `,"seatList":[`...)
	for i, s := range seats {
		if i > 0 {
			text = append(text, ',')
		}
		status := byte('0')
		if v.Seat(i) == boxoffice.SeatFree {
			status = '1'
		}
		text = append(append(append(text, s.before...), status), s.after...)
	}
	return append(text, "]}}"...)
}
