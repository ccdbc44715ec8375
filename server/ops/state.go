package ops

import (
	"context"
	"log/slog"
	"math"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"marquee/server/backoffice"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/reconcile"
)

// Queues reads how many tasks wait in the queues of jobs.
type Queues interface {
	// QueueLoads returns the load of each queue that has a task. most is the maximum for each of two counts: the tasks
	// that are due, and those that are not.
	QueueLoads(ctx context.Context, now time.Time, most int) ([]jobs.QueueLoad, error)
}

// Reviews reads the orders that need an operator.
type Reviews interface {
	// CountOrdersToReview counts the orders that need an operator, by reason; most is the maximum for each reason.
	CountOrdersToReview(ctx context.Context, most int) (map[backoffice.ReviewReason]int, error)
}

// Refunds reads the refunds that are not done.
type Refunds interface {
	// OpenRefunds sums up the oldest open refunds; most is their maximum number.
	OpenRefunds(ctx context.Context, most int) (backoffice.OpenRefunds, error)
}

// Disk reports the space for the database.
type Disk interface {
	// FreeSpace returns how many bytes are free on the disk of the database; math.MaxUint64 if it is a disk of another
	// machine.
	FreeSpace() (uint64, error)
}

// Verifications reads what the verification of the records has found.
type Verifications interface {
	// LastVerification returns the result of the last verification, or the zero value if there was none. It includes
	// what a verification in progress has found so far.
	LastVerification(ctx context.Context) (order.Verification, error)
}

// Reconciliations reads the progress of the comparison with the books of other parties.
type Reconciliations interface {
	// Books lists the books that are compared.
	Books() []reconcile.Book
	// Progress returns the attempts of the last days, by day and book, and how many differences of each book are open,
	// up to a limit.
	Progress(ctx context.Context) ([]reconcile.Attempt, map[reconcile.Book]int, error)
}

// Messages reports how many SMS codes the shop has sent, and how many it may send.
type Messages interface {
	// SentLastHour returns how many codes of the last hour count against HourlyCeiling.
	SentLastHour(ctx context.Context) (int, error)
	// HourlyCeiling returns the maximum number of codes that the shop sends in an hour, 0 for no limit.
	HourlyCeiling() int
}

// Backups reads the records of backups.
type Backups interface {
	// LastBackup returns the latest backup, or the zero value if none is recorded.
	LastBackup(ctx context.Context) (backoffice.Backup, error)
}

// Clock compares the clocks of this machine and of the database.
type Clock interface {
	// ClockSkew returns how far the clock of the database is ahead of that of this machine; 0 for SQLite, which uses
	// the clock of this machine.
	ClockSkew(ctx context.Context) (time.Duration, error)
}

// State holds what WatchState reads at every scrape.
type State struct {
	Queues          Queues
	Reviews         Reviews
	Refunds         Refunds
	Disk            Disk
	Verifications   Verifications
	Reconciliations Reconciliations
	Messages        Messages
	Backups         Backups
	Clock           Clock
	Readiness       Readiness
	Now             func() time.Time // business time
	Logger          *slog.Logger
}

// scrapeTimeout is the limit for all reads of one scrape, in real time. If the database is locked, the other metrics
// must still arrive before the time-out of Prometheus.
const scrapeTimeout = 2 * time.Second

// maxCounted is the maximum number of rows of a kind that a scrape counts, so that it does not become slow in an outage
// in which a hundred thousand orders wait.
const maxCounted = 1000

// stateCollector reads the store at every scrape, so that all replicas report the same values of what is in it.
type stateCollector struct {
	State
	started time.Time // business time

	mu sync.Mutex // held during a scrape, which resets and fills the gauges

	ready, tasks, oldest, reviews, cleanAge, discrepancies, differences, unreconciled, failures *prometheus.GaugeVec
	sentLastHour, ceiling, backupAge, refunds, refundsAmount, refundsAge, freeSpace, skew       *prometheus.GaugeVec
}

