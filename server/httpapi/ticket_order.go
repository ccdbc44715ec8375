package httpapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/order"
)

// TicketOrder is a ticket order: the specification's TicketOrder (entity-ticketorder).
type TicketOrder struct {
	ID string `json:"id"` // the order's number
	// the source's number; "" before the seats are bought, and if hidden
	ProviderNo string       `json:"order_id"`
	Type       int          `json:"type" enum:"1,2"`  // 1 legacy, 2 newmovie
	Status     OrderStatus  `json:"orderstatus"`      // a letter for type 1, a number for type 2
	StateText  string       `json:"state_text"`       // what buyers see of the state
	ShowID     string       `json:"showid"`           // the id of the showing or session
	CinemaID   string       `json:"cinemaid"`         // the cinema's id at the order's source
	FilmID     string       `json:"movieid"`          // the film's id at the order's source
	Film       string       `json:"moviename"`        // the Chinese title
	Poster     string       `json:"movielogo"`        // the address of the poster
	Cinema     string       `json:"cinemaname"`       // the name that buyers know
	Address    string       `json:"cinemaaddress"`    // street and number
	Room       string       `json:"roomname"`         // the hall's name
	Seats      string       `json:"seats"`            // the seats' names, joined by commas
	Quantity   int          `json:"quantity"`         // the number of seats
	Amount     string       `json:"showamount"`       // yuan, of all seats
	SeatPrice  string       `json:"price"`            // yuan, of each seat; "" if the seats have different prices
	Mobile     string       `json:"mobile"`           // the phone number that the source got
	Starts     int64        `json:"playtime"`         // unix seconds
	Edition    string       `json:"edition"`          // the format, such as IMAX 2D
	Created    int64        `json:"add_time"`         // unix seconds
	Expires    int64        `json:"expiretime"`       // unix seconds, until when it can be paid
	Codes      []TicketCode `json:"ticketcodeList"`   // the codes of an issued legacy order; empty if hidden
	Code       string       `json:"ticketCode"`       // the codes of an issued newmovie order; "" if hidden
	SMS        string       `json:"smscontent"`       // the source's message for the buyer; "" if hidden
	Class      int          `json:"ord_bs" enum:"1"`  // 1, a ticket order
	Stuck      bool         `json:"stuck"`            // issuing takes longer than it should
	Hidden     bool         `json:"hidden,omitempty"` // codes and order_id are not shown before /Login/confirm
}

// TicketCode is what the buyer shows or types at the cinema.
type TicketCode struct {
	Name string `json:"name"` // what the cinema calls it, such as 取票码
	Code string `json:"code"` // the code
}

// newTicketOrder converts a ticket order. Legacy tickets become a list of named codes, newmovie tickets one text.
func newTicketOrder(r *request, o order.Order) TicketOrder {
	s, hidden := o.Snapshot, r.hides(o)
	if hidden || o.Revoked() { // a cinema may also hand out tickets for the provider's number
		o.Tickets, o.SMS, o.ProviderNo = nil, "", ""
	}
	t := TicketOrder{
		ID: o.No, ProviderNo: o.ProviderNo, Type: int(o.Source), Status: orderStatus(o), StateText: stateText(o),
		ShowID: s.Show.ID, CinemaID: s.Show.CinemaID, FilmID: s.Show.FilmID, Film: s.Show.FilmName,
		Poster: s.FilmPoster, Cinema: s.CinemaName, Address: s.CinemaAddress, Room: s.Show.Hall,
		Seats:    strings.Join(each(s.Seats, func(seat catalog.Seat) string { return seat.Name }), ","),
		Quantity: len(s.Seats), Amount: o.Total.String(), SeatPrice: seatPrice(o), Mobile: s.Mobile,
		Starts:  unix(s.Show.Starts),
		Edition: s.Show.Version, Created: unix(o.CreatedAt), Expires: unix(o.ExpiresAt), Codes: []TicketCode{},
		SMS: o.SMS, Class: 1, Stuck: o.Stuck, Hidden: hidden,
	}
	if o.Source == catalog.Legacy {
		t.Codes = each(o.Tickets, func(c order.TicketCode) TicketCode { return TicketCode{c.Name, c.Code} })
	} else {
		t.Code = strings.Join(each(o.Tickets, func(c order.TicketCode) string { return c.Code }), ",")
	}
	return t
}

