package boxoffice

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"marquee/simulators/dataset"
)

// State is the state of an order.
type State int

const (
	Doing        State = iota + 1 // the hold is still being made
	Held                          // seats are held
	HoldLost                      // the hold was refused in the end
	Released                      // the buyer gave the seats back
	Expired                       // the hold ran out
	Sold                          // confirmed; tickets were not asked for yet
	Issuing                       // tickets are being made
	Issued                        // the buyer has tickets
	IssueRefused                  // the tickets were refused, and the seats are free again
)

var stateNames = map[State]string{
	Doing: "doing", Held: "held", HoldLost: "hold-lost", Released: "released", Expired: "expired", Sold: "sold",
	Issuing: "issuing", Issued: "issued", IssueRefused: "issue-refused",
}

// String is the name of the state in the control API and in snapshots.
func (s State) String() string { return stateNames[s] }

// Order is a buyer's order at the box office.
type Order struct {
	No       string        // the caller's number
	ID       string        // the box office's own number
	Show     *dataset.Show // shared: not to be changed
	Seats    []dataset.Seat
	Mobile   string
	Amount   int64 // fen
	State    State
	Expires  time.Time // of the hold, in business time
	Tickets  []Ticket  // once it is Issued
	SMS      string    // what the provider would text to the buyer
	Fail     string    // why the hold or the tickets were refused
	FailCode string    // the provider's own code, where a fault names one
	History  []Moment  // the states it went through, oldest first

	settles time.Time // when Doing or Issuing ends; zero: never
	outcome State     // the state after Doing or Issuing
}

// Moment is when an order came into a state.
type Moment struct {
	State State
	At    time.Time // business time
}

// Ticket is what the buyer shows at the cinema.
type Ticket struct{ Name, Code string }

// Made is when the order was made, in business time; zero for an order of a snapshot without history.
func (order Order) Made() time.Time {
	if len(order.History) == 0 {
		return time.Time{}
	}
	return order.History[0].At
}

// hasSeats reports whether seats are held for the order or sold to it.
func (order *Order) hasSeats() bool {
	switch order.State {
	case Doing, Held, Sold, Issuing, Issued:
		return true
	case HoldLost, Released, Expired, IssueRefused:
	}
	return false
}

// addTickets fills in the codes and the text message. They follow from the seed and the order's number.
func (order *Order) addTickets(seed uint64) {
	r := dataset.RandOf(seed, "ticket", order.No)
	order.Tickets = []Ticket{{Name: "取票号", Code: r.Text(dataset.Digits, 8)},
		{Name: "验证码", Code: r.Text(dataset.Digits, 6)}}
	order.SMS = "您已购买" + order.Show.Starts.Format("01月02日 15:04") + order.Show.Cinema.Name + "《" +
		order.Show.Film.Name + "》" +
		strconv.Itoa(len(order.Seats)) + "张票，取票号" + order.Tickets[0].Code + "，验证码" + order.Tickets[1].Code +
		"，请至影院自助机取票。"
}

func newestFirst(a, b Order) int {
	return cmp.Or(b.Made().Compare(a.Made()), cmp.Compare(b.No, a.No))
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

// defaultMaxOrders bounds the orders that a box office remembers, unless it is told otherwise.
const defaultMaxOrders = 10_000

// orderBook is the orders of a box office, at most limit.
type orderBook struct {
	byNo  map[string]*Order // by the caller's number
	limit int
}

// forget drops the orders that came to nothing more than a day ago, and those of showings that began more than a week
// ago.
func (b *orderBook) forget(now time.Time) {
	for no, order := range b.byNo {
		nothing := order.State == HoldLost || order.State == Released || order.State == Expired
		if nothing && now.Sub(order.Expires) > 24*time.Hour || now.Sub(order.Show.Starts) > 7*24*time.Hour {
			delete(b.byNo, no)
		}
	}
}

// makeRoom makes room for one more order: of the orders at an end it drops the oldest tenth, first of those that came
// to nothing, then of those whose showing has begun. Seats that were sold stay sold. It returns false if every order is
// under way or has tickets for a showing to come. advance brings an order to the present.
func (b *orderBook) makeRoom(now time.Time, advance func(*Order)) bool {
	if len(b.byNo) < b.limit {
		return true
	}
	var ended []*Order
	for _, order := range b.byNo {
		advance(order)
		if !order.hasSeats() || order.State == Issued && !now.Before(order.Show.Starts) {
			ended = append(ended, order)
		}
	}
	slices.SortFunc(ended, func(a, b *Order) int {
		if a.hasSeats() != b.hasSeats() {
			return map[bool]int{true: 1, false: -1}[a.hasSeats()]
		}
		return a.Made().Compare(b.Made())
	})
	for _, order := range ended[:min(len(ended), 1+b.limit/10)] {
		delete(b.byNo, order.No)
	}
	return len(ended) > 0
}
