package purchase_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/checkout"
	"marquee/server/jobs"
	"marquee/server/money"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// crashEnv starts this test binary as a child process that buys a ticket and kills itself with SIGKILL at its nth
// commit: either just before it (the provider has acted, but nothing is recorded) or just after it (it is recorded, but
// the caller has not returned). The providers run in the parent process and keep their state. The parent then opens the
// shop on the same database, runs the jobs and compares the books with the providers.
const crashEnv = "MARQUEE_CRASH" // story|addr|db|when|n, or for runLoadChild mode|addr|db

func TestMain(m *testing.M) {
	if spec := os.Getenv(crashEnv); spec != "" {
		if err := runCrashChild(strings.Split(spec, "|")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if err := flag.Set("rapid.checks", modelRounds); err != nil { // before m.Run reads the command line
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// stories are the steps of the child. The child reports each step that returns to the parent.
var stories = map[string]func(*child) error{
	"issued": func(c *child) error { return c.steps(c.lock, c.payBoth, c.notify, c.jobs, c.later, c.later) },
	"points": func(c *child) error { return c.steps(c.withoutKill(c.lock), c.payCards, c.jobs, c.later, c.later) },
	// The jobs run: the server that recorded the payment requests the tickets at once.
	"served":      func(c *child) error { return c.steps(c.serve, c.lock, c.payCards, c.untilIssued) },
	"served both": func(c *child) error { return c.steps(c.serve, c.lock, c.payBoth, c.notify, c.untilIssued) },
	"rejected": func(c *child) error {
		return c.steps(c.withoutKill(c.lock, c.payBoth, c.notify), c.jobs, c.later, c.later)
	},
	"cancelled": func(c *child) error { return c.steps(c.withoutKill(c.lock, c.payBoth), c.cancel, c.jobs) },
	"replaced":  func(c *child) error { return c.steps(c.withoutKill(c.lock, c.payBoth), c.payCards, c.jobs, c.later) },
	"expired":   func(c *child) error { return c.steps(c.withoutKill(c.lock, c.payBoth), c.muchLater) },
	// The cinema cancels the issued tickets, and an operator refunds them.
	"revoked": func(c *child) error {
		return c.steps(c.withoutKill(c.lock, c.payBoth, c.notify, c.jobs, c.later), c.revoke, c.jobs, c.later)
	},
	// The buyer pays from a browser, or begins there and continues in the messaging app.
	"browser": func(c *child) error {
		return c.steps(c.withoutKill(c.lock), c.payH5, c.notify, c.jobs, c.later, c.later)
	},
	"browser, expired": func(c *child) error { return c.steps(c.withoutKill(c.lock, c.payH5), c.muchLater) },
	"browser, app": func(c *child) error {
		return c.steps(c.withoutKill(c.lock, c.payH5), c.payBoth, c.jobs, c.later, c.later)
	},
	// The show has begun when the server starts again.
	"begun": func(c *child) error {
		return c.steps(c.lock, c.payBoth, c.notify, c.jobs, c.afterStart, c.later)
	},
	// The gateway does not answer about trades while the child runs; the buyer has paid, or not.
	"unknown": func(c *child) error { return c.steps(c.withoutKill(c.lock, c.payBoth), c.muchLater, c.later) },
	"unknown paid": func(c *child) error {
		return c.steps(c.withoutKill(c.lock, c.payBoth, c.payUnseen), c.muchLater, c.later)
	},
	// The periodic jobs run too, which do the same in every story.
	periodicStory: func(c *child) error { return c.steps(c.withoutKill(c.lock), c.payCards, c.jobs, c.muchLater) },
}

// periodicStory is the only story whose servers have periodic jobs.
const periodicStory = "periodic jobs"

// withoutPeriodicJobs disables the periodic jobs on the servers of all stories but periodicStory: they would write and
// verify the same in each. verifyRecovery finds what they would find.
func withoutPeriodicJobs(story string) option {
	return func(c *purchase.Config) {
		if story == periodicStory {
			verifyPeriodically(c)
		} else {
			c.Tasks = nonPeriodicTasks{c.Tasks}
		}
	}
}

// nonPeriodicTasks is a store in which periodic jobs cannot be scheduled.
type nonPeriodicTasks struct{ jobs.Store }

func (n nonPeriodicTasks) UpdateTasks(ctx context.Context, fn func(jobs.Scheduler) error) error {
	return n.Store.UpdateTasks(ctx, func(s jobs.Scheduler) error { return fn(nonPeriodicScheduler{s}) })
}

type nonPeriodicScheduler struct{ jobs.Scheduler }

// Ensure does nothing: only periodic jobs are scheduled by it.
func (nonPeriodicScheduler) Ensure(jobs.Kind, string, jobs.Queue, time.Time) error { return nil }

// child is the shop in the child process.
type child struct {
	*purchase.Purchase
	store  order.Store
	remote *purchasetest.Remote
	now    atomic.Int64
	order  order.Order
	spared atomic.Bool // commits are not counted, so that the child is not killed at them
}

// runCrashChild runs the child that the specification of crashEnv describes.
func runCrashChild(spec []string) error {
	if len(spec) == 3 {
		return runLoadChild(spec[1], spec[2], spec[0] == "early")
	}
	story, addr, path, when := spec[0], spec[1], spec[2], spec[3]
	n, err := strconv.ParseInt(spec[4], 10, 64)
	if err != nil {
		return err
	}
	c := &child{}
	c.now.Store(purchasetest.NewClock().Now().Unix())
	if c.remote, err = purchasetest.Dial(addr); err != nil {
		return err
	}
	var commits atomic.Int64
	before := func(int) {
		if !c.spared.Load() && commits.Add(1) == n && when == "before" {
			killThisProcess()
		}
	}
	after := func(int) {
		if commits.Load() >= n && when == "after" { // more than n: another transaction has begun
			killThisProcess()
		}
	}
	if onPostgres(path) {
		path += "&application_name=" + childSessions
	}
	db, err := openDatabase(path, before, after)
	if err != nil {
		return err
	}
	source := purchasetest.RemoteSource{Remote: c.remote}
	now := func() time.Time { return time.Unix(c.now.Load(), 0).UTC() }
	config := purchaseConfig(db, source, purchasetest.RemoteGateway{Remote: c.remote}, now)
	c.store = config.Store
	config.Topup = topupProviderFor(story)
	withoutPeriodicJobs(story)(&config)
	c.Purchase, err = purchase.New(config)
	if err != nil {
		return err
	}
	if run, ok := goodsStories[story]; ok {
		return run(c)
	}
	return stories[story](c)
}

// steps runs the steps in order and reports each result to the parent.
func (c *child) steps(list ...func(context.Context) (string, error)) error {
	for _, step := range list {
		done, err := step(context.Background())
		if err != nil {
			return err
		}
		if _, err := purchasetest.Ask[purchasetest.None](c.remote, "Ack", done); err != nil {
			return err
		}
	}
	return nil
}

// withoutKill makes one step of several. The child is not killed at their commits, because another story begins with
// the same steps and is killed there.
func (c *child) withoutKill(list ...func(context.Context) (string, error)) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		c.spared.Store(true)
		defer c.spared.Store(false)
		return "begun", c.steps(list...)
	}
}

func (c *child) lock(ctx context.Context) (string, error) {
	var err error
	c.order, err = c.Seating.LockSeats(ctx, 7, seating.LockSeats{Mobile: mobile, Source: catalog.Legacy, ShowID: show,
		SeatIDs: []string{"1-1", "1-2"}, Key: "k"})
	return "locked", err
}

func (c *child) payBoth(ctx context.Context) (string, error) {
	_, err := c.Checkout.Payer.PayWithApp(ctx, 7, checkout.PayWithApp{OrderNo: c.order.No, CardIDs: []int64{1},
		Password: purchasetest.Password, OpenID: purchasetest.OpenID(7)})
	return "prepaid", err
}

func (c *child) payH5(ctx context.Context) (string, error) {
	_, err := c.Checkout.Payer.PayWithApp(ctx, 7, checkout.PayWithApp{OrderNo: c.order.No, CardIDs: []int64{1},
		Password: purchasetest.Password, H5ClientIP: "192.0.2.7"})
	return "prepaid", err
}

func (c *child) payCards(ctx context.Context) (string, error) {
	_, err := c.Checkout.Payer.PayWithCards(ctx, 7, c.order.No, []int64{2}, purchasetest.Password)
	return "paid", err
}

func (c *child) notify(ctx context.Context) (string, error) {
	n, err := purchasetest.Ask[order.Trade](c.remote, "Pay", order.OutTradeNo(c.order.No, 1))
	if err != nil {
		return "", err
	}
	return "paid", c.Checkout.Trades.Capture(ctx, n)
}

// payUnseen lets the buyer pay; the notification is lost.
func (c *child) payUnseen(context.Context) (string, error) {
	_, err := purchasetest.Ask[order.Trade](c.remote, "Pay", order.OutTradeNo(c.order.No, 1))
	return "paid unseen", err
}

func (c *child) cancel(ctx context.Context) (string, error) {
	return "cancelled", c.Checkout.Canceller.Cancel(ctx, 7, c.order.No)
}

// revoke refunds the issued order, whose tickets the cinema has cancelled.
func (c *child) revoke(ctx context.Context) (string, error) {
	if _, err := purchasetest.Ask[purchasetest.None](c.remote, "Drop", c.order.No); err != nil {
		return "", err
	}
	return "revoked", c.Fulfilment.RefundOrder(ctx, c.order.No, "停映", false, "admin:1")
}

func (c *child) jobs(ctx context.Context) (string, error) { return "worked", c.Jobs.RunDue(ctx) }

// serve starts the jobs, as a server does.
func (c *child) serve(ctx context.Context) (string, error) {
	go c.Jobs.Run(ctx)
	return "serving", nil
}

// untilIssued moves the clock until the jobs have issued the order.
func (c *child) untilIssued(ctx context.Context) (string, error) {
	for {
		o, err := c.store.Order(ctx, c.order.No)
		if err != nil || o.State == order.Issued {
			return "worked", err
		}
		now, err := purchasetest.Ask[time.Time](c.remote, "Advance", time.Second)
		if err != nil {
			return "", err
		}
		c.now.Store(now.Unix())
		c.Jobs.Wake()
		time.Sleep(5 * time.Millisecond) // let the tasks run
	}
}

func (c *child) later(ctx context.Context) (string, error) { return c.advance(ctx, 10*time.Second) }

func (c *child) muchLater(ctx context.Context) (string, error) { return c.advance(ctx, 18*time.Minute) }

func (c *child) afterStart(ctx context.Context) (string, error) { return c.advance(ctx, 4*time.Hour) }

func (c *child) advance(ctx context.Context, d time.Duration) (string, error) {
	now, err := purchasetest.Ask[time.Time](c.remote, "Advance", d)
	if err != nil {
		return "", err
	}
	c.now.Store(now.Unix())
	return "worked", c.Jobs.RunDue(ctx)
}

const (
	smallCard = money.Points(1000)
	bigCard   = money.Points(10_000)
)

func TestCrash_AtEveryCommitOfATicketPurchase(t *testing.T) {
	t.Parallel()
	seed := newShopAt(t, newDatabase(t))
	seed.giveCard(t, 7, smallCard)
	seed.giveCard(t, 7, bigCard)
	require.NoError(t, seed.db.Close())
	crashAtEveryCommit(t, stories, 4, func(t *testing.T, story, when string, n int) bool {
		return crashOnce(t, seed.path, story, when, n)
	})
}

// crashAtEveryCommit runs each story for each of its commits except those of withoutKill: once with a child that is
// killed before that commit, and once with one that is killed after it. On PostgreSQL each commit has only one of the
// two, in turn, because both engines recover by the same code. crash returns whether the child was killed. If it was
// not, the story has fewer commits. A story must have at least least commits.
func crashAtEveryCommit[S any](t *testing.T, stories map[string]S, least int,
	crash func(t *testing.T, story, when string, n int) bool) {
	for story := range stories {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			killed := func(n int) bool {
				if testsPostgres() {
					return crash(t, story, []string{"before", "after"}[n%2], n)
				}
				return crash(t, story, "before", n) && crash(t, story, "after", n)
			}
			n := 1
			for killed(n) {
				n++
			}
			t.Logf("killed at each of %d counted commits", n-1)
			assert.GreaterOrEqual(t, n-1, least, "the story must have at least this many counted commits")
		})
	}
}

