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
	Target string    `json:"target,omitempty"` // id of the webhook target that gets it; "": the shop's address
}

// unplanned is the value of Tries before the fault of a push is taken from the plan. That happens when tickets are
// pushed, so that a fault can still be planned until then.
const unplanned = -1

// replace removes a pending push that was handled, and schedules the pushes that follow from it, such as the next
// attempt. Both happen in one step: a snapshot contains either the old push or the following ones, so that a restored
// world does not push twice. made is nil if there is no old push.
func (p *pusher) replace(made *PushState, following ...PushState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, made)
	for _, push := range following {
		p.pending[&push] = struct{}{}
		p.c.Clock.AfterFunc(max(0, push.Due.Sub(p.c.Clock.Now())), func() {
			switch {
			case p.sender.Closed():
			case push.Tries == unplanned:
				p.replace(&push, p.first(push.No)...)
			default:
				p.replace(&push, p.attempt(push)...)
			}
		})
	}
}

// PushTickets pushes the tickets of an order, or their rejection, to the shop and to the targets.
func (g *Gateway) PushTickets(no string) { g.pusher.schedule(no, 0) }

// schedule pushes the tickets of an order after a delay of business time.
func (p *pusher) schedule(no string, delay time.Duration) {
	p.replace(nil, PushState{No: no, Due: p.c.Clock.Now().Add(delay), Tries: unplanned})
}

// first returns the first pushes of an order: one to the shop's address, if there is any, with the fault that is
// planned for it, and one to each target.
func (p *pusher) first(no string) (pushes []PushState) {
	now, to := p.c.Clock.Now(), p.c.PushURL()
	if to != "" {
		pushes = p.firstToShop(PushState{No: no, Due: now})
	}
	for _, target := range p.c.Targets.For(pushOperation, to) {
		pushes = append(pushes, PushState{No: no, Due: now, Target: target.ID})
	}
	return pushes
}

// firstToShop applies the planned fault to the first push to the shop's address. It returns no push if the fault drops
// it, two if the fault duplicates it, otherwise one.
func (p *pusher) firstToShop(push PushState) []PushState {
	note := &journal.Note{}
	fault, _ := p.c.Plan.Apply(note, Name, pushOperation, doPushDrop, doPushLate, doPushDuplicate, doPushBadSignature)
	push.Fault = note.Fault
	switch fault.Do {
	case doPushDrop:
		p.c.Journal.Add(journal.Entry{
			Provider: Name, Operation: pushOperation, Method: http.MethodPost, Request: "orderno=" + push.No,
			Subject: push.No, Verdict: journal.Faulted, Fault: note.Fault,
		})
		return nil
	case doPushLate:
		push.Due = push.Due.Add(fault.Delay(lateDelay))
	case doPushDuplicate:
		once := push
		once.Tries = len(retryDelays) // it is not repeated
		return []PushState{once, push}
	case doPushBadSignature:
		push.Forged = true
	}
	return []PushState{push}
}

// attempt makes one attempt to send a push, if the order's tickets were issued or rejected and its receiver still
// exists. If the receiver does not accept the push, it returns the next attempt, to which the planned fault does not
// apply. The delay counts from the start of this attempt: a test that sees the failed attempt in the journal may
// advance the clock before the next one is scheduled.
func (p *pusher) attempt(push PushState) []PushState {
	to := p.c.PushURL()
	if push.Target != "" {
		to = p.c.Targets.URL(push.Target)
	}
	order, ended := p.ended(push.No)
	if !ended || to == "" {
		return nil
	}
	begun := p.c.Clock.Now()
	if entry := p.post(order, push, to); entry.Verdict != journal.Failed || push.Tries >= len(retryDelays) {
		return nil
	}
	return []PushState{
		{No: push.No, Due: begun.Add(retryDelays[push.Tries]), Tries: push.Tries + 1, Target: push.Target},
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
	// A reset closes the gateway and then empties the journal, so nothing is added after Close.
	p.sender.WhileOpen(func() { entry = p.c.Journal.Add(entry) })
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

// save lists the pending pushes of the given orders, by time. It leaves out pushes of orders that the box office has
// evicted, or that were created after orders was saved.
func (p *pusher) save(orders []boxoffice.OrderSnapshot) []PushState {
	known := map[string]bool{}
	for _, order := range orders {
		known[order.No] = true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []PushState{}
	for push := range p.pending {
		if known[push.No] {
			list = append(list, *push)
		}
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
	}
	p.replace(nil, saved...)
	return nil
}
