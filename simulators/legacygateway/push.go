package legacygateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/simulators/boxoffice"
	"marquee/simulators/journal"
)

const (
	pushOperation = "ticket.push"
	pushTimeout   = 5 * time.Second // real time the shop has to answer
)

// retries are the waits, in business time, after a push that the shop did not accept.
var retries = []time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute}

// push tells the shop how an order ended.
func (g *Gateway) push(no string) {
	if g.c.PushURL() == "" {
		return
	}
	if f, hit := g.c.Plan.Take(Name, pushOperation, "push-drop", "push-late", "push-duplicate", "push-bad-signature"); hit {
		note := f.ID + " " + f.Do
		switch f.Do {
		case "push-drop":
			g.c.Journal.Add(journal.Entry{Provider: Name, Operation: pushOperation, Method: http.MethodPost, Request: "orderno=" + no, Verdict: journal.Faulted, Fault: note})
		case "push-late":
			delay := time.Duration(f.DelayS) * time.Second
			if delay == 0 {
				delay = 5 * time.Minute
			}
			g.later(PushState{No: no, Fault: note}, delay)
		case "push-duplicate":
			g.attempt(no, len(retries), note, false)
			g.attempt(no, 0, note, false)
		case "push-bad-signature":
			g.attempt(no, 0, note, true)
		}
		return
	}
	g.attempt(no, 0, "", false)
}

// attempt sends once and, when the shop does not accept, again after a wait.
func (g *Gateway) attempt(no string, tries int, fault string, forge bool) {
	order, err := g.office.Order(no)
	if err != nil || order.State != boxoffice.Issued && order.State != boxoffice.IssueRefused {
		return
	}
	form := g.pushForm(order)
	if forge {
		form.Set("sign", strings.Repeat("0", len(form.Get("sign"))))
	}
	status, answer, err := g.post(form)
	entry := journal.Entry{
		Provider: Name, Operation: pushOperation, Method: http.MethodPost, Path: g.c.PushURL(), Request: form.Encode(),
		Status: status, Answer: answer, Verdict: journal.Sent, Fault: fault,
	}
	if err == nil && status == http.StatusOK && strings.TrimSpace(answer) == "success" {
		g.c.Journal.Add(entry)
		return
	}
	entry.Verdict = journal.Failed
	switch {
	case err != nil:
		entry.Reason = err.Error()
	default:
		entry.Reason = fmt.Sprintf("the shop answered %d and not the text success", status)
	}
	g.c.Journal.Add(entry)
	if tries < len(retries) && !g.life.Closed() {
		g.later(PushState{No: no, Tries: tries + 1}, retries[tries])
	}
}

func (g *Gateway) pushForm(o boxoffice.Order) url.Values {
	j := orderOf(o)
	codes, err := json.Marshal(j.Tickets)
	if err != nil {
		panic(err) // strings always encode
	}
	form := url.Values{
		"method": {pushOperation}, "appkey": {g.c.Credentials.AppKey}, "timestamp": {time.Now().In(zone).Format(timeLayout)}, "v": {"2.0"},
		"orderno": {j.No}, "orderid": {j.ID}, "state": {j.State}, "ticketcodes": {string(codes)}, "smscontent": {j.SMS}, "failreason": {j.Fail},
	}
	if g.c.Dialect.Method != "" {
		form.Set("sign_method", g.c.Dialect.Method)
	}
	sign, err := Sign(form, g.c.Credentials.Secret, g.c.Dialect)
	if err != nil {
		panic(err) // the dialect was configured wrongly
	}
	form.Set("sign", sign)
	return form
}

func (g *Gateway) post(form url.Values) (status int, answer string, err error) {
	ctx, cancel := g.life.Context(pushTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, g.c.PushURL(), strings.NewReader(form.Encode()))
	if err != nil {
		return 0, "", fmt.Errorf("build the push: %w", err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded;charset=UTF-8")
	response, err := g.pusher.Do(request)
	if err != nil {
		return 0, "", fmt.Errorf("push to the shop: %w", err)
	}
	defer response.Body.Close() //nolint:errcheck // the answer is read already
	body, err := io.ReadAll(io.LimitReader(response.Body, 4<<10))
	if err != nil {
		return response.StatusCode, "", fmt.Errorf("read the answer to the push: %w", err)
	}
	return response.StatusCode, string(body), nil
}
