package wechat

import (
	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// WebhookOperations lists the notifications that the vendor sends.
func (s *Simulator) WebhookOperations() []string { return notifyOperations }

// Resend sends the notification about a trade or a refund again. subject is the merchant's number: out_trade_no or
// out_refund_no. The receiver is url. If url is "", it is the notify_url, and every webhook target of the operation
// gets a copy. The notification keeps its id and content, gets a new signature, and is not retried. Planned faults apply to
// it, but not to the copies. The error is a *control.Error.
func (s *Simulator) Resend(operation, subject, url string) ([]journal.Entry, error) {
	n := s.payments.notificationOf(operation, subject)
	if n == nil {
		return nil, control.NoWebhook(operation, subject)
	}
	if url != "" {
		n.URL = url
		entries, _ := s.notifier.deliver(n)
		return entries, nil
	}
	entries := []journal.Entry{}
	if n.URL != "" {
		entries, _ = s.notifier.deliver(n)
	}
	for _, copied := range s.notifier.copies(n) {
		sent, _ := s.notifier.deliver(copied)
		entries = append(entries, sent...)
	}
	return entries, nil
}

// notificationOf returns the notification about a trade or a refund, or nil if there is none yet.
func (p *payments) notificationOf(operation, no string) *notification {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t, known := p.trades[no]; known && operation == opNotify && t.TransactionID != "" {
		return tradeNotification(*t)
	}
	if r, known := p.refunds[no]; known && operation == opRefundNotify && r.State != refundProcessing {
		return refundNotification(*r)
	}
	return nil
}
