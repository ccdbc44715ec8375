package wechat

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
	"marquee/simulators/webhook"
)

// notifyTimeout is how long, in real time, a merchant may take to answer.
const notifyTimeout = 5 * time.Second

// retryDelays are the waits, in business time, before a notification that was not received is sent again (payment
// notification of the vendor's APIv3 documentation).
var retryDelays = []time.Duration{
	15 * time.Second, 15 * time.Second, 30 * time.Second, 3 * time.Minute, 10 * time.Minute, 20 * time.Minute,
	30 * time.Minute, 30 * time.Minute,
	30 * time.Minute, time.Hour, 3 * time.Hour, 3 * time.Hour, 3 * time.Hour, 6 * time.Hour, 6 * time.Hour,
}

// reorderWait is how long at most, in business time, a reordered notification waits for the next one, unless the fault
// has a delay.
const reorderWait = time.Minute

// notification is one event to be delivered to the merchant, as saved in a snapshot. Only one goroutine at a time
// delivers it.
type notification struct {
	Operation string          `json:"operation"` // opNotify or opRefundNotify
	URL       string          `json:"url"`
	Event     string          `json:"event"`
	Summary   string          `json:"summary"`
	Type      string          `json:"type"` // of the content: transaction or refund
	ID        string          `json:"id"`
	CreatedAt time.Time       `json:"created_at"` // business time
	Content   json.RawMessage `json:"content"`
	Wrong     json.RawMessage `json:"wrong_content"` // the content with a wrong amount, for a fault
	Attempts  int             `json:"attempts"`
	Due       time.Time       `json:"due"`               // business time of the next attempt
	Fault     string          `json:"fault,omitempty"`   // the fault that delays or reorders it, for the journal
	Subject   string          `json:"subject,omitempty"` // the merchant's number of the trade or the refund
	// id of the target that gets this copy; "": the merchant's address
	Target    string `json:"target,omitempty"`
	Reordered bool   `json:"reordered,omitempty"` // it waits for the next notification
}

// tradeNotification reports a paid trade ("支付成功回调通知").
func tradeNotification(t trade) *notification {
	t.State = stateSuccess // also when it is sent again after a refund
	content := t.wire()
	wrong := content
	wrong.Amount = &transactionAmount{Total: t.Order.Amount.Total + 1, PayerTotal: t.Order.Amount.Total + 1,
		Currency: "CNY", PayerCurrency: "CNY"}
	return &notification{
		Operation: opNotify, URL: t.Order.NotifyURL, Event: "TRANSACTION.SUCCESS", Summary: "支付成功", Type: "transaction",
		ID: eventID(t.TransactionID), Subject: t.Order.OutTradeNo, CreatedAt: t.PaidAt, Due: t.PaidAt,
		Content: encode(content), Wrong: encode(wrong),
	}
}

// refundContent is a refund in a notification. It differs from the answer to the refund calls.
type refundContent struct {
	MchID               string             `json:"mchid,omitempty"`
	SpMchID             string             `json:"sp_mchid,omitempty"` // as in transaction
	SubMchID            string             `json:"sub_mchid,omitempty"`
	OutTradeNo          string             `json:"out_trade_no"`
	TransactionID       string             `json:"transaction_id"`
	OutRefundNo         string             `json:"out_refund_no"`
	RefundID            string             `json:"refund_id"`
	RefundStatus        string             `json:"refund_status"`
	SuccessTime         string             `json:"success_time,omitempty"`
	UserReceivedAccount string             `json:"user_received_account"`
	Amount              refundNotifyAmount `json:"amount"`
}

// refundNotifyAmount is the amount of a refund in a notification, in fen.
type refundNotifyAmount struct {
	Total       int64 `json:"total"`
	Refund      int64 `json:"refund"`
	PayerTotal  int64 `json:"payer_total"`
	PayerRefund int64 `json:"payer_refund"`
}

// refundSummaries are the summaries of refund notifications by the state of the refund.
var refundSummaries = map[string]string{refundSuccess: "退款成功", refundClosed: "退款关闭", refundAbnormal: "退款异常"}

