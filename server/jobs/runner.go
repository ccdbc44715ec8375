package jobs

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"marquee/server/durations"
	"marquee/server/requestid"
)

const (
	// pollInterval is how often, in real time, Run looks for due tasks when Wake is not called.
	pollInterval = 500 * time.Millisecond
	// maxRounds bounds the work of one call of RunDue, which would never return if a task became due again and again.
	maxRounds = 100_000
	// KindPeriodic is the kind of the tasks that run the jobs registered with Runner.Every. The subject of such a task
	// is the name of its job.
	KindPeriodic Kind = "periodic"
)

// Backoff returns the delay before the next try of a task: durations.FirstRetry, doubled for every try so far, at most
// durations.LongestRetry.
func Backoff(tries int) time.Duration {
	return min(durations.LongestRetry, durations.FirstRetry<<min(tries, 20))
}

// Handler runs one leased task. The handler itself finishes or reschedules the task in the store. If it returns an
// error, the runner reschedules the task after Backoff.
type Handler func(ctx context.Context, t Task) error

// Config configures a Runner.
type Config struct {
	Store   Store            // required
	Now     func() time.Time // required: business time
	Logger  *slog.Logger     // nil: nothing is logged
	Lease   time.Duration    // until a dead server's tasks can be claimed, business time; default 60 s
	Workers int              // tasks of one queue that run at once; default 32
	// Around wraps the run of a task, for traces: it must call run and return its error. Optional.
	Around func(ctx context.Context, t Task, run func(context.Context) error) error
}

// Runner leases due tasks and runs their handlers. Any number of servers may each run a Runner on the same store.
type Runner struct {
	store    Store
	now      func() time.Time
	logger   *slog.Logger
	lease    time.Duration
	workers  int
	around   func(ctx context.Context, t Task, run func(context.Context) error) error
	handlers map[Kind]Handler
	periodic map[string]periodicJob
	wake     chan struct{}

	claimMu sync.Mutex // held until the tasks that were claimed for the free workers are counted as running
	pool    workerPool

	lastRound atomic.Int64 // real time in nanoseconds since the epoch

	ensureMu sync.Mutex
	ensured  bool // the tasks of the periodic jobs exist
}

type periodicJob struct {
	interval time.Duration
	run      func(context.Context) error
}

// NewRunner returns a runner without handlers.
func NewRunner(c Config) *Runner {
	if c.Logger == nil {
		c.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if c.Around == nil {
		c.Around = func(ctx context.Context, _ Task, run func(context.Context) error) error { return run(ctx) }
	}
	r := &Runner{
		around: c.Around,
		store:  c.Store, now: c.Now, logger: c.Logger,
		lease: cmp.Or(c.Lease, durations.TaskLease), workers: cmp.Or(c.Workers, 32),
		handlers: map[Kind]Handler{}, periodic: map[string]periodicJob{}, wake: make(chan struct{}, 1),
		pool: workerPool{busy: map[Queue]int{}, running: map[string]*Task{}},
	}
	r.handlers[KindPeriodic] = r.runPeriodic
	r.lastRound.Store(time.Now().UnixNano())
	return r
}

// LastRound returns the real time at which Run or RunDue last read due tasks from the store without an error. Before
// the first time, it is the time at which the runner was made.
func (r *Runner) LastRound() time.Time { return time.Unix(0, r.lastRound.Load()) }

// Handle registers the handler of a kind. All handlers must be registered before the first task runs.
func (r *Runner) Handle(kind Kind, h Handler) { r.handlers[kind] = h }

// Every registers a job that runs once per interval of business time, on one server at a time. It must be called before
// the first task runs.
func (r *Runner) Every(name string, interval time.Duration, run func(context.Context) error) {
	r.periodic[name] = periodicJob{interval, run}
}

// Wake makes Run look for due tasks at once, after a commit that scheduled one or after the clock was moved.
func (r *Runner) Wake() { signal(r.wake) }

// signal sends to a channel that has room for one value, unless the channel is full: the receiver is then already
// notified.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// Run runs due tasks until ctx ends. It then waits for the running ones. Errors are logged, and the tasks are tried
// again.
func (r *Runner) Run(ctx context.Context) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	report := func(err error) { r.logger.ErrorContext(ctx, "job queue failed", "error", err) }
	b := newBatch(report)
	defer b.group.Wait()
	for {
		full := false
		err := r.ensurePeriodic(ctx)
		if err == nil {
			_, full, err = r.startDue(ctx, b)
		}
		if err != nil && ctx.Err() == nil {
			report(err)
		}
		var freed <-chan struct{} // set only while due tasks may be waiting for a worker; a nil channel blocks
		if full {
			freed = b.ended
		}
		select {
		case <-ctx.Done():
			return
		case <-r.wake:
		case <-freed:
		case <-tick.C:
		}
	}
}

