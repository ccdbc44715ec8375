package legacygateway

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
)

// LockLife is how long seats stay locked, in business time.
const LockLife = 15 * time.Minute

// The operations that faults of the ticketing domain apply to.
const (
	opLock   = "seat.lock"
	opCreate = "order.create"
	opIssue  = "ticket.issue"
)

// The faults of the push.
const (
	doPushDrop         = "push-drop"
	doPushLate         = "push-late"
	doPushDuplicate    = "push-duplicate"
	doPushBadSignature = "push-bad-signature"
)

// domainFaults are the kinds of faults that can be planned for this gateway in addition to those of HTTP and TCP, with
// the operations they apply to and their effects.
var domainFaults = []faults.DomainFault{
	faults.NewDomainFault(ticketing.DoSeatTaken, []string{opLock},
		"another buyer takes the first seat of the list just before the lock: 3001, and the seat map shows it as sold"),
	faults.NewDomainFault(ticketing.DoPriceChanged, []string{opLock},
		"the lock succeeds for one yuan more than in the seat map"),
	faults.NewDomainFault(ticketing.DoLockLost, []string{opCreate},
		"the hold is lost and the seats are sold to another buyer: 4003, order.query returns EXPIRED"),
	faults.NewDomainFault(ticketing.DoIssueRejected, []string{opIssue},
		"the order ends FAILED with message as its reason; the seats are free again", "message"),
	faults.NewDomainFault(ticketing.DoIssueLate, []string{opIssue}, "tickets after delay_s business seconds (600)",
		"delay_s"),
	faults.NewDomainFault(ticketing.DoIssueNever, []string{opIssue}, "the order stays ISSUING"),
	faults.NewDomainFault(doPushDrop, []string{pushOperation},
		"the push is never sent; the order is still issued"),
	faults.NewDomainFault(doPushLate, []string{pushOperation}, "sent delay_s business seconds (300) later", "delay_s"),
	faults.NewDomainFault(doPushDuplicate, []string{pushOperation}, "sent twice"),
	faults.NewDomainFault(doPushBadSignature, []string{pushOperation},
		"sent with a wrong signature, and again with a right one if the shop rejects it"),
}

// orders are the calls that buy tickets.
type orders struct {
	sales  ticketing.Orders
	pusher *pusher
}

// required rejects a call in which a named parameter is missing, or in which the order number or the mobile is
// malformed.
func required(form url.Values, names ...string) *journal.Rejection {
	for _, name := range names {
		value := form.Get(name)
		switch {
		case value == "":
			return journal.NewRejection("1001", "缺少参数"+name)
		case name == "orderno" && !ticketing.IsOrderNumber(value), name == "mobile" && !ticketing.IsMobile(value):
			return journal.NewRejection("1006", name+"格式错误")
		}
	}
	return nil
}

// SeatIDs splits a list of seat ids. ok is false for a list with an empty id or with too many.
func SeatIDs(list string) (ids []string, ok bool) {
	for id := range strings.SplitSeq(list, "|") {
		if id == "" {
			return nil, false
		}
		if ids = append(ids, id); len(ids) > ticketing.MaxSeatIDs {
			return nil, false
		}
	}
	return ids, true
}

// lock is seat.lock. A repeated call gets the same answer while the seats are held.
func (o *orders) lock(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "orderno", "opiid", "seatids", "mobile"); rejected != nil {
		return nil, rejected
	}
	ids, ok := SeatIDs(c.Get("seatids"))
	if !ok {
		return nil, journal.NewRejection("1006", "seatids格式错误")
	}
	order, err := o.sales.Lock(c.note, opLock, boxoffice.HoldRequest{
		No: c.Get("orderno"), ShowID: c.Get("opiid"), SeatIDs: ids, Mobile: c.Get("mobile"), Life: LockLife,
	}, nil)
	switch {
	case err != nil:
		return nil, rejectionOf(err)
	case order.State != boxoffice.Held:
		return nil, rejectionOf(boxoffice.ErrState)
	}
	return success(map[string]any{
		"orderno": order.No, "orderid": order.ID, "state": "LOCKED", "amount": order.Amount,
		"expiretime": order.Expires.Unix(),
	}), nil
}

