package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/store"
)

// writePages commits at least n changed pages.
func writePages(t *testing.T, db *DB, n int) {
	t.Helper()
	require.NoError(t, db.Write(t.Context(), func(tx store.Conn) error {
		_, err := tx.Exec(`WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
			INSERT INTO notes (body) SELECT hex(randomblob(3000)) FROM c`, n)
		return err
	}))
}

// A commit that makes the log long returns before the checkpoint, which runs in the background.
func TestCheckpoint_RunsInParallelWithTheWriter(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	var automatic int
	require.NoError(t, db.writer.QueryRow(`PRAGMA wal_autocheckpoint`).Scan(&automatic))
	require.Equal(t, longestLog, automatic)
	for range 3 {
		writePages(t, db, longLog)
		require.Eventually(t, func() bool {
			require.NoError(t, db.Write(t.Context(), insertNote(time.Now().String())))
			return db.runCheckpoint(t.Context(), db.log, "NOOP") < longLog
		}, time.Minute, 10*time.Millisecond, "the log starts again once it is written back")
	}
	require.NoError(t, db.Ping(t.Context()))
}

func TestPing_FailsWhileTheLogCannotBeWrittenBack(t *testing.T) {
	t.Parallel()
	db, err := Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	defer db.Close()
	require.NoError(t, db.log.Close()) // makes the checkpoint fail
	db.shortenLog(t.Context())
	require.ErrorContains(t, db.Ping(t.Context()), "write-ahead log")
}
