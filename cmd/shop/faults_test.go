package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres/pgtest"
	"marquee/simulators"
)

// asProgram is the environment variable that makes this test binary run as the shop. Its value limits the size of files
// in bytes; 0 sets no limit.
const asProgram = "SHOP_TEST_PROGRAM"

func TestMain(m *testing.M) {
	limit, err := strconv.ParseUint(os.Getenv(asProgram), 10, 64)
	if err != nil {
		os.Exit(m.Run())
	}
	if limit > 0 {
		if err := limitFiles(limit); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
	}
	main()
}

// command is a way to use a database: arguments in which DB, FILE (a new name), BACKUP and NEW (a new database) are
// replaced.
type command struct {
	name string
	args []string
}

// databaseCommands open a database in all the ways that the commands of the shop do.
var databaseCommands = []command{
	{"run", []string{"run"}},
	{"verify", []string{"verify"}},
	{"migrate", []string{"migrate"}},
	{"reconcile", []string{"reconcile"}},
	{"doctor", []string{"doctor", "--run", "database"}},
	{"backup", []string{"backup", "FILE"}},
	{"backup --made-by", []string{"backup", "--made-by", "storage"}},
	{"restore", []string{"restore", "BACKUP"}},
	{"move --to", []string{"move", "--from", "SHOP", "--to", "DB"}},
	{"bundle", []string{"bundle", "FILE"}},
	{"admin", []string{"admin", "--by", "alice", "order", "waiting"}},
	{"admin that creates", []string{"admin", "--by", "alice", "goods", "category", "c", "name"}},
	{"move --from", []string{"move", "--from", "DB", "--to", "NEW"}}, // last: no other command follows a move
}

// outcome is the exit status and the code with which a command must end. Status 0 without a code means that the command
// works on such a database.
type outcome struct {
	exit int
	code string
}

var works = outcome{}

// databaseFault is a database that cannot be used.
type databaseFault struct {
	name   string
	make   func(t *testing.T) (db string)
	all    outcome            // of every command that is not in except
	except map[string]outcome // by command
}

// backedUpShop has what the commands need in addition to the database.
type backedUpShop struct {
	backup, shop string // of an empty shop
}

func newBackedUpShop(t *testing.T) backedUpShop {
	t.Helper()
	sims := simulators.StartForTest(t)
	t.Setenv("MARQUEE_SIMULATOR_URL", sims.URL())
	t.Setenv("MARQUEE_ADDR", "127.0.0.1:0")
	t.Setenv("MARQUEE_ADMIN_ADDR", "none")
	dir := t.TempDir()
	r := backedUpShop{filepath.Join(dir, "backup.db"), filepath.Join(dir, "shop.db")}
	mustRun(t, r.shop, "migrate")
	mustRun(t, r.shop, "backup", r.backup)
	return r
}

