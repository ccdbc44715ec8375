package newmovie

import (
	"regexp"
	"strconv"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/script"
)

const (
	lockLife   = 10 * time.Minute
	usualDoing = time.Second
	lateDoing  = 20 * time.Second
	issueDelay = 3 * time.Second
	pageLife   = 5 * time.Minute
)

// words are the faults of this provider's own domain and where they happen.
var words = map[string][]string{
	"token-expired":   operations[1:],
	"session-stopped": {"movie/session", "order/lock"},
	"seat-taken":      {"order/lock"},
	"price-changed":   {"order/lock"},
	"doing":           {"order/lock"},
	"doing-late":      {"order/lock"},
	"doing-refused":   {"order/lock"},
	"doing-never":     {"order/lock"},
	"lock-lost":       {"order/submit"},
	"issue-refused":   {"order/submit"},
	"issue-late":      {"order/submit"},
	"issue-never":     {"order/submit"},
}

// suffers asks whether a call is to suffer a word, by plan or by the buyer's magic mobile.
func (n *NewMovie) suffers(note *journal.Note, operation, mobile, word string) (script.Fault, bool) {
	if f, ok := n.c.Plan.Take(Name, operation, word); ok {
		note.Suffer(f.ID, f.Do)
		return f, true
	}
	if dataset.MagicMobile(mobile) != word {
		return script.Fault{}, false
	}
	note.Suffer("magic", word)
	return script.Fault{Do: word}, true
}

type lockRequest struct {
	No         string `json:"outOrderNo"`
	SessionID  string `json:"sessionId"`
	CinemaCode string `json:"cinemaCode"`
	Seats      []struct {
		ID string `json:"originSeatID"`
	} `json:"seats"`
	Mobile string `json:"mobile"`
}

var (
	orderNumber = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)
	mobileShape = regexp.MustCompile(`^1[3-9][0-9]{9}$`)
)

const mostSeatIDs = 100 // more is no mistake but an attack

func (n *NewMovie) lock(c call) ([]byte, *refusal) {
	var q lockRequest
	if refused := decode(c.body, &q); refused != nil {
		return nil, refused
	}
	switch {
	case !orderNumber.MatchString(q.No):
		return nil, parameter("outOrderNo")
	case q.SessionID == "":
		return nil, parameter("sessionId")
	case !mobileShape.MatchString(q.Mobile):
		return nil, parameter("mobile")
	case len(q.Seats) == 0 || len(q.Seats) > mostSeatIDs:
		return nil, parameter("seats")
	}
	show, ok := n.c.Country.Show(dataset.NewMovie, q.SessionID)
	if !ok {
		return nil, refusalOf(boxoffice.ErrNoShow)
	}
	if show.Cinema.Code != q.CinemaCode {
		return nil, &refusal{code: 404002, msg: "影院不存在", reason: "cinemaCode " + q.CinemaCode + " is not the session's, which is " + show.Cinema.Code}
	}
	if _, hit := n.suffers(c.note, "order/lock", q.Mobile, "session-stopped"); hit {
		return nil, refusalOf(boxoffice.ErrClosed)
	}
	request := boxoffice.HoldRequest{No: q.No, ShowID: q.SessionID, Mobile: q.Mobile, Life: lockLife, OneArea: true}
	for _, s := range q.Seats {
		request.SeatIDs = append(request.SeatIDs, s.ID)
	}
	if _, err := n.office.Order(q.No); err != nil { // a fault hits the first request, not its repetitions
		if _, hit := n.suffers(c.note, "order/lock", q.Mobile, "seat-taken"); hit {
			n.office.Steal(q.SessionID, request.SeatIDs[0])
		}
		n.doing(c, &request)
	}
	order, err := n.office.Hold(request)
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(orderOf(order)), nil
}

