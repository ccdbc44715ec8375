package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// LeftOutRows returns how many rows of a provider's answers were left out because they could not be read, by the name
// of the list.
type LeftOutRows func() map[string]int64

// WatchLeftOut adds the metric of rows that were left out of providers' lists. providers is keyed by the name of the
// provider.
func (m *Metrics) WatchLeftOut(providers map[string]LeftOutRows) {
	const help = "Rows of providers' lists that were left out because they could not be read."
	labels := []string{"provider", "list"}
	m.register(leftOutCollector{
		prometheus.NewDesc("marquee_provider_rows_left_out_total", help, labels, nil), providers,
	}, Metric{"marquee_provider_rows_left_out_total", "counter", labels, help})
}

type leftOutCollector struct {
	desc      *prometheus.Desc
	providers map[string]LeftOutRows
}

// Describe implements prometheus.Collector.
func (c leftOutCollector) Describe(descriptions chan<- *prometheus.Desc) { descriptions <- c.desc }

// Collect implements prometheus.Collector.
func (c leftOutCollector) Collect(metrics chan<- prometheus.Metric) {
	for provider, counts := range c.providers {
		for list, n := range counts() {
			metrics <- prometheus.MustNewConstMetric(c.desc, prometheus.CounterValue, float64(n), provider, list)
		}
	}
}

// Pool describes how this process uses its connections to the database.
type Pool struct {
	InUse, Idle, Max int           // connections
	Waits            int64         // how often a connection had to be waited for
	Waited           time.Duration // total time of waiting
	Retries          int64         // repetitions of transactions that conflicted with others
}

// WatchPool adds the metrics of the connection pool. read is called at every scrape.
func (m *Metrics) WatchPool(read func() Pool) {
	const (
		connections = "Connections of this process to the database. The state is in_use, idle or max (the limit)."
		waits       = "How often a connection to the database was waited for, because all were in use."
		retries     = "Transactions that were run again because they conflicted with others."
		waited      = "Real time that was spent waiting for a connection to the database."
	)
	c := poolCollector{
		prometheus.NewDesc("marquee_db_connections", connections, []string{"state"}, nil),
		prometheus.NewDesc("marquee_db_connection_waits_total", waits, nil, nil),
		prometheus.NewDesc("marquee_db_connection_wait_seconds_total", waited, nil, nil),
		prometheus.NewDesc("marquee_transaction_retries_total", retries, nil, nil),
		read,
	}
	m.register(c, Metric{"marquee_db_connections", "gauge", []string{"state"}, connections})
	m.list = append(m.list, Metric{"marquee_db_connection_waits_total", "counter", nil, waits},
		Metric{"marquee_db_connection_wait_seconds_total", "counter", nil, waited},
		Metric{"marquee_transaction_retries_total", "counter", nil, retries})
}

type poolCollector struct {
	connections, waits, waited, retries *prometheus.Desc
	read                                func() Pool
}

// Describe implements prometheus.Collector.
func (c poolCollector) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- c.connections
	descriptions <- c.waits
	descriptions <- c.waited
	descriptions <- c.retries
}

// Collect implements prometheus.Collector.
func (c poolCollector) Collect(metrics chan<- prometheus.Metric) {
	p := c.read()
	for state, n := range map[string]int{"in_use": p.InUse, "idle": p.Idle, "max": p.Max} {
		metrics <- prometheus.MustNewConstMetric(c.connections, prometheus.GaugeValue, float64(n), state)
	}
	metrics <- prometheus.MustNewConstMetric(c.waits, prometheus.CounterValue, float64(p.Waits))
	metrics <- prometheus.MustNewConstMetric(c.waited, prometheus.CounterValue, p.Waited.Seconds())
	metrics <- prometheus.MustNewConstMetric(c.retries, prometheus.CounterValue, float64(p.Retries))
}