// RunDue runs every task that is due now, and every task that becomes due because of these, and then returns. It
// returns the first error of the store; the errors of handlers are logged.
func (r *Runner) RunDue(ctx context.Context) error {
	if err := r.ensurePeriodic(ctx); err != nil {
		return err
	}
	failed := make(chan error, 1)
	b := newBatch(func(err error) {
		select {
		case failed <- err:
		default: // the first error is reported
		}
	})
	defer b.group.Wait()
	for range maxRounds {
		idle := b.active.Load() == 0
		n, _, err := r.startDue(ctx, b)
		if err != nil {
			return err
		}
		if n == 0 && idle {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case err := <-failed:
			return err
		case <-b.ended:
		}
	}
	return fmt.Errorf("jobs: tasks are still due after %d rounds", maxRounds)
}

// RunNow runs one task now, whether it is due or not. It does nothing if the task is leased. If the task fails, it
// stays in the queue and is tried again.
func (r *Runner) RunNow(ctx context.Context, kind Kind, subject string) {
	t, found, err := r.Lease(ctx, kind, subject)
	if err == nil && found {
		err = r.runTask(ctx, t)
	}
	if err != nil {
		r.logger.WarnContext(ctx, "task left in the queue", "task", string(kind), "subject", subject, "error", err)
	}
	r.Wake()
}

// Lease claims one task, whether it is due or not, so that no worker runs it. It reports false if the task does not
// exist or is leased.
func (r *Runner) Lease(ctx context.Context, kind Kind, subject string) (Task, bool, error) {
	now := r.now()
	return r.store.ClaimOne(ctx, kind, subject, now, now.Add(r.lease))
}

// Finish deletes a leased task.
func (r *Runner) Finish(ctx context.Context, t Task) error {
	return r.store.UpdateTasks(ctx, func(s Scheduler) error { return s.Finish(t) })
}

// Reschedule postpones a leased task until due.
func (r *Runner) Reschedule(ctx context.Context, t Task, due time.Time) error {
	return r.store.UpdateTasks(ctx, func(s Scheduler) error { return s.Reschedule(t, due) })
}

// runTask runs the handler of one claimed task. If the handler fails, the task is rescheduled. runTask returns an error
// only if the store fails to do that.
func (r *Runner) runTask(ctx context.Context, t Task) error {
	ctx = requestid.Ensure(context.WithoutCancel(ctx)) // a shutdown does not interrupt a task
	requestid.NoteOrder(ctx, t.Subject)
	stopRenewing := r.renewLease(ctx, t)
	err := r.around(ctx, t, func(ctx context.Context) error { return r.handle(ctx, t) })
	stopRenewing()
	if err == nil {
		return nil
	}
	r.logger.WarnContext(ctx, "task failed and is rescheduled",
		"task", string(t.Kind), "subject", t.Subject, "tries", t.Tries, "error", err)
	return r.Reschedule(ctx, t, r.now().Add(Backoff(t.Tries)))
}

// renewLease renews the lease of a task until the returned function is called, so that a task that takes longer than
// its lease is not run by another server too. It renews three times per lease, in case the store fails once.
func (r *Runner) renewLease(ctx context.Context, t Task) (stop func()) {
	ctx, stop = context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(r.lease / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			err := r.store.UpdateTasks(ctx, func(s Scheduler) error { return s.Renew(t, r.now().Add(r.lease)) })
			if err != nil && ctx.Err() == nil {
				r.logger.WarnContext(ctx, "lease of task not renewed",
					"task", string(t.Kind), "subject", t.Subject, "error", err)
			}
		}
	}()
	return stop
}