// unlock is seat.unlock: it releases locked seats. It also succeeds if the order no longer holds seats.
func (o *orders) unlock(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "orderno"); rejected != nil {
		return nil, rejected
	}
	order, err := o.sales.Release(c.Get("orderno"))
	if err != nil {
		return nil, rejectionOf(err)
	}
	return success(map[string]any{"orderno": order.No, "state": "UNLOCKED"}), nil
}

// create is order.create: it confirms the sale of locked seats.
func (o *orders) create(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "orderno", "amount", "mobile"); rejected != nil {
		return nil, rejected
	}
	amount, err := strconv.ParseInt(c.Get("amount"), 10, 64)
	if err != nil || amount < 0 {
		return nil, journal.NewRejection("1006", "amount格式错误")
	}
	order, err := o.sales.ConfirmSale(c.note, opCreate, c.Get("orderno"), c.Get("mobile"), amount)
	if err != nil {
		return nil, rejectionOf(err)
	}
	return success(map[string]any{"orderno": order.No, "orderid": order.ID, "state": "CREATED"}), nil
}

// issue is ticket.issue: it requests the tickets. They, or their rejection, are pushed later.
func (o *orders) issue(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "orderno"); rejected != nil {
		return nil, rejected
	}
	order, err := o.sales.Order(c.Get("orderno"))
	if err != nil {
		return nil, rejectionOf(err)
	}
	order, delay, err := o.sales.IssueTickets(c.note, opIssue, order, order.Mobile)
	if err != nil {
		return nil, rejectionOf(err)
	}
	if delay >= 0 {
		o.pusher.schedule(order.No, delay)
	}
	return success(map[string]any{"orderno": order.No, "orderid": order.ID, "state": "ISSUING"}), nil
}

// query is order.query: the current state of an order, with the ticket codes if it has any.
func (o *orders) query(c call) ([]byte, *journal.Rejection) {
	if rejected := required(c.Values, "orderno"); rejected != nil {
		return nil, rejected
	}
	order, err := o.sales.Order(c.Get("orderno"))
	if err != nil {
		return nil, rejectionOf(err)
	}
	return success(orderOf(order)), nil
}

// orderJSON is Order of the README.
type orderJSON struct {
	No      string             `json:"orderno"`
	ID      string             `json:"orderid"`
	State   string             `json:"state"`
	ShowID  string             `json:"opiid"`
	SeatIDs string             `json:"seatids"`
	Amount  int64              `json:"amount"` // fen
	Expires int64              `json:"expiretime"`
	Tickets []ticketing.Ticket `json:"ticketcodeList"`
	SMS     string             `json:"smscontent"`
	Fail    string             `json:"failreason"`
}

// states are the gateway's names for the states of an order. A released and a lost hold look the same.
var states = map[boxoffice.State]string{
	boxoffice.Held: "LOCKED", boxoffice.Released: "UNLOCKED", boxoffice.HoldLost: "UNLOCKED",
	boxoffice.Expired: "EXPIRED",
	boxoffice.Sold:    "CREATED", boxoffice.Issuing: "ISSUING", boxoffice.Issued: "ISSUED",
	boxoffice.IssueRejected: "FAILED",
}

// orderOf encodes an order. failreason is empty unless the tickets were rejected.
func orderOf(o boxoffice.Order) orderJSON {
	ids := make([]string, len(o.Seats))
	for i, s := range o.Seats {
		ids[i] = s.ID
	}
	j := orderJSON{
		No: o.No, ID: o.ID, State: states[o.State], ShowID: o.Show.ID, SeatIDs: strings.Join(ids, "|"),
		Amount:  o.Amount,
		Expires: o.Expires.Unix(), Tickets: ticketing.Tickets(o), SMS: o.SMS,
	}
	if o.State == boxoffice.IssueRejected {
		j.Fail = o.Fail
	}
	return j
}
