package sms

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"marquee/simulators/control"
	"marquee/simulators/journal"
	"marquee/simulators/webhook"
)

// reportRetryDelays are the waits, in business time, after a report that its receiver did not accept. They are chosen
// here: the vendors do not document theirs.
var reportRetryDelays = []time.Duration{time.Minute, 5 * time.Minute, 10 * time.Minute}

const (
	reportTimeout = 5 * time.Second  // real time that a receiver has to answer
	lateReport    = 10 * time.Minute // business time, unless the fault has another delay
)

// reportTime is the format of times in both vendors' reports.
const reportTime = "2006-01-02 15:04:05"

// shanghai is the time zone of both vendors.
var shanghai = time.FixedZone("CST", 8*60*60)

// ReportState is a report that is still to be sent to a target.
type ReportState struct {
	Operation string    `json:"operation"`
	Number    string    `json:"number"`
	Target    string    `json:"target,omitempty"` // "": all targets, and no fault was yet taken from the plan
	Due       time.Time `json:"due"`              // business time
	Tries     int       `json:"tries"`
}

// reporter sends delivery reports to the world's webhook targets. A customer of the real vendors enters such addresses
// in the vendor's console.
type reporter struct {
	Config
	deliveries *deliveries
	sender     webhook.Sender

	mu      sync.Mutex
	pending map[*ReportState]struct{}
}

// replace removes a pending report that was handled, and schedules the reports that follow from it, such as the next
// attempt. Both happen in one step: a snapshot contains either the old report or the following ones, so that a restored
// world does not send twice. sent is nil if there is no old report. replace does not wait for a receiver.
func (p *reporter) replace(sent *ReportState, following ...ReportState) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.pending, sent)
	for _, report := range following {
		p.pending[&report] = struct{}{}
		p.Clock.AfterFunc(max(0, report.Due.Sub(p.Clock.Now())), func() {
			switch {
			case p.sender.Closed():
			case report.Target == "":
				p.replace(&report, p.first(report)...)
			default:
				go func() { p.replace(&report, p.attempt(report)...) }()
			}
		})
	}
}

// first returns a report to each target, or none if the fault report-drop is planned. With the fault report-duplicate
// it also sends each report one more time.
func (p *reporter) first(report ReportState) (reports []ReportState) {
	targets := p.Targets.For(report.Operation, "")
	if len(targets) == 0 {
		return nil
	}
	note := &journal.Note{}
	fault, _ := p.Plan.Apply(note, Name, report.Operation, doReportDrop, doReportDuplicate)
	if fault.Do == doReportDrop {
		p.Journal.Add(journal.Entry{
			Provider: Name, Operation: report.Operation, Method: http.MethodPost, Subject: report.Number,
			Verdict: journal.Faulted, Reason: "the report was dropped", Fault: note.Fault,
		})
		return nil
	}
	for _, target := range targets {
		report.Target = target.ID
		if fault.Do == doReportDuplicate {
			go p.post(report, target.URL, note.Fault)
		}
		reports = append(reports, report)
	}
	return reports
}

// attempt sends a report to one target and, when it is not accepted, returns the next attempt. The wait counts from
// the start of this one: a test that sees the failed attempt in the journal may advance the clock before the next one
// is scheduled.
func (p *reporter) attempt(report ReportState) []ReportState {
	to := p.Targets.URL(report.Target)
	if to == "" {
		return nil
	}
	begun := p.Clock.Now()
	entry := p.post(report, to, "")
	if entry.Verdict != journal.Failed || report.Tries >= len(reportRetryDelays) {
		return nil
	}
	report.Due = begun.Add(reportRetryDelays[report.Tries])
	report.Tries++
	return []ReportState{report}
}

// post makes one attempt to send a report, and returns its entry in the journal.
func (p *reporter) post(report ReportState, to, fault string) journal.Entry {
	body := p.body(report)
	entry := journal.Entry{
		Provider: Name, Operation: report.Operation, Method: http.MethodPost, Path: to, Request: string(body),
		Subject: report.Number, Target: report.Target, Verdict: journal.Failed, Fault: fault,
	}
	var err error
	header := http.Header{"Content-Type": {"application/json;charset=utf-8"}}
	entry.Delivery = journal.NewDelivery(header, body, "", "")
	entry.Status, entry.Answer, err = p.sender.Post(to, header, body)
	var answer struct {
		Code   *int `json:"code"`   // of Alibaba Cloud's API
		Result *int `json:"result"` // of Tencent Cloud's API
	}
	_ = json.Unmarshal([]byte(entry.Answer), &answer) // an answer that is not JSON counts as a rejection
	accepted, field := answer.Code, "code"
	if report.Operation == opTencentReport {
		accepted, field = answer.Result, "result"
	}
	switch {
	case err != nil:
		entry.Reason = err.Error()
	case entry.Status != http.StatusOK || accepted == nil || *accepted != 0:
		entry.Reason = fmt.Sprintf("the receiver answered %d, without %s 0", entry.Status, field)
	default:
		entry.Verdict = journal.Sent
	}
	// A reset closes the provider and then empties the journal, so nothing is added after Close.
	p.sender.WhileOpen(func() { entry = p.Journal.Add(entry) })
	return entry
}

