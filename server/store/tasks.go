package store

import (
	"context"
	"crypto/rand"
	"slices"
	"time"

	"marquee/server/jobs"
)

// Schedule inserts the task. If it exists, it gets the new queue and due time, starts again at zero tries, and loses
// its lease.
func (w jobRepo) Schedule(kind jobs.Kind, subject string, queue jobs.Queue, due time.Time) error {
	return w.run(mustRun("schedule task %s %s", kind, subject),
		`INSERT INTO tasks (kind, subject, queue, due_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (kind, subject) DO UPDATE SET queue = $3, due_at = $4, tries = 0, lease = '', lease_until = 0`,
		string(kind), subject, string(queue), toEpoch(due))
}

// Ensure inserts the task unless it exists.
func (w jobRepo) Ensure(kind jobs.Kind, subject string, queue jobs.Queue, due time.Time) error {
	return w.run(mustRun("ensure task %s %s", kind, subject),
		`INSERT INTO tasks (kind, subject, queue, due_at) VALUES ($1, $2, $3, $4)
		ON CONFLICT (kind, subject) DO NOTHING`,
		string(kind), subject, string(queue), toEpoch(due))
}

// Unschedule deletes the task, leased or not.
func (w jobRepo) Unschedule(kind jobs.Kind, subject string) error {
	return w.run(mustRun("unschedule task %s %s", kind, subject),
		`DELETE FROM tasks WHERE kind = $1 AND subject = $2`, string(kind), subject)
}

// Reschedule changes the due time of a task, counts a try and ends the lease. It does nothing if another worker has
// leased the task since, or if it was scheduled again.
func (w jobRepo) Reschedule(t jobs.Task, due time.Time) error {
	return w.run(mustRun("reschedule task %s %s", t.Kind, t.Subject),
		`UPDATE tasks SET due_at = $1, tries = tries + 1, lease = '', lease_until = 0
		WHERE kind = $2 AND subject = $3 AND lease = $4`,
		toEpoch(due), string(t.Kind), t.Subject, t.Lease)
}

// Renew changes the end of a task's lease. It does nothing if another worker has leased the task since, or if it was
// scheduled again.
func (w jobRepo) Renew(t jobs.Task, until time.Time) error {
	return w.run(mustRun("renew lease of task %s %s", t.Kind, t.Subject),
		`UPDATE tasks SET lease_until = $1 WHERE kind = $2 AND subject = $3 AND lease = $4`,
		toEpoch(until), string(t.Kind), t.Subject, t.Lease)
}

// Finish deletes a task. It does nothing if another worker has leased the task since, or if it was scheduled again.
func (w jobRepo) Finish(t jobs.Task) error {
	return w.run(mustRun("finish task %s %s", t.Kind, t.Subject),
		`DELETE FROM tasks WHERE kind = $1 AND subject = $2 AND lease = $3`, string(t.Kind), t.Subject, t.Lease)
}

// UpdateTasks implements jobs.Store.
func (s *Orders) UpdateTasks(ctx context.Context, fn func(jobs.Scheduler) error) error {
	return s.db.write(ctx, func(w *writeTx) error { return fn(jobRepo{w}) })
}

// withQueues is a table expression: the queues that have a task. It jumps from queue to queue on the index (queue,
// due_at), and so reads one row of each queue.
const withQueues = `WITH RECURSIVE queues (queue) AS (SELECT min(queue) FROM tasks UNION ALL
		SELECT (SELECT min(t.queue) FROM tasks t WHERE t.queue > queues.queue) FROM queues
		WHERE queues.queue IS NOT NULL)`

// queuesDue lists the queues with a due task that is not leased. Many tasks in one queue do not slow it down.
const queuesDue = withQueues + `
	SELECT queue FROM queues WHERE queue IS NOT NULL AND EXISTS (
		SELECT 1 FROM tasks t WHERE t.queue = queues.queue AND t.due_at <= $1 AND t.lease_until <= $1)`

