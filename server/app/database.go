package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"marquee/server/fault"
	"marquee/server/ops"
	"marquee/server/order"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/sqlite"
)

// IsPostgres reports whether a value of MARQUEE_DB is the URL of a PostgreSQL database. Any other value is the path of
// a SQLite file.
func IsPostgres(db string) bool {
	return strings.HasPrefix(db, "postgres://") || strings.HasPrefix(db, "postgresql://")
}

// Engine returns the name of the database engine.
func (c Config) Engine() string {
	if IsPostgres(c.DB) {
		return "PostgreSQL"
	}
	return "SQLite"
}

// notAPath matches a value that is probably meant for a database server: a URL of another form, or connection settings
// with the keywords of libpq.
var notAPath = regexp.MustCompile(`://|:.*@|\b(host|user|password|dbname)=`)

// checkPath returns an error for a value of MARQUEE_DB that is neither the URL of a PostgreSQL database nor the path of
// a file. Otherwise a mistyped URL would create a new, empty shop in a folder whose name contains its password. The
// error does not contain the value.
func checkPath(db string) error {
	if notAPath.MatchString(db) {
		return store.Fail(store.BadURL,
			errors.New("write postgres://user@host:port/database, or the path of a SQLite file"))
	}
	return nil
}

// Claim is the right of one process to serve a SQLite database. It is a lock on a file next to the database.
type Claim struct{ release func() error }

// Release ends the claim.
func (c Claim) Release() error {
	if c.release == nil {
		return nil
	}
	return c.release()
}

// TakeClaim claims a SQLite database, whether it exists or not, for a process that serves it. holder describes the
// process, for example "sim, http://127.0.0.1:8080", and is part of the error that a second process gets. The claim
// ends with Release or when the process ends. Commands that do not serve need no claim. For PostgreSQL, which any
// number of processes may serve, the claim does nothing. For a file that is not a database of the shop, TakeClaim
// returns store.ErrNotAShop and leaves no claim file.
func TakeClaim(db, holder string) (Claim, error) {
	if IsPostgres(db) {
		return Claim{}, nil
	}
	if _, err := sqlite.Inspect(context.Background(), db); errors.Is(err, store.ErrNotAShop) {
		return Claim{}, err // any other error is ignored: the database may be damaged, and the caller may replace it
	}
	return ClaimFolder(db, holder)
}

// ClaimFolder is TakeClaim for a path that need not be a database of the shop, such as a folder or a damaged file.
func ClaimFolder(db, holder string) (Claim, error) {
	if err := MakeFolder(db); err != nil {
		return Claim{}, err
	}
	process := fmt.Sprintf("%s, process %d, since %s", holder, os.Getpid(), time.Now().Format(time.DateTime))
	claim, err := sqlite.TakeClaim(db, process)
	if err != nil {
		return Claim{}, fmt.Errorf("%w; stop it, or give this one another database (MARQUEE_DB)", err)
	}
	return Claim{claim.Release}, nil
}

// database is an open database, with the functions that differ between the engines.
type database struct {
	*store.Stores
	applied   []string // names of the migrations that opening has applied
	freeSpace func() (uint64, error)
	pool      func() ops.Pool
	skew      func(ctx context.Context) (time.Duration, error) // how far the clock of the database is ahead
}

// Ping implements ops.Database. It also returns an error if the database is marked as moved away, so that a replica
// that still serves it is not ready.
func (d *database) Ping(ctx context.Context) error {
	if err := d.Stores.Ping(ctx); err != nil {
		return err
	}
	return d.CheckMoved(ctx)
}

// FreeSpace implements ops.Database.
func (d *database) FreeSpace() (uint64, error) { return d.freeSpace() }

// ClockSkew implements ops.Clock.
func (d *database) ClockSkew(ctx context.Context) (time.Duration, error) { return d.skew(ctx) }

