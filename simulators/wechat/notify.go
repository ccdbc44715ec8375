package wechat

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// notifyTimeout is how long a merchant may take to answer.
const notifyTimeout = 5 * time.Second

// ladder is when a notify that was not received is sent again: business time after the attempt before.
var ladder = []time.Duration{
	15 * time.Second, 15 * time.Second, 30 * time.Second, 3 * time.Minute, 10 * time.Minute, 20 * time.Minute,
	30 * time.Minute, 30 * time.Minute, 30 * time.Minute, time.Hour, 3 * time.Hour, 3 * time.Hour, 3 * time.Hour, 6 * time.Hour, 6 * time.Hour,
}

// notification is one event on its way to the merchant. Only one goroutine at a time has it.
type notification struct {
	operation    string // opNotify or opRefundNotify
	url          string
	event        string
	summary      string
	originalType string
	id           string
	createdAt    time.Time // business time
	content      []byte
	wrongContent []byte // the same with another amount
	attempt      int    // attempts made
	due          time.Time
	fault        string // what was planned for it before its first attempt
}

// tradeNotify tells that a trade was paid.
func (s *Simulator) tradeNotify(t trade) *notification {
	content := t.wire()
	wrong := content
	wrong.Amount = &transactionAmount{Total: t.Amount.Total + 1, PayerTotal: t.Amount.Total + 1, Currency: "CNY", PayerCurrency: "CNY"}
	return &notification{
		operation: opNotify, url: t.NotifyURL, event: "TRANSACTION.SUCCESS", summary: "支付成功", originalType: "transaction",
		id: randomID(), createdAt: t.paidAt, due: t.paidAt, content: encode(content), wrongContent: encode(wrong),
	}
}

// refundContent is a refund in a notify, which has its own shape.
type refundContent struct {
	MchID               string             `json:"mchid"`
	OutTradeNo          string             `json:"out_trade_no"`
	TransactionID       string             `json:"transaction_id"`
	OutRefundNo         string             `json:"out_refund_no"`
	RefundID            string             `json:"refund_id"`
	RefundStatus        string             `json:"refund_status"`
	SuccessTime         string             `json:"success_time,omitempty"`
	UserReceivedAccount string             `json:"user_received_account"`
	Amount              refundNotifyAmount `json:"amount"`
}

type refundNotifyAmount struct {
	Total       int64 `json:"total"`
	Refund      int64 `json:"refund"`
	PayerTotal  int64 `json:"payer_total"`
	PayerRefund int64 `json:"payer_refund"`
}

// refundNotify tells how a refund ended.
func (s *Simulator) refundNotify(r refund) *notification {
	total, part := r.trade.Amount.Total, r.Amount.Refund
	content := refundContent{
		MchID: r.trade.MchID, OutTradeNo: r.trade.OutTradeNo, TransactionID: r.trade.transactionID, OutRefundNo: r.OutRefundNo,
		RefundID: r.refundID, RefundStatus: r.state, UserReceivedAccount: receivedAccount,
		Amount: refundNotifyAmount{Total: total, Refund: part, PayerTotal: total, PayerRefund: part},
	}
	if r.state == refundSuccess {
		content.SuccessTime = wireTime(r.endedAt)
	}
	wrong := content
	wrong.Amount.Refund++
	wrong.Amount.PayerRefund++
	return &notification{
		operation: opRefundNotify, url: r.NotifyURL, event: "REFUND." + r.state, summary: map[string]string{
			refundSuccess: "退款成功", refundClosed: "退款关闭", refundAbnormal: "退款异常",
		}[r.state], originalType: "refund",
		id: randomID(), createdAt: r.endedAt, due: r.endedAt, content: encode(content), wrongContent: encode(wrong),
	}
}

// deliver makes one attempt, with what is planned to go wrong, and reports whether the merchant received the truth.
func (s *Simulator) deliver(n *notification) bool {
	note := &journal.Note{Fault: n.fault}
	fault, _ := s.take(note, n.operation, doNotifyDrop, doNotifyDuplicate, doNotifyBadSignature, doNotifyWrongKey, doNotifyStale, doNotifyWrongAmount, doRotate)
	switch fault.Do {
	case doNotifyDrop:
		s.record(n, note, n.content, 0, "", journal.Faulted, "the notify was dropped")
		return false
	case doNotifyDuplicate:
		second := make(chan bool, 1)
		go func() { second <- s.post(n, script.Fault{}, note) }()
		first := s.post(n, script.Fault{}, note)
		return <-second && first
	case doRotate:
		s.rotate()
		return s.post(n, script.Fault{}, note)
	default:
		return s.post(n, fault, note) && fault.Do == ""
	}
}

// post sends the notify once and reports whether the merchant answered that it has it.
func (s *Simulator) post(n *notification, fault script.Fault, note *journal.Note) bool {
	content := n.content
	if fault.Do == doNotifyWrongAmount {
		content = n.wrongContent
	}
	resource := seal(s.Credentials.APIv3Key, n.originalType, content)
	resource.OriginalType = n.originalType
	body := encode(map[string]any{
		"id": n.id, "create_time": wireTime(n.createdAt), "resource_type": "encrypt-resource", "event_type": n.event,
		"summary": n.summary, "resource": resource,
	})
	ctx, cancel := s.life.Context(notifyTimeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, n.url, bytes.NewReader(body))
	if err != nil {
		s.record(n, note, content, 0, "", journal.Failed, err.Error())
		return false
	}
	s.sign(request.Header, body, fault)
	response, err := s.notifier.Do(request)
	if err != nil {
		s.record(n, note, content, 0, "", journal.Failed, err.Error())
		return false
	}
	defer response.Body.Close()
	answer, _ := io.ReadAll(io.LimitReader(response.Body, 4<<10))
	received := response.StatusCode == http.StatusOK || response.StatusCode == http.StatusNoContent
	verdict, reason := journal.Sent, ""
	switch {
	case !received:
		verdict, reason = journal.Failed, fmt.Sprintf("the merchant answered %d", response.StatusCode)
	case fault.Do != "":
		reason = "the merchant accepted a notify that was wrong on purpose"
	}
	s.record(n, note, content, response.StatusCode, string(answer), verdict, reason)
	return received
}

// sign sets the headers of a notify, spoilt as planned. Its time is real time.
func (s *Simulator) sign(h http.Header, body []byte, fault script.Fault) {
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "*/*")
	h.Set("User-Agent", "Mozilla/4.0")
	h.Set("Request-ID", randomID())
	at, key := time.Now(), s.platform()
	if fault.Do == doNotifyStale {
		at = at.Add(-2 * timeWindow)
	}
	if fault.Do == doNotifyWrongKey {
		key = s.other
	}
	key.signHeader(h, body, at)
	if fault.Do == doNotifyWrongKey { // it claims to be the key the merchant knows
		h.Set("Wechatpay-Serial", s.platform().serial)
	}
	if fault.Do == doNotifyBadSignature {
		spoil(h)
	}
}

// record writes an attempt into the journal, in clear.
func (s *Simulator) record(n *notification, note *journal.Note, content []byte, status int, answer string, verdict journal.Verdict, reason string) {
	s.Journal.Add(journal.Entry{
		Provider: Name, Operation: n.operation, Method: http.MethodPost, Path: n.url, Request: string(content),
		Status: status, Answer: answer, Verdict: verdict, Reason: reason, Fault: note.Fault,
	})
}

func randomID() string {
	id := randomHex(16)
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}
