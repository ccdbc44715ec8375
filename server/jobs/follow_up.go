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
	// followUpsPerWorker is how many follow-ups of a queue run at once, for each worker of the queue.
	followUpsPerWorker = 4
	// readyPerWorker is how many follow-ups of a queue may wait to be run, for each worker of the queue. A transaction
	// that schedules a further one leaves it to the workers.
	readyPerWorker = 8
	// mostHeld bounds the follow-ups that wait for their time in the memory of this server.
	mostHeld = 100_000
)

// A follow-up is a task that the server runs under a lease that it has already: it needs no claim. Its transaction
// leased it (Prepare, Start), or its handler goes on with it later (Hold). Follow-ups have workers of their own, so
// that neither they nor the claimed tasks of a queue wait for the others.

// Prepare returns a task that the caller writes with Scheduler.ScheduleLeased, and passes to Start after the commit. It
// reports false if the task must be written with Scheduler.Schedule instead: this process runs no tasks, or too many
// follow-ups of the queue wait.
func (r *Runner) Prepare(kind Kind, subject string, queue Queue) (Task, bool) {
	if !r.followUps.accepts(queue, r.workers*readyPerWorker) {
		return Task{}, false
	}
	return Task{
		Kind: kind, Subject: subject, Queue: queue, Lease: rand.Text(), LeaseEnds: r.now().Add(r.lease),
		Fresh: true, followUp: true,
	}, true
}

// Start runs a task of Prepare, whose transaction is committed. For the zero Task it wakes the workers. A task that
// this server does not run any more is given back to the store.
func (r *Runner) Start(ctx context.Context, t Task) {
	if t.Lease == "" {
		r.Wake()
		return
	}
	if !r.followUps.start(t) {
		r.giveBack(context.WithoutCancel(ctx), []heldTask{{t, r.now()}})
	}
}

// Hold makes this server run the handler of a leased task again when it is due, under the same lease. It reports false,
// and the handler must reschedule the task, if this process runs no tasks, or if less than half of the lease would be
// left by then.
func (r *Runner) Hold(t Task, due time.Time) bool {
	if r.leaseSpent(t, due) {
		return false
	}
	t.Fresh, t.Record, t.followUp = false, nil, true
	return r.followUps.hold(t, due)
}

// Forget drops a held task, whose row the caller has deleted.
func (r *Runner) Forget(kind Kind, subject string) {
	r.followUps.forget(Task{Kind: kind, Subject: subject}.key())
}

// leaseSpent reports whether less than half of a task's lease is left: its handler could outlast the lease.
func (r *Runner) leaseSpent(t Task, now time.Time) bool { return t.LeaseEnds.Sub(now) < r.lease/2 }

// startFollowUps starts the follow-ups that are ready, as far as their queues have room. One that has waited for half
// of its lease is left to the server that claims it when the lease has ended.
func (r *Runner) startFollowUps(ctx context.Context, b *batch) {
	now := r.now()
	for _, t := range r.followUps.take(r.workers*followUpsPerWorker, r.pool.followUpLoad()) {
		if r.leaseSpent(t, now) || !r.pool.begin(t) {
			continue
		}
		b.group.Go(func() {
			r.runUntilDone(ctx, b, t)
			r.followUps.signal()
		})
	}
}

// giveBack ends the leases of tasks that this server does not run any more.
func (r *Runner) giveBack(ctx context.Context, tasks []heldTask) {
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
		r.logger.WarnContext(ctx, "leases not given back; they end by themselves", "tasks", len(tasks), "error", err)
	}
}

// heldTask is a follow-up that waits until it is due.
type heldTask struct {
	task Task
	due  time.Time
}

// followUps are the follow-ups of this server that do not run yet.
type followUps struct {
	mu      sync.Mutex
	open    bool                // Run takes tasks
	ready   map[Queue][]Task    // in the order in which they were started
	held    map[string]heldTask // by Task.key
	changed chan struct{}       // holds a value if tasks have become ready, or workers free, since it was last read
}

func newFollowUps() *followUps {
	return &followUps{ready: map[Queue][]Task{}, held: map[string]heldTask{}, changed: make(chan struct{}, 1)}
}

func (f *followUps) setOpen() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = true
}

// close refuses further tasks, and returns those that wait.
func (f *followUps) close(now time.Time) []heldTask {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open = false
	waiting := slices.Collect(maps.Values(f.held))
	for _, tasks := range f.ready {
		for _, t := range tasks {
			waiting = append(waiting, heldTask{t, now})
		}
	}
	clear(f.held)
	clear(f.ready)
	return waiting
}

func (f *followUps) accepts(queue Queue, most int) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.open && len(f.ready[queue]) < most
}

func (f *followUps) start(t Task) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open {
		f.ready[t.Queue] = append(f.ready[t.Queue], t)
		f.signal()
	}
	return f.open
}

func (f *followUps) hold(t Task, due time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.open || len(f.held) >= mostHeld {
		return false
	}
	f.held[t.key()] = heldTask{t, due}
	return true
}

func (f *followUps) forget(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.held, key)
}

// release makes the held tasks ready that are due.
func (f *followUps) release(now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for key, h := range f.held {
		if !h.due.After(now) {
			f.ready[h.task.Queue] = append(f.ready[h.task.Queue], h.task)
			delete(f.held, key)
		}
	}
}

// take removes and returns the first ready tasks of each queue, up to most of them less those that run.
func (f *followUps) take(most int, running map[Queue]int) (taken []Task) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for queue, tasks := range f.ready {
		n := max(0, min(len(tasks), most-running[queue]))
		taken = append(taken, tasks[:n]...)
		if f.ready[queue] = slices.Delete(tasks, 0, n); len(tasks) == n {
			delete(f.ready, queue)
		}
	}
	return taken
}

func (f *followUps) signal() {
	select {
	case f.changed <- struct{}{}:
	default: // a value is pending
	}
}
