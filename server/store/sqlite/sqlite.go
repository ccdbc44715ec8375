// Package sqlite is the shop's store on SQLite: one file in WAL mode with synchronous=FULL, one goroutine that
// writes and shares its commits among all waiting callers, and a pool of connections that only read.
package sqlite

import (
	"marquee/server/order"

	lru "github.com/hashicorp/golang-lru/v2"

	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"sync"

	_ "modernc.org/sqlite" // the driver, pure Go
)

// refused is a SQLite release whose WAL reset can corrupt a database.
const refused = "3.51.3"

// DB is an open database with its schema up to date.
type DB struct {
	writer *sql.DB // one connection, used by the writer goroutine alone
	reader *sql.DB

	queue  chan *request
	closed chan struct{} // closed when the writer goroutine has ended
	mu     sync.RWMutex  // guards down and sending on queue
	down   bool

	prepared  map[string]*sql.Stmt // on writer; touched by the writer goroutine alone
	snapshots *lru.Cache[string, order.Snapshot]
	reads     sync.Map // query text -> *sql.Stmt on reader

	beside                 bool        // another process may be serving the database
	beforeCommit, onCommit func(n int) // told by the writer goroutine of a commit of n writes
}

// Option changes how a database is opened.
type Option func(*DB)

// OnCommit has before called with the number of writes that are about to be committed, and after once they
// are on the disk and nobody has been told; either may be nil. Both run on the writer goroutine.
func OnCommit(before, after func(writes int)) Option {
	return func(db *DB) { db.beforeCommit, db.onCommit = before, after }
}

// Beside is for a process that does not serve the database: while another one does, an older schema is left as it is,
// and Open fails with ErrClaimed.
func Beside() Option { return func(db *DB) { db.beside = true } }

// ErrClosed answers calls on a closed database.
var ErrClosed = errors.New("sqlite: database is closed")

// Open opens the file at path, creates it if need be, and brings its schema up to date. One that a later release wrote
// fails with ErrNewerSchema.
func Open(path string, options ...Option) (*DB, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("sqlite: path %s: %w", path, err)
	}
	writer, err := sql.Open("sqlite", dsn(abs, false))
	if err != nil {
		return nil, fmt.Errorf("sqlite: open %s: %w", abs, err)
	}
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)
	db := &DB{
		queue:     make(chan *request, queueLength),
		closed:    make(chan struct{}),
		prepared:  map[string]*sql.Stmt{},
		snapshots: newSnapshotCache(),
	}
	for _, o := range options {
		o(db)
	}
	ctx := context.Background()
	if err := checkVersion(ctx, writer); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	if err := migrate(ctx, writer, abs, db.beside); err != nil {
		return nil, errors.Join(err, writer.Close())
	}
	reader, err := sql.Open("sqlite", dsn(abs, true))
	if err != nil {
		return nil, errors.Join(fmt.Errorf("sqlite: open %s for reading: %w", abs, err), writer.Close())
	}
	n := max(4, 2*runtime.NumCPU())
	reader.SetMaxOpenConns(n)
	reader.SetMaxIdleConns(n)
	db.writer, db.reader = writer, reader
	go db.loop()
	return db, nil
}

// dsn carries the pragmas, because a pragma set on a pool would reach one connection only.
func dsn(abs string, readOnly bool) string {
	pragmas := []string{"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(FULL)", "foreign_keys(1)",
		"temp_store(MEMORY)", "cache_size(-16384)", "wal_autocheckpoint(8192)"}
	if readOnly {
		pragmas = append(pragmas, "query_only(1)")
	}
	q := url.Values{"_pragma": pragmas}
	if !readOnly {
		q.Set("_txlock", "immediate")
	}
	return (&url.URL{Scheme: "file", Path: abs, RawQuery: q.Encode()}).String()
}

func checkVersion(ctx context.Context, db *sql.DB) error {
	var v string
	if err := db.QueryRowContext(ctx, `SELECT sqlite_version()`).Scan(&v); err != nil {
		return fmt.Errorf("sqlite: read version: %w", err)
	}
	return allowVersion(v)
}

func allowVersion(v string) error {
	if v == refused {
		return fmt.Errorf("sqlite: refusing SQLite %s: its WAL reset can corrupt the database", v)
	}
	return nil
}

// Read is the pool of connections for reading. Each statement sees the last commit; a transaction, one snapshot.
func (db *DB) Read() *sql.DB { return db.reader }

// Ping tells whether the database answers, for readiness checks.
func (db *DB) Ping(ctx context.Context) error { return db.reader.PingContext(ctx) }

// Close ends the writer goroutine after what is queued has been written, then closes the file.
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
	return errors.Join(db.reader.Close(), db.writer.Close())
}