// WatchState adds the metrics that are read from the store, and from the other fields of s, at every scrape.
func (m *Metrics) WatchState(s State) {
	c := &stateCollector{State: s, started: s.Now()}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		m.list = append(m.list, Metric{name, "gauge", labels, help})
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: help}, labels)
	}
	c.ready = gauge("marquee_ready", "1 if the shop can serve buyers, 0 if /readyz reports a reason why it cannot.")
	c.tasks = gauge("marquee_job_queue_tasks", "Tasks of a queue, counted up to 1000. The state is waiting (for its time), due or leased.",
		"queue", "state")
	c.oldest = gauge("marquee_job_oldest_due_seconds",
		"How long the oldest due task of a queue has been waiting for a worker, in business time.", "queue")
	c.reviews = gauge("marquee_orders_waiting_for_operator", "Orders that need an operator, by reason, counted up to 1000.", "reason")
	c.cleanAge = gauge("marquee_verification_clean_age_seconds",
		"Business time since the end of the last verification of all records that found nothing.")
	c.discrepancies = gauge("marquee_verification_discrepancies",
		"Records that contradict each other, found by the last complete verification or the one in progress.")
	c.differences = gauge("marquee_reconciliation_differences",
		"Open differences between the shop's books and a book of another party, counted up to 1000.", "book")
	c.unreconciled = gauge("marquee_reconciliation_age_seconds",
		"Business time since the start of the first day of which the book was not compared.", "book")
	c.sentLastHour = gauge("marquee_sms_sent_last_hour",
		"SMS codes of the last hour that count against the hourly ceiling.")
	c.ceiling = gauge("marquee_sms_hourly_ceiling", "SMS codes that the shop sends in an hour; 0 for no limit.")
	c.backupAge = gauge("marquee_backup_age_seconds",
		"Business time since the last recorded backup, or since the start of the process if there is none.")
	c.refunds = gauge("marquee_refunds_open", "Refunds that the gateway has neither made nor finally rejected, counted up to 1000.")
	c.refundsAmount = gauge("marquee_refunds_open_fen", "The sum of marquee_refunds_open, in fen.")
	c.refundsAge = gauge("marquee_refund_oldest_open_seconds", "Business time since the oldest open refund was decided.")
	c.freeSpace = gauge("marquee_disk_free_bytes", "Free space of the disk of a SQLite database.")
	c.skew = gauge("marquee_clock_skew_seconds", "How far the clock of the database is ahead of that of this machine.")
	c.failures = gauge("marquee_scrape_failures", "1 if a part of the state could not be read for this scrape.", "part")
	m.registry.MustRegister(c)
}

func (c *stateCollector) all() []*prometheus.GaugeVec {
	return []*prometheus.GaugeVec{
		c.ready, c.tasks, c.oldest, c.reviews, c.cleanAge, c.discrepancies, c.differences, c.unreconciled, c.failures,
		c.sentLastHour, c.ceiling, c.backupAge, c.refunds, c.refundsAmount, c.refundsAge, c.freeSpace, c.skew,
	}
}

// Describe implements prometheus.Collector.
func (c *stateCollector) Describe(descriptions chan<- *prometheus.Desc) {
	for _, v := range c.all() {
		v.Describe(descriptions)
	}
}

// Collect implements prometheus.Collector. A part that cannot be read is left out and reported in
// marquee_scrape_failures.
func (c *stateCollector) Collect(metrics chan<- prometheus.Metric) {
	c.mu.Lock()
	defer c.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), scrapeTimeout)
	defer cancel()
	for _, v := range c.all() {
		v.Reset()
	}
	c.ready.WithLabelValues().Set(0)
	if c.Readiness.Ping(ctx) == nil {
		c.ready.WithLabelValues().Set(1)
	}
	for part, read := range map[string]func(context.Context) error{
		"queues": c.readQueues, "reviews": c.readReviews, "verification": c.readVerification,
		"reconciliation": c.readReconciliation, "messages": c.readMessages, "backups": c.readBackups,
		"refunds": c.readRefunds, "disk": c.readDisk, "clock": c.readClock,
	} {
		failed := 0.0
		if err := read(ctx); err != nil {
			c.Logger.WarnContext(ctx, "collecting metrics of the state failed", "part", part, "error", err)
			failed = 1
		}
		c.failures.WithLabelValues(part).Set(failed)
	}
	for _, v := range c.all() {
		v.Collect(metrics)
	}
}

