package boxoffice

import (
	"slices"
	"strconv"
	"time"

	"marquee/simulators/dataset"
)

// State is what has become of an order.
type State int

const (
	Doing    State = iota + 1 // the hold is still being made
	Held                      // seats are held
	HoldLost                  // the hold was refused in the end
	Released                  // given back
	Expired                   // the hold ran out
	Sold                      // confirmed; no tickets asked for yet
	Issuing                   // tickets are on their way
	Issued
	IssueRefused
)

// Order is a buyer's order at the box office.
type Order struct {
	No       string        // the caller's number
	ID       string        // the box office's own
	Show     *dataset.Show // shared: not to be changed
	Seats    []dataset.Seat
	Mobile   string
	Amount   int64 // fen
	State    State
	Expires  time.Time // of the hold
	Tickets  []Ticket
	SMS      string
	Fail     string   // why the hold or the tickets were refused
	FailCode string   // the provider's own code, where a fault names one
	History  []Moment // the states it went through, oldest first

	settles time.Time // when Doing or Issuing ends; zero: never
	outcome State     // what it ends as
}

// Moment is when an order came into a state.
type Moment struct {
	State State
	At    time.Time // business time
}

// Ticket is what the buyer shows at the cinema.
type Ticket struct{ Name, Code string }

// HoldRequest asks for seats.
type HoldRequest struct {
	No, ShowID, Mobile string
	SeatIDs            []string
	Life               time.Duration // of the hold
	OneArea            bool          // seats of two price areas are refused
	Doing              time.Duration // > 0: the answer is Doing for so long; < 0: for ever
	Refuse             string        // the hold ends refused with this reason, once it is no longer Doing
	RefuseCode         string
	Surcharge          int64 // fen added to the amount, as if the price had just changed
}

// print fills in the tickets of an order.
func (order *Order) print(seed uint64) {
	r := dataset.RandOf(seed, "ticket", order.No)
	order.Tickets = []Ticket{{Name: "取票号", Code: r.Text(dataset.Digits, 8)}, {Name: "验证码", Code: r.Text(dataset.Digits, 6)}}
	order.SMS = "您已购买" + order.Show.Starts.Format("01月02日 15:04") + order.Show.Cinema.Name + "《" + order.Show.Film.Name + "》" +
		strconv.Itoa(len(order.Seats)) + "张票，取票号" + order.Tickets[0].Code + "，验证码" + order.Tickets[1].Code + "，请至影院自助机取票。"
}

// chooseSeats finds the seats of the ids, in the order of the layout.
func chooseSeats(l *dataset.Layout, ids []string, oneArea bool) ([]dataset.Seat, error) {
	if len(ids) == 0 {
		return nil, ErrNoSeat
	}
	if len(ids) > MaxSeats {
		return nil, ErrTooMany
	}
	var seats []dataset.Seat
	chosen := map[int]bool{}
	for _, id := range ids {
		i, ok := l.SeatIndex(id)
		if !ok || chosen[i] {
			return nil, ErrNoSeat
		}
		chosen[i] = true
		seats = append(seats, l.Seats[i])
	}
	for i := range chosen {
		if other, ok := l.Partner(i); ok && !chosen[other] {
			return nil, ErrHalfPair
		}
	}
	slices.SortFunc(seats, func(a, b dataset.Seat) int { return a.Index - b.Index })
	if oneArea {
		for _, s := range seats {
			if s.Area != seats[0].Area {
				return nil, ErrTwoAreas
			}
		}
	}
	return seats, nil
}
