package ops

import (
	"strconv"
	"time"
)

// ObserveRequest counts an answered HTTP request. Route is the pattern of the route, code the code of the fault that
// was answered, "" for none, and status the HTTP status, 0 if nothing was answered.
func (m *Metrics) ObserveRequest(route string, status int, code string, took time.Duration) {
	m.requests.WithLabelValues(route, statusClass(status)).Observe(took.Seconds())
	if code != "" {
		m.requestFaults.WithLabelValues(route, code).Inc()
	}
}

// CountUnreadableAddress counts a request whose client's address cannot be read.
func (m *Metrics) CountUnreadableAddress() { m.unreadable.Inc() }

// CountShed counts a request that was not begun because of too much load.
func (m *Metrics) CountShed(class string) { m.shed.WithLabelValues(class).Inc() }

func statusClass(status int) string {
	if status == 0 {
		return "none"
	}
	return strconv.Itoa(status/100) + "xx"
}

// ObserveCommit counts a commit of the database: how many writes it held, and how long it occupied the writer.
func (m *Metrics) ObserveCommit(writes int, took time.Duration) {
	m.commits.Observe(took.Seconds())
	m.commitWrites.Observe(float64(writes))
}
