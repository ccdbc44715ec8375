package control

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

// Order is an order of tickets at a box office, a payment, or a refund. Times are business times.
type Order struct {
	Kind      string    `json:"kind"` // KindTicket, KindPayment or KindRefund
	Provider  string    `json:"provider"`
	No        string    `json:"no"` // the shop's number
	ID        string    `json:"id"` // the provider's; "" before a payment
	State     string    `json:"state"`
	AmountFen int64     `json:"amount_fen"`
	At        time.Time `json:"at"`      // when it was made
	History   []Step    `json:"history"` // oldest first

	Ticket  *Ticket  `json:"ticket,omitempty"`
	Payment *Payment `json:"payment,omitempty"`
	Refund  *Refund  `json:"refund,omitempty"`
}

// The kinds of orders.
const (
	KindTicket  = "ticket"
	KindPayment = "payment"
	KindRefund  = "refund"
)

// Step is when an order came into a state.
type Step struct {
	State string    `json:"state"`
	At    time.Time `json:"at"`
}

// Ticket is what is particular to tickets.
type Ticket struct {
	Showing  Showing   `json:"showing"`
	Seats    []string  `json:"seats"` // their names
	SeatIDs  []string  `json:"seat_ids"`
	Mobile   string    `json:"mobile"`
	Until    time.Time `json:"until"`            // when the lock runs out
	Codes    []Code    `json:"codes"`            // once it is issued
	Message  string    `json:"sms,omitempty"`    // what the provider would text
	FailedBy string    `json:"reason,omitempty"` // why a lock or the tickets were refused
}

// Code is what the buyer shows at the cinema.
type Code struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// Payment is what is particular to payments.
type Payment struct {
	PrepayID    string    `json:"prepay_id"`
	OpenID      string    `json:"openid"`
	Description string    `json:"description"`
	NotifyURL   string    `json:"notify_url"`
	Until       time.Time `json:"until"` // to when it can be paid
	Payable     bool      `json:"payable"`
	RefundedFen int64     `json:"refunded_fen"` // sum of the refunds
}

// Refund is what is particular to refunds.
type Refund struct {
	OutTradeNo string `json:"out_trade_no"` // of the payment that is refunded
	Reason     string `json:"reason"`
}

// Payments lists the payments and refunds of the messaging app.
type Payments interface {
	// Orders lists every payment and every refund, unsorted.
	Orders() []Order
	// OrdersOf lists the payment and the refund of a number; either may be missing.
	OrdersOf(no string) []Order
}

// Office is the box office of a ticketing provider.
type Office struct {
	Provider string
	*boxoffice.Office
}

const payments = "wechat" // the provider of payments and refunds

func (w *World) office(provider string) (Office, bool) {
	for _, o := range w.Offices {
		if o.Provider == provider {
			return o, true
		}
	}
	return Office{}, false
}

// ordersOf returns the orders with a number of the shop; a payment and its refund may have the same.
func (w *World) ordersOf(provider, no string) []Order {
	list := []Order{}
	if o, ok := w.office(provider); ok {
		if order, err := o.Order(no); err == nil {
			list = append(list, ticketOf(provider, order, w.Clock.Now()))
		}
	} else if provider == payments {
		list = w.Payments.OrdersOf(no)
	}
	for i := range list {
		list[i].local()
	}
	return list
}

func ticketOf(provider string, o boxoffice.Order, now time.Time) Order {
	t := &Ticket{
		Showing: showingOf(provider, *o.Show, now), Mobile: o.Mobile, Until: o.Expires.In(dataset.Zone),
		Codes: []Code{}, Message: o.SMS, FailedBy: o.Fail,
	}
	for _, s := range o.Seats {
		t.Seats, t.SeatIDs = append(t.Seats, s.Name), append(t.SeatIDs, s.ID)
	}
	for _, c := range o.Tickets {
		t.Codes = append(t.Codes, Code(c))
	}
	entry := Order{
		Kind: KindTicket, Provider: provider, No: o.No, ID: o.ID, State: o.State.String(), AmountFen: o.Amount,
		At: o.Made(), History: []Step{}, Ticket: t,
	}
	for _, m := range o.History {
		entry.History = append(entry.History, Step{m.State.String(), m.At})
	}
	return entry
}

// pay ends the payment of a prepay id, for clients without a screen.
func pay(w *World, r *request) (any, error) {
	var q struct {
		PrepayID string `json:"prepay_id"`
		Outcome  string `json:"outcome"`
	}
	if err := r.decode(&q); err != nil {
		return nil, err
	}
	if err := w.Payer.Pay(q.PrepayID, q.Outcome); err != nil {
		return nil, err
	}
	return map[string]string{"prepay_id": q.PrepayID, "outcome": q.Outcome}, nil
}

func listOrders(w *World, r *request) (any, error) {
	provider, kind, state, showing := r.text("provider"), r.text("kind"), r.text("state"), r.text("showing")
	if state != "" && !slices.Contains(orderStates(), state) {
		return nil, bad("unknown_state", "unknown state %q; valid: %s", state, strings.Join(orderStates(), ", "))
	}
	list := []Order{}
	for _, o := range w.allOrders() {
		if (provider == "" || o.Provider == provider) && (kind == "" || o.Kind == kind) &&
			(state == "" || o.State == state) &&
			(showing == "" || o.Ticket != nil && o.Ticket.Showing.ID == showing) && o.contains(r.text("contains")) {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b Order) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.No, b.No)) })
	found := page(list, r)
	for i := range found {
		found[i].local()
	}
	return map[string]any{"orders": found, "total": len(list), "states": orderStates()}, nil
}

// allOrders lists the orders of all providers, unsorted.
func (w *World) allOrders() []Order {
	list, now := w.Payments.Orders(), w.Clock.Now()
	for _, office := range w.Offices {
		for _, o := range office.Orders() {
			list = append(list, ticketOf(office.Provider, o, now))
		}
	}
	return list
}

// local puts the times of an order into the providers' time zone.
func (o *Order) local() {
	o.At = o.At.In(dataset.Zone)
	for i := range o.History {
		o.History[i].At = o.History[i].At.In(dataset.Zone)
	}
	if o.Payment != nil {
		o.Payment.Until = o.Payment.Until.In(dataset.Zone)
	}
}

// contains reports whether a text is in the numbers, the mobile, the film, the cinema, the payer or the description.
func (o *Order) contains(text string) bool {
	if text == "" {
		return true
	}
	texts := []string{o.No, o.ID}
	switch {
	case o.Ticket != nil:
		texts = append(texts, o.Ticket.Mobile, o.Ticket.Showing.Film.Name, o.Ticket.Showing.Cinema.Name,
			o.Ticket.Showing.ID)
	case o.Payment != nil:
		texts = append(texts, o.Payment.PrepayID, o.Payment.OpenID, o.Payment.Description)
	case o.Refund != nil:
		texts = append(texts, o.Refund.OutTradeNo, o.Refund.Reason)
	}
	return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, text) })
}

// orderStates lists the states of tickets, in lower case, and those of payments and refunds, as the vendor writes them.
func orderStates() []string {
	states := []string{}
	for s := boxoffice.Doing; s <= boxoffice.IssueRefused; s++ {
		states = append(states, s.String())
	}
	return append(states, "NOTPAY", "SUCCESS", "REFUND", "CLOSED", "PROCESSING", "ABNORMAL")
}
