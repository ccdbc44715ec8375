// Package jobs runs tasks: work that must follow a commit, is stored with it, and is done by one server at a time.
//
// A task is a row that is due at a time. A server leases the rows that are due, runs the handler of their kind, and the
// handler finishes, reschedules or replaces the task in the transaction that records its outcome. A server that dies
// keeps its leases until they run out; another server then takes the tasks.
package jobs

import (
	"context"
	"time"
)

// Kind says which handler a task is for.
type Kind string

// Queue is the outside party that a task calls. Every queue has workers of its own, so that a party that does not
// answer delays only its own tasks.
type Queue string

// QueueLocal holds the tasks that call no outside party.
const QueueLocal Queue = "local"

// Task is a leased piece of work.
type Task struct {
	Kind    Kind
	Subject string // what the task is about: an order number, a trade number, a refund id
	Queue   Queue
	Tries   int    // how often the task was rescheduled since it was scheduled
	Lease   string // identifies the claim; a task that was scheduled anew has another lease or none

	LeaseEnds time.Time // from then on another server may claim the task
	// FirstRun is true while the handler of a task of Runner.Prepare runs for the first time, so that the handler does
	// not record again what the transaction that scheduled the task has recorded.
	FirstRun bool
	// SubjectRow is set on a first run only. It is the row of the subject as the transaction that scheduled the task
	// has written it: an order.Order if the kind is order.TaskOrder. The lease keeps other servers from changing the
	// row meanwhile. If it is nil, the handler reads the row.
	SubjectRow any

	preleased bool // see preleased.go; counted apart from the tasks that Claim returned
}

// Scheduler writes tasks inside a transaction of the store. Kind and subject identify a task.
type Scheduler interface {
	// Schedule makes the task due at the given time, whatever was planned for it before, and ends its lease.
	Schedule(kind Kind, subject string, queue Queue, due time.Time) error
	// ScheduleLeased is Schedule for a task of Runner.Prepare. The lease ends at t.LeaseEnds.
	ScheduleLeased(t Task, due time.Time) error
	// Unschedule deletes the task.
	Unschedule(kind Kind, subject string) error
	// Reschedule puts a leased task off and counts a try. It does nothing if the task has been scheduled anew.
	Reschedule(t Task, due time.Time) error
	// Finish deletes a leased task. It does nothing if the task has been scheduled anew.
	Finish(t Task) error
	// Ensure schedules a task that does not exist.
	Ensure(kind Kind, subject string, queue Queue, due time.Time) error
}

// Store leases and changes tasks.
type Store interface {
	// Claim leases tasks that are due, until the given time: of each queue up to most, less what busy counts for the
	// queue, the longest due first.
	Claim(ctx context.Context, now, until time.Time, most int, busy map[Queue]int) ([]Task, error)
	// ClaimOne leases one task, due or not. It reports false if the task does not exist or is leased.
	ClaimOne(ctx context.Context, kind Kind, subject string, now, until time.Time) (Task, bool, error)
	// UpdateTasks runs fn in one transaction. fn may run more than once.
	UpdateTasks(ctx context.Context, fn func(Scheduler) error) error
}

// QueueLoad counts the tasks of one queue at a moment.
type QueueLoad struct {
	Queue     Queue
	Waiting   int       // not due yet
	Due       int       // due, and not leased
	Leased    int       // a worker has them
	OldestDue time.Time // when the oldest of Due became due; zero without one
}
