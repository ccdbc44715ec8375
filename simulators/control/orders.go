package control

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
)

// OrderKind is the kind of an order.
type OrderKind string

// The kinds of orders.
const (
	KindTicket  OrderKind = "ticket"
	KindPayment OrderKind = "payment"
	KindRefund  OrderKind = "refund"
)

// Values lists the kinds.
func (OrderKind) Values() []string {
	return []string{string(KindTicket), string(KindPayment), string(KindRefund)}
}

// Order is an order of tickets at a box office, a payment, or a refund. Times are business times.
type Order struct {
	// Kind says which of ticket, payment and refund is set.
	Kind OrderKind `json:"kind"`
	// Provider is the name of the provider.
	Provider string `json:"provider"`
	// No is the shop's order number.
	No string `json:"no"`
	// ID is the provider's number of the order; empty for a payment that is not paid.
	ID string `json:"id"`
	// State is in lower case for tickets; for payments and refunds it is the vendor's, such as NOTPAY.
	State string `json:"state"`
	// AmountFen is the amount in fen.
	AmountFen int64 `json:"amount_fen"`
	// At is when the order was created.
	At time.Time `json:"at"`
	// History lists the states of the order, oldest first.
	History []Step `json:"history"`

	// Ticket contains the fields specific to tickets.
	Ticket *Ticket `json:"ticket,omitempty"`
	// Payment contains the fields specific to payments.
	Payment *Payment `json:"payment,omitempty"`
	// Refund contains the fields specific to refunds.
	Refund *Refund `json:"refund,omitempty"`
}

// Step is a state in the history of an order.
type Step struct {
	// State is the state.
	State string `json:"state"`
	// At is when the state was reached, in business time.
	At time.Time `json:"at"`
}

// Ticket contains the fields specific to tickets.
type Ticket struct {
	// Showing is the screening.
	Showing Showing `json:"showing"`
	// Seats are the names of the seats.
	Seats []string `json:"seats"`
	// SeatIDs are the ids of the seats.
	SeatIDs []string `json:"seat_ids"`
	// Mobile is the buyer's phone number.
	Mobile string `json:"mobile"`
	// Until is when the lock expires.
	Until time.Time `json:"until"`
	// Codes are the codes that the buyer shows at the cinema; empty until the tickets are issued.
	Codes []Code `json:"codes"`
	// Message is the text of the provider's SMS, which is not sent.
	Message string `json:"sms,omitempty"`
	// FailedBy is why a lock or the tickets were rejected.
	FailedBy string `json:"reason,omitempty"`
}

// Code is a code that the buyer shows at the cinema.
type Code struct {
	// Name is the label of the code.
	Name string `json:"name"`
	// Code is the text of the code.
	Code string `json:"code"`
}

// Payment contains the fields specific to payments.
type Payment struct {
	// PrepayID is the latest prepay id.
	PrepayID string `json:"prepay_id"`
	// OpenID is the payer's openid.
	OpenID string `json:"openid"`
	// Description is the text shown to the payer.
	Description string `json:"description"`
	// NotifyURL is the address that receives the notification.
	NotifyURL string `json:"notify_url"`
	// Until is the business time until which the trade can be paid.
	Until time.Time `json:"until"`
	// Payable is true if the trade can be paid now.
	Payable bool `json:"payable"`
	// RefundedFen is the sum of the refunds in fen.
	RefundedFen int64 `json:"refunded_fen"`
}

// Refund contains the fields specific to refunds.
type Refund struct {
	// OutTradeNo is the shop's number of the refunded payment.
	OutTradeNo string `json:"out_trade_no"`
	// Reason is the reason that the shop sent with the refund.
	Reason string `json:"reason"`
}

// Payments lists the payments and refunds of the messaging app.
type Payments interface {
	// Orders lists every payment and every refund, unsorted.
	Orders() []Order
	// OrdersOf lists the payment and the refund with a number; either may be missing.
	OrdersOf(no string) []Order
}

// namedOffice is the box office of a ticketing provider.
type namedOffice struct {
	Provider string
	*boxoffice.Office
}

// officesOf lists the box offices of a world.
func officesOf(w World) (list []namedOffice) {
	for _, p := range w.Providers() {
		if seller, ok := p.(TicketSeller); ok {
			list = append(list, namedOffice{p.Name(), seller.Office()})
		}
	}
	return list
}

const payments = "wechat" // the provider of payments and refunds

func officeNamed(w World, provider string) (namedOffice, bool) {
	for _, o := range officesOf(w) {
		if o.Provider == provider {
			return o, true
		}
	}
	return namedOffice{}, false
}

