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

// during runs the load while do happens to it, and checks every purchase and the books.
func (r *rig) during(t *testing.T, do func(ctx context.Context)) {
	t.Helper()
	stop, ended := make(chan struct{}), make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		defer close(ended)
		if err := r.load.run(ctx, stop); err != nil {
			t.Errorf("the load: %v", err)
			cancel() // what the test waits for will not happen
		}
	}()
	do(ctx)
	close(stop)
	<-ended
	r.requirePurchases(t)
	r.requireBooks(t)
	t.Logf("%d purchases, retried: %v", r.purchases(), r.retries)
}

// awaitPurchases returns when so many more payments were acknowledged, so that no kill strikes an idle shop.
func (r *rig) awaitPurchases(t *testing.T, ctx context.Context, more int) {
	t.Helper()
	want := r.purchases() + more
	require.Eventually(t, func() bool { return r.purchases() >= want || ctx.Err() != nil }, time.Minute, time.Millisecond)
}

// killOneReplica waits until all replicas run, kills one, and counts it together with the time until the next purchase.
func (r *rig) killOneReplica(t *testing.T, ctx context.Context) {
	t.Helper()
	require.Eventually(t, func() bool {
		down := slices.ContainsFunc(r.Replicas, func(one *cluster.Replica) bool { return one.PID() == 0 })
		return !down || ctx.Err() != nil
	}, time.Minute, time.Millisecond)
	require.NoError(t, ctx.Err(), "the load has ended")
	killed := time.Now()
	require.NoError(t, r.Replicas[rand.IntN(len(r.Replicas))].Kill())
	r.awaitPurchases(t, ctx, 1)
	total.killed("replica", time.Since(killed))
}

func TestReplicas_KilledUnderLoad(t *testing.T) {
	t.Parallel()
	r := newRig(t, rigOptions{db: pgtest.New(t, pgtest.Template{}), replicas: 3})
	r.during(t, func(ctx context.Context) {
		for range *replicaKills {
			r.awaitPurchases(t, ctx, 10+rand.IntN(10))
			r.killOneReplica(t, ctx)
		}
		r.awaitPurchases(t, ctx, 10)
		require.NoError(t, r.RollingRestart(ctx))
		r.awaitPurchases(t, ctx, 10)
	})
}
