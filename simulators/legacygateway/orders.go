package legacygateway

import (
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/script"
)

const (
	lockLife   = 15 * time.Minute
	issueDelay = 3 * time.Second
)

// words are the faults of this provider's own domain and where they happen.
var words = map[string][]string{
	"seat-taken":         {"seat.lock"},
	"price-changed":      {"seat.lock"},
	"lock-lost":          {"order.create"},
	"issue-refused":      {"ticket.issue"},
	"issue-late":         {"ticket.issue"},
	"issue-never":        {"ticket.issue"},
	"push-drop":          {pushOperation},
	"push-late":          {pushOperation},
	"push-duplicate":     {pushOperation},
	"push-bad-signature": {pushOperation},
}

// suffers asks whether a call is to suffer a word, by plan or by the buyer's magic mobile.
func (g *Gateway) suffers(note *journal.Note, operation, mobile, word string) (script.Fault, bool) {
	if f, ok := g.c.Plan.Take(Name, operation, word); ok {
		note.Suffer(f.ID, f.Do)
		return f, true
	}
	if dataset.MagicMobile(mobile) != word {
		return script.Fault{}, false
	}
	note.Suffer("magic", word)
	return script.Fault{Do: word}, true
}

var (
	orderNumber = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)
	mobileShape = regexp.MustCompile(`^1[3-9][0-9]{9}$`)
)

// required are the named parameters, none of them empty, the order number and mobile well formed.
func required(form url.Values, names ...string) *refusal {
	for _, name := range names {
		value := form.Get(name)
		switch {
		case value == "":
			return refuse("1001", "缺少参数"+name)
		case name == "orderno" && !orderNumber.MatchString(value), name == "mobile" && !mobileShape.MatchString(value):
			return refuse("1006", name+"格式错误")
		}
	}
	return nil
}

// SeatIDs takes a list of seat ids apart. An empty id in it is refused by ok.
func SeatIDs(list string) (ids []string, ok bool) {
	for id := range strings.SplitSeq(list, "|") {
		if id == "" {
			return nil, false
		}
		if ids = append(ids, id); len(ids) > 100 {
			return nil, false
		}
	}
	return ids, true
}

func (g *Gateway) lock(form call) ([]byte, *refusal) {
	if refused := required(form.Values, "orderno", "opiid", "seatids", "mobile"); refused != nil {
		return nil, refused
	}
	ids, ok := SeatIDs(form.Get("seatids"))
	if !ok {
		return nil, refuse("1006", "seatids格式错误")
	}
	no, show, mobile := form.Get("orderno"), form.Get("opiid"), form.Get("mobile")
	request := boxoffice.HoldRequest{No: no, ShowID: show, SeatIDs: ids, Mobile: mobile, Life: lockLife}
	if _, err := g.office.Order(no); err != nil { // a fault hits the first request, not its repetitions
		if _, hit := g.suffers(form.note, "seat.lock", mobile, "seat-taken"); hit {
			g.office.Steal(show, ids[0])
		}
		if _, hit := g.suffers(form.note, "seat.lock", mobile, "price-changed"); hit {
			request.Surcharge = 100
		}
	}
	order, err := g.office.Hold(request)
	if err != nil {
		return nil, refusalOf(err)
	}
	if order.State != boxoffice.Held {
		return nil, refuse("4003", "订单状态不允许该操作")
	}
	return success(map[string]any{
		"orderno": order.No, "orderid": order.ID, "state": "LOCKED", "amount": order.Amount, "expiretime": order.Expires.Unix(),
	}), nil
}

func (g *Gateway) unlock(form url.Values) ([]byte, *refusal) {
	if refused := required(form, "orderno"); refused != nil {
		return nil, refused
	}
	order, err := g.office.Release(form.Get("orderno"))
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(map[string]any{"orderno": order.No, "state": "UNLOCKED"}), nil
}

