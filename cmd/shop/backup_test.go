package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/httpapi"
	"marquee/server/ops"
	"marquee/server/reconcile"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/upkeep"
	"marquee/simulators"
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

// TestRestoreDrill backs a shop up while buyers register, restores the backup into another database, verifies that one,
// and serves it: the first buyer is still logged in, and others can register.
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

			// The backup passes the verification without other files.
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

func TestBackup_RejectsWhatWouldLoseData(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	requireExit(t, exitTarget, "backup_file_exists", db, "backup", backup)
	requireExit(t, exitTarget, "restore_target_exists", db, "restore", backup)
	requireExit(t, exitDatabase, "there is no database", filepath.Join(dir, "typo.db"), "backup",
		filepath.Join(dir, "b.db"))
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
		require.NoError(t, errors.Join(os.WriteFile(backup, text, 0o600),
			os.WriteFile(backup+".json", manifest, 0o600)))
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
	damage("empty manifest", "backup_damaged", func() {
		require.NoError(t, os.WriteFile(backup+".json", []byte("{}"), 0o600))
	})
	damage("later format", "backup_of_newer_release", func() {
		later := strings.Replace(string(manifest), `"format": 1`, `"format": 3`, 1)
		require.NoError(t, os.WriteFile(backup+".json", []byte(later), 0o600))
	})
	damage("newer", "backup_of_newer_release", func() {
		newer := regexp.MustCompile(`"schema": \d+`).ReplaceAll(manifest, []byte(`"schema": 9000`))
		require.NoError(t, os.WriteFile(backup+".json", newer, 0o600))
	})
	for _, statement := range []string{`UPDATE schema_checksums SET checksum = 'another'`,
		`DROP TABLE schema_checksums`} {
		otherBuild := filepath.Join(t.TempDir(), "other-build.db")
		require.NoError(t, os.WriteFile(otherBuild, text, 0o600))
		execute(t, otherBuild, statement)
		damage("of another build", "backup_of_other_build", func() { publishAs(t, manifest, otherBuild, backup) })
	}
}

// publishAs puts another database in the place of a backup, with its size and hash in the manifest.
func publishAs(t *testing.T, manifest []byte, other, backup string) {
	t.Helper()
	var m ops.Manifest
	require.NoError(t, json.Unmarshal(manifest, &m))
	require.NoError(t, errors.Join(os.Remove(backup), os.Remove(backup+".json")))
	require.NoError(t, m.Publish(other, backup))
}

