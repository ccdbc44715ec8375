package sqlite_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/content"
	"marquee/server/store/sqlite"
	"marquee/server/store/storetest"
)

// openEmptyDB opens a migrated database without rows.
func openEmptyDB(t *testing.T) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(filepath.Join(t.TempDir(), "shop.db"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	storetest.Accounts(t, func(t *testing.T) storetest.AccountStores {
		return storetest.AccountsOf(openEmptyDB(t).Stores)
	})
}

func TestContents(t *testing.T) {
	t.Parallel()
	storetest.Contents(t, func(t *testing.T) content.Store { return openEmptyDB(t).Contents() })
}