func (c *stateCollector) readQueues(ctx context.Context) error {
	now := c.Now()
	loads, err := c.Queues.QueueLoads(ctx, now, maxCounted)
	for _, q := range loads {
		c.tasks.WithLabelValues(string(q.Queue), "waiting").Set(float64(q.Waiting))
		c.tasks.WithLabelValues(string(q.Queue), "due").Set(float64(q.Due))
		c.tasks.WithLabelValues(string(q.Queue), "leased").Set(float64(q.Leased))
		age := time.Duration(0)
		if q.Due > 0 {
			age = max(0, now.Sub(q.OldestDue))
		}
		c.oldest.WithLabelValues(string(q.Queue)).Set(age.Seconds())
	}
	return err
}

func (c *stateCollector) readReviews(ctx context.Context) error {
	counts, err := c.Reviews.CountOrdersToReview(ctx, maxCounted)
	for _, reason := range backoffice.ReviewReasons {
		c.reviews.WithLabelValues(string(reason)).Set(float64(counts[reason]))
	}
	return err
}

func (c *stateCollector) readRefunds(ctx context.Context) error {
	open, err := c.Refunds.OpenRefunds(ctx, maxCounted)
	if err != nil {
		return err
	}
	age := time.Duration(0)
	if open.Count > 0 {
		age = max(0, c.Now().Sub(open.Oldest))
	}
	c.refunds.WithLabelValues().Set(float64(open.Count))
	c.refundsAmount.WithLabelValues().Set(float64(open.Amount))
	c.refundsAge.WithLabelValues().Set(age.Seconds())
	return nil
}

func (c *stateCollector) readDisk(context.Context) error {
	free, err := c.Disk.FreeSpace()
	if err != nil || free == math.MaxUint64 {
		return err
	}
	c.freeSpace.WithLabelValues().Set(float64(free))
	return nil
}

func (c *stateCollector) readClock(ctx context.Context) error {
	skew, err := c.Clock.ClockSkew(ctx)
	if err == nil {
		c.skew.WithLabelValues().Set(skew.Seconds())
	}
	return err
}

// readReconciliation sets the metrics of the reconciliation. For a book of which no day was tried, the age is the time
// since the start of the process.
func (c *stateCollector) readReconciliation(ctx context.Context) error {
	attempts, open, err := c.Reconciliations.Progress(ctx)
	if err != nil {
		return err
	}
	for _, b := range c.Reconciliations.Books() {
		until := reconcile.ComparedUntil(b, attempts)
		if until.IsZero() {
			until = c.started
		}
		c.differences.WithLabelValues(string(b)).Set(float64(open[b]))
		c.unreconciled.WithLabelValues(string(b)).Set(max(0, c.Now().Sub(until).Seconds()))
	}
	return nil
}

func (c *stateCollector) readVerification(ctx context.Context) error {
	v, err := c.Verifications.LastVerification(ctx)
	if err != nil {
		return err
	}
	since := v.CleanAt
	if since.IsZero() { // there was none: count from the start of the process
		since = c.started
	}
	c.cleanAge.WithLabelValues().Set(max(0, c.Now().Sub(since)).Seconds())
	c.discrepancies.WithLabelValues().Set(float64(v.Found))
	return nil
}

func (c *stateCollector) readMessages(ctx context.Context) error {
	sent, err := c.Messages.SentLastHour(ctx)
	if err != nil {
		return err
	}
	c.sentLastHour.WithLabelValues().Set(float64(sent))
	c.ceiling.WithLabelValues().Set(float64(c.Messages.HourlyCeiling()))
	return nil
}

func (c *stateCollector) readBackups(ctx context.Context) error {
	last, err := c.Backups.LastBackup(ctx)
	if err != nil {
		return err
	}
	if last.At.IsZero() { // there was none: count from the start of the process
		last.At = c.started
	}
	c.backupAge.WithLabelValues().Set(max(0, c.Now().Sub(last.At)).Seconds())
	return nil
}