// crashOnce runs a story in a child until it is killed, opens the shop again, and verifies the recovery. It returns
// whether the child was killed.
func crashOnce(t *testing.T, seed, story, when string, n int) (killed bool) {
	t.Helper()
	path := copyDatabase(t, seed)
	clock := purchasetest.NewClock()
	s := &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)}
	s.source.AddShow(catalog.Legacy, show, 4*time.Hour, 10, 10, price)
	if story == "rejected" {
		s.source.On(purchasetest.Plan{Op: "issue", Err: order.ErrIssueRejected})
	}
	s.source.Slow = story == "begun"
	if strings.HasPrefix(story, "unknown") {
		s.silenceGateway()
	}
	acked := runChild(t, s, strings.Join([]string{story, "ADDR", path, when, strconv.Itoa(n)}, "|"), &killed)

	s.gateway.Forget("query")
	s.gateway.Forget("close")
	s.openAfterChild(t, path, withoutPeriodicJobs(story)) // start the server again
	if story == "begun" {
		s.runDueJobsAfter(t, 4*time.Hour) // the show has begun, wherever the child was killed
		s.source.DeliverAll()
	}
	if story == "revoked" {
		s.refundRevoked(t)
	}
	name := fmt.Sprintf("%s, killed %s commit %d, reported to the buyer: %v", story, when, n, acked)
	if story != "begun" && story != "rejected" {
		s.requireRequested(t, name)
	}
	for _, d := range []time.Duration{0, 10 * time.Second, time.Minute, 2 * time.Minute, 15 * time.Minute, time.Minute,
		time.Hour} {
		s.runDueJobsAfter(t, d)
	}
	s.verifyRecovery(t, name, acked)
	s.requireNoDifferences(t)
	require.NoError(t, s.db.Close())
	return killed
}