// ordersOf returns a provider's orders with the shop's number. There may be two: a payment and a refund with the same
// number.
func ordersOf(w World, provider, no string) []Order {
	list := []Order{}
	if o, ok := officeNamed(w, provider); ok {
		if order, err := o.Order(no); err == nil {
			list = append(list, ticketOf(provider, order, w.Clock().Now()))
		}
	} else if provider == payments {
		list = ProviderThat[Payments](w).OrdersOf(no)
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

// Outcome is the outcome of a payment. With "cancel" and "fail", no money moves.
type Outcome string

// The outcomes.
const (
	OutcomePay    Outcome = "pay"
	OutcomeCancel Outcome = "cancel"
	OutcomeFail   Outcome = "fail"
)

// Values lists the outcomes.
func (Outcome) Values() []string {
	return []string{string(OutcomePay), string(OutcomeCancel), string(OutcomeFail)}
}

// PaymentEnd says which payment ends, and how.
type PaymentEnd struct {
	// PrepayID is the prepay id, the content of a Native payment's QR code, or the address of an H5 payment.
	PrepayID string `json:"prepay_id" minLength:"1" code:"missing_field"`
	// Outcome is the outcome of the payment.
	Outcome Outcome `json:"outcome" code:"bad_outcome,missing"`
}

// EndPayment is the input of endPayment.
type EndPayment struct {
	InWorld
	Body PaymentEnd
}

// endPayment pays, cancels or fails a payment like the payer on the phone. If it is paid, the notification is sent. A
// fault that is planned for the operation "pay" can change whether the money moves; the journal shows it.
func endPayment(w World, in EndPayment) (PaymentEnd, error) {
	return in.Body, ProviderThat[Payer](w).Pay(in.Body.PrepayID, in.Body.Outcome)
}

// ListOrders is the input of listOrders.
type ListOrders struct {
	InWorld
	// Kind selects the orders of one kind.
	Kind OrderKind `query:"kind"`
	// Provider selects the orders of one provider.
	Provider OrderProvider `query:"provider"`
	// State selects the orders in one state; the answer lists the states.
	State string `query:"state"`
	// Showing selects the tickets of one showing.
	Showing string `query:"showing"`
	// Contains selects the orders with a text in a number, the mobile, the film, the cinema, the id of the showing, the
	// payer, the description or the reason.
	Contains string `query:"contains"`
	Paged
}

// OrderProvider is a provider with orders.
type OrderProvider string

// Values lists the providers.
func (OrderProvider) Values() []string { return append(TicketProvider("").Values(), payments) }

// OrderList is a page of the orders.
type OrderList struct {
	// Orders are sorted newest first.
	Orders []Order `json:"orders"`
	// Total is the number of orders on all pages.
	Total int `json:"total"`
	// States are all possible states of orders, the valid values of state.
	States []string `json:"states"`
}

// listOrders lists tickets, payments and refunds, the newest first.
func listOrders(w World, in ListOrders) (OrderList, error) {
	if in.State != "" && !slices.Contains(orderStates(), in.State) {
		return OrderList{},
			errUnknownState.With("unknown state %q; valid: %s", in.State, strings.Join(orderStates(), ", "))
	}
	list := []Order{}
	for _, o := range allOrders(w) {
		if (in.Provider == "" || o.Provider == string(in.Provider)) && (in.Kind == "" || o.Kind == in.Kind) &&
			(in.State == "" || o.State == in.State) &&
			(in.Showing == "" || o.Ticket != nil && o.Ticket.Showing.ID == in.Showing) && o.contains(in.Contains) {
			list = append(list, o)
		}
	}
	slices.SortStableFunc(list, func(a, b Order) int { return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.No, b.No)) })
	found := page(list, in.Paged)
	for i := range found {
		found[i].local()
	}
	return OrderList{found, len(list), orderStates()}, nil
}

// allOrders lists the orders of all providers, unsorted.
func allOrders(w World) []Order {
	list, now := ProviderThat[Payments](w).Orders(), w.Clock().Now()
	for _, office := range officesOf(w) {
		for _, o := range office.Orders() {
			list = append(list, ticketOf(office.Provider, o, now))
		}
	}
	return list
}

// local converts the times of an order to the providers' time zone.
func (o *Order) local() {
	o.At = o.At.In(dataset.Zone)
	for i := range o.History {
		o.History[i].At = o.History[i].At.In(dataset.Zone)
	}
	if o.Payment != nil {
		o.Payment.Until = o.Payment.Until.In(dataset.Zone)
	}
}

// contains reports whether an order has a text in one of the fields that ListOrders.Contains lists.
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
	for s := boxoffice.Doing; s <= boxoffice.IssueRejected; s++ {
		states = append(states, s.String())
	}
	return append(states, "NOTPAY", "SUCCESS", "REFUND", "CLOSED", "PROCESSING", "ABNORMAL")
}