// A backup that leaves the machine is readable only with a key that the machine does not have.
func TestBackup_EncryptedForAKeyThatTheShopDoesNotHave(t *testing.T) {
	identity, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	other, err := age.GenerateX25519Identity()
	require.NoError(t, err)
	keys := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(keys, name)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	right, wrong := write("right", "# the safe\n"+identity.String()+"\n"), write("wrong", other.String())
	noKey := write("none", "secret")
	for _, engine := range []string{"sqlite", "postgres"} {
		t.Run(engine, func(t *testing.T) {
			db, folder := newDatabase(t, engine), t.TempDir()
			mustRun(t, db, "migrate")
			requireExit(t, exitConfig, "--encrypt-to", db, "backup", "--encrypt-to=age1nokey", folder+"/")
			for range 3 {
				mustRun(t, db, "backup", "--keep=2", "--unrecorded", "--encrypt-to="+identity.Recipient().String(), folder+"/")
			}
			found, err := filepath.Glob(filepath.Join(folder, "*"))
			require.NoError(t, err)
			require.Len(t, found, 4, "the latest two, each with its manifest, and nothing unencrypted")
			backup := strings.TrimSuffix(found[len(found)-1], ".json")
			require.True(t, strings.HasSuffix(backup, ".db.age"), backup)
			text, err := os.ReadFile(backup)
			require.NoError(t, err)
			require.True(t, bytes.HasPrefix(text, []byte("age-encryption.org/")))
			require.NotContains(t, string(text), "SQLite format 3")

			out := mustRun(t, db, "doctor", "--run", "backup")
			assert.Contains(t, out, "no backup is recorded", "it has not left the machine")
			mustRun(t, db, "backup", "--made-by", "the sender")
			assert.NotContains(t, mustRun(t, db, "doctor", "--run", "backup"), "no backup is recorded")
			requireExit(t, exitConfig, "another flag", db, "backup", "--made-by", "x", "--unrecorded")

			restored := newDatabase(t, engine)
			requireExit(t, exitBackup, "backup_locked", backup, "verify")
			requireExit(t, exitBackup, "backup_locked", restored, "restore", backup)
			requireExit(t, exitBackup, "backup_locked", restored, "restore", "--identity="+wrong, backup)
			requireExit(t, exitConfig, "--identity", restored, "restore", "--identity="+noKey, backup)
			requireExit(t, exitConfig, "--identity", restored, "restore", "--identity="+keys+"/missing", backup)
			mustRun(t, restored, "restore", "--identity="+right, backup)
			assert.Contains(t, mustRun(t, restored, "verify"), "agree")
			left, err := filepath.Glob(filepath.Join(folder, ".*"))
			require.NoError(t, err)
			assert.Empty(t, left)

			text[len(text)-1] ^= 1
			require.NoError(t, os.WriteFile(backup, text, 0o600))
			requireExit(t, exitBackup, "backup_damaged", newDatabase(t, engine), "restore", "--identity="+right, backup)
		})
	}
}

func TestMove_BetweenTheEngines(t *testing.T) {
	from := filepath.Join(t.TempDir(), "shop.db")
	served := harness.New(t, harness.Options{DB: from, Demo: true})
	served.NewBuyer(harness.WithPassword(), harness.WithCard(100))
	require.NoError(t, served.Close())
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
	requireExit(t, exitInUse, "database_in_use", "", "move", "--from", server, "--to",
		filepath.Join(t.TempDir(), "x.db"))
	requireExit(t, exitInUse, "database_in_use", "", "move", "--from", from, "--to", server)
	require.NoError(t, serving.Close(t.Context()))
	requireExit(t, exitTarget, "transfer_target_not_empty", "", "move", "--from", from, "--to", server)
}

// Two shops on two copies would sell the same seats.
func TestMove_TheSourceIsNotServedAgain(t *testing.T) {
	dir := t.TempDir()
	file, server := filepath.Join(dir, "shop.db"), pgtest.Shop(t)
	stack := harness.New(t, harness.Options{Demo: true, Configure: func(cfg *app.Config) { cfg.DB = file }})
	stack.NewBuyer(harness.WithPassword(), harness.WithCard(100))
	require.NoError(t, stack.Close())
	sims := simulators.StartForTest(t)
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:0")
	t.Setenv("MARQUEE_ADMIN_ADDR", "127.0.0.1:0")
	secret := strings.Replace(server, "postgres://marquee@", "postgres://marquee:topsecret@", 1)
	require.NotEqual(t, server, secret)
	back := filepath.Join(dir, "back.db")
	const code = "db_moved_away"
	for _, move := range []struct{ from, to, place string }{{file, secret, "postgres://marquee@"}, {server, back, back}} {
		for range 2 { // the second time, nothing is left to move
			mustRun(t, "", "move", "--from", move.from, "--to", move.to)
		}
		for _, args := range [][]string{{"run"}, {"admin", "--by", "alice", "order", "waiting"}} {
			_, err := shopCommand(t, move.from, args...)
			require.ErrorContains(t, err, code, args)
			require.ErrorContains(t, err, move.place)
			require.NotContains(t, err.Error(), "topsecret")
			require.Equal(t, exitDatabase, exitCode(err))
		}
		assert.Contains(t, mustRun(t, move.from, "verify"), "agree")
		backup := filepath.Join(t.TempDir(), "old.db")
		mustRun(t, move.from, "backup", backup)
		out, err := shopCommand(t, move.from, "doctor", "--run", "database")
		require.Equal(t, exitDiffers, exitCode(err))
		assert.Contains(t, out, code)
		restored := filepath.Join(t.TempDir(), "restored.db")
		mustRun(t, restored, "restore", backup)
		mustRun(t, restored, "admin", "--by", "alice", "order", "waiting")

		mustRun(t, move.to, "admin", "--by", "alice", "order", "waiting")
		requireExit(t, exitConfig, "arguments_invalid", "", "move", "--from", move.from, "--to", move.to, "--take-back")
		mustRun(t, "", "move", "--from", move.from, "--take-back")
		mustRun(t, move.from, "admin", "--by", "alice", "order", "waiting")
	}
}