// refundRevoked runs the command of the operator again, until it has succeeded once, if the cinema has cancelled the
// issued tickets.
func (s *shop) refundRevoked(t *testing.T) {
	t.Helper()
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 1)
	require.NoError(t, err)
	if len(p.Orders) == 0 || p.Orders[0].State != order.Issued ||
		s.source.State(p.Orders[0].No) != order.ProviderReleased {
		return
	}
	require.NoError(t, s.Fulfilment.RefundOrder(t.Context(), p.Orders[0].No, "停映", false, "admin:1"))
}

// requireRequested checks that the tickets of a paid order are requested at once, unless the child has leased its task.
func (s *shop) requireRequested(t *testing.T, name string) {
	t.Helper()
	if s.count(t, `SELECT count(*) FROM tasks WHERE lease <> ''`) > 0 {
		return
	}
	s.runDueJobsAfter(t, 0)
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 1)
	require.NoError(t, err)
	for _, o := range p.Orders {
		assert.NotEqual(t, order.Paid, o.State, name)
		if o.State == order.Issuing {
			assert.Contains(t, []order.ProviderState{order.ProviderIssuing, order.ProviderIssued}, s.source.State(o.No), name)
		}
	}
}

// killThisProcess ends this process with SIGKILL, as a crash does.
func killThisProcess() {
	if this, err := os.FindProcess(os.Getpid()); err == nil {
		_ = this.Kill()
	}
}