// refundNotification reports the final state of a refund ("退款结果回调通知").
func refundNotification(r refund) *notification {
	total, part := r.trade.Order.Amount.Total, r.Call.Amount.Refund
	content := refundContent{
		MchID: r.trade.Order.MchID, OutTradeNo: r.trade.Order.OutTradeNo, TransactionID: r.trade.TransactionID,
		OutRefundNo: r.Call.OutRefundNo,
		RefundID:    r.RefundID, RefundStatus: r.State, UserReceivedAccount: receivedAccount,
		Amount: refundNotifyAmount{Total: total, Refund: part, PayerTotal: total, PayerRefund: part},
	}
	if r.trade.Order.SubMchID != "" {
		content.MchID, content.SpMchID, content.SubMchID = "", content.MchID, r.trade.Order.SubMchID
	}
	if r.State == refundSuccess {
		content.SuccessTime = wireTime(r.EndedAt)
	}
	wrong := content
	wrong.Amount.Refund++
	wrong.Amount.PayerRefund++
	return &notification{
		Operation: opRefundNotify, URL: r.Call.NotifyURL, Event: "REFUND." + r.State,
		Summary: refundSummaries[r.State], Type: "refund",
		ID: eventID(r.RefundID), Subject: r.Call.OutRefundNo, CreatedAt: r.EndedAt, Due: r.EndedAt,
		Content: encode(content), Wrong: encode(wrong),
	}
}

// notifier delivers notifications: at once, or later if a fault delays or reorders them. It repeats them until the
// merchant accepts them.
type notifier struct {
	apiV3Key string
	clock    *testclock.Clock
	faults   faultInjector
	platform *platform
	targets  *webhook.Targets
	sender   webhook.Sender

	mu        sync.Mutex // guards Attempts, Due, Fault and Reordered of the pending notifications, too
	pending   map[*notification]struct{}
	reordered []*notification // the pending ones that wait for the next notification, oldest first
}

// newNotifier returns a notifier with nothing pending. Simulator.Close closes its sender.
func newNotifier(c Config, f faultInjector, p *platform) *notifier {
	return &notifier{
		apiV3Key: c.Credentials.APIv3Key, clock: c.Clock, faults: f, platform: p, targets: c.Targets,
		sender:  webhook.Sender{Timeout: notifyTimeout},
		pending: map[*notification]struct{}{},
	}
}

// schedule starts the delivery of a new notification to the merchant's notify_url, if any, and of a copy to each
// target. It does not wait for the delivery.
func (d *notifier) schedule(n *notification) {
	for _, copied := range d.copies(n) {
		d.mu.Lock()
		d.pending[copied] = struct{}{}
		d.mu.Unlock()
		go d.attempt(copied)
	}
	if n.URL == "" {
		return
	}
	note := &journal.Note{}
	delay, delayed := d.faults.apply(note, n.Operation, doNotifyDelay)
	reorder, reordered := d.faults.apply(note, n.Operation, doNotifyReorder)
	n.Fault = note.Fault
	d.mu.Lock()
	defer d.mu.Unlock()
	d.pending[n] = struct{}{}
	switch {
	case delayed:
		n.Due = n.Due.Add(delay.Delay(0))
		d.scheduleAttempt(n)
	case reordered:
		n.Due = n.Due.Add(reorder.Delay(reorderWait))
		d.holdBack(n)
	default:
		earlier := d.reordered
		d.reordered = nil
		for _, overtaken := range earlier {
			overtaken.Reordered = false
		}
		go func() {
			d.attempt(n)
			for _, overtaken := range earlier {
				d.attempt(overtaken)
			}
		}()
	}
}

// copies returns a copy of a notification for each target.
func (d *notifier) copies(n *notification) (list []*notification) {
	for _, target := range d.targets.For(n.Operation, n.URL) {
		copied := *n
		copied.URL, copied.Target = target.URL, target.ID
		list = append(list, &copied)
	}
	return list
}

// scheduleAttempt plans the next attempt for the notification's due time. The caller holds the lock.
func (d *notifier) scheduleAttempt(n *notification) {
	d.clock.AfterFunc(max(0, n.Due.Sub(d.clock.Now())), func() { go d.attempt(n) })
}

// holdBack delays a notification until the next one is sent, at most until it is due. The caller holds the lock.
func (d *notifier) holdBack(n *notification) {
	n.Reordered = true
	d.reordered = append(d.reordered, n)
	d.clock.AfterFunc(max(0, n.Due.Sub(d.clock.Now())), func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if n.Reordered {
			n.Reordered = false
			d.reordered = slices.DeleteFunc(d.reordered, func(other *notification) bool { return other == n })
			go d.attempt(n)
		}
	})
}