func (r *Runner) handle(ctx context.Context, t Task) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("task %s %s panicked: %v", t.Kind, t.Subject, p)
		}
	}()
	h, ok := r.handlers[t.Kind]
	if !ok {
		return fmt.Errorf("task %s has no handler", t.Kind)
	}
	return h(ctx, t)
}

// ensurePeriodic creates the tasks of the periodic jobs if they do not exist, once in the life of the runner.
func (r *Runner) ensurePeriodic(ctx context.Context) error {
	r.ensureMu.Lock()
	defer r.ensureMu.Unlock()
	if r.ensured {
		return nil
	}
	err := r.store.UpdateTasks(ctx, func(s Scheduler) error {
		for name := range r.periodic {
			if err := s.Ensure(KindPeriodic, name, QueueLocal, r.now()); err != nil {
				return err
			}
		}
		return nil
	})
	r.ensured = err == nil // after an error, the next round tries again
	return err
}

func (r *Runner) runPeriodic(ctx context.Context, t Task) error {
	job, known := r.periodic[t.Subject]
	if !known {
		return r.Finish(ctx, t) // a periodic job that only another release of the shop has
	}
	if err := job.run(ctx); err != nil {
		return err
	}
	return r.store.UpdateTasks(ctx, func(s Scheduler) error {
		return s.Schedule(KindPeriodic, t.Subject, QueueLocal, r.now().Add(job.interval))
	})
}

// batch tracks the tasks that one call of Run or RunDue has started.
type batch struct {
	group  sync.WaitGroup
	active atomic.Int64
	ended  chan struct{} // holds a value if a task has ended since the last receive
	failed func(error)
}

func newBatch(failed func(error)) *batch {
	return &batch{ended: make(chan struct{}, 1), failed: failed}
}

// startDue leases due tasks for the free workers of their queues, and starts them. It returns how many it started, and
// whether all workers of a queue are then busy.
func (r *Runner) startDue(ctx context.Context, b *batch) (started int, full bool, err error) {
	r.claimMu.Lock()
	defer r.claimMu.Unlock()
	now, busy := r.now(), r.pool.load()
	tasks, err := r.store.Claim(ctx, now, now.Add(r.lease), r.workers, busy)
	if err != nil {
		return 0, false, err
	}
	r.lastRound.Store(time.Now().UnixNano())
	for _, t := range tasks {
		busy[t.Queue]++
	}
	for _, n := range busy {
		full = full || n >= r.workers
	}
	for _, t := range tasks {
		if !r.pool.begin(t) {
			continue
		}
		started++
		b.active.Add(1)
		b.group.Go(func() {
			r.runUntilDone(ctx, b, t)
			b.active.Add(-1)
			signal(b.ended)
		})
	}
	return started, full, nil
}

// runUntilDone runs a task that the pool has begun. If the same task was scheduled and claimed again while it ran, it
// runs once more.
func (r *Runner) runUntilDone(ctx context.Context, b *batch, t Task) {
	for next := &t; next != nil; next = r.pool.end(*next) {
		if err := r.runTask(ctx, *next); err != nil {
			b.failed(err)
		}
	}
}

// workerPool counts the running tasks of this server by queue.
type workerPool struct {
	mu      sync.Mutex
	busy    map[Queue]int
	running map[string]*Task // by kind and subject; the value is the claim to run next, or nil
}

func (t Task) key() string { return string(t.Kind) + "/" + t.Subject }

// load returns a copy of the number of busy workers of each queue.
func (p *workerPool) load() map[Queue]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.busy)
}

// begin reports whether the task may start now. If a worker is running the same task, which was scheduled and claimed
// again while it ran, the new claim starts when that worker is done: on one server, no task runs twice at the same
// time.
func (p *workerPool) begin(t Task) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, running := p.running[t.key()]; running {
		p.running[t.key()] = &t
		return false
	}
	p.running[t.key()] = nil
	p.busy[t.Queue]++
	return true
}

// end frees the worker of a task that has ended, or returns the task that the worker must run next.
func (p *workerPool) end(t Task) *Task {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy[t.Queue]--
	next := p.running[t.key()]
	if next == nil {
		delete(p.running, t.key())
		return nil
	}
	p.running[t.key()] = nil
	p.busy[next.Queue]++
	return next
}
