package newmovie

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/ticketing"
)

// LockLife is how long seats stay locked, in business time.
const LockLife = 10 * time.Minute

// Business times. A lock that is DOING was accepted, but it is not yet decided whether it gets the seats.
const (
	usualDoing = time.Second      // how long a lock is DOING, if it is
	lateDoing  = 20 * time.Second // the same with the fault doing-late
	pageLife   = 5 * time.Minute  // how long a token for the ticket page is valid
)

// The operations that faults of the ticketing domain apply to.
const (
	opSession = "movie/session"
	opLock    = "order/lock"
	opSubmit  = "order/submit"
)

// The faults specific to this provider.
const (
	doTokenExpired   = "token-expired"
	doSessionStopped = "session-stopped"
	doDoing          = "doing"
	doDoingLate      = "doing-late"
	doDoingRejected  = "doing-refused"
	doDoingNever     = "doing-never"
)

// domainFaults are the kinds of faults that can be planned for this provider in addition to those of HTTP and TCP.
// token-expired applies to withToken, the operations that need a token.
func domainFaults(withToken []string) []faults.DomainFault {
	lock, submit := []string{opLock}, []string{opSubmit}
	return []faults.DomainFault{
		faults.NewDomainFault(doTokenExpired, withToken, "401002, and that token stays invalid"),
		faults.NewDomainFault(doSessionStopped, []string{opSession, opLock},
			"sellable is false; a lock is rejected with 410001"),
		faults.NewDomainFault(ticketing.DoSeatTaken, lock,
			"another buyer takes the first seat just before the lock: 409001, and the seat map shows it as sold"),
		faults.NewDomainFault(ticketing.DoPriceChanged, lock, "the lock succeeds for one yuan more than in the seat map"),
		faults.NewDomainFault(doDoing, lock, "DOING for delay_s business seconds (1), then LOCKED", "delay_s"),
		faults.NewDomainFault(doDoingLate, lock, "DOING for delay_s business seconds (20), then LOCKED", "delay_s"),
		faults.NewDomainFault(doDoingRejected, lock, "DOING, then LOCK_FAILED with message and code (409001)", "code",
			"message", "delay_s"),
		faults.NewDomainFault(doDoingNever, lock, "DOING until the hold would have expired"),
		faults.NewDomainFault(ticketing.DoLockLost, submit,
			"the hold is lost and the seats are sold to another buyer: 409002"),
		faults.NewDomainFault(ticketing.DoIssueRejected, submit, "ISSUE_FAILED with message; the seats are free again",
			"message"),
		faults.NewDomainFault(ticketing.DoIssueLate, submit, "tickets after delay_s business seconds (600)", "delay_s"),
		faults.NewDomainFault(ticketing.DoIssueNever, submit, "the tickets are never issued"),
	}
}

// orders are the calls that buy tickets.
type orders struct {
	sales   ticketing.Orders
	country *dataset.Country
	clock   *testclock.Clock
	baseURL func() string
}

