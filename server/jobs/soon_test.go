package jobs_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/clocktest"
	"marquee/server/jobs"
)

// taskStore is a store with the one task that a test makes due.
type taskStore struct {
	jobs.Store
	due atomic.Pointer[jobs.Task]
}

func (s *taskStore) Claim(context.Context, time.Time, time.Time, int, map[jobs.Queue]int) ([]jobs.Task, error) {
	if t := s.due.Swap(nil); t != nil {
		return []jobs.Task{*t}, nil
	}
	return nil, nil
}

func (s *taskStore) UpdateTasks(context.Context, func(jobs.Scheduler) error) error { return nil }

const (
	kind  jobs.Kind  = "order"
	queue jobs.Queue = "tickets"
)

// soonRunner is a runner with one worker a queue, and the clock and the store that it reads.
func soonRunner(t *testing.T) (*jobs.Runner, *clocktest.Clock, *taskStore) {
	t.Helper()
	clock, store := clocktest.New(time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)), &taskStore{}
	return jobs.NewRunner(jobs.Config{Store: store, Now: clock.Now, Workers: 1}), clock, store
}

func TestSoon_RunsOnceUnlessTheTaskIsDue(t *testing.T) {
	t.Parallel()
	r, clock, _ := soonRunner(t)
	var ran atomic.Int64
	add := func(subject string) {
		r.Soon(kind, subject, queue, clock.Now().Add(3*time.Second), func(context.Context) error {
			ran.Add(1)
			return errors.New("not repeated")
		})
	}
	add("1")
	require.NoError(t, r.RunDue(t.Context()))
	require.NoError(t, r.RunDue(t.Context()))
	assert.EqualValues(t, 1, ran.Load())
	add("2")
	clock.Advance(3 * time.Second)
	require.NoError(t, r.RunDue(t.Context()))
	assert.EqualValues(t, 1, ran.Load())
}

func TestSoon_ThePanicOfACallEndsNothingElse(t *testing.T) {
	t.Parallel()
	r, clock, _ := soonRunner(t)
	var ran atomic.Int64
	for _, subject := range []string{"1", "2"} {
		r.Soon(kind, subject, queue, clock.Now().Add(time.Second), func(context.Context) error {
			ran.Add(1)
			panic("defect")
		})
	}
	require.NoError(t, r.RunDue(t.Context()))
	assert.EqualValues(t, 2, ran.Load())
}

// Four calls of a queue run at once for each worker, a thousand wait, and more are dropped.
func TestSoon_IsBounded(t *testing.T) {
	t.Parallel()
	r, clock, _ := soonRunner(t)
	var ran, running, most atomic.Int64
	release := make(chan struct{})
	for i := range 1100 {
		r.Soon(kind, string(rune(i)), queue, clock.Now().Add(time.Second), func(context.Context) error {
			most.Store(max(most.Load(), running.Add(1)))
			<-release
			running.Add(-1)
			ran.Add(1)
			return nil
		})
	}
	ended := make(chan error, 1)
	go func() { ended <- r.RunDue(context.Background()) }()
	require.Eventually(t, func() bool { return running.Load() == 4 }, 10*time.Second, time.Millisecond)
	close(release)
	require.NoError(t, <-ended)
	assert.EqualValues(t, 4, most.Load())
	assert.EqualValues(t, 1000, ran.Load())
}

// A server does not run a task while it runs the task's call. It runs the task afterwards.
func TestSoon_ATaskWaitsForItsCall(t *testing.T) {
	t.Parallel()
	r, clock, store := soonRunner(t)
	running, release := make(chan struct{}), make(chan struct{})
	var tasks, early atomic.Int64
	r.Soon(kind, "1", queue, clock.Now().Add(time.Second), func(context.Context) error {
		close(running)
		<-release
		return nil
	})
	r.Handle(kind, func(context.Context, jobs.Task) error {
		select {
		case <-release:
		default:
			early.Add(1)
		}
		tasks.Add(1)
		return nil
	})
	ended := make(chan error, 1)
	go func() { ended <- r.RunDue(context.Background()) }()
	<-running
	store.due.Store(&jobs.Task{Kind: kind, Subject: "1", Queue: queue, Lease: "mine"})
	claimed := make(chan error, 1)
	go func() { claimed <- r.RunDue(context.Background()) }()
	require.Eventually(t, func() bool { return store.due.Load() == nil }, 10*time.Second, time.Millisecond)
	close(release)
	require.NoError(t, <-claimed)
	require.NoError(t, <-ended)
	assert.Zero(t, early.Load())
	assert.EqualValues(t, 1, tasks.Load())
}

// When Run ends it waits for the calls that run. Later ones are dropped.
func TestSoon_IsDroppedWhenRunHasEnded(t *testing.T) {
	t.Parallel()
	r, clock, _ := soonRunner(t)
	running, release := make(chan struct{}), make(chan struct{})
	var ran atomic.Int64
	r.Soon(kind, "1", queue, clock.Now().Add(time.Second), func(context.Context) error {
		close(running)
		<-release
		ran.Add(1)
		return nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { r.Run(ctx); close(ended) }()
	<-running
	cancel()
	select {
	case <-ended:
		assert.Fail(t, "Run must wait for the calls that it has started")
	default:
	}
	close(release)
	<-ended
	r.Soon(kind, "2", queue, clock.Now().Add(time.Second), func(context.Context) error {
		ran.Add(1)
		return nil
	})
	require.NoError(t, r.RunDue(t.Context()))
	assert.EqualValues(t, 1, ran.Load())
}
