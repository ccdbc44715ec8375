// Package jobs runs tasks. A task is work that must follow a commit. The same transaction stores it. One server at a
// time runs it, unless it is scheduled again while it runs: then another server may run it at the same time.
//
// A task is a row with a due time. A server leases the rows that are due and runs the handler of their kind, which
// finishes, reschedules or replaces the task in the transaction that records its outcome. The server renews the lease
// while the handler runs. The leases of a server that dies expire; another server then claims the tasks.
package jobs

import (
	"context"
	"time"
)

// Kind selects the handler of a task.
type Kind string

// Queue groups tasks by the outside party that they call, such as the payment gateway. Every queue has separate
// workers, so that a party that does not answer delays only its own tasks.
type Queue string

// QueueLocal holds the tasks that call no outside party.
const QueueLocal Queue = "local"

// Task is a task that this server has leased.
type Task struct {
	Kind    Kind
	Subject string // what the task is about: an order number, a trade number, a refund id
	Queue   Queue
	Tries   int    // how often Reschedule has postponed the task since Schedule was last called
	Lease   string // identifies the claim of a server; invalid after the task is scheduled again
}

// Scheduler writes tasks inside a transaction of the store. Kind and subject identify a task.
type Scheduler interface {
	// Schedule makes the task due at the given time, even if it was planned for another time, and ends its lease.
	Schedule(kind Kind, subject string, queue Queue, due time.Time) error
	// Unschedule deletes the task.
	Unschedule(kind Kind, subject string) error
	// Reschedule postpones a leased task and counts a try. It does nothing if the task has been scheduled again.
	Reschedule(t Task, due time.Time) error
	// Renew prolongs the lease of a task until the given time. It does nothing if the task has been scheduled again.
	Renew(t Task, until time.Time) error
	// Finish deletes a leased task. It does nothing if the task has been scheduled again.
	Finish(t Task) error
	// Ensure schedules the task unless it exists.
	Ensure(kind Kind, subject string, queue Queue, due time.Time) error
}

// Store leases and changes tasks.
type Store interface {
	// Claim leases due tasks, those that have been due longest first, with leases that end at the time until. It leases
	// at most as many tasks of a queue as the queue has free workers: most, minus the busy ones.
	Claim(ctx context.Context, now, until time.Time, most int, busy map[Queue]int) ([]Task, error)
	// ClaimOne leases one task, due or not. It reports false if the task does not exist or is leased.
	ClaimOne(ctx context.Context, kind Kind, subject string, now, until time.Time) (Task, bool, error)
	// UpdateTasks runs fn in one transaction. fn may run more than once.
	UpdateTasks(ctx context.Context, fn func(Scheduler) error) error
}

// QueueLoad counts the tasks of one queue.
type QueueLoad struct {
	Queue     Queue
	Waiting   int       // not due yet
	Due       int       // due, and not leased
	Leased    int       // being run
	OldestDue time.Time // when the oldest of Due became due; zero if Due is 0
}