// claimOne leases one given task, unless it is leased.
const claimOne = `UPDATE tasks SET lease = $3, lease_until = $4 WHERE kind = $5 AND subject = $2 AND lease_until <= $1
	RETURNING kind, subject, queue, tries`

// Claim implements jobs.Store. It writes nothing if no task is due.
func (s *Orders) Claim(
	ctx context.Context, now, until time.Time, most int, busy map[jobs.Queue]int,
) ([]jobs.Task, error) {
	due, err := queryAll(ctx, s.from, scanValue[jobs.Queue], queuesDue, toEpoch(now))
	due = slices.DeleteFunc(due, func(q jobs.Queue) bool { return busy[q] >= most })
	if err != nil || len(due) == 0 {
		return nil, err
	}
	var tasks []jobs.Task
	err = s.db.write(ctx, func(w *writeTx) error {
		tasks = nil
		for _, q := range due {
			got, err := w.claim(s.db.sql.claimDue, toEpoch(now), most-busy[q], rand.Text(), toEpoch(until), string(q))
			if err != nil {
				return err
			}
			tasks = append(tasks, got...)
		}
		return nil
	})
	return tasks, err
}

// ClaimOne implements jobs.Store.
func (s *Orders) ClaimOne(
	ctx context.Context, kind jobs.Kind, subject string, now, until time.Time,
) (t jobs.Task, found bool, err error) {
	err = s.db.write(ctx, func(w *writeTx) error {
		tasks, err := w.claim(claimOne, toEpoch(now), subject, rand.Text(), toEpoch(until), string(kind))
		if found = len(tasks) > 0; found {
			t = tasks[0]
		}
		return err
	})
	return t, found, err
}

// queueLoads counts the tasks of each queue: at most $2 that are due, and at most $2 that are not.
const (
	dueTasks = `(SELECT due_at, lease_until FROM tasks t WHERE t.queue = queues.queue AND t.due_at <= $1
		ORDER BY t.due_at LIMIT $2` + planOnce + `) AS due`
	laterTasks = `(SELECT lease_until FROM tasks t WHERE t.queue = queues.queue AND t.due_at > $1
		ORDER BY t.due_at LIMIT $2` + planOnce + `) AS later`
	queueLoads = withQueues + ` SELECT queue,
		(SELECT count(*) FROM ` + laterTasks + ` WHERE lease_until <= $1),
		(SELECT count(*) FROM ` + dueTasks + ` WHERE lease_until <= $1),
		(SELECT count(*) FROM ` + dueTasks + ` WHERE lease_until > $1)
			+ (SELECT count(*) FROM ` + laterTasks + ` WHERE lease_until > $1),
		coalesce((SELECT min(due_at) FROM ` + dueTasks + ` WHERE lease_until <= $1), 0)
		FROM queues WHERE queue IS NOT NULL ORDER BY queue`
)

// QueueLoads counts the tasks of each queue that has any. It counts no more than most due ones, and no more than most
// others, so that its time is bounded.
func (s *Orders) QueueLoads(ctx context.Context, now time.Time, most int) ([]jobs.QueueLoad, error) {
	scan := func(row scanner) (l jobs.QueueLoad, err error) {
		var oldest int64
		err = row.Scan(&l.Queue, &l.Waiting, &l.Due, &l.Leased, &oldest)
		l.OldestDue = fromEpoch(oldest)
		return l, err
	}
	return queryAll(ctx, s.from, scan, queueLoads, toEpoch(now), most)
}

// claim runs claimDue or claimOne. Their third argument, $3, is the random lease, by which Finish and Reschedule
// recognize the worker.
func (w *writeTx) claim(query string, args ...any) ([]jobs.Task, error) {
	return txQueryAll(w, func(row scanner) (jobs.Task, error) {
		t := jobs.Task{Lease: args[2].(string)}
		return t, row.Scan(&t.Kind, &t.Subject, &t.Queue, &t.Tries)
	}, query, args...)
}
