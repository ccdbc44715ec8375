package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/order"
)

// claim leases up to 10 due tasks of each queue for one minute.
func (e Engine) claim(t *testing.T, now time.Time) []jobs.Task {
	t.Helper()
	tasks, err := e.Tasks.Claim(t.Context(), now, now.Add(time.Minute), 10, nil)
	require.NoError(t, err)
	return tasks
}

// taskLeases tests that a due task is claimed by one worker until its lease ends. Renew prolongs the lease. Reschedule
// counts a try. A worker whose lease has ended cannot renew it, nor finish or reschedule the task. Ensure does not change
// a task that exists.
func taskLeases(t *testing.T, e Engine) {
	schedule := func(due time.Time) {
		e.update(t, func(tx order.Tx) error { return tx.Jobs.Schedule(order.TaskOrder, "1", "a", due) })
	}
	schedule(noon.Add(time.Second))
	assert.Empty(t, e.claim(t, noon), "a task is not claimed before it is due")
	tasks := e.claim(t, noon.Add(time.Second))
	require.Len(t, tasks, 1)
	assert.Equal(t, order.TaskOrder, tasks[0].Kind)
	assert.Equal(t, "1", tasks[0].Subject)
	assert.Empty(t, e.claim(t, noon.Add(time.Second)), "a leased task is not claimed")
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Reschedule(tasks[0], noon.Add(5*time.Second)) })
	assert.Empty(t, e.claim(t, noon.Add(4*time.Second)))
	tasks = e.claim(t, noon.Add(5*time.Second))
	require.Len(t, tasks, 1)
	assert.Equal(t, 1, tasks[0].Tries)
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Renew(tasks[0], noon.Add(90*time.Second)) })
	assert.Empty(t, e.claim(t, noon.Add(89*time.Second)), "the lease was renewed")
	retaken := e.claim(t, noon.Add(90*time.Second))
	require.Len(t, retaken, 1, "the lease has expired")
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Renew(tasks[0], noon.Add(time.Hour)) })
	retaken = e.claim(t, noon.Add(150*time.Second))
	require.Len(t, retaken, 1, "the previous holder does not renew the lease of the next one")

	schedule(noon) // ends the lease: Renew, Finish and Reschedule of the previous holder must not change the task
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Renew(retaken[0], noon.Add(time.Hour)) })
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Finish(retaken[0]) })
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Reschedule(retaken[0], noon.Add(time.Hour)) })
	tasks = e.claim(t, noon)
	require.Len(t, tasks, 1)
	assert.Zero(t, tasks[0].Tries)
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Ensure(order.TaskOrder, "1", "a", noon.Add(time.Hour)) })
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Finish(tasks[0]) })
	assert.Empty(t, e.claim(t, noon.Add(24*time.Hour)))

	e.update(t, func(tx order.Tx) error { return tx.Jobs.Ensure("periodic", "purge", jobs.QueueLocal, noon) })
	_, found, err := e.Tasks.ClaimOne(t.Context(), "periodic", "purge", noon, noon.Add(time.Minute))
	require.NoError(t, err)
	assert.True(t, found)
	_, found, err = e.Tasks.ClaimOne(t.Context(), "periodic", "purge", noon, noon.Add(time.Minute))
	require.NoError(t, err)
	assert.False(t, found)
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Unschedule("periodic", "purge") })
	assert.Empty(t, e.claim(t, noon.Add(24*time.Hour)))
}

