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
	"marquee/simulators/control"
	"marquee/simulators/journal"
	"marquee/simulators/ticketing"
	"marquee/simulators/webhook"
)

const (
	pushOperation = "ticket.push"
	pushTimeout   = 5 * time.Second // real time the shop has to answer
	lateDelay     = 5 * time.Minute // business time of push-late, unless the fault has a delay
)

// retryDelays are the delays, in business time, after a push that the shop did not accept.
var retryDelays = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// pusher pushes tickets, or their rejection, to the shop and to the webhook targets, and retries.
type pusher struct {
	c      Config
	office *boxoffice.Office
	sender webhook.Sender

	mu      sync.Mutex
	pending map[*PushState]struct{}
}

// PushState is a pending push, as saved in a snapshot.
type PushState struct {
	No     string    `json:"no"`
	Due    time.Time `json:"due"`              // business time
	Tries  int       `json:"tries"`            // attempts made; -1: none, and no fault was yet taken from the plan
	Fault  string    `json:"fault,omitempty"`  // the planned fault of the push, for the journal
	Forged bool      `json:"forged,omitempty"` // it gets a wrong signature
	Target string    `json:"target,omitempty"` // id of the target that gets this copy; "": the shop's address
}

// unplanned is the value of Tries before the fault of a push is taken from the plan. That happens when tickets are
// pushed, so that a fault can still be planned until then.
const unplanned = -1

// schedule sends a push after a delay of business time.
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

// PushTickets pushes the tickets of an order, or their rejection, to the shop and to the targets.
func (g *Gateway) PushTickets(no string) { g.pusher.schedule(PushState{No: no, Tries: unplanned}, 0) }

// start makes the first push of an order, with the fault that is planned for it, and a push to each target.
func (p *pusher) start(no string) {
	if p.c.PushURL() != "" {
		p.startFirst(no)
	}
	for _, target := range p.c.Targets.For(pushOperation, p.c.PushURL()) {
		p.schedule(PushState{No: no, Target: target.ID}, 0)
	}
}

// startFirst makes the first push of an order to the shop's address.
func (p *pusher) startFirst(no string) {
	note := &journal.Note{}
	fault, _ := p.c.Plan.Apply(note, Name, pushOperation, doPushDrop, doPushLate, doPushDuplicate, doPushBadSignature)
	push := PushState{No: no, Fault: note.Fault}
	switch fault.Do {
	case doPushDrop:
		p.c.Journal.Add(journal.Entry{
			Provider: Name, Operation: pushOperation, Method: http.MethodPost, Request: "orderno=" + no, Subject: no,
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

// attempt makes one attempt to send a push, if the order's tickets were issued or rejected and its receiver still
// exists. If the receiver does not accept the push, the next attempt is scheduled, to which the planned fault does not
// apply. The delay counts from the start of this attempt: a test that sees the failed attempt in the journal may
// advance the clock before the next one is scheduled.
func (p *pusher) attempt(push PushState) {
	to := p.c.PushURL()
	if push.Target != "" {
		to = p.c.Targets.URL(push.Target)
	}
	order, ended := p.ended(push.No)
	if !ended || to == "" {
		return
	}
	begun := p.c.Clock.Now()
	entry := p.post(order, push, to)
	if entry.Verdict == journal.Failed && push.Tries < len(retryDelays) && !p.sender.Closed() {
		due := begun.Add(retryDelays[push.Tries])
		p.schedule(PushState{No: push.No, Tries: push.Tries + 1, Target: push.Target}, max(0, due.Sub(p.c.Clock.Now())))
	}
}

// ended returns an order, and true if its tickets were issued or rejected.
func (p *pusher) ended(no string) (boxoffice.Order, bool) {
	order, err := p.office.Order(no)
	return order, err == nil && (order.State == boxoffice.Issued || order.State == boxoffice.IssueRejected)
}

// post sends one request with a push to an address, and returns its entry in the journal.
func (p *pusher) post(order boxoffice.Order, push PushState, to string) journal.Entry {
	form := p.form(order)
	if push.Forged {
		form.Set("sign", strings.Repeat("0", len(form.Get("sign"))))
	}
	entry := journal.Entry{
		Provider: Name, Operation: pushOperation, Method: http.MethodPost, Path: to, Request: form.Encode(),
		Subject: push.No, Target: push.Target, Verdict: journal.Failed, Fault: push.Fault,
	}
	header := http.Header{"Content-Type": {"application/x-www-form-urlencoded;charset=UTF-8"}}
	entry.Delivery = journal.NewDelivery(header, []byte(entry.Request), form.Get("appkey"), Joined(form))
	var err error
	entry.Status, entry.Answer, err = p.sender.Post(entry.Path, header, []byte(entry.Request))
	switch {
	case err != nil:
		entry.Reason = err.Error()
	case entry.Status != http.StatusOK || strings.TrimSpace(entry.Answer) != "success":
		entry.Reason = fmt.Sprintf("the shop answered %d, or its text was not success", entry.Status)
	default:
		entry.Verdict = journal.Sent
	}
	p.sender.WhileOpen(func() { entry = p.c.Journal.Add(entry) }) // not after Close: a reset then empties the journal
	return entry
}

// WebhookOperations lists the pushes that the gateway sends.
func (g *Gateway) WebhookOperations() []string { return []string{pushOperation} }

// Resend pushes an order again, without retries: to url, or, if that is "", to the shop's address and to every target.
// Planned faults do not apply to it. The error is a *control.Error.
func (g *Gateway) Resend(operation, no, url string) ([]journal.Entry, error) {
	p := g.pusher
	order, ended := p.ended(no)
	if !ended {
		return nil, control.NoWebhook(operation, no)
	}
	if url != "" {
		return []journal.Entry{p.post(order, PushState{No: no}, url)}, nil
	}
	entries := []journal.Entry{}
	if first := p.c.PushURL(); first != "" {
		entries = append(entries, p.post(order, PushState{No: no}, first))
	}
	for _, target := range p.c.Targets.For(pushOperation, p.c.PushURL()) {
		entries = append(entries, p.post(order, PushState{No: no, Target: target.ID}, target.URL))
	}
	return entries, nil
}

// form is the signed form of a push. Its timestamp is real time, like that of a call.
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
		panic(err) // the configured dialect is invalid
	}
	form.Set("sign", sign)
	return form
}

// save lists the pending pushes, by time.
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

// load schedules saved pushes. It fails for a push whose order is unknown or whose number of attempts is out of range.
func (p *pusher) load(saved []PushState) error {
	for _, push := range saved {
		if _, err := p.office.Order(push.No); err != nil || push.Tries < unplanned || push.Tries > len(retryDelays) {
			return fmt.Errorf("gateway: the push of order %q has an unknown order or a wrong number of tries", push.No)
		}
		p.schedule(push, max(0, push.Due.Sub(p.c.Clock.Now())))
	}
	return nil
}
