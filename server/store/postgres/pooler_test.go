package postgres_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/postgres/pgserver"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/storetest"
)

// The entire suite of the store runs through PgBouncer in transaction mode, without a setting for it in MARQUEE_DB.
func TestPooler(t *testing.T) {
	t.Parallel()
	base := pgtest.Shop(t)
	pooler, err := pgserver.StartPooler(t.Context(), base)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pooler.Stop()) })
	through := func(t *testing.T, url string, options ...postgres.Option) (*postgres.DB, error) {
		t.Helper()
		address, err := pooler.URL(url)
		require.NoError(t, err)
		return postgres.Open(t.Context(), address, options...)
	}

	t.Run("store", func(t *testing.T) {
		storetest.Run(t, func(t *testing.T) storetest.Engine {
			db, err := through(t, pgtest.Shop(t))
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, db.Close()) })
			return storetest.Of(db.Stores)
		})
	})

	t.Run("limits hold in every transaction", func(t *testing.T) {
		t.Parallel()
		db, err := through(t, base)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		for name, want := range map[string]string{
			"statement_timeout": "10s", "lock_timeout": "5s", "idle_in_transaction_session_timeout": "10s",
		} {
			assert.Equal(t, want, settingOf(t, db, name))
		}
		off, err := db.Unlimited(t.Context())
		require.NoError(t, err)
		assert.Empty(t, off)
	})

	t.Run("a migration names the pooler", func(t *testing.T) {
		t.Parallel()
		_, err := through(t, pgtest.New(t, pgtest.Template{}), postgres.Migrating())
		assert.Equal(t, store.PoolerBetween, store.CodeOf(err), "%v", err)
	})

}

// settingOf reads a setting of PostgreSQL inside a transaction.
func settingOf(t *testing.T, db *postgres.DB, name string) (value string) {
	t.Helper()
	require.NoError(t, db.View(t.Context(), func(q store.Querier) error {
		rows, err := q.Query(t.Context(), `SELECT current_setting($1)`, name)
		if err != nil {
			return err
		}
		require.True(t, rows.Next())
		return errors.Join(rows.Scan(&value), rows.Close())
	}))
	return value
}