// taskClaims tests that workers that claim in parallel never get the same task, and together get all of them.
func taskClaims(t *testing.T, e Engine) {
	const n = 50
	e.update(t, func(tx order.Tx) error {
		for i := range n {
			if err := tx.Jobs.Schedule(order.TaskOrder, fmt.Sprint(i), "a", noon); err != nil {
				return err
			}
		}
		return nil
	})
	var mu sync.Mutex
	claimed := map[string]int{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for {
				tasks, err := e.Tasks.Claim(context.Background(), noon, noon.Add(time.Minute), 3, nil)
				if !assert.NoError(t, err) || len(tasks) == 0 {
					return
				}
				mu.Lock()
				for _, task := range tasks {
					claimed[task.Subject]++
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	assert.Len(t, claimed, n)
	for subject, times := range claimed {
		assert.Equal(t, 1, times, subject)
	}
}

// ManyClaims tests that three workers claim 20,000 tasks of several queues, and none twice.
func ManyClaims(t *testing.T, e Engine) {
	t.Helper()
	const n, workers = 20_000, 3
	for first := 0; first < n; first += 1000 {
		e.update(t, func(tx order.Tx) error {
			for i := first; i < first+1000; i++ {
				queue := jobs.Queue(fmt.Sprint("queue ", i%7))
				if err := tx.Jobs.Ensure(order.TaskOrder, fmt.Sprint(i), queue, noon); err != nil {
					return err
				}
			}
			return nil
		})
	}
	claimed := make([][]jobs.Task, workers)
	var wg sync.WaitGroup
	for i := range workers {
		wg.Go(func() {
			for {
				tasks, err := e.Tasks.Claim(context.Background(), noon, noon.Add(time.Minute), 100, nil)
				if !assert.NoError(t, err) || len(tasks) == 0 {
					return
				}
				claimed[i] = append(claimed[i], tasks...)
			}
		})
	}
	wg.Wait()
	seen := make(map[string]bool, n)
	for _, tasks := range claimed {
		for _, task := range tasks {
			require.False(t, seen[task.Subject], "task %s is claimed twice", task.Subject)
			seen[task.Subject] = true
		}
	}
	for tasks := []jobs.Task{{}}; len(tasks) > 0; { // other workers may have been claiming the tasks
		tasks = e.claim(t, noon)
		for _, task := range tasks {
			require.False(t, seen[task.Subject], "task %s is claimed twice", task.Subject)
			seen[task.Subject] = true
		}
	}
	require.Len(t, seen, n)
}

// textOrder tests that lists that are ordered by a text have the same order on all engines and in all locales.
func textOrder(t *testing.T, e Engine) {
	names := []string{"Z", "_", "a", "ab", "b", "é", "中"}
	e.update(t, func(tx order.Tx) error {
		for i, name := range names {
			if err := tx.Jobs.Schedule(order.TaskOrder, fmt.Sprint(len(names)-i), jobs.Queue(name), noon); err != nil {
				return err
			}
		}
		return nil
	})
	loads, err := e.Tasks.(interface {
		QueueLoads(context.Context, time.Time, int) ([]jobs.QueueLoad, error)
	}).QueueLoads(t.Context(), noon, 100)
	require.NoError(t, err)
	var got []string
	for _, l := range loads {
		got = append(got, string(l.Queue))
	}
	require.Equal(t, names, got)
}

// taskQueues tests that a queue whose workers are all busy keeps its tasks, and that due tasks of the other queues are
// claimed nevertheless.
func taskQueues(t *testing.T, e Engine) {
	e.update(t, func(tx order.Tx) error {
		for i := range 20 {
			if err := tx.Jobs.Schedule(order.TaskTrade, fmt.Sprint(i), "slow", noon.Add(-time.Hour)); err != nil {
				return err
			}
		}
		return errors.Join(tx.Jobs.Schedule(order.TaskOrder, "1", "a", noon.Add(-time.Second)),
			tx.Jobs.Schedule(order.TaskOrder, "2", "a", noon),
			tx.Jobs.Schedule(order.TaskOrder, "3", "b", noon), tx.Jobs.Schedule(order.TaskOrder, "4", "c",
				noon.Add(time.Second)))
	})
	claim := func(busy map[jobs.Queue]int) map[jobs.Queue][]string {
		tasks, err := e.Tasks.Claim(t.Context(), noon, noon.Add(time.Minute), 4, busy)
		require.NoError(t, err)
		got := map[jobs.Queue][]string{}
		for _, task := range tasks {
			got[task.Queue] = append(got[task.Queue], task.Subject)
		}
		return got
	}
	got := claim(map[jobs.Queue]int{"slow": 1, "a": 3})
	assert.Len(t, got["slow"], 3)
	assert.Equal(t, []string{"1"}, got["a"], "the task that is due longest")
	assert.Equal(t, []string{"3"}, got["b"])
	assert.Empty(t, got["c"])
	assert.Equal(t, map[jobs.Queue][]string{"a": {"2"}}, claim(map[jobs.Queue]int{"slow": 4, "a": 1}))
	e.update(t, func(tx order.Tx) error { return tx.Jobs.Schedule(order.TaskTrade, "19", "a", noon) })
	assert.Equal(t, map[jobs.Queue][]string{"a": {"19"}}, claim(map[jobs.Queue]int{"slow": 4}),
		"a task can change its queue")
}

// callKeys tests that the call to a provider with a key is recorded before it is sent, with the number of tries and the
// outcome. The same key with another request is ErrKeyReused.
func callKeys(t *testing.T, e Engine) {
	begin := func(hash string) error {
		return e.try(t, func(tx order.Tx) error {
			return tx.Calls.Begin(order.Call{Key: "issue:1", OrderNo: "1", RequestHash: hash, At: noon})
		})
	}
	state := func(key string) (c order.CallState) {
		e.update(t, func(tx order.Tx) (err error) {
			c, err = tx.Calls.State(key)
			return err
		})
		return c
	}
	assert.Zero(t, state("issue:1"))
	require.NoError(t, begin("a"))
	assert.Equal(t, order.CallState{Outcome: order.OutcomeSent, Tries: 1, SentAt: noon}, state("issue:1"))
	require.NoError(t, begin("a"))
	assert.ErrorIs(t, begin("b"), order.ErrKeyReused)
	e.update(t, func(tx order.Tx) error { return tx.Calls.End("issue:1", order.OutcomeOK, "P1", noon) })
	assert.Equal(t, order.CallState{Outcome: order.OutcomeOK, Tries: 2, SentAt: noon}, state("issue:1"))
	e.update(t, func(tx order.Tx) error { return tx.Calls.End("never begun", order.OutcomeOK, "", noon) })
	assert.Zero(t, state("never begun"))
}

// idempotencyKeys tests that a key of a buyer and a route keeps the first order, and its fault if there was one.
// Another order or another body is ErrKeyReused.
func idempotencyKeys(t *testing.T, e Engine) {
	i := order.IdempotencyKey{UserID: 7, Route: "lock", Key: "k", BodyHash: "h", OrderNo: "1", At: noon}
	save := func(i order.IdempotencyKey) error {
		return e.try(t, func(tx order.Tx) error { return tx.Keys.Save(i) })
	}
	_, found, err := e.Orders.IdempotencyKey(t.Context(), 7, "lock", "k")
	require.NoError(t, err)
	assert.False(t, found)
	require.NoError(t, save(i))
	i.Fault = fault.New(fault.Conflict, "seat_taken", "座位已被占用")
	require.NoError(t, save(i))
	got, found, err := e.Orders.IdempotencyKey(t.Context(), 7, "lock", "k")
	require.NoError(t, err)
	assert.True(t, found)
	assert.Equal(t, i, got)
	other := i
	other.OrderNo = "2"
	assert.ErrorIs(t, save(other), order.ErrKeyReused)
	other = i
	other.BodyHash = "x"
	assert.ErrorIs(t, save(other), order.ErrKeyReused)
	other.UserID = 8
	assert.NoError(t, save(other), "another buyer can use the same key")
}

// purge tests that Purge deletes old idempotency keys and answered calls. A call without an answer is kept while its
// order has not ended, because its outcome is still unknown.
func purge(t *testing.T, e Engine) {
	e.update(t, func(tx order.Tx) error {
		for _, i := range []order.IdempotencyKey{{Key: "old", At: noon}, {Key: "new", At: noon.Add(time.Hour)}} {
			if err := tx.Keys.Save(i); err != nil {
				return err
			}
		}
		for _, key := range []string{"answered", "open"} {
			if err := tx.Calls.Begin(order.Call{Key: key, At: noon}); err != nil {
				return err
			}
		}
		return tx.Calls.End("answered", order.OutcomeOK, "", noon)
	})
	_, done, err := e.Purger.Purge(t.Context(), noon.Add(time.Minute), 0)
	require.NoError(t, err)
	assert.False(t, done, "no step, no end")
	n, done, err := e.Purger.Purge(t.Context(), noon.Add(time.Minute), 10)
	require.NoError(t, err)
	assert.True(t, done)
	assert.Equal(t, 2, n, "the old key and the answered call; a call without an answer is kept")
	_, found, err := e.Orders.IdempotencyKey(t.Context(), 0, "", "new")
	require.NoError(t, err)
	assert.True(t, found)
}
