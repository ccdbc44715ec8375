package ops

import (
	"strconv"
	"time"
)

// ObserveRequest counts an answered HTTP request. route is the pattern of the route, code the code of the fault in the
// answer, "" for none, and status the HTTP status, 0 if nothing was answered.
func (m *Metrics) ObserveRequest(route string, status int, code string, took time.Duration) {
	m.requests.WithLabelValues(route, statusClass(status)).Observe(took.Seconds())
	if code != "" {
		m.requestFaults.WithLabelValues(route, code).Inc()
	}
}

// CountUnreadableAddress counts a request whose client's address cannot be read.
func (m *Metrics) CountUnreadableAddress() { m.unreadable.Inc() }

// CountShed counts a request that was rejected because of too much load. class is "browsing" or "starting" (locks,
// logins).
func (m *Metrics) CountShed(class string) { m.shed.WithLabelValues(class).Inc() }

func statusClass(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status/100) + "xx"
}

// ObserveCommit counts a commit of the database: how many writes it contained, and how long it kept other writes
// waiting.
func (m *Metrics) ObserveCommit(writes int, took time.Duration) {
	m.commits.Observe(took.Seconds())
	m.commitWrites.Observe(float64(writes))
}