func (g *Gateway) create(form call) ([]byte, *refusal) {
	if refused := required(form.Values, "orderno", "amount", "mobile"); refused != nil {
		return nil, refused
	}
	amount, err := strconv.ParseInt(form.Get("amount"), 10, 64)
	if err != nil || amount < 0 {
		return nil, refuse("1006", "amount格式错误")
	}
	lose := false
	if known, err := g.office.Order(form.Get("orderno")); err == nil && known.State == boxoffice.Held && known.Amount == amount {
		_, lose = g.suffers(form.note, "order.create", form.Get("mobile"), "lock-lost")
	}
	order, err := g.office.Confirm(form.Get("orderno"), amount, lose)
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(map[string]any{"orderno": order.No, "orderid": order.ID, "state": "CREATED"}), nil
}

func (g *Gateway) issue(form call) ([]byte, *refusal) {
	if refused := required(form.Values, "orderno"); refused != nil {
		return nil, refused
	}
	no := form.Get("orderno")
	known, err := g.office.Order(no)
	if err != nil {
		return nil, refusalOf(err)
	}
	delay, reason := issueDelay, ""
	if known.State == boxoffice.Sold { // a fault hits the first request, not its repetitions
		if f, hit := g.suffers(form.note, "ticket.issue", known.Mobile, "issue-refused"); hit {
			if reason = f.Message; reason == "" {
				reason = "影院出票失败"
			}
		}
		if f, hit := g.suffers(form.note, "ticket.issue", known.Mobile, "issue-late"); hit {
			if delay = time.Duration(f.DelayS) * time.Second; delay == 0 {
				delay = 10 * time.Minute
			}
		}
		if _, hit := g.suffers(form.note, "ticket.issue", known.Mobile, "issue-never"); hit {
			delay = -1
		}
	}
	order, first, err := g.office.Issue(no, delay, reason)
	if err != nil {
		return nil, refusalOf(err)
	}
	if first && delay >= 0 {
		g.later(PushState{No: no, Tries: fresh}, delay)
	}
	return success(map[string]any{"orderno": order.No, "orderid": order.ID, "state": "ISSUING"}), nil
}

type ticketJSON struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

type orderJSON struct {
	No      string       `json:"orderno"`
	ID      string       `json:"orderid"`
	State   string       `json:"state"`
	ShowID  string       `json:"opiid"`
	SeatIDs string       `json:"seatids"`
	Amount  int64        `json:"amount"`
	Expires int64        `json:"expiretime"`
	Tickets []ticketJSON `json:"ticketcodeList"`
	SMS     string       `json:"smscontent"`
	Fail    string       `json:"failreason"`
}

func (g *Gateway) query(form url.Values) ([]byte, *refusal) {
	if refused := required(form, "orderno"); refused != nil {
		return nil, refused
	}
	order, err := g.office.Order(form.Get("orderno"))
	if err != nil {
		return nil, refusalOf(err)
	}
	return success(orderOf(order)), nil
}

var states = map[boxoffice.State]string{
	boxoffice.Held: "LOCKED", boxoffice.Released: "UNLOCKED", boxoffice.HoldLost: "UNLOCKED", boxoffice.Expired: "EXPIRED", boxoffice.Sold: "CREATED",
	boxoffice.Issuing: "ISSUING", boxoffice.Issued: "ISSUED", boxoffice.IssueRefused: "FAILED",
}

func orderOf(o boxoffice.Order) orderJSON {
	ids := make([]string, len(o.Seats))
	for i, s := range o.Seats {
		ids[i] = s.ID
	}
	j := orderJSON{
		No: o.No, ID: o.ID, State: states[o.State], ShowID: o.Show.ID, SeatIDs: strings.Join(ids, "|"), Amount: o.Amount,
		Expires: o.Expires.Unix(), Tickets: []ticketJSON{}, SMS: o.SMS,
	}
	if o.State == boxoffice.IssueRefused {
		j.Fail = o.Fail
	}
	for _, t := range o.Tickets {
		j.Tickets = append(j.Tickets, ticketJSON(t))
	}
	return j
}
