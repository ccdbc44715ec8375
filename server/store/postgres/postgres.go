// Package postgres is the engine of the shop's stores on PostgreSQL, for any number of processes.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"marquee/server/durations"
	"marquee/server/store"
)

// OldestServer is the oldest major version of PostgreSQL that the suites run on. Open rejects an older one.
const OldestServer = 15

const (
	acquireTimeout = time.Second      // for a free connection, unless Waiting sets another limit
	writeTimeout   = 20 * time.Second // for a transaction; longer than the limits that the server enforces
	maxRetries     = 8                // of a transaction that conflicted
	firstPause     = 2 * time.Millisecond
)

// applicationName is the application_name of a serving shop, unless the URL has another one.
const applicationName = "marquee"

// DB is an open database. It is safe for concurrent use.
type DB struct {
	*store.Stores
	pool *pgxpool.Pool

	options    options
	settings   string   // the statement that applies the settings to a transaction; "" without a pooler
	applied    []string // names of migrations
	closed     atomic.Bool
	retries    atomic.Int64          // of conflicts
	writeFault atomic.Pointer[error] // a full disk or a standby made the last write fail; nil after a commit
}

// options are the settings that an Option changes.
type options struct {
	tracer                 pgx.QueryTracer
	connections            int32
	wait                   time.Duration // for a free connection
	now                    func() time.Time
	migrate                bool
	receiving              bool
	beforeCommit, onCommit func(writes int)
	observeCommit          func(writes int, took time.Duration)
}

// Option changes how a database is opened.
type Option func(*options)

// Trace reports each statement to a tracer, which may be nil.
func Trace(tracer pgx.QueryTracer) Option { return func(o *options) { o.tracer = tracer } }

// Connections limits the pool of this process; 0 is four for each core that the process may use. About four connections
// for each core of the database, over all processes, are the fastest; more make every transaction slower.
func Connections(most int) Option { return func(o *options) { o.connections = int32(most) } }

// Waiting sets how long a transaction waits for a free connection, instead of 1 s. The default is short, because every
// request waits that long while the primary is frozen.
func Waiting(most time.Duration) Option { return func(o *options) { o.wait = most } }

// Clock sets the clock that Ping and ClockSkew compare with that of the database, instead of time.Now. Tests use it.
func Clock(now func() time.Time) Option { return func(o *options) { o.now = now } }

// Migrating lets Open apply missing migrations.
func Migrating() Option { return func(o *options) { o.migrate = true } }

// Receiving opens the database as the target of store.Copy: an empty one gets store.TransferMark before its schema, and
// a copy that was interrupted can be continued.
func Receiving() Option { return func(o *options) { o.receiving = true } }

// OnCommit sets functions for crash tests. before is called just before a transaction is committed, and after when it
// is committed but Write has not returned yet. Either may be nil.
func OnCommit(before, after func(writes int)) Option {
	return func(o *options) { o.beforeCommit, o.onCommit = before, after }
}

// ObserveCommits calls observe after every commit, with 1 and how long the transaction took.
func ObserveCommits(observe func(writes int, took time.Duration)) Option {
	return func(o *options) { o.observeCommit = observe }
}

// Open connects to the database. If the database cannot be used, it fails with a code of package store, such as BadURL,
// LoginRejected, Unreachable, TooOldServer, ReadOnly, OlderSchema, NewerSchema or OtherSchema. It fails with
// store.ErrNotAShop if the schema is of another program, and with store.ErrTransferUnfinished if a copy into the
// database was interrupted. The caller must call Close.
func Open(ctx context.Context, url string, opts ...Option) (*DB, error) {
	o := options{wait: acquireTimeout, now: time.Now}
	for _, set := range opts {
		set(&o)
	}
	cfg, settings, err := parse(url, o.connections)
	if err != nil {
		return nil, err
	}
	cfg.ConnConfig.Tracer = o.tracer
	cfg.BeforeConnect = func(_ context.Context, next *pgx.ConnConfig) error { return renew(url, next) }
	server, err := inspect(ctx, cfg.ConnConfig)
	if err != nil {
		return nil, err
	}
	set := settings.statement(server.version, server.pooled)
	db := &DB{options: o}
	if server.pooled {
		db.settings = set
		if cfg.ConnConfig.DefaultQueryExecMode == pgx.QueryExecModeCacheStatement {
			cfg.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
		}
	} else {
		cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, set)
			return err
		}
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, store.Fail(store.BadURL, err)
	}
	db.pool = pool
	db.Stores = store.New(db)
	if err := db.check(ctx, server); err != nil {
		pool.Close()
		return nil, err
	}
	return db, nil
}