// countRows counts the rows of a table of a SQLite file, and fails if the file is damaged.
func countRows(t *testing.T, path, table string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	var found string
	require.NoError(t, db.QueryRowContext(t.Context(), `PRAGMA integrity_check(1)`).Scan(&found))
	require.Equal(t, "ok", found)
	require.NoError(t, db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
	require.NoError(t, db.Close())
	return n
}

// insertBanner is a change that a restore must undo.
const insertBanner = `INSERT INTO banners (place, position, image_url, link_url, title)
	VALUES ('home', 99, '', '', '')`

// TestRestore_AfterTheFileWasDeleted restores while the write-ahead log of a killed shop is left of a deleted database.
// SQLite would apply that log to the restored file.
func TestRestore_AfterTheFileWasDeleted(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	live, err := sql.Open("sqlite", db)
	require.NoError(t, err)
	_, err = live.ExecContext(t.Context(), insertBanner)
	require.NoError(t, err)
	wal, err := os.ReadFile(db + "-wal")
	require.NoError(t, err)
	require.NotEmpty(t, wal)
	require.NoError(t, live.Close())
	for _, left := range []string{"-wal", "-journal"} {
		require.NoError(t, os.Remove(db))
		require.NoError(t, os.WriteFile(db+left, wal, 0o600))
		out := mustRun(t, db, "restore", backup)
		kept := regexp.MustCompile(`kept as (\S+)`).FindStringSubmatch(out)
		require.NotNil(t, kept, out)
		present, err := os.ReadFile(kept[1] + left)
		require.NoError(t, err)
		assert.Equal(t, wal, present, "the log is kept")
		assert.NoFileExists(t, db+left)
		assert.Zero(t, countRows(t, db, "banners"), "of the backup, not of the log")
		assert.Contains(t, mustRun(t, db, "verify"), "agree")
	}
}

// TestRestore_KeepsEveryDatabase replaces a database several times within a second, also behind a symbolic link.
func TestRestore_KeepsEveryDatabase(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	link := filepath.Join(t.TempDir(), "link.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	execute(t, db, insertBanner)
	require.NoError(t, os.Symlink(db, link))
	var names []string
	for _, name := range []string{db, link, db} {
		kept := regexp.MustCompile(`kept as (\S+)`).FindStringSubmatch(mustRun(t, name, "restore", "--replace", backup))
		require.NotNil(t, kept)
		require.NotContains(t, names, kept[1])
		names = append(names, kept[1])
	}
	assert.Equal(t, 1, countRows(t, names[0], "banners"), "the original")
	assert.Zero(t, countRows(t, names[1], "banners"))
	assert.Zero(t, countRows(t, db, "banners"))
	target, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, db, target, "the link stays a link")
}

// TestRestore_RejectedLeavesNoOtherFiles tries to replace files that no shop serves: a shop, one with torn pages, and a
// truncated one. The folder holds the same names afterwards.
func TestRestore_RejectedLeavesNoOtherFiles(t *testing.T) {
	source := filepath.Join(t.TempDir(), "shop.db")
	backup := filepath.Join(t.TempDir(), "backup.db")
	mustRun(t, source, "migrate")
	mustRun(t, source, "backup", backup)
	shop, err := os.ReadFile(source)
	require.NoError(t, err)
	torn := bytes.Clone(shop)
	clear(torn[4096 : 4096*12])
	for name, content := range map[string][]byte{"shop": shop, "torn": torn, "cut off": shop[:8192]} {
		dir := t.TempDir()
		db := filepath.Join(dir, "shop.db")
		require.NoError(t, os.WriteFile(db, content, 0o600))
		requireExit(t, exitTarget, "restore_target_exists", db, "restore", backup)
		entries, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, entries, 1, "%s: %v", name, entries)
		left, err := os.ReadFile(db)
		require.NoError(t, err)
		require.Equal(t, content, left, name)
	}
}

