package purchase_test

import (
	"context"
	"fmt"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/seating"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/purchase/purchasetest"
)

// second is another server on the same shop: its own core, the same database and providers.
func (s *shop) secondServer(t tb) *shop {
	t.Helper()
	other := *s
	other.store = interceptable(s.db.Orders())
	c := purchaseConfig(s.db, s.source, s.gateway, s.clock.Now)
	c.Store, c.Lots, c.Recharges = other.store, s.issuer, s.cards
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
	together := func() {
		var wg sync.WaitGroup
		for _, srv := range servers {
			wg.Go(func() { assert.NoError(t, srv.Jobs.RunDue(context.Background())) })
		}
		wg.Wait()
	}
	together()
	s.clock.Advance(3 * time.Second)
	together()
	assert.Equal(t, n, s.source.Calls("issue"))
	assert.Equal(t, n, s.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`))
	s.verifyBooks(t)
}

// A server dies with a task in its hands: the lease runs out and another one takes the task up.
func TestJobs_LeaseOfADeadServerRunsOut(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	o := s.lock(t, 7, "1-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	now := s.clock.Now()
	_, err = s.db.Orders().Claim(t.Context(), now, now.Add(time.Minute), 100, nil) // and never seen again
	require.NoError(t, err)
	s.runDueJobsAfter(t, 59*time.Second)
	assert.Equal(t, order.Paid, s.state(t, o))
	s.runDueJobsAfter(t, time.Second)
	assert.Equal(t, order.Issuing, s.state(t, o))
	s.verifyBooks(t)
}

func TestJobs_APanicPutsItsTaskOffAndHurtsNoOther(t *testing.T) {
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
	s.verifyBooks(t)
}

// untilPutOff waits until the jobs have asked for the order's tickets and decided when to look again. To see the order
// ISSUING is not enough: that is written before the provider is asked, and time that is moved meanwhile moves the look.
func (s *shop) untilPutOff(t *testing.T, o order.Order) {
	t.Helper()
	require.Eventually(t, func() bool {
		return s.count(t, `SELECT count(*) FROM tasks WHERE kind = 'order' AND subject = ? AND lease = '' AND tries > 0`,
			o.No) == 1
	}, 10*time.Second, 5*time.Millisecond)
}

func TestRun_WorksOnItsOwnAndStops(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 10_000)
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Jobs.Run(ctx) }()
	o := s.lock(t, 7, "1-1")
	_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.untilPutOff(t, o)
	s.clock.Advance(3 * time.Second)
	s.Jobs.Wake()
	require.Eventually(t, func() bool { return s.state(t, o) == order.Issued }, 10*time.Second, 5*time.Millisecond)
	cancel()
	assert.NoError(t, <-ended)
}

// A buyer closing the page in the middle of a step must not leave the step half done.
func TestSaga_SurvivesTheBuyersImpatience(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.source.On(purchasetest.Plan{Op: "lock", Hook: cancel})
	o, err := s.Seating.LockSeats(ctx, 7, want("1-1"))
	require.NoError(t, err)
	assert.Equal(t, order.Pending, o.State)
	s.verifyBooks(t)
}

func TestList_TabsAndCounts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCard(t, 7, 100_000)
	for _, seat := range []string{"1-1", "1-2", "1-3"} {
		o := s.lock(t, 7, seat)
		if seat == "1-3" {
			require.NoError(t, s.Checkout.Canceller.Cancel(t.Context(), 7, o.No))
			continue
		}
		_, err := s.Checkout.Payer.PayWithCards(t.Context(), 7, o.No, []int64{card}, purchasetest.Password)
		require.NoError(t, err)
	}
	s.runDueJobsAfter(t, 0)
	s.runDueJobsAfter(t, 3*time.Second)
	last := s.lock(t, 7, "2-1")
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 2)
	require.NoError(t, err)
	assert.Equal(t, order.Counts{All: 4, Pending: 1, ToUse: 2}, p.Counts)
	assert.Equal(t, 4, p.Total)
	require.Len(t, p.Orders, 2)
	assert.Equal(t, last.No, p.Orders[0].No, "newest first")
	s.clock.Advance(7 * time.Hour)
	p, err = s.Orders.List(t.Context(), 7, order.TabCompleted, 1, 1_000_000)
	require.NoError(t, err)
	assert.Len(t, p.Orders, 2)
	assert.Zero(t, p.Counts.ToUse)
	p, err = s.Orders.List(t.Context(), 7, order.TabAll, 1<<62, 1<<62)
	require.NoError(t, err)
	assert.Empty(t, p.Orders)
	p, err = s.Orders.List(t.Context(), 8, order.TabAll, 0, 0)
	require.NoError(t, err)
	assert.Zero(t, p.Total, "another buyer sees none of it")
}

func TestNew_NamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	_, err := purchase.New(purchase.Config{})
	assert.ErrorContains(t, err, "purchase: Config.")
}

// A call without an answer is kept while its order may still need to know of it, and no longer.
func TestHouse_CallsWithoutAnAnswerArePurgedOnceTheirOrderIsOver(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.silence(false)
	_, err := s.Seating.LockSeats(t.Context(), 7, want("1-1"))
	require.Error(t, err)
	card := s.giveCard(t, 8, 10_000)
	stuck := s.lock(t, 8, "2-1")
	s.source.On(purchasetest.Plan{Op: "issue", Err: fault.ErrUnknown, Times: -1})
	s.source.On(purchasetest.Plan{Op: "query", Err: fault.ErrUnknown, Times: -1})
	_, err = s.Checkout.Payer.PayWithCards(t.Context(), 8, stuck.No, []int64{card}, purchasetest.Password)
	require.NoError(t, err)
	s.runDueJobsAfter(t, time.Minute)
	require.Equal(t, order.Issuing, s.state(t, stuck))
	const without = `SELECT count(*) FROM provider_calls WHERE outcome IN ('sent', 'unknown')`
	others := without + ` AND order_no <> '` + stuck.No + `'`
	require.NotZero(t, s.count(t, others))
	s.source.Forget("unlock")
	s.runDueJobsAfter(t, time.Hour)
	s.runDueJobsAfter(t, 31*24*time.Hour)
	assert.Zero(t, s.count(t, others), "the abandoned order's")
	assert.NotZero(t, s.count(t, without), "an order that still waits for its tickets")
	s.verifyBooks(t)
}

func TestHouse_LotsLapseAndRecordsArePurged(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	card := s.giveCardOf(t, 7, 1, 500, time.Hour)
	req := seating.LockSeats{Source: catalog.Legacy, ShowID: show, SeatIDs: []string{"1-1"}, Key: "k"}
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
	s.verifyBooks(t)
}
