package chaos

import (
	"context"
	"flag"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/cmd/sim/cluster"
	"marquee/server/store/postgres/pgtest"
)

// replicaKills is the flag -replica.kills, which make chaos sets from KILLS.
var replicaKills = flag.Int("replica.kills", 4, "how often TestReplicas_KilledUnderLoad kills a replica in a round")

// during runs the load while do disturbs it, and checks every purchase and the books.
func (d *deployment) during(t *testing.T, do func(ctx context.Context)) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer close(ended)
		if err := d.load.run(ctx, stop); err != nil {
			t.Errorf("the load: %v", err)
			cancel() // what the test waits for will not happen
		}
	}()
	do(ctx)
	close(stop)
	<-ended
	d.requirePurchases(t)
	d.requireBooks(t)
	t.Logf("%d purchases, retried: %v", d.purchases(), d.retries)
}

// awaitPurchases waits until as many more payments were acknowledged, so that a test does not kill an idle shop.
func (d *deployment) awaitPurchases(t *testing.T, ctx context.Context, more int) {
	t.Helper()
	want := d.purchases() + more
	require.Eventually(t, func() bool { return d.purchases() >= want || ctx.Err() != nil }, time.Minute,
		time.Millisecond)
}

// killOneReplica waits until all replicas run, kills one, and counts it together with the time until the next purchase.
func (d *deployment) killOneReplica(t *testing.T, ctx context.Context) {
	t.Helper()
	require.Eventually(t, func() bool {
		down := slices.ContainsFunc(d.Replicas, func(one *cluster.Replica) bool { return one.PID() == 0 })
		return !down || ctx.Err() != nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, ctx.Err(), "the load has ended")
	killed := time.Now()
	require.NoError(t, d.Replicas[rand.IntN(len(d.Replicas))].Kill())
	d.awaitPurchases(t, ctx, 1)
	total.killed("replica", time.Since(killed))
}

func TestReplicas_KilledUnderLoad(t *testing.T) {
	t.Parallel()
	d := newDeployment(t, deploymentOptions{db: pgtest.New(t, pgtest.Template{}), replicas: 3})
	d.during(t, func(ctx context.Context) {
		for range *replicaKills {
			d.awaitPurchases(t, ctx, 10+rand.IntN(10))
			d.killOneReplica(t, ctx)
		}
		d.awaitPurchases(t, ctx, 10)
		require.NoError(t, d.RollingRestart(ctx))
		d.awaitPurchases(t, ctx, 10)
	})
}