// endsWith runs a command on a database, until it has started if it serves, and compares how it ended.
func (r backedUpShop) endsWith(t *testing.T, db string, c command, want outcome) {
	t.Helper()
	t.Setenv("MARQUEE_DB", db)
	dir := t.TempDir()
	args := slices.Clone(c.args)
	for i, arg := range args {
		args[i] = map[string]string{
			"DB": db, "FILE": filepath.Join(dir, "file"), "NEW": filepath.Join(dir, "new.db"), "BACKUP": r.backup,
			"SHOP": r.shop,
		}[arg]
		if args[i] == "" {
			args[i] = arg
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	var out strings.Builder
	err := run(ctx, args, &out, writerFunc(func(p []byte) (int, error) {
		if strings.Contains(string(p), `"msg":"shop started"`) {
			stop() // it serves
		}
		return len(p), nil
	}))
	text := out.String()
	exit := 0
	if err != nil {
		exit = exitCode(err)
		text += err.Error()
	}
	switch c.name {
	case "doctor": // finds it
		if want.exit != 0 {
			want.exit = exitDiffers
		}
	case "bundle": // reports it
		want.exit = 0
		text += problemsOf(t, filepath.Join(dir, "file"))
	}
	assert.Equal(t, want.exit, exit, text)
	assert.Contains(t, text, want.code)
	assert.NotContains(t, text, "secretpassword")
	if want.exit != 0 && !strings.HasPrefix(want.code, notRecorded) {
		assert.NoFileExists(t, filepath.Join(dir, "file"), "an unfinished file")
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// problemsOf returns what a support bundle reports about the database.
func problemsOf(t *testing.T, bundle string) string {
	t.Helper()
	archive, err := zip.OpenReader(bundle)
	require.NoError(t, err)
	defer archive.Close()
	file, err := archive.Open("problems.txt")
	require.NoError(t, err)
	defer file.Close()
	text, err := io.ReadAll(file)
	require.NoError(t, err)
	return string(text)
}

func (r backedUpShop) check(t *testing.T, faults []databaseFault) {
	for _, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			for _, c := range databaseCommands {
				t.Run(c.name, func(t *testing.T) {
					want, special := f.except[c.name]
					if !special {
						want = f.all
					}
					r.endsWith(t, f.make(t), c, want)
				})
			}
		})
	}
}

// notRecorded is the code of a backup that is complete, but not recorded in the database.
const notRecorded = "backup_not_recorded"

func unusable(code string) outcome { return outcome{exitDatabase, code} }

var targetExists = outcome{exitTarget, "restore_target_exists"}

// TestFaults_SQLite proves that each command ends with a code and an exit status on each file that is not a database of
// the shop or cannot be used.
func TestFaults_SQLite(t *testing.T) {
	r := newBackedUpShop(t)
	shop, err := os.ReadFile(r.shop)
	require.NoError(t, err)
	file := func(content []byte) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := filepath.Join(t.TempDir(), "database.db")
			require.NoError(t, os.WriteFile(path, content, 0o600))
			return path
		}
	}
	executed := func(content []byte, statement string) func(t *testing.T) string {
		return func(t *testing.T) string {
			path := file(content)(t)
			execute(t, path, statement)
			return path
		}
	}
	torn := bytes.Clone(shop)
	clear(torn[4096 : 4096*12])
	created := map[string]outcome{
		"run": works, "migrate": works, "restore": works, "move --to": works, "admin that creates": works,
	}
	emptyFile := maps.Clone(created)
	emptyFile["restore"] = targetExists
	emptyFile["admin"] = works
	emptyFile["reconcile"] = works
	r.check(t, []databaseFault{
		{"missing", func(t *testing.T) string { return filepath.Join(t.TempDir(), "typo", "shop.db") },
			unusable("db_not_found"), created},
		{"empty file", file(nil), unusable("db_not_a_shop"), emptyFile},
		{"garbage", file(bytes.Repeat([]byte("root:x:0:0:root\n"), 300)), unusable("db_not_a_shop"),
			map[string]outcome{"restore": targetExists}},
		{"SQLite file of another program", executed(nil, `CREATE TABLE notes (id INTEGER PRIMARY KEY)`),
			unusable("db_not_a_shop"), map[string]outcome{"restore": targetExists}},
		{"folder", func(t *testing.T) string { return t.TempDir() }, unusable("db_not_a_shop"),
			map[string]outcome{"restore": targetExists}},
		{"path through a file", func(t *testing.T) string { return file(shop)(t) + "/shop.db" },
			unusable("db_no"), nil},
		{"truncated", file(shop[:8192]), unusable("db_damaged"), map[string]outcome{"restore": targetExists}},
		{"torn pages", file(torn), unusable("db_damaged"), map[string]outcome{"restore": targetExists}},
		{"newer schema", executed(shop, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99, 1)`),
			unusable("db_schema_newer"), map[string]outcome{"restore": targetExists}},
		{"schema of another build", executed(shop, `UPDATE schema_checksums SET checksum = 'another'`),
			unusable("db_schema_differs"), map[string]outcome{"restore": targetExists}},
		{"schema without checksums", executed(shop, `DROP TABLE schema_checksums`),
			unusable("db_schema_differs"), map[string]outcome{"restore": targetExists}},
		{"unfinished copy", executed(shop, `CREATE TABLE transfer_unfinished (id BIGINT PRIMARY KEY)`),
			unusable("db_transfer_unfinished"), map[string]outcome{"restore": targetExists, "move --to": works}},
		{"moved away", executed(shop, movedAway), unusable("db_moved_away"), map[string]outcome{
			"verify": works, "migrate": works, "backup": works, "backup --made-by": works, "move --from": works,
			"move --to": works, "bundle": works, "restore": targetExists,
		}},
		{"wrong scheme", func(*testing.T) string { return "mysql://u:secretpassword@h/marquee" },
			unusable("db_url_invalid"), nil},
		{"keywords of libpq", func(*testing.T) string { return "host=h user=u password=secretpassword dbname=marquee" },
			unusable("db_url_invalid"), nil},
	})
}

// fullDisk makes each write to a table of a PostgreSQL database fail as on a full disk.
const fullDisk = `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS
		'BEGIN RAISE EXCEPTION ''could not extend file: No space left on device'' USING ERRCODE = ''disk_full''; END';
	DO $$ DECLARE name text; BEGIN
		FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' LOOP
			EXECUTE format('CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON %I EXECUTE FUNCTION disk_full()', name);
		END LOOP;
	END $$`

// TestFaults_Postgres does the same for servers and databases of PostgreSQL.
func TestFaults_Postgres(t *testing.T) {
	r := newBackedUpShop(t)
	base := pgtest.Shop(t)
	changed := func(change func(*url.URL, url.Values)) func(*testing.T) string {
		return func(t *testing.T) string { return with(t, base, change) }
	}
	constant := func(db string) func(*testing.T) string { return func(*testing.T) string { return db } }
	executed := func(statement string) func(*testing.T) string {
		db := pgtest.Shop(t)
		executeOnPostgres(t, db, statement)
		return constant(db)
	}
	// Functions of the same name in a schema that is searched first simulate another server.
	pretending := func(function string) func(*testing.T) string {
		db := pgtest.Shop(t)
		executeOnPostgres(t, db, `CREATE SCHEMA fake; CREATE FUNCTION fake.`+function)
		return constant(with(t, db, func(_ *url.URL, q url.Values) { q.Set("search_path", "fake,pg_catalog,public") }))
	}
	role := "nobody_" + strings.ToLower(filepath.Base(base)[5:15])
	executeOnPostgres(t, base, `CREATE ROLE `+role+` LOGIN; CREATE ROLE `+role+`_0 LOGIN CONNECTION LIMIT 0`)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), base)
		require.NoError(t, err)
		_, err = conn.Exec(context.Background(), `DROP ROLE `+role+`; DROP ROLE `+role+`_0`)
		require.NoError(t, errors.Join(err, conn.Close(context.Background())))
	})
	locked := pgtest.Shop(t)
	holder, err := pgx.Connect(t.Context(), locked)
	require.NoError(t, err)
	defer func() { require.NoError(t, holder.Close(context.WithoutCancel(t.Context()))) }()
	_, err = holder.Exec(t.Context(), `BEGIN; LOCK TABLE goose_db_version IN ACCESS EXCLUSIVE MODE`)
	require.NoError(t, err)

	r.check(t, []databaseFault{
		{"not a URL", constant("postgres://u:secretpassword@host:port/db"), unusable("db_url_invalid"), nil},
		{"wrong sslmode", constant("postgres://u:secretpassword@127.0.0.1:1/db?sslmode=perhaps"),
			unusable("db_url_invalid"), nil},
		{"server without TLS", changed(func(_ *url.URL, q url.Values) {
			q.Set("host", "127.0.0.1") // on a port where nothing listens: TLS is not used on a unix socket
			q.Set("port", "1")
			q.Set("sslmode", "require")
		}), unusable("db_unreachable"), nil},
		{"wrong port", constant("postgres://u:secretpassword@127.0.0.1:1/db?connect_timeout=2"),
			unusable("db_unreachable"), nil},
		{"wrong host", constant("postgres://u:secretpassword@no-such-host.invalid/db?connect_timeout=2"),
			unusable("db_unreachable"), nil},
		{"wrong user",
			changed(func(u *url.URL, _ url.Values) { u.User = url.UserPassword("mallory", "secretpassword") }),
			unusable("db_login_refused"), nil},
		{"wrong database", changed(func(u *url.URL, _ url.Values) { u.Path = "/no_such_database" }),
			unusable("db_login_refused"), nil},
		{"old server", pretending(`current_setting(text) RETURNS text LANGUAGE sql AS 'SELECT ''140022'''`),
			unusable("db_server_too_old"), nil},
		{"standby", pretending(`pg_is_in_recovery() RETURNS boolean LANGUAGE sql AS 'SELECT TRUE'`),
			unusable("db_read_only"), nil},
		{"no connection left", changed(func(u *url.URL, _ url.Values) { u.User = url.User(role + "_0") }),
			unusable("db_pool_empty"), nil},
		{"role without rights", changed(func(u *url.URL, _ url.Values) { u.User = url.User(role) }),
			unusable("db_no_rights"), nil},
		{"locked table", constant(with(t, locked, func(_ *url.URL, q url.Values) { q.Set("lock_timeout", "100ms") })),
			unusable("db_statement_timeout"), nil},
		{"full disk", executed(fullDisk), works, map[string]outcome{
			"backup --made-by": unusable("db_disk_full"), "admin that creates": unusable("db_disk_full"),
			"backup": unusable(notRecorded + ": db_disk_full"),
		}},
		{"another program", constant(func() string {
			db := pgtest.New(t, pgtest.Template{})
			executeOnPostgres(t, db, `CREATE TABLE goose_db_version (version_id BIGINT, is_applied BOOLEAN);
				INSERT INTO goose_db_version VALUES (1, TRUE)`)
			return db
		}()), unusable("db_not_a_shop"), nil},
		{"older schema", func(t *testing.T) string { return pgtest.New(t, pgtest.Template{}) },
			unusable("db_schema_older"), map[string]outcome{"migrate": works, "restore": works, "move --to": works}},
		{"newer schema", executed(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (9999, true);
			UPDATE schema_support SET oldest = 9999`), unusable("db_schema_newer"), nil},
		{"schema of another build", executed(`UPDATE schema_checksums SET checksum = 'another'`),
			unusable("db_schema_differs"), nil},
		{"schema without checksums", executed(`DROP TABLE schema_checksums`), unusable("db_schema_differs"), nil},
		{"unfinished copy", func(t *testing.T) string {
			db := pgtest.Shop(t)
			executeOnPostgres(t, db, `CREATE TABLE transfer_unfinished (id BIGINT PRIMARY KEY)`)
			return db
		}, unusable("db_transfer_unfinished"), map[string]outcome{"restore": works, "move --to": works}},
		{"moved away", func(t *testing.T) string {
			db := pgtest.Shop(t)
			executeOnPostgres(t, db, movedAway)
			return db
		}, works, map[string]outcome{
			"run": unusable("db_moved_away"), "reconcile": unusable("db_moved_away"), "doctor": unusable("db_moved_away"),
			"admin": unusable("db_moved_away"), "admin that creates": unusable("db_moved_away"),
		}},
	})
}

