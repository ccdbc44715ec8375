package httpapi

import (
	"slices"
	"strings"

	"marquee/server/catalog"
	"marquee/server/money"
	"marquee/server/order"
)

// ticketOrder is the specification's TicketOrder (entity-ticketorder). Times are unix seconds.
type ticketOrder struct {
	ID         string       `json:"id"`
	ProviderNo string       `json:"order_id"`
	Type       int          `json:"type"`
	Status     any          `json:"orderstatus"` // a letter or a number, by type
	StateText  string       `json:"state_text"`
	ShowID     string       `json:"showid"`   // opiid or sessionId
	CinemaID   string       `json:"cinemaid"` // of the order's source, as is movieid
	FilmID     string       `json:"movieid"`
	Film       string       `json:"moviename"`
	Poster     string       `json:"movielogo"`
	Cinema     string       `json:"cinemaname"`
	Address    string       `json:"cinemaaddress"`
	Room       string       `json:"roomname"`
	Seats      string       `json:"seats"`
	Quantity   int          `json:"quantity"`
	Amount     string       `json:"showamount"` // yuan
	SeatPrice  string       `json:"price"`      // yuan; empty if the seats have different prices
	Mobile     string       `json:"mobile"`
	Starts     int64        `json:"playtime"`
	Edition    string       `json:"edition"`
	Created    int64        `json:"add_time"`
	Expires    int64        `json:"expiretime"`
	Codes      []ticketCode `json:"ticketcodeList"`
	Code       string       `json:"ticketCode"`
	SMS        string       `json:"smscontent"`
	Class      int          `json:"ord_bs"`           // 1: a ticket order
	Stuck      bool         `json:"stuck"`            // issuing takes longer than it should
	Hidden     bool         `json:"hidden,omitempty"` // codes and order_id are not shown before /Login/confirm
}

// ticketCode is what the buyer shows or types at the cinema.
type ticketCode struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// newTicketOrder gives legacy tickets as a list of named codes, and newmovie tickets as one text.
func newTicketOrder(r *request, o order.Order) ticketOrder {
	s, hidden := o.Snapshot, r.hides(o)
	if hidden { // a cinema may hand the tickets out for the provider's number, too
		o.Tickets, o.SMS, o.ProviderNo = nil, "", ""
	}
	t := ticketOrder{
		ID: o.No, ProviderNo: o.ProviderNo, Type: int(o.Source), Status: orderStatus(o), StateText: stateText(o),
		ShowID: s.Show.ID, CinemaID: s.Show.CinemaID, FilmID: s.Show.FilmID, Film: s.Show.FilmName,
		Poster: s.FilmPoster, Cinema: s.CinemaName, Address: s.CinemaAddress, Room: s.Show.Hall,
		Seats:    strings.Join(each(s.Seats, func(seat catalog.Seat) string { return seat.Name }), ","),
		Quantity: len(s.Seats), Amount: o.Total.String(), SeatPrice: seatPrice(o), Mobile: s.Mobile,
		Starts:  unix(s.Show.Starts),
		Edition: s.Show.Version, Created: unix(o.CreatedAt), Expires: unix(o.ExpiresAt), Codes: []ticketCode{},
		SMS: o.SMS, Class: 1, Stuck: o.Stuck, Hidden: hidden,
	}
	if o.Source == catalog.Legacy {
		t.Codes = each(o.Tickets, func(c order.TicketCode) ticketCode { return ticketCode{c.Name, c.Code} })
	} else {
		t.Code = strings.Join(each(o.Tickets, func(c order.TicketCode) string { return c.Code }), ",")
	}
	return t
}

// seatPrice returns what each of the seats costs, or "" if they are in areas of different prices, or if the seat map had
// another price than the lock.
func seatPrice(o order.Order) string {
	seats := o.Snapshot.Seats
	if len(seats) == 0 || slices.ContainsFunc(seats, func(s catalog.Seat) bool { return s.Price != seats[0].Price }) ||
		seats[0].Price*money.Fen(len(seats)) != o.Total {
		return ""
	}
	return seats[0].Price.String()
}

// status is how an order's state is written: the legacy source has letters, everything else has numbers.
type status struct {
	letter string
	number int
	text   [2]string // legacy, newmovie
}

// statusOf has an entry for every state that a buyer can see.
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

// orderStatus returns the letter or the number of an order's state, by its source.
func orderStatus(o order.Order) any {
	d := statusOf[o.State]
	if o.Source == catalog.Legacy {
		return d.letter
	}
	return d.number
}

// stateText returns what the app shows for an order's state, by its source.
func stateText(o order.Order) string {
	d := statusOf[o.State]
	if o.Source == catalog.Legacy {
		return d.text[0]
	}
	return d.text[1]
}