// doing decides whether the lock is settled only after the answer, and how.
func (n *NewMovie) doing(c call, q *boxoffice.HoldRequest) {
	if dataset.RandOf(n.c.Country.Seed(), "doing", q.No).N(3) == 0 {
		q.Doing = usualDoing
	}
	if f, hit := n.suffers(c.note, "order/lock", q.Mobile, "doing"); hit {
		q.Doing = seconds(f, usualDoing)
	}
	if f, hit := n.suffers(c.note, "order/lock", q.Mobile, "doing-late"); hit {
		q.Doing = seconds(f, lateDoing)
	}
	if f, hit := n.suffers(c.note, "order/lock", q.Mobile, "doing-refused"); hit {
		q.Doing, q.Refuse, q.RefuseCode = seconds(f, usualDoing), f.Message, f.Code
		if q.Refuse == "" {
			q.Refuse = "座位已被占用"
		}
		if _, err := strconv.Atoi(q.RefuseCode); err != nil {
			q.RefuseCode = "409001"
		}
	}
	if _, hit := n.suffers(c.note, "order/lock", q.Mobile, "doing-never"); hit {
		q.Doing = -1
	}
	if _, hit := n.suffers(c.note, "order/lock", q.Mobile, "price-changed"); hit {
		q.Surcharge = 100
	}
}

func (n *NewMovie) query(c call) ([]byte, *refusal) {
	no := c.query.Get("outOrderNo")
	if !orderNumber.MatchString(no) {
		return nil, parameter("outOrderNo")
	}
	order, err := n.office.Order(no)
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(orderOf(order)), nil
}

type submitRequest struct {
	No     string `json:"outOrderNo"`
	Amount string `json:"amount"`
	Mobile string `json:"mobile"`
}

// submit confirms the sale and asks for the tickets in one call.
func (n *NewMovie) submit(c call) ([]byte, *refusal) {
	var q submitRequest
	if refused := decode(c.body, &q); refused != nil {
		return nil, refused
	}
	amount, ok := fen(q.Amount)
	switch {
	case !orderNumber.MatchString(q.No):
		return nil, parameter("outOrderNo")
	case !ok:
		return nil, parameter("amount")
	case !mobileShape.MatchString(q.Mobile):
		return nil, parameter("mobile")
	}
	lose := false
	if known, err := n.office.Order(q.No); err == nil && known.State == boxoffice.Held && known.Amount == amount {
		_, lose = n.suffers(c.note, "order/submit", q.Mobile, "lock-lost")
	}
	order, err := n.office.Confirm(q.No, amount, lose)
	if err != nil {
		return nil, refusalOf(err)
	}
	delay, reason := issueDelay, ""
	if order.State == boxoffice.Sold { // a fault hits the first request, not its repetitions
		if f, hit := n.suffers(c.note, "order/submit", q.Mobile, "issue-refused"); hit {
			if reason = f.Message; reason == "" {
				reason = "影院出票失败"
			}
		}
		if f, hit := n.suffers(c.note, "order/submit", q.Mobile, "issue-late"); hit {
			delay = seconds(f, 10*time.Minute)
		}
		if _, hit := n.suffers(c.note, "order/submit", q.Mobile, "issue-never"); hit {
			delay = -1
		}
	}
	order, _, err = n.office.Issue(q.No, delay, reason)
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(orderOf(order)), nil
}

// orderNo is the outOrderNo of a body that holds nothing else.
func orderNo(c call) (string, *refusal) {
	var q struct {
		No string `json:"outOrderNo"`
	}
	if refused := decode(c.body, &q); refused != nil {
		return "", refused
	}
	if !orderNumber.MatchString(q.No) {
		return "", parameter("outOrderNo")
	}
	return q.No, nil
}

func (n *NewMovie) cancel(c call) ([]byte, *refusal) {
	no, refused := orderNo(c)
	if refused != nil {
		return nil, refused
	}
	order, err := n.office.Release(no)
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(orderOf(order)), nil
}

// ticketToken opens the third-party ticket page of an order.
func (n *NewMovie) ticketToken(c call) ([]byte, *refusal) {
	no, refused := orderNo(c)
	if refused != nil {
		return nil, refused
	}
	order, err := n.office.Order(no)
	if err != nil {
		return nil, refusalOf(err)
	}
	if order.State != boxoffice.Issued {
		return nil, refusalOf(boxoffice.ErrState)
	}
	token := dataset.RandOf(n.c.Country.Seed(), "ticket page", order.No).Text("0123456789abcdef", 32)
	return success(map[string]any{
		"token": token, "expires_in": int(pageLife.Seconds()), "url": n.c.BaseURL() + prefix + "/ticket?token=" + token,
	}), nil
}
