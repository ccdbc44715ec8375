package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"
)

const (
	longLog         = 3072    // pages in the write-ahead log, 12 MiB, from which it is checkpointed
	longestLog      = 1 << 17 // 512 MiB, from which SQLite checkpoints it in a commit: checkpoints() was too slow
	fewPages        = 64      // so few that writing them does not noticeably delay a purchase
	checkpointEvery = 100 * time.Millisecond
)

// checkpoints copies a long write-ahead log into the database file, until Close. The automatic checkpoint of SQLite
// runs inside a commit: all writers then wait until thousands of pages are on disk.
func (db *DB) checkpoints() {
	defer close(db.checkpointsDone)
	tick := time.NewTicker(checkpointEvery)
	defer tick.Stop()
	for {
		select {
		case <-db.closed:
			return
		case <-tick.C:
		}
		if db.committed.Swap(false) {
			db.shortenLog(context.Background())
		}
	}
}

// shortenLog checkpoints a long log. Commits continue during that time and append pages to the log. When only a few
// pages remain to be copied, the writer goroutine copies them before its next commit, so that SQLite can restart the
// log from its beginning.
func (db *DB) shortenLog(ctx context.Context) {
	if db.runCheckpoint(ctx, db.log, "NOOP") < longLog {
		return
	}
	for range 3 {
		before := db.runCheckpoint(ctx, db.log, "PASSIVE")
		if db.runCheckpoint(ctx, db.log, "NOOP")-before <= fewPages {
			db.endCheckpoint.Store(true)
			return
		}
	}
}

// runCheckpoint runs a checkpoint on a connection: NOOP writes nothing, PASSIVE copies the pages of the log that no
// reader still needs there into the database file, without blocking readers or writers. It returns how many pages the
// log had at its start.
func (db *DB) runCheckpoint(ctx context.Context, conn *sql.DB, mode string) (length int) {
	var busy, written int
	err := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &length, &written)
	if err != nil {
		err = fmt.Errorf("sqlite: checkpoint: %w", err)
		db.checkpointFault.Store(&err)
		return 0
	}
	db.checkpointFault.Store(nil)
	return length
}
