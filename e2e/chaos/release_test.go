package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"marquee/cmd/sim/cluster"
	"marquee/server/store/postgres/pgtest"
)

// exitDatabase is the exit code of a command that cannot use the database (cmd/shop/README.md).
const exitDatabase = 5

// migrationsGo is the file with the versions of the schema that a release runs on.
const migrationsGo = "../../server/store/postgres/migrate.go"

// schemaOf returns the value of a constant in source, a text of migrationsGo.
func schemaOf(t *testing.T, source []byte, constant string) int {
	t.Helper()
	found := regexp.MustCompile(constant + ` += (\d+)\n`).FindSubmatch(source)
	require.NotNil(t, found, constant)
	version, err := strconv.Atoi(string(found[1]))
	require.NoError(t, err)
	return version
}

// latestSchema returns the version of the schema of this release.
func latestSchema(t *testing.T) int {
	t.Helper()
	source, err := os.ReadFile(migrationsGo)
	require.NoError(t, err)
	return schemaOf(t, source, "latestSchema")
}

// buildNext builds the release after this one: the same sources with one more migration, which needs at least the
// version minimum of the schema.
func buildNext(t *testing.T, migration string, minimum int) (binary string) {
	t.Helper()
	path, err := filepath.Abs(migrationsGo)
	require.NoError(t, err)
	source, err := os.ReadFile(path)
	require.NoError(t, err)
	next := schemaOf(t, source, "latestSchema") + 1
	for constant, version := range map[string]int{"latestSchema": next, "minimumSchema": minimum} {
		source = regexp.MustCompile(constant+` += \d+\n`).
			ReplaceAll(source, fmt.Appendf(nil, "%s = %d\n", constant, version))
		require.Equal(t, version, schemaOf(t, source, constant))
	}
	return buildChanged(t, map[string]string{
		path: string(source),
		filepath.Join(filepath.Dir(path), "migrations", fmt.Sprintf("%04d_next.sql", next)): "-- +goose Up\n" +
			migration,
	})
}

// buildChanged builds the shop with other texts of source files, by absolute path. The compiler sees them in an
// overlay; no file of the module changes.
func buildChanged(t *testing.T, files map[string]string) (binary string) {
	t.Helper()
	dir := t.TempDir()
	replaced := map[string]string{}
	for of, text := range files {
		with := filepath.Join(dir, filepath.Base(of))
		require.NoError(t, os.WriteFile(with, []byte(text), 0o600))
		replaced[of] = with
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	require.NoError(t, err)
	file := filepath.Join(dir, "overlay.json")
	require.NoError(t, os.WriteFile(file, overlay, 0o600))
	binary = filepath.Join(dir, "shop")
	require.NoError(t, goBuild(binary, "-overlay", file))
	return binary
}

// command runs a command of the shop on the database of the deployment; without arguments the shop serves.
func (d *deployment) command(t *testing.T, ctx context.Context, binary string, args ...string) (code int, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(os.Environ(), "MARQUEE_DB="+d.db)
	for name, value := range d.simulators.Default().ShopEnvironment() {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// payments returns how many requests to pay by card a replica has answered without an error, since its log began.
func payments(t *testing.T, r *cluster.Replica) (n int) {
	t.Helper()
	text, err := os.ReadFile(r.LogFile)
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		if strings.Contains(line, `"route":"/Film/flkpay","status":200`) && !strings.Contains(line, `"error"`) {
			n++
		}
	}
	return n
}

// requireAllServe waits until every replica has answered one more request to pay by card.
func (d *deployment) requireAllServe(t *testing.T, ctx context.Context) {
	t.Helper()
	before := map[*cluster.Replica]int{}
	for _, replica := range d.Replicas {
		before[replica] = payments(t, replica)
	}
	for _, replica := range d.Replicas {
		require.Eventually(t, func() bool { return payments(t, replica) > before[replica] || ctx.Err() != nil },
			time.Minute, 50*time.Millisecond, replica.Name)
	}
}

// Replicas of two releases serve one database, before and after the migration of the later one.
func TestRelease_IsRolledOutUnderLoad(t *testing.T) {
	t.Parallel()
	// The migration changes the table that every purchase reads and writes.
	next := buildNext(t, `
		ALTER TABLE orders ADD COLUMN next_release TEXT COLLATE "C";
		CREATE TABLE next_release (order_no TEXT COLLATE "C" PRIMARY KEY REFERENCES orders (order_no));
	`, latestSchema(t))
	d := newDeployment(t, deploymentOptions{db: pgtest.New(t, pgtest.Template{}), replicas: 3})
	d.during(t, func(ctx context.Context) {
		conn, err := pgx.Connect(ctx, d.db)
		require.NoError(t, err)
		defer func() { require.NoError(t, conn.Close(context.WithoutCancel(ctx))) }()
		requireMigrated := func(want bool) {
			t.Helper()
			var migrated bool
			require.NoError(t, conn.QueryRow(ctx, `SELECT to_regclass('next_release') IS NOT NULL`).Scan(&migrated))
			require.Equal(t, want, migrated)
		}
		d.awaitPurchases(t, ctx, 10)
		require.NoError(t, d.Replace(ctx, d.Replicas[0], next))
		d.requireAllServe(t, ctx)
		requireMigrated(false)

		// A long transaction, such as that of a backup, blocks the migration's lock. The migration gives up before the
		// purchases that are queued behind it do.
		_, err = conn.Exec(ctx, `BEGIN; LOCK TABLE orders IN ACCESS SHARE MODE`)
		require.NoError(t, err)
		code, text := d.command(t, ctx, next, "migrate")
		require.Equal(t, exitDatabase, code, text)
		require.Contains(t, text, "db_statement_timeout")
		requireMigrated(false)
		d.requireAllServe(t, ctx)
		_, err = conn.Exec(ctx, `ROLLBACK`)
		require.NoError(t, err)

		code, text = d.command(t, ctx, next, "migrate")
		require.Zero(t, code, text)
		requireMigrated(true)
		d.requireAllServe(t, ctx)
		for _, old := range d.Replicas[1:] {
			require.NoError(t, d.Replace(ctx, old, next))
			d.requireAllServe(t, ctx)
		}
	})
	code, text := d.command(t, t.Context(), next, "verify")
	require.Zero(t, code, text)
}

// The control: a release that removes what this one uses cannot serve at the same time, on either schema.
func TestRelease_ThatContractsDoesNotServeNextToThePreviousOne(t *testing.T) {
	t.Parallel()
	after := latestSchema(t) + 1
	next := buildNext(t, fmt.Sprintf(`UPDATE schema_support SET oldest = %d;`, after), after)
	d := newDeployment(t, deploymentOptions{db: pgtest.New(t, pgtest.Template{}), replicas: 1})
	old := d.Replicas[0]
	ready := func() (status int, text string) {
		resp, err := http.Get(old.AdminURL + "/readyz")
		require.NoError(t, err)
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body)
	}

	code, text := d.command(t, t.Context(), next)
	require.Equal(t, exitDatabase, code, text)
	require.Contains(t, text, "db_schema_older")
	status, text := ready()
	require.Equal(t, http.StatusOK, status, text)

	code, text = d.command(t, t.Context(), next, "migrate")
	require.Zero(t, code, text)
	status, text = ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "db_schema_newer")
	require.NoError(t, d.Replace(t.Context(), old, next))
	status, text = ready()
	require.Equal(t, http.StatusOK, status, text)
}
