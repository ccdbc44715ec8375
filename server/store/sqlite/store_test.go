package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/storetest"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Engine {
		return storetest.Of(openEmpty(t).Stores)
	})
}

func openEmpty(t *testing.T) *DB {
	t.Helper()
	db, err := Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, db.Close()) })
	return db
}

// Every function of a write may run more than once.
func TestStore_FunctionsThatRunTwice(t *testing.T) {
	t.Parallel()
	storetest.Run(t,
		func(t *testing.T) storetest.Engine { return storetest.Of(store.New(storetest.Twice(openEmpty(t)))) })
}

func TestStore_ReportsWhatItCommits(t *testing.T) {
	t.Parallel()
	storetest.Changes(t, store.New(storetest.Twice(openEmpty(t))))
}

func TestSchema_KeepsHistory(t *testing.T) {
	t.Parallel()
	storetest.History(t, openEmpty(t))
}

func TestStore_RecordsOfUnreadableSnapshots(t *testing.T) {
	t.Parallel()
	storetest.UnreadableSnapshots(t, openEmpty(t))
}

func TestTasks_AreClaimedOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyClaims(t, storetest.Of(openEmpty(t).Stores))
}

func TestEngine_Failures(t *testing.T) {
	t.Parallel()
	storetest.Failures(t, openEmpty(t))
}
