package pgtest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/store/postgres"
)

// shop is a database with the schema of the shop.
var shop = Template{Kind: "shop", Version: postgres.MigrationsHash(), Fill: migrate}

func migrate(ctx context.Context, url string) error {
	_, err := postgres.Migrate(ctx, url)
	return err
}

// Shop returns the URL of a new database with the schema of the shop.
func Shop(t TB) (url string) {
	t.Helper()
	return New(t, shop)
}

// OpenShop opens a new database with the schema of the shop. It is closed when the test ends.
func OpenShop(t testing.TB, options ...postgres.Option) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), Shop(t), append([]postgres.Option{postgres.Connections(4)}, options...)...)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
