package sqlite

import (
	"database/sql"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/store"
)

// A limit on the size of the file simulates a full disk: SQLite returns SQLITE_FULL. Reads still succeed.
func TestPing_FailsWhileTheDiskIsFull(t *testing.T) {
	t.Parallel()
	db := openEmpty(t)
	grow := func() error {
		return db.Write(t.Context(), func(tx store.Conn) error {
			_, err := tx.Exec(`INSERT INTO texts (key, title, html)
				VALUES (hex(randomblob(8)), '', ?)`, strings.Repeat("x", 1<<20))
			return err
		})
	}
	pragma := func(query string) {
		_, err := db.writer.Exec(query)
		require.NoError(t, err)
	}
	require.NoError(t, grow())
	require.NoError(t, db.Ping(t.Context()))
	pragma(`PRAGMA max_page_count = 1`) // SQLite raises it to the current size
	require.Error(t, grow())
	require.ErrorContains(t, db.Ping(t.Context()), "full")
	pragma(`PRAGMA max_page_count = 1000000`)
	require.ErrorContains(t, db.Ping(t.Context()), "full", "until a write succeeds")
	require.NoError(t, grow())
	require.NoError(t, db.Ping(t.Context()))

	free, err := db.FreeSpace()
	require.NoError(t, err)
	require.Positive(t, free)
	require.Error(t, db.Write(t.Context(), func(store.Conn) error { return sql.ErrNoRows }))
	require.NoError(t, db.Ping(t.Context()), "a rejected write is not a disk fault")
}