// runChild runs a child against the providers of s. It returns the steps that the child reported, and sets killed.
func runChild(t *testing.T, s *shop, spec string, killed *bool) (acked map[string]bool) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { _ = l.Close() }()
	p := &purchasetest.Parties{Source: s.source, Gateway: s.gateway, Clock: s.clock, Acked: make(chan string, 64)}
	require.NoError(t, p.Serve(l))
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), crashEnv+"="+strings.Replace(spec, "ADDR", l.Addr().String(), 1))
	var out bytes.Buffer
	cmd.Stderr = &out
	err = cmd.Run()
	*killed = cmd.ProcessState.Sys().(syscall.WaitStatus).Signaled()
	require.True(t, err == nil || *killed, "%s: %v: %s", spec, err, out.String())
	acked = map[string]bool{}
	for len(p.Acked) > 0 { // a report of a killed child may still arrive, so the channel stays open
		acked[<-p.Acked] = true
	}
	return acked
}

// childSessions is the name of a child's sessions on PostgreSQL.
const childSessions = "child"

// pointsLeft returns the points on the cards of buyer 7, and checks that none of them are held.
func (s *shop) pointsLeft(t *testing.T, name string) (left money.Points) {
	t.Helper()
	list, err := s.cards.List(t.Context(), 7, cards.AllUsable)
	require.NoError(t, err)
	for _, c := range list {
		left += c.Balance
		assert.Zero(t, c.Held, name)
	}
	return left
}