// movedAway marks a database whose shop was moved.
const movedAway = `CREATE TABLE moved_away (target TEXT NOT NULL); INSERT INTO moved_away VALUES ('/srv/new.db')`

// program runs the commands in a separate process, as a user without rights, with a limit of the size of files in bytes
// if that is not 0.
func (r backedUpShop) program(t *testing.T, db string, limit uint64, args ...string) (exit int, text string) {
	t.Helper()
	path, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), path, args...)
	cmd.Env = append(os.Environ(), asProgram+"="+strconv.FormatUint(limit, 10), "MARQUEE_DB="+db)
	if os.Geteuid() == 0 {
		withoutRights(cmd)
	}
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if !errors.As(err, &ended) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestFaults_RightsAndSpace proves the codes of files without rights and of disks without space. Nothing is lost: the
// database passes its verification afterwards.
func TestFaults_RightsAndSpace(t *testing.T) {
	r := newBackedUpShop(t)
	copied := func(t *testing.T, mode, folder os.FileMode) string {
		dir := filepath.Join(t.TempDir(), "database")
		require.NoError(t, os.Mkdir(dir, 0o700))
		path := filepath.Join(dir, "shop.db")
		content, err := os.ReadFile(r.shop)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(path, content, mode))
		require.NoError(t, os.Chmod(dir, folder))
		t.Cleanup(func() { require.NoError(t, os.Chmod(dir, 0o700)) })
		return path
	}
	new := func(t *testing.T) string { return filepath.Join(t.TempDir(), "file") }
	for _, c := range []struct {
		name         string
		mode, folder os.FileMode
		limit        uint64
		exit         int
		code         string
		args         func(t *testing.T) []string
	}{
		{"unreadable, verify", 0, 0o700, 0, exitDatabase, "db_no_access",
			func(*testing.T) []string { return []string{"verify"} }},
		{"unreadable, run", 0, 0o700, 0, exitDatabase, "db_no_access",
			func(*testing.T) []string { return []string{"run"} }},
		{"unreadable, migrate", 0, 0o700, 0, exitDatabase, "db_no_access",
			func(*testing.T) []string { return []string{"migrate"} }},
		{"unreadable, backup", 0, 0o700, 0, exitDatabase, "db_no_access",
			func(t *testing.T) []string { return []string{"backup", new(t)} }},
		{"unreadable, admin", 0, 0o700, 0, exitDatabase, "db_no_access",
			func(*testing.T) []string { return []string{"admin", "--by", "alice", "order", "waiting"} }},
		{"read-only file, run", 0o400, 0o700, 0, exitDatabase, "db_read_only",
			func(*testing.T) []string { return []string{"run"} }},
		{"read-only file, admin", 0o400, 0o700, 0, exitDatabase, "db_read_only", func(*testing.T) []string {
			return []string{"admin", "--by", "alice", "goods", "category", "c", "name"}
		}},
		{"read-only folder, run", 0o600, 0o500, 0, exitDatabase, "db_no_access",
			func(*testing.T) []string { return []string{"run"} }},
		{"read-only folder, restore", 0o600, 0o500, 0, exitFile, "file_no_access",
			func(*testing.T) []string { return []string{"restore", "--replace", r.backup} }},
		{"no space, admin", 0o600, 0o700, 100_000, exitDatabase, "db_disk_f", func(t *testing.T) []string {
			return []string{"admin", "--by", "alice", "card", "issue", "--pid", "1", "--count", "300", "--points", "5",
				"--out", new(t)}
		}},
		{"no space, backup", 0o600, 0o700, 100_000, exitFile, "backup_no_space",
			func(t *testing.T) []string { return []string{"backup", new(t)} }},
		{"no space, restore", 0o600, 0o700, 100_000, exitFile, "file_no_space",
			func(*testing.T) []string { return []string{"restore", "--replace", r.backup} }},
		{"no space, bundle", 0o600, 0o700, 1_000, exitFile, "file_no_space",
			func(t *testing.T) []string { return []string{"bundle", new(t)} }},
		{"bundle in a folder that does not exist", 0o600, 0o700, 0, exitFile, "file_not_found",
			func(t *testing.T) []string { return []string{"bundle", new(t) + "/bundle.zip"} }},
		{"bundle that exists", 0o600, 0o700, 0, exitFile, "file_exists",
			func(*testing.T) []string { return []string{"bundle", r.backup} }},
		{"backup in a folder without rights", 0o600, 0o500, 0, exitDatabase, "db_read_only",
			func(*testing.T) []string { return []string{"backup", "SIBLING"} }},
		{"codes of a missing file", 0o600, 0o700, 0, exitFile, "file_not_found",
			func(*testing.T) []string {
				return []string{"admin", "--by", "alice", "content", "tiles", "first", "/no/such/file"}
			}},
		{"backup of nothing", 0o600, 0o700, 0, exitBackup, "backup_damaged",
			func(t *testing.T) []string { return []string{"restore", "--replace", new(t)} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			db := copied(t, c.mode, c.folder)
			args := c.args(t)
			for i, arg := range args {
				if arg == "SIBLING" {
					args[i] = db + ".backup"
				}
			}
			exit, text := r.program(t, db, c.limit, args...)
			assert.Equal(t, c.exit, exit, text)
			assert.Contains(t, text, c.code)
			require.NoError(t, os.Chmod(filepath.Dir(db), 0o700))
			require.NoError(t, os.Chmod(db, 0o600))
			assert.Contains(t, mustRun(t, db, "verify"), "agree")
			left, err := filepath.Glob(filepath.Join(filepath.Dir(db), ".marquee-work-*"))
			require.NoError(t, err)
			assert.Empty(t, left)
		})
	}
}

