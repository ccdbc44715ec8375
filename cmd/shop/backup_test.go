package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
)

// shopCommand runs a command on a database and returns what it printed.
func shopCommand(t *testing.T, db string, args ...string) (string, error) {
	t.Helper()
	t.Setenv("MARQUEE_DB", db)
	var out strings.Builder
	err := run(t.Context(), args, &out, io.Discard)
	return out.String(), err
}

// mustRun runs a command that must succeed.
func mustRun(t *testing.T, db string, args ...string) string {
	t.Helper()
	out, err := shopCommand(t, db, args...)
	require.NoError(t, err)
	return out
}

// requireExit runs a command that must fail with an exit code and a text.
func requireExit(t *testing.T, code int, text, db string, args ...string) {
	t.Helper()
	_, err := shopCommand(t, db, args...)
	require.ErrorContains(t, err, text)
	require.Equal(t, code, exitCode(err), "%v", err)
}

// TestRestoreDrill backs a shop up while buyers buy, restores the backup elsewhere, verifies the copy, and serves
// it: the buyer is still logged in and buys.
func TestRestoreDrill(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			serve := func(db string) *harness.Stack {
				return harness.New(t, harness.Options{Configure: func(cfg *app.Config) { cfg.DB = db }})
			}
			db := newDatabase(t, engine)
			served := serve(db)
			buyer := served.NewBuyer(harness.WithPassword(), harness.WithCard(100))
			stop := make(chan struct{})
			var load sync.WaitGroup
			load.Go(func() {
				for {
					select {
					case <-stop:
						return
					default:
						served.NewBuyer(harness.WithPassword(), harness.WithCard(100))
					}
				}
			})
			backup := filepath.Join(t.TempDir(), "backup.db")
			before := mustRun(t, db, "backup", backup)
			assert.Contains(t, before, "sha256 ")
			close(stop)
			load.Wait()
			served.Verify()
			require.NoError(t, served.Close())

			// The backup alone passes the verification.
			assert.Contains(t, mustRun(t, backup, "verify"), "agree")
			restored := newDatabase(t, engine)
			assert.Contains(t, mustRun(t, restored, "restore", backup), "run shop verify")
			assert.Contains(t, mustRun(t, restored, "verify"), "agree")
			again := serve(restored)
			again.AdvanceClock(2 * time.Hour) // the codes of the first phones count in the restored shop too
			again.NewBuyer(harness.WithPassword(), harness.WithCard(100))
			require.Empty(t, again.Post(buyer.Token, "/Member/index", nil).Error, "the buyer is still logged in")
		})
	}
}

// newDatabase returns a value of MARQUEE_DB: the path of a SQLite file that does not exist, or the URL of a migrated
// PostgreSQL database.
func newDatabase(t *testing.T, engine string) string {
	t.Helper()
	if engine == "postgres" {
		return pgtest.Shop(t)
	}
	return filepath.Join(t.TempDir(), "shop.db")
}

func TestBackup_RefusesWhatWouldLoseSomething(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	requireExit(t, exitRefused, "backup_file_exists", db, "backup", backup)
	requireExit(t, exitRefused, "restore_target_exists", db, "restore", backup)
	requireExit(t, exitDatabase, "there is no database", filepath.Join(dir, "typo.db"), "backup", filepath.Join(dir, "b.db"))
	assert.NoFileExists(t, filepath.Join(dir, "typo.db"))
	requireExit(t, exitDatabase, "db_url_invalid", "postgres://user@host:port/x", "backup", filepath.Join(dir, "b.db"))
	requireExit(t, exitDatabase, "db_unreachable", "postgres://user:sesame@127.0.0.1:1/x", "migrate")

	out := mustRun(t, db, "restore", "--replace", backup)
	kept := regexp.MustCompile(`kept as (\S+)`).FindStringSubmatch(out)
	require.NotNil(t, kept, out)
	assert.FileExists(t, kept[1])

	claim, err := app.TakeClaim(db, "a shop")
	require.NoError(t, err)
	requireExit(t, exitInUse, "database_in_use", db, "restore", "--replace", backup)
	requireExit(t, exitInUse, "database_in_use", "", "move", "--from", db, "--to", filepath.Join(dir, "moved.db"))
	require.NoError(t, claim.Release())

	text, err := os.ReadFile(backup)
	require.NoError(t, err)
	manifest, err := os.ReadFile(backup + ".json")
	require.NoError(t, err)
	target := filepath.Join(dir, "other.db")
	damage := func(name, code string, change func()) {
		t.Helper()
		require.NoError(t, errors.Join(os.WriteFile(backup, text, 0o600), os.WriteFile(backup+".json", manifest, 0o600)))
		change()
		requireExit(t, exitBackup, code, target, "restore", backup)
		assert.NoFileExists(t, target, name)
	}
	damage("truncated", "backup_damaged", func() { require.NoError(t, os.Truncate(backup, 5000)) })
	damage("changed", "backup_damaged", func() {
		changed := append([]byte{}, text...)
		changed[5000] ^= 1
		require.NoError(t, os.WriteFile(backup, changed, 0o600))
	})
	damage("no manifest", "backup_damaged", func() { require.NoError(t, os.Remove(backup+".json")) })
	damage("newer", "backup_of_newer_release", func() {
		newer := strings.Replace(string(manifest), `"schema": 1`, `"schema": 9000`, 1)
		require.NoError(t, os.WriteFile(backup+".json", []byte(newer), 0o600))
	})
}

func TestMove_BetweenTheEngines(t *testing.T) {
	dir := t.TempDir()
	served := harness.New(t, harness.Options{Dir: dir, Demo: true})
	served.NewBuyer(harness.WithPassword(), harness.WithCard(100))
	require.NoError(t, served.Close())
	from := filepath.Join(dir, "shop.db")
	server, back := pgtest.Shop(t), filepath.Join(t.TempDir(), "back.db")
	for _, step := range [][2]string{{from, server}, {server, back}, {from, back}} {
		out := mustRun(t, "", "move", "--from", step[0], "--to", step[1])
		assert.Contains(t, out, "are the same in both databases")
	}
	assert.Contains(t, mustRun(t, server, "verify"), "agree")
	serving, err := pgx.Connect(t.Context(), server+"&application_name=marquee")
	require.NoError(t, err)
	_, err = serving.Exec(t.Context(), `INSERT INTO banners (place, position, image_url,
		link_url, title) VALUES ('home', 99, '', '', '')`)
	require.NoError(t, err)
	requireExit(t, exitInUse, "database_in_use", "", "move", "--from", server, "--to", filepath.Join(t.TempDir(), "x.db"))
	requireExit(t, exitInUse, "database_in_use", "", "move", "--from", from, "--to", server)
	require.NoError(t, serving.Close(t.Context()))
	requireExit(t, exitRefused, "transfer_target_not_empty", "", "move", "--from", from, "--to", server)
}
