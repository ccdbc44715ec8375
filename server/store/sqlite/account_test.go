package sqlite_test

import (
	"testing"

	"marquee/server/content"
	"marquee/server/store/sqlite/sqlitetest"
	"marquee/server/store/storetest"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	storetest.Accounts(t, func(t *testing.T) storetest.AccountStores {
		return storetest.AccountsOf(sqlitetest.Open(t).Stores)
	})
}

func TestContents(t *testing.T) {
	t.Parallel()
	storetest.Contents(t, func(t *testing.T) content.Store { return sqlitetest.Open(t).Contents() })
}