// attempt makes one attempt to deliver a notification and, if the merchant has not received it, schedules the next one.
// The next due time is relative to the previous due time and not to the attempt, so that attempts that are overdue
// after the clock was advanced follow at once.
func (d *notifier) attempt(n *notification) {
	if d.sender.Closed() {
		return
	}
	removed := n.Target != "" && d.targets.URL(n.Target) == ""
	received := false
	if !removed {
		_, received = d.deliver(n)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	n.Fault = ""
	if removed || received || n.Attempts >= len(retryDelays) {
		delete(d.pending, n)
		return
	}
	n.Due = n.Due.Add(retryDelays[n.Attempts])
	n.Attempts++
	d.scheduleAttempt(n)
}

// deliver makes one attempt with the faults planned for it; a copy for a target gets none. received is true if the
// merchant accepted an unaltered notification.
func (d *notifier) deliver(n *notification) (entries []journal.Entry, received bool) {
	note := &journal.Note{Fault: n.Fault}
	var fault faults.Fault
	if n.Target == "" {
		fault, _ = d.faults.apply(note, n.Operation,
			doNotifyDrop, doNotifyDuplicate, doNotifyBadSignature, doNotifyWrongKey, doNotifyStale, doNotifyWrongAmount,
			doRotate)
	}
	switch fault.Do {
	case doNotifyDrop:
		return []journal.Entry{d.record(n, journal.Entry{Request: string(n.Content), Verdict: journal.Faulted,
			Reason: "the notification was dropped", Fault: note.Fault})}, false
	case doNotifyDuplicate:
		second := make(chan journal.Entry, 1)
		go func() { second <- d.post(n, faults.Fault{}, note) }()
		entries = append(entries, d.post(n, faults.Fault{}, note), <-second)
		return entries, entries[0].Verdict == journal.Sent && entries[1].Verdict == journal.Sent
	case doRotate:
		d.platform.rotate()
		fault = faults.Fault{}
	}
	entry := d.post(n, fault, note)
	return []journal.Entry{entry}, entry.Verdict == journal.Sent && fault.Do == ""
}

// post sends one request with the notification, altered by the fault. The verdict of the entry is Sent if the merchant
// answered 200 or 204. The journal entry contains the unencrypted content.
func (d *notifier) post(n *notification, fault faults.Fault, note *journal.Note) journal.Entry {
	content := n.Content
	if fault.Do == doNotifyWrongAmount {
		content = n.Wrong
	}
	resource := seal(d.apiV3Key, n.Type, content)
	resource.OriginalType = n.Type
	body := encode(map[string]any{
		"id": n.ID, "create_time": wireTime(n.CreatedAt), "resource_type": "encrypt-resource", "event_type": n.Event,
		"summary": n.Summary, "resource": resource,
	})
	header, over := d.signedHeader(body, fault)
	entry := journal.Entry{Request: string(content), Verdict: journal.Failed, Fault: note.Fault,
		Delivery: journal.NewDelivery(header, body, header.Get("Wechatpay-Serial"), over)}
	var err error
	entry.Status, entry.Answer, err = d.sender.Post(n.URL, header, body)
	received := entry.Status == http.StatusOK || entry.Status == http.StatusNoContent
	switch {
	case entry.Status == 0:
		entry.Reason = err.Error()
	case !received:
		entry.Reason = fmt.Sprintf("the merchant answered %d", entry.Status)
	case fault.Do != "":
		entry.Verdict, entry.Reason = journal.Sent, "the merchant accepted a notification that was wrong on purpose"
	default:
		entry.Verdict = journal.Sent
	}
	return d.record(n, entry)
}

// signedHeader returns the headers of a notification, altered by the fault, and the text that is signed. Their
// timestamp is real time.
func (d *notifier) signedHeader(body []byte, fault faults.Fault) (h http.Header, over string) {
	h = http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "*/*")
	h.Set("User-Agent", "Mozilla/4.0")
	h.Set("Request-ID", uuid.NewString())
	at, key := time.Now(), d.platform.forNotification()
	serial := key.serial
	if fault.Do == doNotifyStale {
		at = at.Add(-2 * timeWindow)
	}
	if fault.Do == doNotifyWrongKey {
		key = d.platform.other
	}
	over = key.signHeader(h, body, at)
	if fault.Do == doNotifyWrongKey { // under a serial that the merchant knows
		h.Set("Wechatpay-Serial", serial)
	}
	if fault.Do == doNotifyBadSignature {
		corruptSignature(h)
	}
	return h, over
}

// record writes an attempt into the journal and returns the entry. It writes nothing after the sender is closed:
// otherwise an attempt that began before a reset would appear in the emptied journal.
func (d *notifier) record(n *notification, entry journal.Entry) journal.Entry {
	entry.Provider, entry.Operation, entry.Method, entry.Path = Name, n.Operation, http.MethodPost, n.URL
	entry.Subject, entry.Target = n.Subject, n.Target
	d.sender.WhileOpen(func() { entry = d.faults.journal.Add(entry) })
	return entry
}

// eventID is the id of the notification about a transaction or a refund with the vendor's number. It is the same
// whenever the notification is sent again.
func eventID(number string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(number)).String()
}
