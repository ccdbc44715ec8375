package dataset

import (
	"fmt"
	"strconv"
	"strings"
	"sync"
)

// Pair is which half of a couples seat a seat is.
type Pair int

const (
	Single Pair = iota
	LeftHalf
	RightHalf
)

// Seat is one seat of a layout.
type Seat struct {
	ID       string // the same for every showing of the layout
	Row, Col int    // place in the grid, from 1; the places without a seat are aisles
	RowName  string
	Name     string // "5排6座"
	Number   string // "6"
	Area     string // "", or "A", "B"…
	Pair     Pair
	Index    int // place in Layout.Seats
}

// Layout is a hall's plan, shared by every hall of its kind.
type Layout struct {
	Kind      string // part of the hall's name: "巨幕"
	Seats     []Seat // by row, then column
	Rows      int
	Cols      int
	Areas     []Area
	Surcharge int64 // fen on the price of every seat

	byID map[string]int // place in Seats
}

// Area is a price area of a layout.
type Area struct {
	ID, Name string
	Percent  int64 // of the showing's price
}

// layouts are read from rows of characters: a space is an aisle, "s" is a seat, and "[" and "]" are the halves of a
// couples seat. In a hall with price areas, an upper-case letter is a seat of that area, and "{" and "}" are the halves
// of a couples seat of the first area. They are read at the first use, because that takes 1.6 ms and 0.9 MB, and most
// processes start without selling a seat.
var layouts = sync.OnceValue(func() []*Layout {
	return []*Layout{
		// 60 seats, one aisle in the middle.
		parseLayout("迷你", 0, nil, repeat(6, "sssss sssss")),
		// 120 seats on both sides of a broad aisle, a cross aisle, couples in the last row.
		parseLayout("杜比", 300, nil,
			append(append(repeat(4, "ssssss  ssssss"), ""), append(repeat(5, "ssssss  ssssss"), "[][][]  [][][]")...)),
		// 200 seats between two aisles.
		parseLayout("激光", 200, nil, repeat(10, "ssss ssssssssssss ssss")),
		// 330-odd seats, the front corners cut off, couples at the back.
		parseLayout("中国巨幕", 600, nil,
			append([]string{"       ssssssss       ", "     ssssssssssss     ", "   ssssssssssssssss   "},
				append(repeat(13, "sss ssssssssssssss sss"), "[] [][][][][][][] []  ", "[] [][][][][][][] []  ")...)),
		// 420 seats in three price areas.
		parseLayout("IMAX", 1500, []Area{{"A", "优选区", 120}, {"B", "标准区", 100}, {"C", "前排特惠区", 75}},
			append(append(repeat(4, "CCCC CCCCCCCCCCCCCCCCCCCC CCCC"),
				append(repeat(3, "BBBB BBBBBBBBBBBBBBBBBBBB BBBB"), "")...),
				append(repeat(5, "BBBB AAAAAAAAAAAAAAAAAAAA BBBB"),
					repeat(3, "BBBB BBBBBBBBBBBBBBBBBBBB BBBB")...)...)),
		// 600 seats, two aisles and a cross aisle.
		parseLayout("千人", 0, nil, append(append(repeat(10, "sssssss ssssssssssssssss sssssss"), ""),
			repeat(10, "sssssss ssssssssssssssss sssssss")...)),
		// 64 seats, all of them couples seats.
		parseLayout("情侣", 800, nil, repeat(8, "[][] [][]")),
		// 160 seats of which the last rows are a dearer area of couples sofas.
		parseLayout("VIP沙发", 1200, []Area{{"A", "尊享沙发", 140}, {"B", "舒适区", 100}},
			append(append(repeat(7, "BBBB BBBBBBBB BBBB"), repeat(2, " BBB BBBBBBBB BBB ")...), "{}{} {}{}{}{} {}{}",
				"{}{} {}{}{}{} {}{}")),
	}
})

// repeat returns n rows that are the same.
func repeat(n int, row string) []string {
	rows := make([]string, n)
	for i := range rows {
		rows[i] = row
	}
	return rows
}

// parseLayout makes a layout of rows of characters, whose meaning the comment of layouts explains.
func parseLayout(kind string, surcharge int64, areas []Area, rows []string) *Layout {
	l := &Layout{Kind: kind, Rows: len(rows), Areas: areas, Surcharge: surcharge, byID: map[string]int{}}
	named := 0
	for i, row := range rows {
		if strings.TrimSpace(row) == "" {
			continue // a cross aisle has no number
		}
		named++
		l.Cols = max(l.Cols, len(row))
		number := 0
		for col, mark := range row {
			s := Seat{
				Row: i + 1, Col: col + 1, ID: fmt.Sprintf("%02d%02d", i+1, col+1), RowName: strconv.Itoa(named),
				Index: len(l.Seats),
			}
			switch mark {
			case ' ':
				continue
			case 's':
			case '[', '{':
				s.Pair = LeftHalf
			case ']', '}':
				s.Pair = RightHalf
			default:
				s.Area = string(mark)
			}
			if mark == '{' || mark == '}' {
				s.Area = areas[0].ID
			}
			number++
			s.Number = strconv.Itoa(number)
			s.Name = s.RowName + "排" + s.Number + "座"
			l.byID[s.ID] = s.Index
			l.Seats = append(l.Seats, s)
		}
	}
	return l
}

// Layouts lists every hall plan.
func Layouts() []*Layout { return layouts() }

// SeatIndex returns the place in Layout.Seats of the seat with an id, and false if the layout has no such seat.
func (l *Layout) SeatIndex(id string) (int, bool) {
	i, ok := l.byID[id]
	return i, ok
}

// Partner returns the index of the other half of a couples seat, and false if the seat is a single one.
func (l *Layout) Partner(i int) (int, bool) {
	switch l.Seats[i].Pair {
	case LeftHalf:
		return i + 1, true
	case RightHalf:
		return i - 1, true
	case Single:
	}
	return 0, false
}