// body is the JSON of a report: a list with an element for each message, as documented in Alibaba Cloud's "SmsReport"
// and Tencent Cloud's "短信下发状态通知".
func (p *reporter) body(report ReportState) []byte {
	list := []map[string]any{}
	for _, d := range p.deliveries.of(report.Operation, report.Number) {
		sent, reported := d.SentAt.In(shanghai).Format(reportTime), d.ReportedAt.In(shanghai).Format(reportTime)
		if report.Operation == opTencentReport {
			status, code, text := "SUCCESS", "DELIVRD", "用户短信送达成功"
			if d.Undelivered {
				status, code, text = "FAIL", "UNDELIV", "短信未送达"
			}
			list = append(list, map[string]any{
				"user_receive_time": reported, "nationcode": "86", "mobile": d.Phone, "report_status": status,
				"errmsg": code, "description": text, "sid": d.Number,
			})
			continue
		}
		code, text := arrived, "用户接收成功"
		if d.Undelivered {
			code, text = notOnService, "手机号停机、空号、关机或不在服务区"
		}
		list = append(list, map[string]any{
			"phone_number": d.Phone, "send_time": sent, "report_time": reported, "success": !d.Undelivered, "err_code": code,
			"err_msg": text, "sms_size": fmt.Sprint(parts(d.Text)), "biz_id": d.Number, "out_id": d.OutID,
		})
	}
	body, err := json.Marshal(list)
	if err != nil {
		panic(err) // strings and booleans can always be encoded
	}
	return body
}

// parts is the number of messages as which a text is sent and charged: one for up to 70 characters, else one for every
// 67 characters or part of them.
func parts(text string) int {
	if n := utf8.RuneCountInString(text); n > 70 {
		return (n + 66) / 67
	}
	return 1
}

// WebhookOperations lists the reports of both APIs.
func (s *Simulator) WebhookOperations() []string { return []string{opReport, opTencentReport} }

// Resend sends the report about a BizId or a SerialNo again, without retries: to url, or to every target if url is "".
// The error is a *control.Error.
func (s *Simulator) Resend(operation, number, url string) ([]journal.Entry, error) {
	p := s.reporter
	of := p.deliveries.of(operation, number)
	if len(of) == 0 || !of[0].reported(p.Clock.Now()) {
		return nil, control.NoWebhook(operation, number)
	}
	report := ReportState{Operation: operation, Number: number}
	if url != "" {
		return []journal.Entry{p.post(report, url, "")}, nil
	}
	entries := []journal.Entry{}
	for _, target := range p.Targets.For(operation, "") {
		report.Target = target.ID
		entries = append(entries, p.post(report, target.URL, ""))
	}
	return entries, nil
}

// save lists the pending reports about the given messages, by time. It leaves out reports about messages that were
// dropped, or that were added after messages was saved.
func (p *reporter) save(messages []delivery) []ReportState {
	type key struct{ operation, number string }
	known := map[key]bool{}
	for _, d := range messages {
		known[key{d.Operation, d.Number}] = true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	list := []ReportState{}
	for report := range p.pending {
		if known[key{report.Operation, report.Number}] {
			list = append(list, *report)
		}
	}
	slices.SortFunc(list, func(a, b ReportState) int { return a.Due.Compare(b.Due) })
	return list
}

// load schedules saved reports. It returns an error for a report with an unknown operation or message, or with too many
// tries.
func (p *reporter) load(saved []ReportState) error {
	for _, report := range saved {
		known := len(p.deliveries.of(report.Operation, report.Number)) > 0
		if !known || report.Tries < 0 || report.Tries > len(reportRetryDelays) {
			return fmt.Errorf("sms: the report of %q has an unknown operation or number, or too many tries",
				report.Number)
		}
	}
	p.replace(nil, saved...)
	return nil
}