// openAfterChild is open after a child has ended and PostgreSQL has rolled back its transactions. Until then a claim
// skips the tasks that the child has locked. A server would poll again, but a story moves the clock.
func (s *shop) openAfterChild(t *testing.T, path string, options ...option) {
	t.Helper()
	s.open(t, path, options...)
	if !onPostgres(path) {
		return
	}
	require.Eventually(t, func() bool {
		return s.count(t, `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = $1`, childSessions) == 0
	}, time.Minute, 5*time.Millisecond)
}

// verifyRecovery verifies the state after a recovery: payments and points agree with the order and the gateway, the
// seats agree with the order, no task is left, and every result that was reported to the buyer still holds.
func (s *shop) verifyRecovery(t *testing.T, name string, acked map[string]bool) {
	t.Helper()
	found, err := s.db.Orders().Discrepancies(t.Context())
	require.NoError(t, err)
	require.Empty(t, found, name)
	p, err := s.Orders.List(t.Context(), 7, order.TabAll, 1, 10)
	require.NoError(t, err)
	require.LessOrEqual(t, len(p.Orders), 1, name)
	state, no := order.Abandoned, ""
	if len(p.Orders) == 1 {
		state, no = p.Orders[0].State, p.Orders[0].No
	}
	require.Contains(t, []order.State{order.Abandoned, order.Issued, order.Refunded, order.Cancelled, order.Expired},
		state, name)
	assert.Zero(t, s.count(t, `SELECT count(*) FROM tasks WHERE kind <> 'periodic'`), name)

	paid, refunded := s.gateway.Money()
	left := s.pointsLeft(t, name)
	spent := paid - refunded + (smallCard + bigCard - left).Fen()
	if state == order.Issued {
		assert.Equal(t, 2*price, spent, name)
		assert.Equal(t, order.ProviderIssued, s.source.State(no), name)
		assert.Equal(t, 2, s.source.Taken(show), name)
	} else {
		assert.Zero(t, spent, name)
		assert.Zero(t, s.source.Taken(show), name)
	}
	switch {
	case acked["revoked"]:
		assert.Equal(t, order.Refunded, state, name)
	case acked["paid"]:
		assert.Contains(t, []order.State{order.Issued, order.Refunded}, state, name)
	case acked["cancelled"]:
		assert.Equal(t, order.Cancelled, state, name)
	case acked["locked"]:
		assert.NotEqual(t, order.Abandoned, state, name)
	}
}
