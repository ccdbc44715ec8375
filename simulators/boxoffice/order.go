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
	Doing         State = iota + 1 // the hold is in progress
	Held                           // seats are held
	HoldLost                       // the hold was rejected
	Released                       // the buyer released the seats
	Expired                        // the hold expired
	Sold                           // confirmed; tickets not yet requested
	Issuing                        // tickets are being issued
	Issued                         // the buyer has tickets
	IssueRejected                  // the tickets were rejected, and the seats are free again
)

var stateNames = map[State]string{
	Doing: "doing", Held: "held", HoldLost: "hold-lost", Released: "released", Expired: "expired", Sold: "sold",
	Issuing: "issuing", Issued: "issued", IssueRejected: "issue-refused",
}

// String is the name of the state in the control API and in snapshots.
func (s State) String() string { return stateNames[s] }

// Order is a buyer's order at the box office.
type Order struct {
	No       string        // the caller's number
	ID       string        // the box office's number
	Show     *dataset.Show // shared; must not be changed
	Seats    []dataset.Seat
	Mobile   string
	Amount   int64 // fen
	State    State
	Expires  time.Time // of the hold, in business time
	Tickets  []Ticket  // empty unless the order is Issued
	SMS      string    // the text of the provider's SMS to the buyer
	Fail     string    // why the hold or the tickets were rejected
	FailCode string    // the provider's code, if a fault has one
	History  []Moment  // its states, oldest first

	settles time.Time // when Doing or Issuing ends by itself; zero: never
	outcome State     // the state after Doing or Issuing
}

// Moment is a state in the history of an order.
type Moment struct {
	State State
	At    time.Time // business time
}

// Ticket is a code that the buyer shows at the cinema.
type Ticket struct{ Name, Code string }

// Made is when the order was created, in business time; zero for an order of a snapshot without history.
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
	case HoldLost, Released, Expired, IssueRejected:
	}
	return false
}

// addTickets sets the codes and the text message. They are derived from the seed and the order's number.
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

// chooseSeats returns the seats with the ids, in the order of the layout. For an invalid choice it returns ErrNoSeat,
// ErrTooMany, ErrHalfPair or, if oneArea is true, ErrTwoAreas.
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

// defaultMaxOrders is the default limit of the orders that a box office keeps.
const defaultMaxOrders = 10_000

// orderBook contains the orders of a box office, at most limit.
type orderBook struct {
	byNo  map[string]*Order // by the caller's number
	limit int
}

// forget evicts the orders whose hold was lost, released or expired, a day after the time at which the hold was to
// expire. It also evicts all orders of showings that started more than a week ago.
func (b *orderBook) forget(now time.Time) {
	for no, order := range b.byNo {
		nothing := order.State == HoldLost || order.State == Released || order.State == Expired
		if nothing && now.Sub(order.Expires) > 24*time.Hour || now.Sub(order.Show.Starts) > 7*24*time.Hour {
			delete(b.byNo, no)
		}
	}
}

// makeRoom makes room for one more order. If the limit is reached, it evicts finished orders, about a tenth of the
// limit: first those without tickets, then those whose showing has started, in both cases from the oldest. Sold seats
// stay sold. It returns false if every order is unfinished or has tickets for a future showing. advance updates an
// order to the current time.
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