// TestFaults_ArgumentsAndConfiguration proves the codes of what an operator mistypes.
func TestFaults_ArgumentsAndConfiguration(t *testing.T) {
	r := newBackedUpShop(t)
	used := strings.TrimPrefix(os.Getenv("MARQUEE_SIMULATOR_URL"), "http://")
	for _, c := range []struct {
		name, variable, value, code string
		exit                        int
		args                        []string
	}{
		{"unknown command", "", "", "arguments_invalid", exitConfig, []string{"fly"}},
		{"unknown flag", "", "", "arguments_invalid", exitConfig, []string{"verify", "--fast"}},
		{"missing argument", "", "", "arguments_invalid", exitConfig, []string{"restore"}},
		{"backup without a name", "", "", "arguments_invalid", exitConfig, []string{"backup"}},
		{"unknown check", "", "", "arguments_invalid", exitConfig, []string{"doctor", "--run", "luck"}},
		{"wrong environment", "MARQUEE_ENV", "prod", "config_invalid", exitConfig, []string{"run"}},
		{"wrong number", "MARQUEE_DB_CONNECTIONS", "many", "config_invalid", exitConfig, []string{"reconcile"}},
		{"short pepper", "MARQUEE_PEPPER", "short", "config_invalid", exitConfig,
			[]string{"admin", "--by", "a", "goods", "list"}},
		{"no simulators", "MARQUEE_SIMULATOR_URL", "http://127.0.0.1:1", "simulators_unreachable", exitOther,
			[]string{"run"}},
		{"used address", "MARQUEE_ADDR", used, "address_unusable", exitOther, []string{"run"}},
		{"used admin address", "MARQUEE_ADMIN_ADDR", used, "address_unusable", exitOther, []string{"run"}},
		{"no shop", "MARQUEE_ADMIN_ADDR", "127.0.0.1:1", "shop_unreachable", exitOther, []string{"healthcheck"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.variable != "" {
				t.Setenv(c.variable, c.value)
			}
			requireExit(t, c.exit, c.code, r.shop, c.args...)
		})
	}
}