// seatPrice returns the price of each seat, or "" if they are in areas of different prices, or if the prices of seat
// map and lock differ.
func seatPrice(o order.Order) string {
	seats := o.Snapshot.Seats
	if len(seats) == 0 || slices.ContainsFunc(seats, func(s catalog.Seat) bool { return s.Price != seats[0].Price }) ||
		seats[0].Price*money.Fen(len(seats)) != o.Total {
		return ""
	}
	return seats[0].Price.String()
}

// status is an order's state in answers: a letter for the legacy source, a number for everything else.
type status struct {
	letter string
	number int
	text   [2]string // legacy, newmovie
}

// statusOf has the status of every state that a buyer can see.
var statusOf = map[order.State]status{
	order.Pending:     {"N", 0, [2]string{"待付款", "待付款"}},
	order.Cancelled:   {"C", 2, [2]string{"已取消", "已取消"}},
	order.Expired:     {"E", 8, [2]string{"已失效", "超时未付"}},
	order.Paid:        {"P", 1, [2]string{"已支付，待出票", "待出票"}},
	order.Issuing:     {"T", 11, [2]string{"通知处理中", "正在出票"}},
	order.Issued:      {"S", 4, [2]string{"已出票", "已出票"}},
	order.IssueFailed: {"F", 7, [2]string{"出票失败，等待退款", "出票失败(退款)"}},
	order.Refunded:    {"R", 7, [2]string{"已退款", "已退款"}},
}

// OrderStatus is the state of an order: a letter for the legacy source, a number for everything else.
type OrderStatus struct {
	Letter string // "" if it is a number
	Number int
}

func orderStatus(o order.Order) OrderStatus {
	d := statusOf[o.State]
	if o.Source == catalog.Legacy {
		return OrderStatus{Letter: d.letter}
	}
	return OrderStatus{Number: d.number}
}

// MarshalJSON returns the letter or the number.
func (s OrderStatus) MarshalJSON() ([]byte, error) {
	if s.Letter != "" {
		return json.Marshal(s.Letter)
	}
	return json.Marshal(s.Number)
}

// UnmarshalJSON reads the letter or the number.
func (s *OrderStatus) UnmarshalJSON(text []byte) error {
	if bytes.HasPrefix(text, []byte(`"`)) {
		return json.Unmarshal(text, &s.Letter)
	}
	return json.Unmarshal(text, &s.Number)
}

// String is the letter or the number.
func (s OrderStatus) String() string { return cmp.Or(s.Letter, strconv.Itoa(s.Number)) }

// JSONSchema describes the letter and the number.
func (s OrderStatus) JSONSchema() map[string]any {
	letters := map[string]bool{}
	for _, state := range statusOf {
		letters[state.letter] = true
	}
	return map[string]any{"oneOf": []any{
		map[string]any{"type": "string", "enum": slices.Sorted(maps.Keys(letters))},
		map[string]any{"type": "integer", "enum": s.numbers()},
	}}
}

// numbers returns the numbers of all states.
func (OrderStatus) numbers() []int {
	numbers := map[int]bool{}
	for _, state := range statusOf {
		numbers[state.number] = true
	}
	return slices.Sorted(maps.Keys(numbers))
}

// stateText returns what the app shows for an order's state, by its source.
func stateText(o order.Order) string {
	d := statusOf[o.State]
	if o.Source == catalog.Legacy {
		return d.text[0]
	}
	return d.text[1]
}
