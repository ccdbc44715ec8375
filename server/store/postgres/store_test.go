package postgres_test

import (
	"testing"

	"marquee/server/content"
	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/storetest"
	"marquee/server/token"
)

// Package sqlite tests that every function of a write may run more than once, which does not depend on the engine.
func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Engine { return storetest.Of(pgtest.OpenShop(t).Stores) })
}

func TestStore_ReportsWhatItCommits(t *testing.T) {
	t.Parallel()
	storetest.Changes(t, store.New(storetest.Twice(pgtest.OpenShop(t))))
}

func TestSchema_KeepsHistory(t *testing.T) {
	t.Parallel()
	storetest.History(t, pgtest.OpenShop(t))
}

func TestStore_RecordsOfUnreadableSnapshots(t *testing.T) {
	t.Parallel()
	storetest.UnreadableSnapshots(t, pgtest.OpenShop(t))
}

func TestTasks_AreClaimedOnce(t *testing.T) {
	t.Parallel()
	storetest.ManyClaims(t, storetest.Of(pgtest.OpenShop(t).Stores))
}

func TestEngine_Failures(t *testing.T) {
	t.Parallel()
	storetest.Failures(t, pgtest.OpenShop(t))
}

func TestAccounts(t *testing.T) {
	t.Parallel()
	storetest.Accounts(t, func(t *testing.T) storetest.AccountStores {
		return storetest.AccountsOf(pgtest.OpenShop(t).Stores)
	})
}

func TestContents(t *testing.T) {
	t.Parallel()
	storetest.Contents(t, func(t *testing.T) content.Store { return pgtest.OpenShop(t).Contents() })
}

func TestTokens(t *testing.T) {
	t.Parallel()
	storetest.Tokens(t, func(t *testing.T) token.Store { return pgtest.OpenShop(t).Tokens() })
}
