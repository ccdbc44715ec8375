package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
)

// openWithNotes opens an empty database with a table of unique notes.
func openWithNotes(t *testing.T) *DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	require.NoError(t, db.Write(t.Context(), func(tx store.Conn) error {
		_, err := tx.Exec(`CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT NOT NULL UNIQUE) STRICT`)
		return err
	}))
	return db
}

// insertNote returns a write that inserts a note.
func insertNote(body string) func(store.Conn) error {
	return func(tx store.Conn) error {
		_, err := tx.Exec(`INSERT INTO notes (body) VALUES (?)`, body)
		return err
	}
}

// countNotes returns the number of committed notes.
func countNotes(t *testing.T, db *DB) int {
	t.Helper()
	var n int
	require.NoError(t, db.Read().QueryRow(`SELECT count(*) FROM notes`).Scan(&n))
	return n
}

func TestOpen_SetsThePragmasOnEveryConnection(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	for _, pool := range []*sql.DB{db.writer, db.reader} {
		for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
			var got string
			require.NoError(t, pool.QueryRow("PRAGMA "+pragma).Scan(&got))
			assert.Equal(t, want, got, pragma)
		}
	}
	_, err := db.Read().Exec(`INSERT INTO notes (body) VALUES ('x')`)
	assert.Error(t, err, "the read pool must reject writes")
}

func TestAllowVersion_RejectsTheReleaseThatCorrupts(t *testing.T) {
	t.Parallel()
	for _, old := range []string{"3.51.2", "3.50.10", "2.99.99", "3.9.0", "3", ""} {
		assert.Error(t, allowVersion(old), old)
	}
	for _, fixed := range []string{"3.51.3", "3.51.10", "3.52.0", "3.53.4", "4.0.0"} {
		assert.NoError(t, allowVersion(fixed), fixed)
	}
}

// holdWriter blocks the writer goroutine until release is called, so that later writes are committed in one batch.
func holdWriter(t *testing.T, db *DB) (release func()) {
	t.Helper()
	begun, released := make(chan struct{}), make(chan struct{})
	done := make(chan error, 1)
	go func() {
		done <- db.Write(context.Background(), func(store.Conn) error { close(begun); <-released; return nil })
	}()
	<-begun
	return func() { close(released); require.NoError(t, <-done) }
}

func TestWrite_ManyCallersShareOneCommitAndFailSeparately(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	var commits []int
	db.onCommit = func(n int) { commits = append(commits, n) }
	release := holdWriter(t, db)
	rejection := errors.New("no")
	const callers = 60
	errs := make([]error, callers)
	var wg sync.WaitGroup
	for i := range callers {
		wg.Go(func() {
			errs[i] = db.Write(t.Context(), func(tx store.Conn) error {
				if err := insertNote(fmt.Sprint(i))(tx); err != nil {
					return err
				}
				switch i % 10 {
				case 3:
					return rejection
				case 7:
					panic("boom")
				}
				return nil
			})
		})
	}
	require.Eventually(t, func() bool { return len(db.queue) == callers }, 5e9, 1e5)
	release()
	wg.Wait()
	for i, err := range errs {
		switch i % 10 {
		case 3:
			assert.ErrorIs(t, err, rejection)
		case 7:
			assert.ErrorContains(t, err, "boom")
		default:
			assert.NoError(t, err)
		}
	}
	assert.Equal(t, 48, countNotes(t, db))
	assert.Equal(t, []int{1, callers}, commits)
}

func TestWrite_ASingleWriteHasNoSavepoint(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	require.NoError(t, db.Write(t.Context(), insertNote("a")))
	failure := errors.New("after the insert")
	require.ErrorIs(t, db.Write(t.Context(), func(tx store.Conn) error {
		return errors.Join(insertNote("b")(tx), failure)
	}), failure)
	require.ErrorContains(t, db.Write(t.Context(), func(tx store.Conn) error {
		_ = insertNote("c")(tx)
		panic("broken")
	}), "broken")
	require.NoError(t, db.Write(t.Context(), insertNote("d")))
	assert.Equal(t, 2, countNotes(t, db), "what failed is rolled back")
	assert.NotContains(t, keptBy(t, db.writer), `SAVEPOINT caller`)
}

// keptBy returns the texts of the statements that the only idle connection of a pool keeps.
func keptBy(t *testing.T, pool *sql.DB) (texts []string) {
	t.Helper()
	c, err := pool.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, c.Close()) }()
	require.NoError(t, c.Raw(func(c any) error {
		texts = slices.Collect(maps.Keys(c.(*conn).kept))
		return nil
	}))
	return texts
}

// A statement is compiled once for each connection, by its text, also if a transaction that used it was rolled back.
func TestStatements_AreCompiledOnce(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	require.Error(t, db.Write(t.Context(), func(tx store.Conn) error {
		return errors.Join(insertNote("a")(tx), errors.New("after the insert"))
	}))
	kept := keptBy(t, db.writer)
	for _, text := range []string{"a", "b"} {
		require.NoError(t, db.Write(t.Context(), insertNote(text)))
	}
	assert.ElementsMatch(t, kept, keptBy(t, db.writer))
	assert.Equal(t, 2, countNotes(t, db))
}

func TestWrite_UniqueViolationIsRecognised(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	require.NoError(t, db.Write(t.Context(), insertNote("a")))
	err := db.Write(t.Context(), insertNote("a"))
	assert.True(t, isUnique(err), "%v", err)
	assert.False(t, isCheck(err))
}