// TestBackup_KeepRemovesOnlyWhatTheCommandNamed has files in the folder that the command has not named, and an
// incomplete and a later backup that it has.
func TestBackup_KeepRemovesOnlyWhatTheCommandNamed(t *testing.T) {
	dir, folder := t.TempDir(), t.TempDir()
	db := filepath.Join(dir, "shop.db")
	mustRun(t, db, "migrate")
	foreign := []string{"marquee-prod.db", "marquee-prod.db.json", "marquee-2027-manual.db",
		"marquee-2027-manual.db.json",
		"marquee-20990101T000000.000Z.db"} // the last one without a manifest is not complete
	for _, name := range foreign {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte("not touched"), 0o600))
	}
	later := filepath.Join(folder, "marquee-20980101T000000.000Z.db")
	mustRun(t, db, "backup", later)
	var latest string
	for range 3 {
		latest, _, _ = strings.Cut(mustRun(t, db, "backup", "--keep=1", folder+"/"), ": ")
		assert.FileExists(t, latest)
		assert.FileExists(t, latest+".json")
	}
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	assert.ElementsMatch(t, append(foreign, filepath.Base(latest), filepath.Base(latest)+".json"), names,
		"the new backup is kept, whatever the times in the names are")
	mustRun(t, db, "backup", "--keep=2", folder) // a folder that exists needs no /
	assert.FileExists(t, latest)
}

// A backup contains phones and accounts.
func TestBackup_IsReadableByItsOwnerOnly(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	mustRun(t, db, "restore", "--replace", backup)
	fromServer := filepath.Join(dir, "server.db")
	mustRun(t, pgtest.Shop(t), "backup", fromServer)
	created := filepath.Join(dir, "new.db")
	mustRun(t, created, "migrate")
	for _, name := range []string{db, backup, backup + ".json", fromServer, fromServer + ".json", created} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), name)
	}
}

func TestBackup_RejectsArgumentsThatItWouldIgnore(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	for _, args := range [][]string{
		{"--made-by=pgbackrest", file}, {"--made-by=pgbackrest", "--keep=3"}, {"--keep=3", file},
		{"--keep=-1", dir + "/"}, {"--keep=0", dir + "/"}, {"--made-by="}, {},
	} {
		_, err := shopCommand(t, db, append([]string{"backup"}, args...)...)
		require.Error(t, err, "%v", args)
	}
	requireExit(t, exitConfig, "--made-by", db, "backup", "--made-by=pgbackrest", file)
	requireExit(t, exitConfig, "--keep", db, "backup", "--keep=3", file)
	requireExit(t, exitConfig, "--keep", db, "backup", "--keep=-1", dir+"/")
	assert.NoFileExists(t, file)
	assert.Zero(t, countRows(t, db, "backups"), "nothing is recorded")
}

