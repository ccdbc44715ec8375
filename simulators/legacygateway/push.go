package legacygateway

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
	"marquee/simulators/webhook"
)

const (
	pushOperation = "ticket.push"
	pushTimeout   = 5 * time.Second // real time the shop has to answer
	lateDelay     = 5 * time.Minute // business time of push-late, unless the fault names a delay
)

// retryDelays are the waits, in business time, after a push that the shop did not accept.
var retryDelays = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// pusher pushes tickets, or their refusal, to the shop.
type pusher struct {
	c      Config
	office *boxoffice.Office
	sender webhook.Sender

	mu      sync.Mutex
	pending map[*PushState]struct{}
}

// PushState is a push that is still to be made.
type PushState struct {
	No     string    `json:"no"`
	Due    time.Time `json:"due"`             // business time
	Tries  int       `json:"tries"`           // attempts made; -1: none, and the plan was not yet asked for its fault
	Fault  string    `json:"fault,omitempty"` // what was planned for it
	Forged bool      `json:"forged,omitempty"`
}

// unplanned is Tries of a push for which the plan was not yet asked.
const unplanned = -1

// schedule makes a push after a wait of business time.
func (p *pusher) schedule(push PushState, wait time.Duration) {
	push.Due = p.c.Clock.Now().Add(wait)
	p.mu.Lock()
	p.pending[&push] = struct{}{}
	p.mu.Unlock()
	p.c.Clock.AfterFunc(wait, func() {
		if p.sender.Closed() {
			return
		}
		if push.Tries == unplanned {
			p.start(push.No)
		} else {
			p.attempt(push)
		}
		p.mu.Lock()
		delete(p.pending, &push)
		p.mu.Unlock()
	})
}

// start makes the first push of an order, with the fault that is planned for it.
func (p *pusher) start(no string) {
	if p.c.PushURL() == "" {
		return
	}
	note := &journal.Note{}
	fault, _ := p.c.Plan.Apply(note, Name, pushOperation, doPushDrop, doPushLate, doPushDuplicate, doPushBadSignature)
	push := PushState{No: no, Fault: note.Fault}
	switch fault.Do {
	case doPushDrop:
		p.c.Journal.Add(journal.Entry{
			Provider: Name, Operation: pushOperation, Method: http.MethodPost, Request: "orderno=" + no,
			Verdict: journal.Faulted, Fault: note.Fault,
		})
		return
	case doPushLate:
		p.schedule(push, fault.Delay(lateDelay))
		return
	case doPushDuplicate:
		once := push
		once.Tries = len(retryDelays) // it is not repeated
		p.attempt(once)
	case doPushBadSignature:
		push.Forged = true
	}
	p.attempt(push)
}

// attempt sends a push once, if the order has ended, and, when the shop does not accept it, schedules the next attempt
// without the fault.
func (p *pusher) attempt(push PushState) {
	order, err := p.office.Order(push.No)
	if err != nil || order.State != boxoffice.Issued && order.State != boxoffice.IssueRefused {
		return
	}
	form := p.form(order)
	if push.Forged {
		form.Set("sign", strings.Repeat("0", len(form.Get("sign"))))
	}
	entry := journal.Entry{
		Provider: Name, Operation: pushOperation, Method: http.MethodPost, Path: p.c.PushURL(), Request: form.Encode(),
		Verdict: journal.Failed, Fault: push.Fault,
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded;charset=UTF-8"}}
	entry.Status, entry.Answer, err = p.sender.Post(entry.Path, header, []byte(entry.Request))
	switch {
	case err != nil:
		entry.Reason = err.Error()
	case entry.Status != http.StatusOK || strings.TrimSpace(entry.Answer) != "success":
		entry.Reason = fmt.Sprintf("the shop answered %d and not the text success", entry.Status)
	default:
		entry.Verdict = journal.Sent
	}
	p.c.Journal.Add(entry)
	if entry.Verdict == journal.Failed && push.Tries < len(retryDelays) && !p.sender.Closed() {
		p.schedule(PushState{No: push.No, Tries: push.Tries + 1}, retryDelays[push.Tries])
	}
}

// form is the signed form of a push. Its timestamp is real time, as that of a call.
func (p *pusher) form(o boxoffice.Order) url.Values {
	j := orderOf(o)
	form := url.Values{
		"method": {pushOperation}, "appkey": {p.c.Credentials.AppKey},
		"timestamp": {time.Now().In(zone).Format(ticketing.TimeLayout)}, "v": {"2.0"},
		"orderno": {j.No}, "orderid": {j.ID}, "state": {j.State}, "ticketcodes": {string(ticketing.Encode(j.Tickets))},
		"smscontent": {j.SMS}, "failreason": {j.Fail},
	}
	if p.c.Dialect.Method != "" {
		form.Set("sign_method", p.c.Dialect.Method)
	}
	sign, err := Sign(form, p.c.Credentials.Secret, p.c.Dialect)
	if err != nil {
		panic(err) // the dialect was configured wrongly
	}
	form.Set("sign", sign)
	return form
}

// save lists the pushes that are still to be made, by time.
func (p *pusher) save() []PushState {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []PushState{}
	for push := range p.pending {
		list = append(list, *push)
	}
	slices.SortFunc(list, func(a, b PushState) int { return a.Due.Compare(b.Due) })
	return list
}

// load schedules saved pushes. The error names one whose order is unknown.
func (p *pusher) load(saved []PushState) error {
	for _, push := range saved {
		if _, err := p.office.Order(push.No); err != nil || push.Tries < unplanned || push.Tries > len(retryDelays) {
			return fmt.Errorf("gateway: the push of order %q does not fit", push.No)
		}
		p.schedule(push, max(0, push.Due.Sub(p.c.Clock.Now())))
	}
	return nil
}