func TestWrite_EndedContextWithdrawsAWaitingWrite(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	release := holdWriter(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	got := make(chan error, 1)
	go func() { got <- db.Write(ctx, insertNote("never")) }()
	require.Eventually(t, func() bool { return len(db.queue) == 1 }, 5e9, 1e5)
	cancel()
	assert.ErrorIs(t, <-got, context.Canceled)
	release()
	require.NoError(t, db.Write(t.Context(), insertNote("later")))
	assert.Equal(t, 1, countNotes(t, db))
}

func TestWrite_AContextThatEndsDuringTheWriteDoesNotStopIt(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	ctx, cancel := context.WithCancel(t.Context())
	require.NoError(t, db.Write(ctx, func(tx store.Conn) error { cancel(); return insertNote("kept")(tx) }))
	assert.Equal(t, 1, countNotes(t, db))
}

func TestWrite_OneCallerLosingTheTransactionDoesNotHarmTheOthers(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	release := holdWriter(t, db)
	var wg sync.WaitGroup
	errs := make([]error, 3)
	for i := range errs {
		wg.Go(func() {
			errs[i] = db.Write(t.Context(), func(tx store.Conn) error {
				if i == 1 {
					_, err := tx.Exec(`ROLLBACK`) // what SQLite does by itself on a full disk
					return errors.Join(err, errors.New("lost"))
				}
				return insertNote(fmt.Sprint(i))(tx)
			})
		})
	}
	require.Eventually(t, func() bool { return len(db.queue) == 3 }, 5e9, 1e5)
	release()
	wg.Wait()
	assert.NoError(t, errs[0])
	assert.ErrorContains(t, errs[1], "lost")
	assert.NoError(t, errs[2])
	assert.Equal(t, 2, countNotes(t, db))
}

// A write that fails, is run again alone because another write lost the transaction, and then succeeds, returns nil.
func TestWrite_SucceedsWhenRunAgain(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	release := holdWriter(t, db)
	runs := 0
	writes := []func(store.Conn) error{
		func(tx store.Conn) error {
			if runs++; runs == 1 {
				return errors.New("only at first")
			}
			return insertNote("kept")(tx)
		},
		func(tx store.Conn) error {
			_, err := tx.Exec(`ROLLBACK`)
			return errors.Join(err, errors.New("lost"))
		},
	}
	errs := make([]error, len(writes))
	var wg sync.WaitGroup
	for i, write := range writes {
		wg.Go(func() { errs[i] = db.Write(t.Context(), write) })
		require.Eventually(t, func() bool { return len(db.queue) == i+1 }, 5e9, 1e5)
	}
	release()
	wg.Wait()
	assert.NoError(t, errs[0])
	assert.ErrorContains(t, errs[1], "lost")
	assert.Equal(t, 2, runs)
	assert.Equal(t, 1, countNotes(t, db))
}

func TestWrite_FailedCommitFailsEveryCaller(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	require.NoError(t, db.Write(t.Context(), func(tx store.Conn) error {
		_, err := tx.Exec(`CREATE TABLE strict_child (
			note INTEGER NOT NULL REFERENCES notes(id) DEFERRABLE INITIALLY DEFERRED)`)
		return err
	}))
	release := holdWriter(t, db)
	var wg sync.WaitGroup
	errs := make([]error, 2)
	wg.Go(func() { errs[0] = db.Write(t.Context(), insertNote("fine")) })
	wg.Go(func() {
		errs[1] = db.Write(t.Context(), func(tx store.Conn) error {
			_, err := tx.Exec(`INSERT INTO strict_child (note)
				VALUES (99)`) // the deferred foreign key fails at the commit
			return err
		})
	})
	require.Eventually(t, func() bool { return len(db.queue) == 2 }, 5e9, 1e5)
	release()
	wg.Wait()
	assert.Error(t, errs[0])
	assert.Error(t, errs[1])
	assert.Equal(t, 0, countNotes(t, db))
	require.NoError(t, db.Write(t.Context(), insertNote("after")), "the writer accepts later writes")
}

func TestWrite_AfterCloseIsRejected(t *testing.T) {
	t.Parallel()
	db, err := Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	require.NoError(t, db.Close())
	assert.ErrorIs(t, db.Write(t.Context(), func(store.Conn) error { return nil }), errClosed)
}

func TestWrite_AnswersOnlyAfterTheCommit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "shop.db")
	db, err := Open(path)
	require.NoError(t, err)
	committed := false
	db.onCommit = func(int) { committed = true }
	require.NoError(t, db.Write(t.Context(), func(store.Conn) error { return nil }))
	assert.True(t, committed)
	require.NoError(t, db.Close())
}

// The shared statements number their placeholders, use them several times and in any order.
func TestQuery_PlaceholdersAreBoundByTheirNumber(t *testing.T) {
	t.Parallel()
	db := openWithNotes(t)
	require.NoError(t, db.Write(t.Context(), func(tx store.Conn) error {
		_, err := tx.Exec(`INSERT INTO notes (id, body) SELECT $2, $1 || $2 || $1`, "a", 7)
		return err
	}))
	rows, err := db.Query(t.Context(), `SELECT body, $3, $1 FROM notes WHERE id = $2 AND $1 = $1`, "x", 7, true)
	require.NoError(t, err)
	defer rows.Close()
	require.True(t, rows.Next())
	var body, first string
	var third bool
	require.NoError(t, rows.Scan(&body, &third, &first))
	require.Equal(t, []any{"a7a", true, "x"}, []any{body, third, first})
}