// openDatabase opens the database of a configuration. It creates the folder of a SQLite file unless MustExist is set.
// observe is called after every commit, with the number of its writes and its duration; it may be nil.
func openDatabase(ctx context.Context, cfg Config, observe func(writes int, took time.Duration)) (*database, error) {
	open := openSQLite
	if IsPostgres(cfg.DB) {
		open = openPostgres
	}
	if observe == nil {
		observe = func(int, time.Duration) {}
	}
	db, err := open(ctx, cfg, observe)
	if err != nil {
		return nil, fmt.Errorf("app: open MARQUEE_DB: %w", err)
	}
	return db, nil
}

func openSQLite(_ context.Context, cfg Config, observe func(int, time.Duration)) (*database, error) {
	prepare := MakeFolder
	if cfg.MustExist {
		prepare = mustExist
	}
	if err := prepare(cfg.DB); err != nil {
		return nil, err
	}
	options := []sqlite.Option{sqlite.ObserveCommits(observe)}
	if cfg.ForCommand {
		options = append(options, sqlite.NotServing())
	}
	db, err := sqlite.Open(cfg.DB, options...)
	if err != nil {
		return nil, err
	}
	here := func(context.Context) (time.Duration, error) { return 0, nil } // SQLite uses the clock of this machine
	return &database{
		Stores: db.Stores, applied: db.Applied(), freeSpace: db.FreeSpace, skew: here,
		pool: func() ops.Pool {
			s := db.Read().Stats()
			return ops.Pool{InUse: s.InUse, Idle: s.Idle, Max: s.MaxOpenConnections, Waits: s.WaitCount,
				Waited: s.WaitDuration}
		},
	}, nil
}

func openPostgres(ctx context.Context, cfg Config, observe func(int, time.Duration)) (*database, error) {
	options := []postgres.Option{postgres.ObserveCommits(observe), postgres.Connections(cfg.DBConnections)}
	if cfg.DBWait > 0 {
		options = append(options, postgres.Waiting(cfg.DBWait))
	}
	if cfg.queryTracer != nil {
		options = append(options, postgres.Trace(cfg.queryTracer))
	}
	if cfg.DBMigrate && !cfg.ForCommand {
		options = append(options, postgres.Migrating())
	}
	db, err := postgres.Open(ctx, cfg.DB, options...)
	if err != nil {
		return nil, err
	}
	return &database{
		Stores: db.Stores, skew: db.ClockSkew,
		freeSpace: func() (uint64, error) { return math.MaxUint64, nil }, // the data is on the disk of the server
		pool: func() ops.Pool {
			s := db.Pool().Stat()
			return ops.Pool{
				InUse: int(s.AcquiredConns()), Idle: int(s.IdleConns()), Max: int(s.MaxConns()),
				Waits: s.EmptyAcquireCount(), Waited: s.EmptyAcquireWaitTime(),
				Retries: db.Retries(),
			}
		},
	}, nil
}

// errNoRoles means that a role should get rights in a SQLite database, which has no roles.
var errNoRoles = fault.New(fault.Invalid, "roles_unsupported", "数据库不支持角色").WithExplanation(
	"only PostgreSQL has roles: leave --grant-to out")

// Migrate applies the missing migrations to a database. It returns an error for a SQLite file that a process serves.
// Several processes may call it for one PostgreSQL database: one migrates, the others wait. If runAs is not empty,
// Migrate then grants that role the rights to run the shop in a PostgreSQL database. It returns the names of the
// migrations that it has applied, even if granting the rights fails.
func Migrate(ctx context.Context, db, runAs string) (applied []string, err error) {
	if IsPostgres(db) {
		applied, err = postgres.Migrate(ctx, db)
		if err == nil && runAs != "" {
			err = postgres.Grant(ctx, db, runAs)
		}
		return applied, err
	}
	if runAs != "" {
		return nil, errNoRoles
	}
	opened, err := openDatabase(ctx, Config{DB: db, ForCommand: true}, nil)
	if err != nil {
		return nil, err
	}
	return opened.applied, opened.Close()
}

