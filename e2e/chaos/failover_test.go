package chaos

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres/pgserver"
)

// pair is a primary and its streaming standby.
type pair struct {
	primary, standby *pgserver.Server
	url              string // of the database, on the server that accepts writes
}

// newPair starts the two servers. If synchronous is true, a commit is acknowledged only when the standby has it.
func newPair(t *testing.T, synchronous bool) pair {
	t.Helper()
	// No machine crashes here, so commits need not wait for a disk.
	options := pgserver.Options{Settings: map[string]string{"synchronous_commit": "on", "wal_keep_size": "1GB"}}
	primary, err := pgserver.Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Kill()) })
	_, err = primary.Database(t.Context(), "marquee")
	require.NoError(t, err)
	standby, err := primary.NewStandby(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Kill()) })
	if synchronous {
		require.NoError(t, primary.RequireStandby(t.Context()))
	}
	return pair{primary, standby, primary.Failover(standby, "marquee")}
}

func TestFailover_LosesNoAcknowledgedPurchase(t *testing.T) {
	t.Parallel()
	p := newPair(t, true)
	d := newDeployment(t, deploymentOptions{db: p.url, replicas: 3})
	d.during(t, func(ctx context.Context) {
		d.awaitPurchases(t, ctx, 20)
		// The primary does not answer for a while: purchases wait, and none is lost.
		require.NoError(t, p.primary.Freeze())
		<-time.After(5 * time.Second)
		require.NoError(t, p.primary.Thaw())
		d.awaitPurchases(t, ctx, 20)

		crashed := time.Now()
		require.NoError(t, p.primary.Crash())
		require.NoError(t, p.standby.Promote(ctx))
		promoted := time.Now()
		d.awaitPurchases(t, ctx, 1)
		total.killed("database", time.Since(crashed))
		t.Logf("the first purchase %s after the promotion", time.Since(promoted).Round(time.Millisecond))
		d.awaitPurchases(t, ctx, 20)
	})
}

// The control: without synchronous replication, acknowledged purchases are lost, and the comparison of the buyers'
// answers with their orders finds them.
func TestFailover_WithAnAsynchronousStandbyPurchasesAreLost(t *testing.T) {
	t.Parallel()
	p := newPair(t, false)
	d := newDeployment(t, deploymentOptions{db: p.url, replicas: 3})
	stop, ended := make(chan struct{}), make(chan error, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() { ended <- d.load.run(ctx, stop) }()
	d.awaitPurchases(t, ctx, 10)
	require.NoError(t, p.primary.HoldBackLog(ctx)) // the standby falls behind
	// Each buyer may still get the answer to one purchase that the standby has. So at least half of these purchases are
	// only on the primary.
	d.awaitPurchases(t, ctx, 2*loadBuyers)
	require.NoError(t, p.primary.Crash())
	cancel() // only answers until now count
	require.ErrorIs(t, <-ended, context.Canceled)
	require.NoError(t, p.standby.Promote(t.Context()))
	lost := 0
	for _, b := range d.buyers {
		states, err := b.orders(t.Context(), d.load)
		require.NoError(t, err)
		for order := range b.acked {
			if _, found := states[order]; !found {
				lost++
			}
		}
	}
	t.Logf("%d of %d purchases are lost", lost, d.purchases())
	require.Positive(t, lost)
}
