package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres/pgtest"
)

// The controls run the same load and checks on a shop in which one guarantee is disabled by a change of its source, and
// require that the checks find the damage.

// storeFile returns the path of a file in server/store, relative to this folder.
func storeFile(name string) string { return filepath.Join("../../server/store", name) }

// buildWithout builds the shop with one change of a source file: old, which must occur once, is replaced by with.
func buildWithout(t *testing.T, file, old, with string) (binary string) {
	t.Helper()
	path, err := filepath.Abs(file)
	require.NoError(t, err)
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(source), old), "%s contains %q once", file, old)
	return buildChanged(t, map[string]string{path: strings.Replace(string(source), old, with, 1)})
}

// Without stored idempotency keys, a purchase whose answer was lost is made again when the buyer repeats it.
func TestControl_WithoutIdempotencyKeysPurchasesAreDoubled(t *testing.T) {
	t.Parallel()
	const save = "func (w keyRepo) Save(k order.IdempotencyKey) error {\n"
	d := newDeployment(t, deploymentOptions{
		db: pgtest.New(t, pgtest.Template{}), replicas: 3, kinds: []kind{goodsByCard},
		binary: buildWithout(t, storeFile("idempotency.go"), save, save+"return nil\n"),
	})
	stop, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- d.load.run(t.Context(), stop) }()
	d.awaitPurchases(t, t.Context(), 100) // a tenth of their answers were lost
	close(stop)
	require.NoError(t, <-ended)
	doubled := 0
	for _, b := range d.buyers {
		doubled += len(b.doubled(b.ended(t, d.load)))
	}
	t.Logf("%d of %d purchases are doubled", doubled, d.purchases())
	require.Positive(t, doubled)
	d.requireBooks(t) // each of the two is a complete purchase
}

// controlTasks is how many tasks the replicas claim in a round.
const controlTasks = 2000

func TestReplicas_RunEachTaskOnce(t *testing.T) {
	t.Parallel()
	d := newCluster(t, deploymentOptions{db: pgtest.Shop(t), replicas: 3})
	require.Zero(t, d.runTasks(t, 1), "tasks that two replicas ran")
}

// Without locks on the rows that it reads, a claim takes tasks that another replica is claiming at the same time.
func TestControl_WithoutLocksOfClaimsATaskRunsTwice(t *testing.T) {
	t.Parallel()
	d := newCluster(t, deploymentOptions{
		db: pgtest.Shop(t), replicas: 3,
		binary: buildWithout(t, storeFile("dialect.go"), "claimDueOf(` FOR UPDATE SKIP LOCKED`)", "claimDueOf(``)"),
	})
	d.requireTasksRunTwice(t)
}

// Without the condition on the lease, a running task is claimed again.
func TestControl_WithoutLeasesATaskRunsTwice(t *testing.T) {
	t.Parallel()
	const leased = "queue = $5 AND due_at <= $1 AND lease_until <= $1"
	d := newCluster(t, deploymentOptions{
		db: pgtest.Shop(t), replicas: 3,
		binary: buildWithout(t, storeFile("dialect.go"), leased, "queue = $5 AND due_at <= $1"),
	})
	d.requireTasksRunTwice(t)
}

// requireTasksRunTwice schedules tasks until one has run twice.
func (d *deployment) requireTasksRunTwice(t *testing.T) {
	t.Helper()
	for round := range 20 {
		if twice := d.runTasks(t, round); twice > 0 {
			t.Logf("round %d: %d of %d tasks ran twice", round+1, twice, controlTasks)
			return
		}
	}
	require.Fail(t, "no task ran twice")
}

// runTasks schedules tasks of a kind without a handler, in several queues, and waits until each was tried or one had
// two first tries. It returns the number of tasks with two first tries.
func (d *deployment) runTasks(t *testing.T, round int) (twice int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), d.db)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	kind := fmt.Sprintf("control %d", round)
	_, err = conn.Exec(t.Context(), `INSERT INTO tasks (kind, subject, queue, due_at)
		SELECT $1, n, 'control-' || n % 8, 0 FROM generate_series(1, CAST($2 AS INTEGER)) n`, kind, controlTasks)
	require.NoError(t, err)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(2 * time.Minute); ; <-tick.C {
		tries := d.firstTries(t, kind)
		for _, n := range tries {
			if n > 1 {
				twice++
			}
		}
		if twice > 0 || len(tries) == controlTasks {
			return twice
		}
		require.Less(t, time.Now(), deadline, "%d of %d tasks were tried", len(tries), controlTasks)
	}
}

// firstTries counts the first tries of each task of a kind in the replicas' logs.
func (d *deployment) firstTries(t *testing.T, kind string) map[string]int {
	t.Helper()
	tries := map[string]int{}
	for _, replica := range d.Replicas {
		text, err := os.ReadFile(replica.LogFile)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			var entry struct {
				Task, Subject string
				Tries         int
			}
			if json.Unmarshal([]byte(line), &entry) == nil && entry.Task == kind && entry.Tries == 0 {
				tries[entry.Subject]++
			}
		}
	}
	return tries
}