// lock is order/lock: it locks seats. The same outOrderNo with the same seats returns the existing order.
func (o *orders) lock(c call) ([]byte, *journal.Rejection) {
	var q struct {
		No         string `json:"outOrderNo"`
		SessionID  string `json:"sessionId"`
		CinemaCode string `json:"cinemaCode"`
		Seats      []struct {
			ID string `json:"originSeatID"`
		} `json:"seats"`
		Mobile string `json:"mobile"`
	}
	if rejected := decode(c, &q); rejected != nil {
		return nil, rejected
	}
	switch {
	case !ticketing.IsOrderNumber(q.No):
		return nil, malformed("outOrderNo")
	case q.SessionID == "":
		return nil, malformed("sessionId")
	case !ticketing.IsMobile(q.Mobile):
		return nil, malformed("mobile")
	case len(q.Seats) == 0 || len(q.Seats) > ticketing.MaxSeatIDs:
		return nil, malformed("seats")
	}
	show, ok := o.country.Show(dataset.NewMovie, q.SessionID)
	if !ok {
		return nil, rejectionOf(boxoffice.ErrNoShow)
	}
	if show.Cinema.Code != q.CinemaCode {
		return nil, &journal.Rejection{
			Code: noCinema.Code, Message: noCinema.Message, Reason: "cinemaCode " + q.CinemaCode +
				" is not the session's, which is " + show.Cinema.Code,
		}
	}
	if _, hit := o.sales.Fault(c.note, opLock, q.Mobile, doSessionStopped); hit {
		return nil, rejectionOf(boxoffice.ErrClosed)
	}
	request := boxoffice.HoldRequest{No: q.No, ShowID: q.SessionID, Mobile: q.Mobile, Life: LockLife, OneArea: true}
	for _, s := range q.Seats {
		request.SeatIDs = append(request.SeatIDs, s.ID)
	}
	return answerOrder(o.sales.Lock(c.note, opLock, request, func(q *boxoffice.HoldRequest) { o.delayLock(c.note, q) }))
}

// delayLock decides whether a lock is DOING at first, for how long, and its final state. Without a fault one lock in
// three is DOING, depending on the seed and the order's number; while the clock is stopped none is, because it would
// stay DOING.
func (o *orders) delayLock(note *journal.Note, q *boxoffice.HoldRequest) {
	if !o.clock.Frozen() && dataset.RandOf(o.country.Seed(), "doing", q.No).N(3) == 0 {
		q.Doing = usualDoing
	}
	if f, hit := o.sales.Fault(note, opLock, q.Mobile, doDoing); hit {
		q.Doing = f.Delay(usualDoing)
	}
	if f, hit := o.sales.Fault(note, opLock, q.Mobile, doDoingLate); hit {
		q.Doing = f.Delay(lateDoing)
	}
	if f, hit := o.sales.Fault(note, opLock, q.Mobile, doDoingRejected); hit {
		taken := rejectionOf(boxoffice.ErrSeatTaken)
		q.Doing, q.Reject, q.RejectCode = f.Delay(usualDoing), cmp.Or(f.Message, taken.Message), f.Code
		if _, err := strconv.Atoi(f.Code); err != nil {
			q.RejectCode = taken.Code
		}
	}
	if _, hit := o.sales.Fault(note, opLock, q.Mobile, doDoingNever); hit {
		q.Doing = -1
	}
}

// query is order/query: the current state of an order, with the ticket codes if it has any.
func (o *orders) query(c call) ([]byte, *journal.Rejection) {
	no := c.query.Get("outOrderNo")
	if !ticketing.IsOrderNumber(no) {
		return nil, malformed("outOrderNo")
	}
	return answerOrder(o.sales.Order(no))
}

// submit is order/submit: it confirms the sale and requests the tickets.
func (o *orders) submit(c call) ([]byte, *journal.Rejection) {
	var q struct {
		No     string `json:"outOrderNo"`
		Amount string `json:"amount"`
		Mobile string `json:"mobile"`
	}
	if rejected := decode(c, &q); rejected != nil {
		return nil, rejected
	}
	amount, ok := parseYuan(q.Amount)
	switch {
	case !ticketing.IsOrderNumber(q.No):
		return nil, malformed("outOrderNo")
	case !ok:
		return nil, malformed("amount")
	case !ticketing.IsMobile(q.Mobile):
		return nil, malformed("mobile")
	}
	order, err := o.sales.ConfirmSale(c.note, opSubmit, q.No, q.Mobile, amount)
	if err == nil {
		order, _, err = o.sales.IssueTickets(c.note, opSubmit, order, q.Mobile)
	}
	return answerOrder(order, err)
}

