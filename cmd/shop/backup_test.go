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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite"
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

// TestRestoreDrill backs a shop up while buyers buy, restores the backup into each engine, verifies the copy, and serves
// it: the buyer is still logged in and buys.
func TestRestoreDrill(t *testing.T) {
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			dir := t.TempDir()
			served := harness.New(t, harness.Options{Dir: dir})
			db := filepath.Join(dir, "shop.db")
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
			last, err := sqliteAt(t, db).LastBackup(t.Context())
			require.NoError(t, err)
			assert.Equal(t, "backup.db", last.Name)
			served.Verify()
			require.NoError(t, served.Close())

			// The backup alone passes the verification.
			assert.Contains(t, mustRun(t, backup, "verify"), "agree")
			elsewhere := t.TempDir()
			restored := filepath.Join(elsewhere, "shop.db")
			if engine == "postgres" {
				restored = pgtest.Shop(t)
			}
			assert.Contains(t, mustRun(t, restored, "restore", backup), "run shop verify")
			assert.Contains(t, mustRun(t, restored, "verify"), "agree")
			again := harness.New(t, harness.Options{Dir: elsewhere})
			again.AdvanceClock(2 * time.Hour) // the codes of the first phones count in the restored shop too
			again.NewBuyer(harness.WithPassword(), harness.WithCard(100))
			require.Empty(t, again.Post(buyer.Token, "/Member/index", nil).Error, "the buyer is still logged in")
		})
	}
}

// sqliteAt opens a database beside its shop.
func sqliteAt(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(path, sqlite.Beside())
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
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
