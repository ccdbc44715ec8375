package purchase_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/order"
	"marquee/server/platform"
	"marquee/server/purchase/purchasetest"
	"marquee/server/seating"
)

const clients = 64

// syncRate returns the number of 4 KiB writes with fsync that the disk of dir completes in a second.
func syncRate(b *testing.B, dir string, d time.Duration) float64 {
	b.Helper()
	f, err := os.Create(filepath.Join(dir, "sync.probe"))
	require.NoError(b, err)
	defer func() { require.NoError(b, f.Close()) }()
	block, n := make([]byte, 4096), 0
	start := time.Now()
	for time.Since(start) < d {
		_, err := f.WriteAt(block, int64(n%64)*4096)
		require.NoError(b, err)
		require.NoError(b, f.Sync())
		n++
	}
	return float64(n) / time.Since(start).Seconds()
}

func median(v []float64) float64 {
	slices.Sort(v)
	return v[len(v)/2]
}

// load runs op n times on the given number of workers. It returns the operations per second and the sorted latencies.
func load(b *testing.B, workers, n int, op func(client, i int) error) (rate float64, took []time.Duration) {
	b.Helper()
	took = make([]time.Duration, n)
	var next atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for c := range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				from := time.Now()
				if err := op(c, i); err != nil {
					b.Errorf("operation %d: %v", i, err)
					return
				}
				took[i] = time.Since(from)
			}
		})
	}
	wg.Wait()
	rate = float64(n) / time.Since(start).Seconds()
	slices.Sort(took)
	return rate, took
}

// quantile returns a quantile of sorted durations in milliseconds.
func quantile(sorted []time.Duration, q float64) float64 {
	return sorted[min(len(sorted)-1, int(q*float64(len(sorted))))].Seconds() * 1000
}

// BenchmarkLockToPaid measures 64 buyers that repeatedly lock a seat and pay it with points. It calls the service
// directly, without HTTP, provider network or password hashing. The metric ×sync is the rate divided by the fsync
// rate of the same disk, which is measured between the rounds.
func BenchmarkLockToPaid(b *testing.B) {
	dir := b.TempDir()
	s := newShopAt(b, newDatabase(b))
	ids := make([]int64, clients)
	for c := range clients {
		ids[c] = s.giveCard(b, int64(c+1), 1_000_000_000)
	}
	const perShow, rounds = 90, 3
	for i := 0; i <= b.N/perShow+1; i++ {
		s.source.AddShow(catalog.Legacy, fmt.Sprint(i), 4*time.Hour, 10, 10, price)
	}
	ctx := context.Background()
	buy := func(client, i int) error {
		user := int64(client + 1)
		o, err := s.Seating.LockSeats(ctx, user, seating.LockSeats{
			Mobile: mobile,
			Source: catalog.Legacy, ShowID: fmt.Sprint(i / perShow),
			SeatIDs: []string{fmt.Sprintf("%d-%d", i%perShow/10+1,
				i%10+1)},
		})
		if err != nil {
			return err
		}
		_, err = s.Checkout.Payer.PayWithCards(ctx, user, o.No, ids[client:client+1], purchasetest.Password)
		return err
	}
	var rates, syncs, tails []float64
	var last []time.Duration
	var used time.Duration
	b.ResetTimer()
	for r := range rounds {
		b.StopTimer()
		syncs = append(syncs, syncRate(b, dir, 300*time.Millisecond))
		b.StartTimer()
		from, to := b.N*r/rounds, b.N*(r+1)/rounds
		if to == from {
			continue
		}
		before := platform.ProcessorTime()
		rate, took := load(b, clients, to-from, func(c, i int) error { return buy(c, from+i) })
		used += platform.ProcessorTime() - before
		rates, tails, last = append(rates, rate), append(tails, quantile(took, 1)/quantile(took, 0.99)), took
	}
	b.StopTimer()
	s.verifyBooks(b)
	b.ReportMetric(median(rates), "ops/s")
	b.ReportMetric(median(syncs), "sync/s")
	b.ReportMetric(median(rates)/median(syncs), "×sync")
	b.ReportMetric(quantile(last, 0.5), "p50-ms")
	b.ReportMetric(quantile(last, 0.99), "p99-ms")
	b.ReportMetric(median(tails), "max÷p99")
	b.ReportMetric(float64(used.Microseconds())/float64(b.N), "cpu-µs/op")
}

// BenchmarkContendedLock measures 10,000 attempts of as many buyers to lock the 200 seats of one show. The provider
// does not reject taken seats, so that only the shop's checks count: exactly 200 attempts must succeed.
func BenchmarkContendedLock(b *testing.B) {
	const attempts, rows, cols = 10_000, 10, 20
	for b.Loop() {
		b.StopTimer()
		s := newShopAt(b, newDatabase(b))
		s.source.AddShow(catalog.Legacy, "hot", 4*time.Hour, rows+1, cols, price) // the last row has a couples seat
		s.source.Blind = true
		var won atomic.Int64
		b.StartTimer()
		rate, took := load(b, clients, attempts, func(_, i int) error {
			seat := i * 7919 % (rows * cols)
			_, err := s.Seating.LockSeats(context.Background(), int64(i+1), seating.LockSeats{
				Mobile: mobile,
				Source: catalog.Legacy, ShowID: "hot",
				SeatIDs: []string{fmt.Sprintf("%d-%d", seat/cols+1, seat%cols+1)},
			})
			if errors.Is(err, order.ErrSeatTaken) {
				return nil
			}
			if err == nil {
				won.Add(1)
			}
			return err
		})
		b.StopTimer()
		require.EqualValues(b, rows*cols, won.Load(), "winners")
		s.verifyBooks(b)
		b.ReportMetric(rate, "attempts/s")
		b.ReportMetric(quantile(took, 0.99), "p99-ms")
		b.ReportMetric(float64(won.Load()), "winners")
		b.StartTimer()
	}
}

// BenchmarkLedgerPost measures one balanced ledger transaction by each of 64 callers, the smallest write of a purchase.
func BenchmarkLedgerPost(b *testing.B) {
	dir := b.TempDir()
	s := newShopAt(b, newDatabase(b))
	id := s.giveCard(b, 1, 1_000_000_000)
	sync := syncRate(b, dir, 300*time.Millisecond)
	b.ResetTimer()
	rate, _ := load(b, clients, b.N, func(_, i int) error {
		return s.db.Cards().Update(context.Background(), func(tx cards.Tx) error {
			return cards.Reserve(tx, cards.Spend{LegID: int64(i + 1), CardID: id, Actor: "bench", At: s.clock.Now()}, 1)
		})
	})
	b.ReportMetric(rate, "ops/s")
	b.ReportMetric(rate/sync, "×sync")
}
