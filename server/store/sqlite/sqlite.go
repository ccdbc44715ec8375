// Package sqlite is the engine of the shop's stores on SQLite: one file in WAL mode with synchronous=FULL, one writer
// goroutine that commits the writes of all waiting callers together, and a pool of read-only connections.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"marquee/server/platform"
	"marquee/server/store"
)

// oldestVersion is the oldest release of SQLite that is used, as its SQLITE_VERSION_NUMBER: 3.51.3 fixed a WAL reset
// that can corrupt a database.
const oldestVersion = 3_051_003

// DB is an open database with an up-to-date schema. It is safe for concurrent use.
type DB struct {
	*store.Stores
	path    string
	applied []string // names of migrations
	writer  *sql.DB  // one connection, used only by the writer goroutine
	reader  *sql.DB
	log     *sql.DB // one connection, used only for checkpoints of the write-ahead log

	queue  chan *request
	closed chan struct{} // closed when the writer goroutine has ended
	mu     sync.RWMutex  // guards down and sending on queue
	down   bool

	notServing             bool        // set by NotServing
	receiving              bool        // set by Receiving
	beforeCommit, onCommit func(n int) // called by the writer goroutine around a commit of n writes; may be nil
	observeCommit          func(writes int, took time.Duration)
	writeFault             atomic.Pointer[error] // why the last writes failed; nil if they were committed

	committed       atomic.Bool           // there was a commit since the length of the log was last checked
	endCheckpoint   atomic.Bool           // the writer goroutine has to checkpoint the last pages of the log
	checkpointFault atomic.Pointer[error] // why the last checkpoint failed; nil if it succeeded
	checkpointsDone chan struct{}         // closed when no checkpoint is running any longer
}

// Option changes how a database is opened.
type Option func(*DB)

// OnCommit sets functions for crash tests. before is called with the number of writes that are about to be committed,
// and after when they are on disk but before their callers return. Either may be nil. Both run on the writer goroutine.
func OnCommit(before, after func(writes int)) Option {
	return func(db *DB) { db.beforeCommit, db.onCommit = before, after }
}

// ObserveCommits calls observe after every commit, with the number of writes and how long the transaction occupied the
// writer. It runs on the writer goroutine.
func ObserveCommits(observe func(writes int, took time.Duration)) Option {
	return func(db *DB) { db.observeCommit = observe }
}

// NotServing opens the database in a process that does not serve it. If the schema is older than this release while
// another process serves the database, Open does not migrate it and returns ErrClaimed.
func NotServing() Option { return func(db *DB) { db.notServing = true } }

// Receiving opens the database as the target of store.Copy: a new database is created with store.TransferMark, and an
// interrupted copy can be continued.
func Receiving() Option { return func(db *DB) { db.receiving = true } }

// errClosed is returned by writes to a closed database.
var errClosed = store.Fail(store.Closed, nil)

// Open opens the file at path, creates it if it does not exist, and applies missing migrations. It fails with a code of
// package store if the file cannot be used, for example store.NewerSchema or store.Damaged, with store.ErrNotAShop if
// it is of another program, with store.ErrTransferUnfinished if a copy into it was interrupted, and with ErrClaimed as
// described at NotServing. The caller must call Close.
func Open(path string, options ...Option) (_ *DB, err error) {
	defer func() { err = failure(err) }()
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: path %s: %w", path, err)
	}
	if err := createFile(abs); err != nil {
		return nil, err
	}
	writer := open(dsn(abs, false))
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)
	db := &DB{
		path:            abs,
		queue:           make(chan *request, queueLength),
		closed:          make(chan struct{}),
		checkpointsDone: make(chan struct{}),
	}
	db.Stores = store.New(db)
	for _, o := range options {
		o(db)
	}
	ctx := context.Background()
	if err := db.prepare(ctx, writer); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	if err := checkVersion(ctx, writer); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	if db.applied, err = migrate(ctx, writer, abs, db.notServing); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader, log := open(dsn(abs, true)), open(dsn(abs, false))
	log.SetMaxOpenConns(1)
	n := max(4, 2*runtime.NumCPU())
	reader.SetMaxOpenConns(n)
	reader.SetMaxIdleConns(n)
	// From here on SQLite waits only one millisecond for a lock: DB.begin tries again.
	if _, err := writer.ExecContext(ctx, `PRAGMA busy_timeout = 1`); err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: set the waiting time: %w", err), log.Close(), reader.Close(),
			writer.Close())
	}
	db.writer, db.reader, db.log = writer, reader, log
	go db.loop()
	go db.checkpoints()
	return db, nil
}

