package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"marquee/server/order"
	"marquee/server/purchase"
	"marquee/server/seating"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/purchase/purchasetest"
	"marquee/server/store/sqlite"
)

// A crash under load: a server process with 24 buyers who lock and pay as fast as they can is killed with SIGKILL
// at a random moment and started again on the same file, over and over. The providers live on in this process, and
// so does the record of what the buyers were told.
const (
	loadBuyers = 24  // at a time
	loadCards  = 600 // who have a card: a crash leaves some waiting for the sweeper, and others come
	loadShows  = 400
	loadSeats  = 100 // of a show
)

// loadedShop is the child: it serves until it is killed.
func loadedShop(addr, path string, early bool) error {
	remote, err := purchasetest.Dial(addr)
	if err != nil {
		return err
	}
	db, err := sqlite.Open(path)
	if err != nil {
		return err
	}
	config := purchaseConfig(
		db, purchasetest.RemoteSource{Remote: remote}, purchasetest.RemoteGateway{Remote: remote}, time.Now,
	)
	config.CallTimeout = time.Second
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
	go func() { _ = s.Jobs.Run(ctx) }()
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
						Source: catalog.Legacy, ShowID: fmt.Sprint(n / loadSeats), SeatIDs: []string{fmt.Sprintf("%d-%d",
							n%loadSeats/10+1, n%10+1)},
					})
					if err != nil {
						time.Sleep(time.Millisecond) // taken, or waiting for the sweeper
						continue
					}
				}
				if early {
					ack("paid " + o.No) // the mutant: it tells before it knows
				}
				if _, err := s.Checkout.Payer.PayWithCards(ctx, user, o.No, []int64{user}, purchasetest.Password); err == nil &&
					!early {
					ack("paid " + o.No)
				}
			}
		})
	}
	wg.Wait()
	return errors.New("the load ended by itself")
}

// loadRig is the outside of the crashing server.
type loadRig struct {
	*shop
	addr  string
	mu    sync.Mutex
	told  map[string]bool
	ready chan struct{}
	paid  chan struct{} // holds something when a buyer has been told since it was last emptied
}

func newLoadRig(t testing.TB) *loadRig {
	t.Helper()
	clock := purchasetest.RunningClock(time.Now)
	r := &loadRig{
		shop: &shop{clock: clock, source: purchasetest.NewSource(clock), gateway: purchasetest.NewGateway(clock)},
		told: map[string]bool{}, ready: make(chan struct{}, 1), paid: make(chan struct{}, 1),
	}
	for i := range loadShows {
		r.source.AddShow(catalog.Legacy, fmt.Sprint(i), 4*time.Hour, 11, 10, price) // the last row has a couples seat
	}
	path := filepath.Join(t.TempDir(), "shop.db")
	r.open(t, path)
	for user := int64(1); user <= loadCards; user++ {
		require.Equal(t, user, r.giveCard(t, user, 1_000_000_000))
	}
	require.NoError(t, r.db.Close())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	r.addr = l.Addr().String()
	p := &purchasetest.Parties{Source: r.source, Gateway: r.gateway, Clock: clock, Acked: make(chan string)}
	require.NoError(t, p.Serve(l))
	go func() {
		for what := range p.Acked {
			if no, paid := strings.CutPrefix(what, "paid "); paid {
				r.mu.Lock()
				r.told[no] = true
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

// kill lets a server serve for the given time after it has told a first buyer, kills it, and returns how long it took
// to serve.
func (r *loadRig) kill(t testing.TB, serve time.Duration, mode string) time.Duration {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(os.Environ(), crashEnv+"="+strings.Join([]string{mode, r.addr, r.path}, "|"))
	cmd.Stderr = os.Stderr
	start := time.Now()
	require.NoError(t, cmd.Start())
	await := func(what chan struct{}, otherwise string) {
		select {
		case <-what:
		case <-time.After(30 * time.Second):
			require.NoError(t, cmd.Process.Kill())
			require.Fail(t, otherwise)
		}
	}
	await(r.ready, "the server does not come up again")
	took := time.Since(start)
	select {
	case <-r.paid: // by the last server
	default:
	}
	await(r.paid, "nobody buys anything") // on a slow machine too, there is something to lose
	time.Sleep(serve)                     // the crash comes at a random moment, not at one that is waited for
	require.NoError(t, cmd.Process.Kill())
	_ = cmd.Wait()
	return took
}

// check starts the shop a last time, lets everything settle, and compares what the buyers were told, the books
// and the provider. It returns how many purchases survived and how many that a buyer was told of were lost.
func (r *loadRig) check(t testing.TB) (bought, lost int) {
	t.Helper()
	r.open(t, r.path)
	for _, d := range []time.Duration{0, time.Minute, 2 * time.Minute, 15 * time.Minute, time.Minute} {
		r.runDueJobsAfter(t, d)
	}
	r.verifyBooks(t)
	r.mu.Lock()
	defer r.mu.Unlock()
	for no := range r.told {
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
	require.Equal(t, bought, taken, "seats sold here and seats sold there")
	spent := r.count(t, `SELECT coalesce(sum(cp), 0) FROM ledger_entries WHERE account = 'revenue'`)
	require.Equal(t, bought*int(price), spent)
	require.NoError(t, r.db.Close())
	return bought, lost
}

func TestCrash_UnderLoad(t *testing.T) {
	t.Parallel()
	r := newLoadRig(t)
	for range 6 {
		r.kill(t, time.Duration(50+rand.IntN(150))*time.Millisecond, "load")
	}
	bought, lost := r.check(t)
	t.Logf("%d purchases, %d told", bought, len(r.told))
	require.NotEmpty(t, r.told, "nobody bought anything, so nothing was tested")
	require.Zero(t, lost)
}

// The control: a server that tells its buyers before the commit is caught.
func TestCrash_UnderLoadCatchesEarlyAnswers(t *testing.T) {
	t.Parallel()
	r := newLoadRig(t)
	for range 6 {
		r.kill(t, time.Duration(50+rand.IntN(150))*time.Millisecond, "early")
	}
	_, lost := r.check(t)
	require.NotZero(t, lost)
}

// BenchmarkCrashUnderLoad kills and restarts b.N times; run it with -benchtime 200x.
func BenchmarkCrashUnderLoad(b *testing.B) {
	r := newLoadRig(b)
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