// TestBackup_OfTheSameNameAtTheSameTime makes several backups with one name, of which one succeeds.
func TestBackup_OfTheSameNameAtTheSameTime(t *testing.T) {
	dir := t.TempDir()
	db, file := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	t.Setenv("MARQUEE_DB", db)
	const commands = 8
	results := make(chan error, commands)
	for range commands {
		go func() { results <- run(t.Context(), []string{"backup", file}, io.Discard, io.Discard) }()
	}
	made := 0
	for range commands {
		if err := <-results; err == nil {
			made++
		} else {
			assert.ErrorContains(t, err, "backup_file_exists")
		}
	}
	assert.Equal(t, 1, made)
	mustRun(t, filepath.Join(dir, "restored.db"), "restore", file)
}

// TestBackup_RemovesWhatAKilledOneLeft removes the files of a command that was killed, and not those of one that runs.
func TestBackup_RemovesWhatAKilledOneLeft(t *testing.T) {
	dir := t.TempDir()
	db := filepath.Join(dir, "shop.db")
	mustRun(t, db, "migrate")
	killed, err := ops.NewWorkFolder(dir)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(killed.Path, "partial"), []byte("phones"), 0o600))
	running, err := ops.NewWorkFolder(dir)
	require.NoError(t, err)
	require.DirExists(t, killed.Path, "another command has not removed the folder of one that runs")
	require.NoError(t, killed.Unlock()) // as the end of the process does
	mustRun(t, db, "backup", filepath.Join(dir, "backup.db"))
	assert.NoDirExists(t, killed.Path)
	assert.DirExists(t, running.Path)
	require.NoError(t, running.Remove())
	assert.NoDirExists(t, running.Path)
	mustRun(t, db, "restore", "--replace", filepath.Join(dir, "backup.db"))
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// TestBackup_OfAReadOnlyDatabase completes the backup, and reports that only its record is missing.
func TestBackup_OfAReadOnlyDatabase(t *testing.T) {
	server, folder := pgtest.Shop(t), t.TempDir()+"/"
	standby := server + "&default_transaction_read_only=on"
	for range 2 {
		out, err := shopCommand(t, standby, "backup", "--keep=1", folder)
		require.ErrorContains(t, err, "backup_not_recorded")
		require.ErrorContains(t, err, "db_read_only")
		require.ErrorContains(t, err, "the backup is complete")
		assert.Equal(t, exitDatabase, exitCode(err))
		assert.Contains(t, out, "sha256")
	}
	files, err := filepath.Glob(folder + "*.db")
	require.NoError(t, err)
	require.Len(t, files, 1, "only the latest stays")
	mustRun(t, filepath.Join(t.TempDir(), "restored.db"), "restore", files[0])
}

// TestVerify_DoesNotChangeABackup verifies a backup in rollback mode, whose header SQLite changes when the shop opens
// it, as a migration changes one of an older release.
func TestVerify_DoesNotChangeABackup(t *testing.T) {
	dir := t.TempDir()
	db, backup := filepath.Join(dir, "shop.db"), filepath.Join(dir, "backup.db")
	mustRun(t, db, "migrate")
	mustRun(t, db, "backup", backup)
	execute(t, backup, `PRAGMA journal_mode = DELETE`)
	before, err := os.ReadFile(backup)
	require.NoError(t, err)
	assert.Contains(t, mustRun(t, backup, "verify"), "agree")
	after, err := os.ReadFile(backup)
	require.NoError(t, err)
	assert.True(t, bytes.Equal(before, after), "the backup has changed")
	left, err := filepath.Glob(filepath.Join(dir, ".*"))
	require.NoError(t, err)
	assert.Empty(t, left)
}

