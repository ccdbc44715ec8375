package jobs

import (
	"context"
	"sync"
	"time"
)

const (
	// soonPerWorker is how many calls of Soon of a queue run at once, for each worker of the queue. They have separate
	// workers, so that they and the tasks of the queue do not delay each other.
	soonPerWorker = 4
	// mostWaiting bounds the calls of Soon of a queue that wait for a worker.
	mostWaiting = 1000
)

// Soon runs do on this server as soon as a worker is free, from memory: nothing is stored, and do is not repeated if it
// fails. It saves the transactions that claim and reschedule a task which is due at once.
//
// It is safe because the caller has committed the task of the kind and subject, due at the given time, and the handler
// of that task does the work if do has not. A call may therefore be lost: it is dropped if its task is due or running
// when a worker becomes free, if too much of the queue waits, and when Run ends. This server does not run the task
// while it runs do. Another server may, once the task is due, so the work must be safe to do twice.
//
// For example, a payment schedules the first query for the tickets three seconds later, and Soon requests them. If the
// query finds that the source was not asked, its task sends the request.
func (r *Runner) Soon(kind Kind, subject string, queue Queue, due time.Time, do func(context.Context) error) {
	r.soon.add(Task{Kind: kind, Subject: subject, Queue: queue, soon: do}, due)
}

// startSoon starts the waiting calls of Soon for which their queues have workers, and returns how many it started.
func (r *Runner) startSoon(ctx context.Context, b *batch) (started int) {
	for _, t := range r.soon.take(r.now(), r.workers*soonPerWorker, r.pool.soonLoad()) {
		if !r.pool.begin(t) {
			continue // what the task does now may contradict the call
		}
		started++
		b.active.Add(1)
		b.group.Go(func() {
			r.runUntilDone(ctx, b, t)
			b.active.Add(-1)
			signal(b.soonEnded)
			signal(r.soon.changed)
		})
	}
	return started
}

// soonQueues are the calls of Soon that wait for a worker.
type soonQueues struct {
	mu      sync.Mutex
	closed  bool // Run has ended
	waiting map[Queue][]waitingCall
	changed chan struct{} // holds a value if a call was added or a worker became free since the last receive
}

type waitingCall struct {
	task Task
	due  time.Time // when the stored task is due
}

func newSoonQueues() *soonQueues {
	return &soonQueues{waiting: map[Queue][]waitingCall{}, changed: make(chan struct{}, 1)}
}

func (q *soonQueues) open() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = false
}

// close drops what waits and what is added later.
func (q *soonQueues) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	clear(q.waiting)
}

func (q *soonQueues) add(t Task, due time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed && len(q.waiting[t.Queue]) < mostWaiting {
		q.waiting[t.Queue] = append(q.waiting[t.Queue], waitingCall{t, due})
		signal(q.changed)
	}
}

// take removes and returns waiting calls of each queue, in order, so that at most most of them run. It drops those
// whose task is due.
func (q *soonQueues) take(now time.Time, most int, running map[Queue]int) (taken []Task) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for queue, calls := range q.waiting {
		free := most - running[queue]
		for len(calls) > 0 && (free > 0 || !now.Before(calls[0].due)) {
			if now.Before(calls[0].due) {
				taken = append(taken, calls[0].task)
				free--
			}
			calls[0], calls = waitingCall{}, calls[1:]
		}
		if q.waiting[queue] = calls; len(calls) == 0 {
			delete(q.waiting, queue)
		}
	}
	return taken
}

// signal puts a value into a channel with room for one, unless it holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
