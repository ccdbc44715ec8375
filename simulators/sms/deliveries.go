package sms

import (
	"slices"
	"strconv"
	"sync"
	"time"

	"marquee/simulators/testclock"
)

const (
	keepDeliveries = 5000
	keptFor        = 30 * 24 * time.Hour // business time for which Alibaba Cloud answers queries about a message
	reportAfter    = 2 * time.Second     // business time from a message to its report
)

// Alibaba Cloud's codes of reports ("状态报告错误码" of the vendor's documentation).
const (
	arrived      = "DELIVERED"
	notOnService = "MOBILE_NOT_ON_SERVICE"
)

// delivery is an accepted message with the data of its report. Times are business times.
type delivery struct {
	Operation   string    `json:"operation"` // opReport or opTencentReport: which API reports it
	Number      string    `json:"number"`    // at Alibaba the BizId of the call, at Tencent the SerialNo of the message
	Phone       string    `json:"phone"`
	Text        string    `json:"text"`
	Template    string    `json:"template"`
	OutID       string    `json:"out_id,omitempty"` // the caller's id: OutId at Alibaba, SessionContext at Tencent
	SentAt      time.Time `json:"sent_at"`
	ReportedAt  time.Time `json:"reported_at"` // until then the outcome is unknown
	Undelivered bool      `json:"lost,omitempty"`
	Pulled      bool      `json:"pulled,omitempty"` // a call of PullSmsSendStatus has returned the report
}

// reported reports whether the outcome is known.
func (d delivery) reported(now time.Time) bool { return !now.Before(d.ReportedAt) }

// deliveries keeps the messages of both APIs, the oldest first.
type deliveries struct {
	clock *testclock.Clock

	mu   sync.Mutex
	list []*delivery
}

// add adds the messages of one call. It drops messages older than keptFor, and the oldest beyond keepDeliveries.
func (l *deliveries) add(more ...delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	oldest := l.clock.Now().Add(-keptFor)
	l.list = slices.DeleteFunc(l.list, func(d *delivery) bool { return d.SentAt.Before(oldest) })
	for _, d := range more {
		l.list = append(l.list, &d)
	}
	l.list = slices.Clone(l.list[max(0, len(l.list)-keepDeliveries):])
}

// find returns copies of the messages that match, the oldest first.
func (l *deliveries) find(fits func(*delivery) bool) (found []delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, d := range l.list {
		if fits(d) {
			found = append(found, *d)
		}
	}
	return found
}

// of returns the messages of an API (operation) whose Number is number.
func (l *deliveries) of(operation, number string) []delivery {
	return l.find(func(d *delivery) bool { return d.Operation == operation && d.Number == number })
}

// pull returns at most limit reports that no earlier call has returned.
func (l *deliveries) pull(operation string, limit int) (found []delivery) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock.Now()
	for _, d := range l.list {
		if len(found) < limit && d.Operation == operation && !d.Pulled && d.reported(now) {
			d.Pulled = true
			found = append(found, *d)
		}
	}
	return found
}

// page returns at most limit elements of a list, from an offset on.
func page[T any](list []T, offset, limit int) []T {
	from := min(offset, len(list))
	return list[from:min(from+limit, len(list))]
}

// whole reads a whole number within bounds; ok is false for any other text.
func whole(text string, least, most int) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && n >= least && n <= most
}