// bodyOrderNo returns the outOrderNo in the body of a call.
func bodyOrderNo(c call) (string, *journal.Rejection) {
	var q struct {
		No string `json:"outOrderNo"`
	}
	if rejected := decode(c, &q); rejected != nil {
		return "", rejected
	}
	if !ticketing.IsOrderNumber(q.No) {
		return "", malformed("outOrderNo")
	}
	return q.No, nil
}

// cancel is order/cancel: it releases locked seats. It also succeeds if the order no longer holds seats.
func (o *orders) cancel(c call) ([]byte, *journal.Rejection) {
	no, rejected := bodyOrderNo(c)
	if rejected != nil {
		return nil, rejected
	}
	return answerOrder(o.sales.Release(no))
}

// ticketToken is ticket/token: a token for the third-party ticket page of an issued order.
func (o *orders) ticketToken(c call) ([]byte, *journal.Rejection) {
	no, rejected := bodyOrderNo(c)
	if rejected != nil {
		return nil, rejected
	}
	order, err := o.sales.Order(no)
	if err != nil {
		return nil, rejectionOf(err)
	}
	if order.State != boxoffice.Issued {
		return nil, rejectionOf(boxoffice.ErrState)
	}
	token := dataset.RandOf(o.country.Seed(), "ticket page", order.No).Text("0123456789abcdef", 32)
	return success(map[string]any{
		"token": token, "expires_in": int(pageLife.Seconds()), "url": o.baseURL() + prefix + "/ticket?token=" + token,
	}), nil
}

// orderJSON is the object Order that README.md describes. FailCode is a number like every code of the provider.
type orderJSON struct {
	No       string             `json:"outOrderNo"`
	ID       string             `json:"orderNo"`
	State    string             `json:"state"`
	Amount   string             `json:"amount"` // yuan
	Expires  int64              `json:"expireAt"`
	Tickets  []ticketing.Ticket `json:"ticketCode"`
	SMS      string             `json:"smsContent"`
	Fail     string             `json:"failReason"`
	FailCode int                `json:"failCode,omitempty"`
}

// states are the provider's names for the states of an order. Sold is ISSUING too, because order/submit confirms the
// sale and requests the tickets in one call.
var states = map[boxoffice.State]string{
	boxoffice.Doing: "DOING", boxoffice.Held: "LOCKED", boxoffice.HoldLost: "LOCK_FAILED",
	boxoffice.Released: "CANCELLED",
	boxoffice.Expired:  "EXPIRED", boxoffice.Sold: "ISSUING", boxoffice.Issuing: "ISSUING", boxoffice.Issued: "ISSUED",
	boxoffice.IssueRejected: "ISSUE_FAILED",
}

// answerOrder returns the answer to a call that returns an order, or the rejection for an error of the box office.
func answerOrder(o boxoffice.Order, err error) ([]byte, *journal.Rejection) {
	if err != nil {
		return nil, rejectionOf(err)
	}
	j := orderJSON{
		No: o.No, ID: o.ID, State: states[o.State], Amount: yuan(o.Amount), Expires: o.Expires.Unix(),
		Tickets: ticketing.Tickets(o), SMS: o.SMS,
	}
	if o.State == boxoffice.HoldLost || o.State == boxoffice.IssueRejected {
		j.Fail = o.Fail
		j.FailCode, _ = strconv.Atoi(o.FailCode)
	}
	return success(j), nil
}

// yuan formats an amount in fen as the provider does: "42.90".
func yuan(fen int64) string {
	digits := strconv.FormatInt(100+fen%100, 10)
	return strconv.FormatInt(fen/100, 10) + "." + digits[1:]
}

// parseYuan reads an amount in yuan with exactly two decimals and returns it in fen.
func parseYuan(text string) (fen int64, ok bool) {
	whole, part, ok := strings.Cut(text, ".")
	if !ok || len(part) != 2 || len(whole) == 0 || len(whole) > 9 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, false
	}
	fen, err := strconv.ParseInt(whole+part, 10, 64)
	return fen, err == nil
}
