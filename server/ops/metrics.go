// Package ops lets operators observe a shop: metrics, probes and profiles on a separate address, traces, the checks of
// the doctor, and the files of backups and support bundles.
//
// Domain packages and providers do not import ops. Their work is measured by reading the store at each scrape, and by
// hooks in their configuration (Observe…, OnCommit). No store or client is wrapped.
package ops

import (
	"net/http"
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"marquee/server/fault"
)

// Metric describes one metric of the shop.
type Metric struct {
	Name   string
	Type   string // counter, gauge or histogram
	Labels []string
	Help   string // one sentence, with the unit
}

// Metrics are the metrics of one shop, in a separate Prometheus registry. Its methods may be called in parallel. The
// values of labels are always from a short list; they are never ids or phone numbers.
type Metrics struct {
	registry *prometheus.Registry
	list     []Metric
	traces   *Traces

	requests      *prometheus.HistogramVec
	requestFaults *prometheus.CounterVec
	unreadable    prometheus.Counter
	shed          *prometheus.CounterVec
	providerCalls *prometheus.HistogramVec
	purchases     *prometheus.CounterVec
	captured      *prometheus.CounterVec
	refunded      *prometheus.CounterVec
	disputed      prometheus.Counter
	messages      *prometheus.CounterVec
	challenges    *prometheus.CounterVec
	commits       prometheus.Histogram
	commitWrites  prometheus.Histogram
	certificates  *prometheus.GaugeVec
}

// Buckets of durations in seconds: callBuckets for requests and provider calls, commitBuckets for commits.
var (
	callBuckets   = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20}
	commitBuckets = []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 2.5, 10}
)

// NewMetrics makes the metrics of a shop. build is the version of the program.
func NewMetrics(build string) *Metrics {
	m := &Metrics{registry: prometheus.NewRegistry(), traces: &Traces{}}
	m.registry.MustRegister(collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("marquee_build_info", "Always 1; the labels are the build of the shop and of Go.", "build", "go").
		WithLabelValues(build, runtime.Version()).Set(1)

	m.requests = m.histogram("marquee_http_request_duration_seconds",
		"Duration of HTTP requests by route pattern and class of the HTTP status.", callBuckets, "route", "status")
	m.requestFaults = m.counter("marquee_http_request_faults_total",
		"Requests that were answered with a fault, by route pattern and code. Most of them have the HTTP status 200.",
		"route", "code")
	m.unreadable = m.counter("marquee_http_unreadable_addresses_total",
		"Requests of clients whose address cannot be read in X-Forwarded-For. No limit by address applies to them.").
		WithLabelValues()
	m.shed = m.counter("marquee_http_requests_shed_total",
		"Requests that were not begun because of too much load. The class is browsing or starting (locks, logins).",
		"class")
	m.providerCalls = m.histogram("marquee_provider_call_duration_seconds",
		"Duration of calls to providers. The outcome is ok, refused, unavailable, unknown or error.", callBuckets,
		"provider", "operation", "outcome")
	m.purchases = m.counter("marquee_purchase_steps_total",
		"Steps of orders, counted when they are committed.", "kind", "step", "outcome")
	m.captured = m.counter("marquee_money_captured_fen_total", "Money captured, in fen.", "method")
	m.refunded = m.counter("marquee_money_refunded_fen_total", "Money refunded and settled, in fen.", "method")
	m.disputed = m.counter("marquee_money_disputed_fen_total",
		"Money of payments that the gateway contradicts, in fen.").WithLabelValues()
	m.messages = m.counter("marquee_sms_messages_total",
		"SMS codes asked for. The outcome is sent, limited (phone or client), ceiling (shop), refused (vendor) or "+
			"failed.",
		"outcome")
	m.challenges = m.counter("marquee_challenges_total",
		"Challenges before SMS codes. The outcome is passed, failed, or unchecked (the captcha vendor did not answer).",
		"outcome")
	m.certificates = m.gauge("marquee_certificate_end_timestamp_seconds",
		"When the certificate of an address of the shop or of a provider ends, in Unix time.", "host")
	m.commits = m.histogram("marquee_commit_duration_seconds",
		"How long one transaction occupies the writer of the database, with its commit.", commitBuckets).
		WithLabelValues().(prometheus.Histogram)
	m.commitWrites = m.histogram("marquee_commit_writes", "Writes that were committed together.",
		[]float64{1, 2, 4, 8, 16, 32, 64, 128}).WithLabelValues().(prometheus.Histogram)
	m.initialize()
	return m
}

// initialize creates, with the value 0, the time series whose label values are known in advance, so that a rate
// includes their first increment.
func (m *Metrics) initialize() {
	for _, class := range []string{"browsing", "starting"} {
		m.shed.WithLabelValues(class)
	}
	for _, method := range []string{"card", "wx"} {
		m.captured.WithLabelValues(method)
		m.refunded.WithLabelValues(method)
	}
	for _, outcome := range []string{messageSent, messageLimited, messageCeiling, messageRejected, messageFailed} {
		m.messages.WithLabelValues(outcome)
	}
	for _, outcome := range []string{challengePassed, challengeFailed, challengeUnchecked} {
		m.challenges.WithLabelValues(outcome)
	}
}

// Trace sets the Traces to which the functions that ObserveProvider returns send a span for each call.
func (m *Metrics) Trace(t *Traces) { m.traces = t }

// List returns the metrics of the shop, without those of the Go runtime and the process.
func (m *Metrics) List() []Metric { return m.list }

// Handler serves the metrics in the formats of Prometheus. If some of them cannot be read, it serves the others.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		Registry: m.registry, ErrorHandling: promhttp.ContinueOnError, EnableOpenMetrics: true,
	})
}

func (m *Metrics) counter(name, help string, labels ...string) *prometheus.CounterVec {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{Name: name, Help: help}, labels)
	m.register(v, Metric{name, "counter", labels, help})
	return v
}

func (m *Metrics) gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	v := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	m.register(v, Metric{name, "gauge", labels, help})
	return v
}

func (m *Metrics) histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	v := prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: name, Help: help, Buckets: buckets}, labels)
	m.register(v, Metric{name, "histogram", labels, help})
	return v
}

func (m *Metrics) register(c prometheus.Collector, described Metric) {
	m.registry.MustRegister(c)
	m.list = append(m.list, described)
}

// outcomeOf returns the label for the result of a call to a provider.
func outcomeOf(err error) string {
	if err == nil {
		return "ok"
	}
	switch fault.KindOf(err) {
	case fault.Unknown:
		return "unknown" // the provider may have acted
	case fault.Unavailable:
		return "unavailable"
	case fault.Internal:
		return "error"
	}
	return "refused"
}
