package purchase_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/jobs"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// A gateway that does not answer delays only the tasks of its queue: 32 workers wait, and tickets are still issued.
func TestJobs_AHangingGatewayBlocksOnlyItsQueue(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const trades = 40
	for i := range trades {
		s.openAppPayment(t, s.lock(t, int64(i+1), fmt.Sprintf("%d-%d", i/8+1, i%8+1)))
	}
	var hanging, most atomic.Int64
	release := make(chan struct{})
	s.gateway.On(purchasetest.Plan{Op: "query", Times: -1, Hook: func() {
		most.Store(max(most.Load(), hanging.Add(1)))
		<-release
		hanging.Add(-1)
	}})
	s.clock.Advance(10 * time.Second) // the query of every trade is due
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Jobs.Run(ctx); close(ended) }()
	require.Eventually(t, func() bool { return hanging.Load() == 32 }, 10*time.Second, time.Millisecond)

	card := s.giveCard(t, 100, 10_000)
	paid := s.lock(t, 100, "9-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 100, paid.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.awaitState(t, paid, order.Issued)
	assert.EqualValues(t, 32, hanging.Load(), "the queries still wait for the gateway")

	cancel()
	select {
	case <-ended:
		assert.Fail(t, "Run must wait for the tasks that it has started")
	default:
	}
	close(release)
	<-ended
	assert.EqualValues(t, 32, most.Load())
	assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE lease <> ''`), "all leases have ended")
}

// An unpaid order with an open trade expires after a query of the gateway, any other order without one. A ticket source
// that does not answer delays only the orders of its queue.
func TestJobs_AHangingSourceBlocksOnlyItsQueue(t *testing.T) {
	t.Parallel()
	other := purchasetest.NewSource(purchasetest.NewClock())
	other.AddShow(catalog.NewMovie, "nm", 4*time.Hour, 4, 4, price)
	s := newShop(t, func(c *purchase.Config) { c.Sources[catalog.NewMovie] = other })
	var overdue []order.Order
	for i := range 20 {
		overdue = append(overdue, s.lock(t, int64(i+1), fmt.Sprintf("%d-%d", i/8+1, i%8+1)))
	}
	withTrade := s.lock(t, 50, "9-1")
	s.openAppPayment(t, withTrade)
	elsewhere, err := s.Seating.LockSeats(t.Context(), 60, seating.LockSeats{
		Mobile: mobile, Source: catalog.NewMovie, ShowID: "nm", SeatIDs: []string{"2-1"},
	})
	require.NoError(t, err)
	release := make(chan struct{})
	s.source.On(purchasetest.Plan{Op: "unlock", Times: -1, Hook: func() { <-release }})
	s.clock.Advance(15 * time.Minute)
	done := make(chan error, 1)
	go func() { done <- s.Jobs.RunDue(context.Background()) }()
	require.Eventually(t, func() bool {
		return other.Taken("nm") == 0 && s.state(t, withTrade) == order.Expired &&
			s.state(t, elsewhere) == order.Expired
	}, 10*time.Second, time.Millisecond)
	close(release)
	require.NoError(t, <-done)
	for _, o := range overdue {
		assert.Equal(t, order.Expired, s.state(t, o))
	}
	assert.Zero(t, s.source.Taken(show))
}

// A notification makes a task due while a worker runs it: the task runs again afterwards, not in parallel.
func TestJobs_ATaskDoesNotRunInParallelWithItself(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	s.source.Slow = true
	o := s.lock(t, 7, "1-1")
	s.payWithCard(t, o, card)
	s.runDueJobsAfter(t, 0)
	var running, most atomic.Int64
	entered, release := make(chan struct{}, 100), make(chan struct{})
	s.source.On(purchasetest.Plan{Op: "query", Times: -1, Hook: func() {
		most.Store(max(most.Load(), running.Add(1)))
		entered <- struct{}{}
		<-release
		running.Add(-1)
	}})
	s.clock.Advance(3 * time.Second)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { s.Jobs.Run(ctx); close(ended) }()
	<-entered
	for range 3 {
		require.NoError(t, s.Fulfilment.ReceivePush(t.Context(), catalog.Legacy,
			order.ProviderOrder{OrderNo: o.No, State: order.ProviderIssuing}))
		require.Eventually(t, func() bool {
			return s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'order' AND lease <> ''`) == 1
		}, 10*time.Second, time.Millisecond, "the task is leased again")
	}
	close(release)
	<-entered // the task runs again after the worker has finished
	cancel()
	<-ended
	assert.EqualValues(t, 1, most.Load())
}

// failingTaskStore is a task store whose first writes fail.
type failingTaskStore struct {
	jobs.Store
	failures atomic.Int64
}

func (f *failingTaskStore) UpdateTasks(ctx context.Context, fn func(jobs.Scheduler) error) error {
	if f.failures.Add(-1) >= 0 {
		return assert.AnError
	}
	return f.Store.UpdateTasks(ctx, fn)
}

func TestPeriodic_SchedulingIsRetriedAfterAFailure(t *testing.T) {
	t.Parallel()
	s := newShop(t, func(c *purchase.Config) {
		tasks := &failingTaskStore{Store: c.Tasks}
		tasks.failures.Store(1)
		c.Tasks = tasks
	})
	require.ErrorIs(t, s.Jobs.RunDue(t.Context()), assert.AnError)
	assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'periodic'`))
	require.NoError(t, s.Jobs.RunDue(t.Context()))
	assert.Equal(t, 3, s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'periodic'`))
}
