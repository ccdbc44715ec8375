package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/clocktest"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

// A crash under load: a server process with 24 buyers that lock and pay without pause is killed with SIGKILL at a
// random time and started again on the same database, repeatedly. The providers run in the parent process, which also
// records the results that were reported to the buyers.
const (
	loadBuyers = 24  // buyers in parallel
	loadCards  = 600 // buyers with a card; after a crash some of them wait until their lock is abandoned
	loadShows  = 400
	loadSeats  = 100 // seats of a show
)

// runLoadChild runs the child process: it serves until it is killed. With early, it reports a payment before the
// commit.
func runLoadChild(addr, path string, early bool) error {
	remote, err := purchasetest.Dial(addr)
	if err != nil {
		return err
	}
	db, err := openDatabase(path, nil, nil)
	if err != nil {
		return err
	}
	config := purchaseConfig(
		db, purchasetest.RemoteSource{Remote: remote}, purchasetest.RemoteGateway{Remote: remote}, time.Now,
	)
	config.CallLimit = time.Second
	verifyPeriodically(&config)
	s, err := purchase.New(config)
	if err != nil {
		return err
	}
	ctx := context.Background()
	if _, _, err := s.Orders.Unpaid(ctx, 1); err != nil {
		return err
	}
	ack := func(what string) { _, _ = purchasetest.Ask[purchasetest.None](remote, "Ack", what) }
	ack("ready")
	go s.Jobs.Run(ctx)
	var wg sync.WaitGroup
	for _, n := range rand.Perm(loadCards)[:loadBuyers] {
		user := int64(n + 1)
		wg.Go(func() {
			for {
				o, found, err := s.Orders.Unpaid(ctx, user)
				if err != nil {
					return
				}
				if !found {
					n := rand.IntN(loadShows * loadSeats)
					o, err = s.Seating.LockSeats(ctx, user, seating.LockSeats{
						Mobile: mobile,
						Source: catalog.Legacy, ShowID: fmt.Sprint(n / loadSeats),
						SeatIDs: []string{fmt.Sprintf("%d-%d",
							n%loadSeats/10+1, n%10+1)},
					})
					if err != nil {
						time.Sleep(time.Millisecond) // the seat is taken, or the previous lock is not abandoned yet
						continue
					}
				}
				if early {
					ack("paid " + o.No) // the defect that the control test must detect: the answer precedes the commit
				}
				if _, err := s.Checkout.Payer.PayWithCards(ctx, user, o.No, []int64{user},
					purchasetest.Password); err == nil &&
					!early {
					ack("paid " + o.No)
				}
			}
		})
	}
	wg.Wait()
	return errors.New("the load ended before the process was killed")
}

// killedServer starts and kills the server process, and serves the providers to it.
type killedServer struct {
	*shop
	addr  string
	mu    sync.Mutex
	acked map[string]bool // order numbers that were reported as paid
	ready chan struct{}
	paid  chan struct{} // receives a value when an order was reported as paid
}

func newKilledServer(t testing.TB) *killedServer {
	t.Helper()
	clock := clocktest.Following(time.Now)
	r := &killedServer{
		shop:  &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)},
		acked: map[string]bool{}, ready: make(chan struct{}, 1), paid: make(chan struct{}, 1),
	}
	for i := range loadShows {
		r.source.AddShow(catalog.Legacy, fmt.Sprint(i), 4*time.Hour, 11, 10, price) // the last row has a couples seat
	}
	path := newDatabase(t)
	r.open(t, path)
	var issued []cards.NewCard
	for user := range loadCards {
		issued = append(issued, cards.NewCard{
			PID: cards.SuperCard, Number: fmt.Sprintf("80%014d", user+1), Password: "pass", Points: 1_000_000_000,
			ExpiresAt: clock.Now().Add(365 * 24 * time.Hour),
		})
	}
	require.NoError(t, r.issuer.Issue(t.Context(), issued, "test"))
	for n, card := range issued {
		id, err := r.cards.Bind(t.Context(), int64(n+1), card.Number, card.Password)
		require.NoError(t, err)
		require.EqualValues(t, n+1, id)
	}
	require.NoError(t, r.db.Close())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	r.addr = l.Addr().String()
	p := &purchasetest.Parties{Source: r.source, Gateway: r.gateway, Clock: clock, Acked: make(chan string)}
	require.NoError(t, p.Serve(l))
	go func() {
		for result := range p.Acked {
			if no, paid := strings.CutPrefix(result, "paid "); paid {
				r.mu.Lock()
				r.acked[no] = true
				r.mu.Unlock()
				select {
				case r.paid <- struct{}{}:
				default:
				}
				continue
			}
			r.ready <- struct{}{}
		}
	}()
	return r
}

