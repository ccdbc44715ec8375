package purchase_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// secondServer returns another server of the shop: a new Purchase on the same database and providers.
func (s *shop) secondServer(t tb, options ...option) *shop {
	t.Helper()
	other := *s
	other.store = newInterceptedStore(s.db.Orders())
	c := purchaseConfig(s.db, s.source, s.gateway, s.clock.Now)
	c.Store = other.store
	for _, change := range options {
		change(&c)
	}
	var err error
	other.Purchase, err = purchase.New(c)
	require.NoError(t, err)
	return &other
}

func TestJobs_ManyServersIssueEachOrderOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const n = 24
	for i := range n {
		user := int64(i + 1)
		card := s.giveCard(t, user, 10_000)
		o := s.lock(t, user, fmt.Sprintf("%d-%d", i/8+1, i%8+1))
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), user, o.No, []int64{card}, purchasetest.Password)
		require.NoError(t, err)
	}
	servers := []*purchase.Purchase{s.Purchase, s.secondServer(t).Purchase, s.secondServer(t).Purchase,
		s.secondServer(t).Purchase}
	runDueJobsInParallel := func() {
		var wg sync.WaitGroup
		for _, srv := range servers {
			wg.Go(func() { assert.NoError(t, srv.Jobs.RunDue(context.Background())) })
		}
		wg.Wait()
	}
	runDueJobsInParallel()
	s.clock.Advance(3 * time.Second)
	runDueJobsInParallel()
	assert.Equal(t, n, s.source.Calls("issue"))
	assert.Equal(t, n, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`))
}

// A server ends while it has leased a task: the lease expires, and another server claims the task.
func TestJobs_LeaseOfAnEndedServerExpires(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	o := orderPaidByCard(t, s)
	s.clock.Advance(durations.FirstTicketPoll)
	now := s.clock.Now()
	_, err := s.db.Orders().Claim(t.Context(), now, now.Add(time.Minute), 100, nil) // the lease is never finished
	require.NoError(t, err)
	s.runDueJobsAfter(t, 59*time.Second)
	assert.Equal(t, order.ProviderLocked, s.source.State(o.No))
	s.runDueJobsAfter(t, time.Second)
	assert.Equal(t, order.ProviderIssued, s.source.State(o.No))
}

// A task that takes longer than its lease is not run by another server at the same time: the lease is renewed.
func TestJobs_LeaseIsRenewedWhileTheTaskRuns(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	renewed := make(chan struct{})
	clock := clocktest.New(s.clock.Now())
	const lease = 2 * time.Second // the store keeps whole seconds
	runner := func(store jobs.Store, handler jobs.Handler) *jobs.Runner {
		r := jobs.NewRunner(jobs.Config{Store: store, Now: clock.Now, Lease: lease})
		r.Handle("long", handler)
		return r
	}
	started, end := make(chan struct{}), make(chan struct{})
	first := runner(renewingStore{s.db.Orders(), renewed, t.Context()}, func(context.Context, jobs.Task) error {
		close(started)
		<-end
		return nil
	})
	again := 0
	second := runner(s.db.Orders(), func(context.Context, jobs.Task) error { again++; return nil })
	require.NoError(t, s.db.Orders().UpdateTasks(t.Context(), func(tasks jobs.Scheduler) error {
		return tasks.Schedule("long", "1", "a", clock.Now())
	}))
	var wg sync.WaitGroup
	wg.Go(func() { first.RunNow(t.Context(), "long", "1") })
	<-started
	clock.Advance(lease / 2)
	<-renewed // perhaps before the clock moved
	<-renewed
	clock.Advance(lease / 2)
	second.RunNow(t.Context(), "long", "1")
	assert.Zero(t, again, "the first lease has ended, but it was renewed")
	close(end)
	wg.Wait()
	require.Eventually(t, func() bool { // the last renewal may still be under way
		clock.Advance(lease)
		second.RunNow(t.Context(), "long", "1")
		return again == 1
	}, time.Minute, time.Millisecond, "the lease is no longer renewed once the handler has returned")
}

// renewingStore is a task store that sends to a channel after each change of tasks: the renewals of a lease.
type renewingStore struct {
	jobs.Store
	renewed chan<- struct{}
	test    context.Context
}

func (s renewingStore) UpdateTasks(ctx context.Context, fn func(jobs.Scheduler) error) error {
	err := s.Store.UpdateTasks(ctx, fn)
	select {
	case s.renewed <- struct{}{}:
	case <-s.test.Done():
	}
	return err
}

func TestJobs_APanicReschedulesOnlyItsTask(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for user := int64(1); user <= 3; user++ {
		card := s.giveCard(t, user, 10_000)
		o := s.lock(t, user, fmt.Sprintf("1-%d", user))
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), user, o.No, []int64{card}, purchasetest.Password)
		require.NoError(t, err)
	}
	s.source.On(purchasetest.Plan{Op: "issue", Hook: func() { panic("adapter bug") }})
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)
	assert.Equal(t, 2, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`))
	s.runDueJobsAfter(t, 10*time.Second)
	s.runDueJobsAfter(t, 10*time.Second)
	assert.Equal(t, 3, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`))
}

func TestRun_RunsDueTasksUntilTheContextEnds(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Jobs.Run(ctx); close(ended) }()
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	s.awaitState(t, o, order.Issued)
	cancel()
	<-ended
}

// A cancelled request context must not interrupt a step after the provider was called.
func TestLock_CompletesAfterTheContextIsCancelled(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.source.On(purchasetest.Plan{Op: "lock", Hook: cancel})
	o, err := s.Seating.LockSeats(ctx, 7, seatRequest("1-1"))
	require.NoError(t, err)
	assert.Equal(t, order.Pending, o.State)
}

func TestList_TabsAndCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100_000)
	var all, paid []string // numbers, newest first
	lock := func(seat string) order.Order {
		o := s.lock(t, 7, seat)
		all = slices.Insert(all, 0, o.No)
		s.clock.Advance(time.Second)
		return o
	}
	for range 9 { // the counts are those of all orders, not of a page
		require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, lock("1-3").No))
		s.runDueJobsAfter(t, 0)
	}
	for _, seat := range []string{"1-1", "1-2"} {
		o := lock(seat)
		paid = slices.Insert(paid, 0, o.No)
		s.payWithCard(t, o, card)
	}
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)
	last := lock("2-1")
	list := func(tab order.Tab, page, size int) (numbers []string, of order.Page) {
		t.Helper()
		of, err := s.Orders.List(t.Context(), 7, tab, page, size)
		require.NoError(t, err)
		for _, o := range of.Orders {
			numbers = append(numbers, o.No)
		}
		return numbers, of
	}
	numbers, p := list(order.TabAll, 1, 2)
	assert.Equal(t, order.Counts{All: 12, Pending: 1, ToUse: 2}, p.Counts)
	assert.Equal(t, 12, p.Total)
	assert.Equal(t, all[:2], numbers, "newest first")
	numbers, _ = list(order.TabAll, 2, 5)
	assert.Equal(t, all[5:10], numbers)
	for tab, want := range map[order.Tab][]string{
		order.TabAll: all, order.TabPending: {last.No}, order.TabToUse: paid, order.TabCompleted: nil,
	} {
		numbers, p = list(tab, 1, 1_000_000)
		assert.Equal(t, want, numbers, tab)
		assert.Equal(t, len(want), p.Total, tab)
	}
	s.clock.Advance(7 * time.Hour)
	numbers, p = list(order.TabCompleted, 1, 1_000_000)
	assert.Equal(t, paid, numbers)
	assert.Zero(t, p.Counts.ToUse)
	assert.Equal(t, 2, p.Counts.Completed)
	numbers, _ = list(order.TabAll, 1<<62, 1<<62)
	assert.Empty(t, numbers)
	p, err := s.Orders.List(t.Context(), 8, order.TabAll, 0, 0)
	require.NoError(t, err)
	assert.Zero(t, p.Total, "another buyer has no orders")
}

func TestNew_NamesMissingFields(t *testing.T) {
	t.Parallel()
	_, err := purchase.New(purchase.Config{})
	assert.ErrorContains(t, err, "purchase: Config.")
}

// A provider call without an answer is kept until its order has ended.
func TestPurge_DeletesUnansweredCallsOfEndedOrders(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.failLocksAndUnlocks(false)
	_, err := s.Seating.LockSeats(t.Context(), 7, seatRequest("1-1"))
	require.Error(t, err)
	card := s.giveCard(t, 8, 10_000)
	stuck := s.lock(t, 8, "2-1")
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown, Times: -1})
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown, Times: -1})
	_, err = s.Checkout.Payer.PayWithCards(t.Context(), 8, stuck.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.runDueJobsAfter(t, time.Minute)
	require.Equal(t, order.Issuing, s.state(t, stuck))
	const unanswered = `SELECT count(*) FROM provider_calls WHERE outcome IN ('sent', 'unknown')`
	others := unanswered + ` AND order_no <> '` + stuck.No + `'`
	require.NotZero(t, s.count(t, others))
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	s.runDueJobsAfter(t, 31*24*time.Hour)
	assert.Zero(t, s.count(t, others), "the calls of the abandoned order are deleted")
	assert.NotZero(t, s.count(t, unanswered), "the calls of an order that waits for its tickets are kept")
}

func TestPeriodic_ExpiresLotsAndPurgesRecords(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 500, time.Hour)
	req := seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "k"}
	_, err := s.Seating.LockSeats(t.Context(), 7, req)
	require.NoError(t, err)
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, time.Hour)
	avail, _ := s.balance(t, 7, card)
	assert.Zero(t, avail)
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM ledger_txs WHERE event = 'expire'`))
	assert.Equal(t, 1, s.count(t, `SELECT count(*) FROM idempotency`))
	s.runDueJobsAfter(t, 31*24*time.Hour)
	assert.Zero(t, s.count(t, `SELECT count(*) FROM idempotency`))
}

func TestPeriodic_LogsRecordsThatContradictEachOther(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	s := newShop(t, verifyPeriodically, func(c *purchase.Config) {
		c.Logger = slog.New(slog.NewTextHandler(&log, nil))
	})
	s.giveCard(t, 7, 500)
	s.runDueJobsAfter(t, 0)
	require.NotContains(t, log.String(), "contradict")
	s.tamper(t, `UPDATE lots SET avail = avail + 1`)
	s.runDueJobsAfter(t, 2*time.Hour)
	assert.Contains(t, log.String(), "records contradict each other")
	assert.Contains(t, log.String(), "lot_matches_ledger")
}
