package app_test

import (
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
)

func TestReadiness_OnPostgreSQL(t *testing.T) {
	t.Parallel()
	db := pgtest.Shop(t)
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) { cfg.DB = db }})}
	status, body := adminPage(t, h, "/readyz")
	require.Equal(t, http.StatusOK, status, body)
	conn, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	change := func(statement string) {
		t.Helper()
		_, err := conn.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	change(`UPDATE goose_db_version SET is_applied = FALSE WHERE version_id > 0`)
	status, body = adminPage(t, h, "/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, body, "db_schema_older", "a schema below the minimum")
	change(`UPDATE goose_db_version SET is_applied = TRUE`)
	status, body = adminPage(t, h, "/readyz")
	require.Equal(t, http.StatusOK, status, body)
	change(`CREATE TABLE moved_away AS SELECT 'postgres://elsewhere/marquee' AS target`)
	status, body = adminPage(t, h, "/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, status)
	assert.Contains(t, body, "db_moved_away: to postgres://elsewhere/marquee")
	change(`DROP TABLE moved_away`)
	require.NoError(t, conn.Close(t.Context()))
}
