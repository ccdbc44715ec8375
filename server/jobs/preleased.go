package jobs

import (
	"context"
	"crypto/rand"
	"maps"
	"slices"
	"sync"
	"time"
)

const (
	// preleasedPerWorker is how many pre-leased tasks of a queue run at once, for each worker of the queue.
	preleasedPerWorker = 4
	// readyPerWorker is how many pre-leased tasks of a queue may wait to be run, for each worker of the queue. Beyond
	// that, tasks are scheduled without a lease.
	readyPerWorker = 8
	// mostHeld bounds the held tasks in the memory of this server.
	mostHeld = 100_000
)

// A pre-leased task is one that this server runs without Store.Claim, because it already has the lease: either the
// transaction that scheduled the task also wrote the lease (Prepare before the commit, Start after it), or the handler
// has run and keeps the lease until it runs again (Hold). Pre-leased tasks have separate workers, so that they and the
// claimed tasks of a queue do not delay each other.

// Prepare returns a task that the caller writes with Scheduler.ScheduleLeased, and passes to Start after the commit. It
// reports false if the task must be written with Scheduler.Schedule instead: this process runs no tasks, or too many
// pre-leased tasks of the queue wait.
func (r *Runner) Prepare(kind Kind, subject string, queue Queue) (Task, bool) {
	if !r.preleased.accepts(queue, r.workers*readyPerWorker) {
		return Task{}, false
	}
	return Task{
		Kind: kind, Subject: subject, Queue: queue, Lease: rand.Text(), LeaseEnds: r.now().Add(r.lease),
		FirstRun: true, preleased: true,
	}, true
}

// Start runs a task of Prepare after its transaction is committed. For the zero Task it wakes the workers. If this
// server no longer runs tasks, Start ends the lease.
func (r *Runner) Start(ctx context.Context, t Task) {
	if t.Lease == "" {
		r.Wake()
		return
	}
	if !r.preleased.start(t) {
		r.endLeases(context.WithoutCancel(ctx), []heldTask{{t, r.now()}})
	}
}

// Hold makes this server run the handler of a leased task again when it is due, under the same lease. It reports false,
// and the handler must reschedule the task, if this process runs no tasks, or if less than half of the lease would be
// left by then.
func (r *Runner) Hold(t Task, due time.Time) bool {
	if r.leaseSpent(t, due) {
		return false
	}
	t.FirstRun, t.SubjectRow, t.preleased = false, nil, true
	return r.preleased.hold(t, due)
}

// Forget drops a held task. The caller has deleted its row.
func (r *Runner) Forget(kind Kind, subject string) {
	r.preleased.forget(Task{Kind: kind, Subject: subject}.key())
}

// leaseSpent reports whether less than half of a task's lease is left: its handler could outlast the lease.
func (r *Runner) leaseSpent(t Task, now time.Time) bool { return t.LeaseEnds.Sub(now) < r.lease/2 }

// startPreleased starts the ready pre-leased tasks for which their queues have workers. A task that has waited for half
// of its lease is dropped: a server claims it when the lease has ended.
func (r *Runner) startPreleased(ctx context.Context, b *batch) {
	now := r.now()
	for _, t := range r.preleased.take(r.workers*preleasedPerWorker, r.pool.preleasedLoad()) {
		if r.leaseSpent(t, now) || !r.pool.begin(t) {
			continue
		}
		b.group.Go(func() {
			r.runUntilDone(ctx, b, t)
			r.preleased.signal()
		})
	}
}

// endLeases ends the leases of tasks that this server will not run.
func (r *Runner) endLeases(ctx context.Context, tasks []heldTask) {
	if len(tasks) == 0 {
		return
	}
	err := r.store.UpdateTasks(ctx, func(s Scheduler) error {
		for _, h := range tasks {
			if err := s.Reschedule(h.task, h.due); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.logger.WarnContext(ctx, "ending leases failed; they will expire", "tasks", len(tasks), "error", err)
	}
}

// heldTask is a pre-leased task that waits until it is due.
type heldTask struct {
	task Task
	due  time.Time
}

// preleasedTasks are the pre-leased tasks of this server that are not running yet.
type preleasedTasks struct {
	mu      sync.Mutex
	open    bool                // Run accepts tasks
	ready   map[Queue][]Task    // in the order in which they were started
	held    map[string]heldTask // by Task.key
	changed chan struct{}       // holds a value if tasks have become ready or workers free since the last receive
}

func newPreleasedTasks() *preleasedTasks {
	return &preleasedTasks{ready: map[Queue][]Task{}, held: map[string]heldTask{}, changed: make(chan struct{}, 1)}
}

func (p *preleasedTasks) setOpen() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = true
}

// close rejects further tasks, and returns those that wait.
func (p *preleasedTasks) close(now time.Time) []heldTask {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = false
	waiting := slices.Collect(maps.Values(p.held))
	for _, tasks := range p.ready {
		for _, t := range tasks {
			waiting = append(waiting, heldTask{t, now})
		}
	}
	clear(p.held)
	clear(p.ready)
	return waiting
}

func (p *preleasedTasks) accepts(queue Queue, most int) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open && len(p.ready[queue]) < most
}

func (p *preleasedTasks) start(t Task) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open {
		p.ready[t.Queue] = append(p.ready[t.Queue], t)
		p.signal()
	}
	return p.open
}

func (p *preleasedTasks) hold(t Task, due time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.open || len(p.held) >= mostHeld {
		return false
	}
	p.held[t.key()] = heldTask{t, due}
	return true
}

func (p *preleasedTasks) forget(key string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.held, key)
}

// release moves the held tasks that are due to the ready ones.
func (p *preleasedTasks) release(now time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for key, h := range p.held {
		if !h.due.After(now) {
			p.ready[h.task.Queue] = append(p.ready[h.task.Queue], h.task)
			delete(p.held, key)
		}
	}
}

// take removes and returns ready tasks of each queue, in order, so that at most most of them run.
func (p *preleasedTasks) take(most int, running map[Queue]int) (taken []Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for queue, tasks := range p.ready {
		n := max(0, min(len(tasks), most-running[queue]))
		taken = append(taken, tasks[:n]...)
		if p.ready[queue] = slices.Delete(tasks, 0, n); len(tasks) == n {
			delete(p.ready, queue)
		}
	}
	return taken
}

func (p *preleasedTasks) signal() {
	select {
	case p.changed <- struct{}{}:
	default: // a value is pending
	}
}