// parse returns the configuration of the pool, and the settings of its transactions. The error never contains the
// password.
func parse(url string, connections int32) (*pgxpool.Config, settings, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, nil, store.Fail(store.BadURL, err)
	}
	if connections > 0 {
		cfg.MaxConns = connections
	} else {
		cfg.MaxConns = int32(max(4, 4*runtime.GOMAXPROCS(0))) // the limit of a container counts, not the machine
	}
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = 5 * time.Second
	}
	parameters := cfg.ConnConfig.RuntimeParams
	if parameters["application_name"] == "" {
		parameters["application_name"] = applicationName
	}
	return cfg, takeSettings(parameters), nil
}

// renew reads the files of the URL again for a new connection: passfile, sslrootcert, sslcert and sslkey. A password or
// a certificate that is replaced while the process runs is used from the next connection on.
func renew(url string, next *pgx.ConnConfig) error {
	now, err := pgx.ParseConfig(url)
	if err != nil {
		return store.Fail(store.BadURL, err)
	}
	next.Password, next.TLSConfig, next.Fallbacks = now.Password, now.TLSConfig, now.Fallbacks
	return nil
}

// check returns an error if the state of the server or the schema cannot be used. It migrates the schema if
// options.migrate is set.
func (db *DB) check(ctx context.Context, server server) error {
	if server.standby {
		return store.Fail(store.ReadOnly, nil)
	}
	if server.unfinished && !db.options.receiving {
		return fmt.Errorf("postgres: %w", store.ErrTransferUnfinished)
	}
	if db.options.migrate {
		if server.pooled {
			return store.Fail(store.PoolerBetween, nil)
		}
		if db.options.receiving {
			if err := markEmpty(ctx, db.pool); err != nil {
				return err
			}
		}
		var err error
		if db.applied, err = migrate(ctx, db.pool); err != nil {
			return err
		}
	}
	if err := checkSchema(ctx, db.pool); err != nil {
		return err
	}
	return checkMigrations(ctx, db.pool)
}

// Dialect implements store.Engine.
func (db *DB) Dialect() store.Dialect { return store.PostgreSQL }

// Pool returns the connections, for metrics and tests.
func (db *DB) Pool() *pgxpool.Pool { return db.pool }

// Retries returns how many transactions were run again because they conflicted with others.
func (db *DB) Retries() int64 { return db.retries.Load() }

// acquire returns a connection of the pool. It fails with store.PoolEmpty if none becomes free in time, with
// store.Closed after Close, and with the codes of connectFailure if a new one cannot be opened.
func (db *DB) acquire(ctx context.Context) (*pgxpool.Conn, error) {
	limited, cancel := context.WithTimeout(ctx, db.options.wait)
	defer cancel()
	conn, err := db.pool.Acquire(limited)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case limited.Err() != nil:
		return nil, store.Fail(store.PoolEmpty, err)
	case db.closed.Load():
		return nil, store.Fail(store.Closed, err)
	}
	return nil, connectFailure(err)
}

// release returns a connection to the pool. If the error shows that its server is a standby, the connection is closed,
// so that the next one is opened to the new primary.
func release(conn *pgxpool.Conn, err error) {
	if store.CodeOf(err) == store.ReadOnly {
		_ = conn.Conn().Close(context.Background()) // the pool replaces a closed connection
	}
	conn.Release()
}

// Query implements store.Querier on a connection of the pool.
func (db *DB) Query(ctx context.Context, query string, args ...any) (store.Rows, error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return nil, err
	}
	got, err := conn.Query(ctx, query, args...)
	if err != nil {
		err = failure(err)
		release(conn, err)
		return nil, err
	}
	return &rows{Rows: got, done: func(err error) { release(conn, err) }}, nil
}

// View implements store.Engine: one snapshot at REPEATABLE READ.
func (db *DB) View(ctx context.Context, fn func(store.Querier) error) (err error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	tx := transaction{conn: conn, settings: db.settings, options: pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}}
	defer func() {
		tx.rollback(context.WithoutCancel(ctx)) // a read transaction has nothing to commit
		release(conn, err)
	}()
	return fn(readTx{&tx})
}

// Write implements store.Engine at READ COMMITTED. If the transaction conflicts with others, it runs fn again after a
// pause. It does not do so after COMMIT was sent: if the answer is lost, it fails with store.CommitUnknown, and the
// caller can repeat the call with its idempotency key. Cancelling ctx has no effect once fn has started.
func (db *DB) Write(ctx context.Context, fn func(store.Conn) error) error {
	for try := 0; ; try++ {
		err := db.writeOnce(ctx, fn)
		if !mayRetry(err) || errors.Is(err, errCommitSent) {
			return err
		}
		if try == maxRetries {
			return store.Fail(store.Conflicts, err)
		}
		db.retries.Add(1)
		if err := pause(ctx, firstPause<<min(try, 6)); err != nil {
			return err
		}
	}
}