// createFile creates the file of a new database, readable only by its owner, because it contains phone numbers and
// accounts. SQLite would use the umask; it gives the write-ahead log the mode of the database. The mode of an existing
// file is left to the operator.
func createFile(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("sqlite: create %s: %w", path, err)
	}
	return file.Close()
}

// prepare returns an error if the file must not be used, before anything is written. It creates store.TransferMark in a
// file that is the new target of a copy.
func (db *DB) prepare(ctx context.Context, writer *sql.DB) error {
	holds, err := Inspect(ctx, db.path)
	switch {
	case err != nil:
		return err
	case holds.Unfinished && !db.receiving:
		return fmt.Errorf("%w: %s", store.ErrTransferUnfinished, db.path)
	case holds.Shop || !db.receiving:
		return nil
	}
	if _, err := writer.ExecContext(ctx, store.MarkTransfer); err != nil {
		return fmt.Errorf("sqlite: mark %s as unfinished: %w", db.path, err)
	}
	return nil
}

// dsn returns the data source name with the pragmas, because a PRAGMA statement on a pool reaches only one connection.
func dsn(abs string, readOnly bool) string {
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "cache_size(-16384)", fmt.Sprintf("wal_autocheckpoint(%d)", longestLog)}
	if readOnly {
		pragmas = append(pragmas, "query_only(1)")
	}
	q := url.Values{"_pragma": pragmas}
	if !readOnly {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}).String()
}

// checkVersion returns an error if the SQLite library in use can corrupt the database.
func checkVersion(ctx context.Context, db *sql.DB) error {
	var v string
	if err := db.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&v); err != nil {
		return fmt.Errorf("sqlite: read version: %w", err)
	}
	return allowVersion(v)
}

// allowVersion returns an error for a version that is older than oldestVersion, or that cannot be read.
func allowVersion(v string) error {
	var major, minor, patch int
	if _, err := fmt.Sscanf(v, "%d.%d.%d", &major, &minor, &patch); err != nil {
		return fmt.Errorf("sqlite: parse version %q: %w", v, err)
	}
	if major*1_000_000+minor*1_000+patch < oldestVersion {
		return store.Fail(store.OldLibrary,
			fmt.Errorf("SQLite %s is not supported: its WAL reset can corrupt a database", v))
	}
	return nil
}

// Read returns the pool of read-only connections. A statement sees the last commit; a transaction sees the commit of
// its first statement.
func (db *DB) Read() *sql.DB { return db.reader }

// Dialect implements store.Engine.
func (db *DB) Dialect() store.Dialect { return store.SQLite }

// Ping returns an error if the schema cannot be read, if a copy into the database is unfinished, if the last write
// failed because of the disk (on a full disk reads still succeed), or if the last checkpoint of the write-ahead log
// failed. Readiness checks use it.
func (db *DB) Ping(ctx context.Context) (err error) {
	defer func() { err = failure(err) }()
	var rows int
	if err := db.reader.QueryRowContext(ctx, `SELECT count(*) FROM verification`).Scan(&rows); err != nil {
		return fmt.Errorf("sqlite: read: %w", err)
	}
	var unfinished bool
	if err := db.reader.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)`,
		store.TransferMark).Scan(&unfinished); err != nil {
		return fmt.Errorf("sqlite: read: %w", err)
	}
	if unfinished {
		return fmt.Errorf("%w: %s", store.ErrTransferUnfinished, db.path)
	}
	if fault := db.writeFault.Load(); fault != nil {
		return fmt.Errorf("the last write failed: %w", *fault)
	}
	if fault := db.checkpointFault.Load(); fault != nil {
		return fmt.Errorf("the write-ahead log cannot be checkpointed and grows: %w", *fault)
	}
	return nil
}

// FreeSpace returns how many bytes the disk of the database has left for this user.
func (db *DB) FreeSpace() (uint64, error) {
	free, err := platform.FreeSpace(filepath.Dir(db.path))
	if err != nil {
		return 0, fmt.Errorf("sqlite: free space of the disk of %s: %w", db.path, err)
	}
	return free, nil
}

// Close waits until the queued writes are committed, ends the writer goroutine and closes the file. Later writes return
// errClosed. A second Close does nothing.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.down {
		db.mu.Unlock()
		return nil
	}
	db.down = true
	close(db.queue)
	db.mu.Unlock()
	<-db.closed
	<-db.checkpointsDone
	return errors.Join(db.log.Close(), db.reader.Close(), db.writer.Close())
}
