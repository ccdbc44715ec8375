// Package ticketing contains the code shared by the simulated ticketing providers: the steps of an order with their
// faults, rejections and their codes, and the parts of the catalogue that are the same at both. Field names and
// encodings are in the providers' packages.
package ticketing

import (
	"cmp"
	"regexp"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// The faults that both providers have.
const (
	DoSeatTaken     = "seat-taken"    // of a lock
	DoPriceChanged  = "price-changed" // of a lock
	DoLockLost      = "lock-lost"     // of a confirmation
	DoIssueRejected = "issue-refused" // a fault of the issue of tickets, like the next two
	DoIssueLate     = "issue-late"
	DoIssueNever    = "issue-never"
)

const (
	issueDelay     = 3 * time.Second  // business time from the request for tickets to their issue
	lateIssueDelay = 10 * time.Minute // the same with DoIssueLate, unless the fault has a delay
	priceRise      = 100              // fen that DoPriceChanged adds
)

// IssueFailure is why tickets are rejected, unless a fault says why.
const IssueFailure = "影院出票失败"

var (
	orderNumber = regexp.MustCompile(`^[0-9A-Za-z_-]+$`)
	mobileForm  = regexp.MustCompile(`^1[3-9][0-9]{9}$`)
)

// MaxSeatIDs is how many seat ids a request may list. A longer list is rejected before its seats are looked up.
const MaxSeatIDs = 100

// IsOrderNumber reports whether a text is a valid order number of a caller.
func IsOrderNumber(text string) bool { return len(text) <= 64 && orderNumber.MatchString(text) }

// IsMobile reports whether a text has the form of a mainland mobile number.
func IsMobile(text string) bool { return mobileForm.MatchString(text) }

// Orders sells the seats of one provider's box office, with the faults that are planned for it. A fault applies to the
// first request of each step, not to retries.
type Orders struct {
	*boxoffice.Office
	Plan     *faults.Plan
	Provider string // the name in the plan
}

// Fault returns the fault of a kind for a request: a planned fault, or else the fault that the buyer's mobile number
// causes if it is a magic one. In the journal the latter has the id "magic".
func (o *Orders) Fault(note *journal.Note, operation, mobile, do string) (faults.Fault, bool) {
	if fault, hit := o.Plan.Apply(note, o.Provider, operation, do); hit {
		return fault, true
	}
	if dataset.MagicMobile(mobile) != do {
		return faults.Fault{}, false
	}
	note.AddFault("magic", do)
	return faults.Fault{Do: do}, true
}

// Lock holds the seats of a request. first may change the request; it is called only for the first request of an order,
// and may be nil. The error is that of Office.Hold.
func (o *Orders) Lock(
	note *journal.Note, operation string, q boxoffice.HoldRequest, first func(*boxoffice.HoldRequest),
) (boxoffice.Order, error) {
	if _, err := o.Order(q.No); err != nil {
		if _, hit := o.Fault(note, operation, q.Mobile, DoSeatTaken); hit {
			_ = o.SellToOthers(q.ShowID, q.SeatIDs[:1]) // does nothing if the seat is already taken
		}
		if first != nil {
			first(&q)
		}
		if _, hit := o.Fault(note, operation, q.Mobile, DoPriceChanged); hit {
			q.Surcharge = priceRise
		}
	}
	return o.Hold(q)
}

// ConfirmSale sells the held seats of an order for amount fen. The error is that of Office.Confirm.
func (o *Orders) ConfirmSale(note *journal.Note, operation, no, mobile string, amount int64) (boxoffice.Order, error) {
	lose := false
	if known, err := o.Order(no); err == nil && known.State == boxoffice.Held && known.Amount == amount {
		_, lose = o.Fault(note, operation, mobile, DoLockLost)
	}
	return o.Confirm(no, amount, lose)
}

// IssueTickets requests the tickets of a confirmed order. delay is the business time until they are issued or rejected.
// It is negative if that never happens, or if the tickets were already requested. The error is that of Office.Issue.
func (o *Orders) IssueTickets(
	note *journal.Note, operation string, order boxoffice.Order, mobile string,
) (issuing boxoffice.Order, delay time.Duration, err error) {
	delay, reason := issueDelay, ""
	if order.State == boxoffice.Sold {
		if fault, hit := o.Fault(note, operation, mobile, DoIssueRejected); hit {
			reason = cmp.Or(fault.Message, IssueFailure)
		}
		if fault, hit := o.Fault(note, operation, mobile, DoIssueLate); hit {
			delay = fault.Delay(lateIssueDelay)
		}
		if _, hit := o.Fault(note, operation, mobile, DoIssueNever); hit {
			delay = -1
		}
	}
	issuing, first, err := o.Issue(order.No, delay, reason)
	if !first {
		delay = -1
	}
	return issuing, delay, err
}

// Ticket is a ticket code in the JSON of both providers.
type Ticket struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// Tickets lists an order's ticket codes; it is empty and not nil before they are issued.
func Tickets(order boxoffice.Order) []Ticket {
	list := []Ticket{}
	for _, t := range order.Tickets {
		list = append(list, Ticket(t))
	}
	return list
}