// errCommitSent marks an error of COMMIT after which Write must not run the transaction again.
var errCommitSent = errors.New("commit")

// pause waits for between 0.5 and 1.5 times the duration, at random, or until ctx ends.
func pause(ctx context.Context, about time.Duration) error {
	timer := time.NewTimer(about/2 + rand.N(about))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// writeOnce runs fn in one transaction.
func (db *DB) writeOnce(ctx context.Context, fn func(store.Conn) error) (err error) {
	conn, err := db.acquire(ctx)
	if err != nil {
		return err
	}
	begun := time.Now()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	tx := transaction{conn: conn, settings: db.settings, options: pgx.TxOptions{IsoLevel: pgx.ReadCommitted}}
	defer func() { // also after runtime.Goexit in fn
		tx.rollback(ctx)
		db.noteFault(err)
		release(conn, err)
	}()
	if err := recoverPanic(fn, writeTx{ctx, &tx}); err != nil {
		return err
	}
	if tx.tx == nil {
		return nil // fn ran no statement
	}
	if db.options.beforeCommit != nil {
		db.options.beforeCommit(1)
	}
	if err := tx.tx.Commit(ctx); err != nil {
		return commitFailure(err)
	}
	if db.options.onCommit != nil {
		db.options.onCommit(1)
	}
	if db.options.observeCommit != nil {
		db.options.observeCommit(1, time.Since(begun))
	}
	return nil
}

// commitFailure wraps an error of COMMIT. After a violation or a conflict the transaction was rolled back. After any
// other error, such as the end of the wait for a standby, it may be committed.
func commitFailure(err error) error {
	switch s := state(err); {
	case errors.Is(err, pgx.ErrTxCommitRollback):
		return fmt.Errorf("postgres: a statement had failed, but the function went on: %w", err)
	case mayRetry(err), s == ruleViolation, strings.HasPrefix(s, classConstraint):
		return fmt.Errorf("postgres: %w: %w", errCommitSent, err)
	}
	return store.Fail(store.CommitUnknown, err)
}

// noteFault records, for the readiness check, that a write failed because of a full disk or a standby, or that a write
// succeeded.
func (db *DB) noteFault(err error) {
	switch store.CodeOf(err) {
	case store.DiskFull, store.ReadOnly:
		db.writeFault.Store(&err)
	default:
		if err == nil {
			db.writeFault.Store(nil)
		}
	}
}

// recoverPanic runs fn and returns a panic as an error with its stack.
func recoverPanic(fn func(store.Conn) error, c store.Conn) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("postgres: write panicked: %v\n%s", p, debug.Stack())
		}
	}()
	return fn(c)
}

// Ping implements store.Engine. It also returns an error if this release does not run on the schema, if the server is a
// standby, or if the clocks of this process and of the database differ by more than durations.ClockSkew: each process
// compares leases with its clock.
func (db *DB) Ping(ctx context.Context) error {
	if err := checkSchema(ctx, db.pool); err != nil {
		return err
	}
	var standby, unfinished bool
	var theirs time.Time
	asked := db.options.now()
	err := db.pool.QueryRow(ctx, `SELECT pg_is_in_recovery(), clock_timestamp(),
		to_regclass('`+store.TransferMark+`') IS NOT NULL`).Scan(&standby, &theirs, &unfinished)
	if err != nil {
		return failure(err)
	}
	if unfinished {
		return fmt.Errorf("postgres: %w", store.ErrTransferUnfinished)
	}
	if standby {
		db.pool.Reset() // reconnect, to the primary
		return store.Fail(store.ReadOnly, nil)
	}
	if ahead, behind := asked.Sub(theirs), theirs.Sub(db.options.now()); max(ahead, behind) > durations.ClockSkew {
		difference := asked.Sub(theirs).Round(time.Millisecond)
		return store.Fail(store.ClockSkew, fmt.Errorf("the clock of this process is %s ahead", difference))
	}
	if fault := db.writeFault.Load(); fault != nil {
		return fmt.Errorf("the last write failed: %w", *fault)
	}
	return nil
}

// Close waits for running transactions and closes the connections. A second Close does nothing.
func (db *DB) Close() error {
	db.closed.Store(true)
	db.pool.Close()
	return nil
}