// kill starts a server, lets it serve for the given time after the first reported payment, and kills it. It returns the
// time from the start to readiness.
func (r *killedServer) kill(t testing.TB, serve time.Duration, mode string) time.Duration {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), crashEnv+"="+strings.Join([]string{mode, r.addr, r.path}, "|"))
	cmd.Stderr = os.Stderr
	start := time.Now()
	require.NoError(t, cmd.Start())
	await := func(event chan struct{}, failure string) {
		select {
		case <-event:
		case <-time.After(30 * time.Second):
			require.NoError(t, cmd.Process.Kill())
			require.Fail(t, failure)
		}
	}
	await(r.ready, "the server is not ready in time")
	took := time.Since(start)
	select {
	case <-r.paid: // reported by the previous server
	default:
	}
	await(r.paid, "no purchase is reported in time") // also on a slow machine, at least one purchase can be lost
	time.Sleep(serve)                                // the crash must come at a random time, not after an event
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	return took
}

// check starts the shop once more, runs the jobs, and compares the reported payments, the books and the provider. It
// returns the number of issued orders, and the number of reported payments whose order is not issued.
func (r *killedServer) check(t testing.TB) (bought, lost int) {
	t.Helper()
	r.open(t, r.path)
	for _, d := range []time.Duration{0, time.Minute, 2 * time.Minute, 15 * time.Minute, time.Minute} {
		r.runDueJobsAfter(t, d)
	}
	r.verifyBooks(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	for no := range r.acked {
		o, err := r.db.Orders().Order(t.Context(), no)
		if err != nil || o.State != order.Issued {
			lost++
		}
	}
	bought = r.count(t, `SELECT count(*) FROM orders WHERE state = 'ISSUED'`)
	taken := 0
	for i := range loadShows {
		taken += r.source.Taken(fmt.Sprint(i))
	}
	require.Equal(t, bought, taken, "the shop and the provider must have sold the same seats")
	spent := r.count(t, `SELECT coalesce(sum(cp), 0) FROM ledger_entries WHERE account = 'revenue'`)
	require.Equal(t, bought*int(price), spent)
	require.NoError(t, r.db.Close())
	return bought, lost
}

// killOften kills the child six times, each at a random moment of its work in the mode.
func (r *killedServer) killOften(t *testing.T, mode string) {
	t.Helper()
	for range 6 {
		r.kill(t, time.Duration(50+rand.IntN(150))*time.Millisecond, mode)
	}
}

func TestCrash_UnderLoad(t *testing.T) {
	t.Parallel()
	r := newKilledServer(t)
	r.killOften(t, "load")
	bought, lost := r.check(t)
	t.Logf("%d purchases, %d reported", bought, len(r.acked))
	require.NotEmpty(t, r.acked, "the test needs at least one reported purchase")
	require.Zero(t, lost)
}

// Control experiment: the check detects a server that answers before the commit.
func TestCrash_UnderLoadCatchesEarlyAnswers(t *testing.T) {
	t.Parallel()
	r := newKilledServer(t)
	r.killOften(t, "early")
	_, lost := r.check(t)
	require.NotZero(t, lost)
}

// BenchmarkCrashUnderLoad kills and restarts b.N times; run it with -benchtime 200x.
func BenchmarkCrashUnderLoad(b *testing.B) {
	r := newKilledServer(b)
	var took []time.Duration
	for b.Loop() {
		took = append(took, r.kill(b, time.Duration(20+rand.IntN(120))*time.Millisecond, "load"))
	}
	b.StopTimer()
	bought, lost := r.check(b)
	slices.Sort(took)
	b.ReportMetric(float64(len(took)), "kills")
	b.ReportMetric(float64(bought), "purchases")
	b.ReportMetric(float64(lost), "lost")
	b.ReportMetric(quantile(took, 0.5), "serving-again-p50-ms")
}