// A move that was interrupted leaves a database that no command uses, until the move is repeated.
func TestMove_InterruptedIsNotServed(t *testing.T) {
	from := filepath.Join(t.TempDir(), "shop.db")
	stack := harness.New(t, harness.Options{DB: from, Demo: true})
	stack.NewBuyer(harness.WithPassword(), harness.WithCard(100))
	require.NoError(t, stack.Close())
	sims := simulators.StartForTest(t)
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:0")
	t.Setenv("MARQUEE_ADMIN_ADDR", "127.0.0.1:0")
	for _, engine := range []string{"sqlite", "postgres"} {
		to := newDatabase(t, engine)
		ctx, kill := context.WithCancel(t.Context())
		_, err := upkeep.Move(ctx, from, to, upkeep.CopyOptions{Now: time.Now, Progress: func(string, int64) { kill() }})
		require.ErrorIs(t, err, context.Canceled, engine)
		const code = "db_transfer_unfinished"
		backup := filepath.Join(t.TempDir(), "backup.db")
		requireExit(t, exitDatabase, code, to, "verify")
		requireExit(t, exitDatabase, "run it again", to, "verify")
		requireExit(t, exitDatabase, code, to, "migrate")
		requireExit(t, exitDatabase, code, to, "backup", backup)
		assert.NoFileExists(t, backup)
		requireExit(t, exitDatabase, code, "", "move", "--from", to, "--to", filepath.Join(t.TempDir(), "further.db"))
		out, err := shopCommand(t, to, "doctor", "--run", "database")
		require.Equal(t, exitDiffers, exitCode(err))
		assert.Contains(t, out, code)
		ctx, kill = context.WithTimeout(t.Context(), time.Minute)
		defer kill()
		t.Setenv("MARQUEE_DB", to)
		err = run(ctx, []string{"run"}, io.Discard, io.Discard)
		require.ErrorContains(t, err, code, "the shop must not start")
		require.Equal(t, exitDatabase, exitCode(err))

		mustRun(t, "", "move", "--from", from, "--to", to)
		assert.Contains(t, mustRun(t, to, "verify"), "agree")
		mustRun(t, to, "backup", backup)
	}
}

// After a restore the shop lacks what was paid since the backup. The statements of the other parties contain it.
func TestRestore_ReconcilesTheWindowThatWasLost(t *testing.T) {
	original := filepath.Join(t.TempDir(), "shop.db")
	served := harness.New(t, harness.Options{
		Begin: harness.Morning(t), Configure: func(cfg *app.Config) { cfg.DB = original },
	})
	buyer := served.NewBuyer(harness.WithIdentity("openid-restore"))
	db, backup := filepath.Join(t.TempDir(), "restored.db"), filepath.Join(t.TempDir(), "night.db")
	_, err := upkeep.Backup(t.Context(), original, backup, upkeep.CopyOptions{Now: served.Now})
	require.NoError(t, err)
	lost := buyer.LockSomeSeats(harness.NewMovie, 2)
	var prepaid httpapi.Prepaid
	buyer.Post("/Film/wxpay", map[string]string{"oid": lost, "openid": buyer.OpenID}, &prepaid)
	served.PayInApp(prepaid.Bridge.Package, "pay")
	buyer.AwaitState(lost, harness.NewMovie.Issued)
	day := reconcile.DayOf(served.Now())
	served.Reconcile(served.Now()) // the books agree until the database is lost

	mustRun(t, db, "restore", backup)
	cfg, err := app.FromEnvironment(served.Sims.Default().ShopEnvironment())
	require.NoError(t, err)
	cfg.DB, cfg.PublicURL, cfg.Now = db, served.URL, served.Now
	shop, err := app.New(t.Context(), cfg)
	require.NoError(t, err)
	open, err := shop.Reconcile(t.Context(), day)
	require.NoError(t, err)
	kinds := map[reconcile.Kind]int{}
	for _, difference := range open {
		kinds[difference.Kind]++
		assert.NotEmpty(t, difference.Action(), "%+v", difference)
	}
	assert.Equal(t, 1, kinds[reconcile.PaidWithoutOrder], "%v", open)
	assert.Equal(t, 1, kinds[reconcile.TicketWithoutOrder], "%v", open)
	require.NoError(t, shop.Close())
}