// LatestTime returns the latest business time that is recorded in a database. It is zero if the database is empty or
// does not exist, or if a PostgreSQL database has an older schema. A SQLite file with an older schema is migrated, so
// the caller must have claimed it (TakeClaim).
func LatestTime(ctx context.Context, path string) (latest time.Time, err error) {
	if !IsPostgres(path) && errors.Is(mustExist(path), fs.ErrNotExist) {
		return latest, nil
	}
	db, err := openDatabase(ctx, Config{DB: path, DBConnections: 1}, nil)
	if store.CodeOf(err) == store.OlderSchema {
		return latest, nil
	}
	if err != nil {
		return latest, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Latest(ctx)
}

// Verify cross-checks ledger, seats, stock, codes, payments and orders of a database and returns every contradiction.
// It needs no provider and no secret, changes nothing, and may run while a shop serves the database. It returns an
// error if the database does not exist, holds no shop, or has the schema of another release.
func Verify(ctx context.Context, path string) (found []order.Discrepancy, err error) {
	if err := MustFit(ctx, path); err != nil {
		return nil, err
	}
	db, err := openDatabase(ctx, Config{DB: path, MustExist: true, ForCommand: true, DBConnections: 2}, nil)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	return db.Orders().Discrepancies(ctx)
}

// errNotAFile means that Remove, which deletes files, was called for a database on a server.
var errNotAFile = errors.New("the database is on a server: drop and create it there")

// Remove deletes the files of a SQLite database. It returns nil if there is no database, and an error if a process
// serves the database or if it is on a server.
func Remove(path string) error {
	if IsPostgres(path) {
		return fmt.Errorf("app: delete MARQUEE_DB: %w", errNotAFile)
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	claim, err := TakeClaim(path, "its removal")
	if err != nil {
		return err
	}
	for _, name := range []string{path, path + "-wal", path + "-shm"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(err, claim.Release())
		}
	}
	return claim.Release()
}

// MakeFolder creates the folder that contains a SQLite database.
func MakeFolder(db string) error {
	if err := checkPath(db); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(db), 0o750); err != nil {
		return store.Fail(store.NoAccess, fmt.Errorf("make the folder of MARQUEE_DB: %w", err))
	}
	return nil
}

// MustFit returns an error if opening a SQLite file would create or migrate its schema. For PostgreSQL it returns nil,
// because opening does not migrate such a database.
func MustFit(ctx context.Context, db string) error {
	if IsPostgres(db) {
		return nil
	}
	schema, err := MustHoldShop(ctx, db)
	if err != nil {
		return err
	}
	latest, err := sqlite.LatestSchema()
	if err == nil && schema < latest {
		err = store.Fail(store.OlderSchema, fmt.Errorf("its version is %d, this release has %d", schema, latest))
	}
	return err
}

// MustHoldShop returns the version of the schema of a SQLite file, and changes nothing. It returns an error if the file
// does not exist, does not contain a shop, or contains an unfinished copy.
func MustHoldShop(ctx context.Context, db string) (schema int64, err error) {
	if err := mustExist(db); err != nil {
		return 0, err
	}
	holds, err := sqlite.Inspect(ctx, db)
	switch {
	case err != nil:
		return 0, err
	case holds.Unfinished:
		return 0, fmt.Errorf("%w: %s", store.ErrTransferUnfinished, db)
	case !holds.Shop:
		return 0, fmt.Errorf("%w: %s is empty", store.ErrNotAShop, db)
	}
	return holds.Schema, nil
}

// mustExist returns an error with the absolute path if the database does not exist. SQLite would create an empty one at
// a mistyped path.
func mustExist(db string) error {
	if err := checkPath(db); err != nil {
		return err
	}
	if _, err := os.Stat(db); err != nil {
		abs, absErr := filepath.Abs(db)
		if absErr != nil {
			abs = db
		}
		return store.Fail(store.NotFound, fmt.Errorf("%s (MARQUEE_DB): %w", abs, err))
	}
	return nil
}
