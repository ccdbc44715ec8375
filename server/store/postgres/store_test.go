package postgres_test

import (
	"testing"

	"marquee/server/content"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/storetest"
	"marquee/server/token"
)

func TestStore(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) storetest.Engine { return storetest.Of(pgtest.OpenShop(t).Stores) })
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
