package app_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
)

// TestDiskFull_OfPostgreSQLLosesNothing uses triggers that fail each INSERT and UPDATE with the error of a full disk
// (53100) while a buyer pays: reads still work, each write is answered with a code that asks to wait, readiness fails,
// and the same calls succeed when the triggers are gone. A COMMIT that fails because the log has no room is not
// covered.
func TestDiskFull_OfPostgreSQLLosesNothing(t *testing.T) {
	t.Parallel()
	db := pgtest.Shop(t)
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) { cfg.DB = db }})}
	h.issueCard("8010000000000001", 10_000_00)
	b := h.newBuyer("13811110401").login()
	b.setPaymentPassword()
	card := b.bindCard("8010000000000001")
	no := lockLegacy(b, 0)
	pay := params{"oid": no, "ka_ids": card, "pass": password}
	ready := func() (status int, text string) {
		w := httptest.NewRecorder()
		h.Shop.AdminHandler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code, w.Body.String()
	}
	status, text := ready()
	require.Equal(t, http.StatusOK, status, text)

	server, err := pgx.Connect(t.Context(), db)
	require.NoError(t, err)
	defer func() { require.NoError(t, server.Close(context.Background())) }()
	// diskFull makes every write fail, or lets it through again.
	diskFull := func(body string) {
		_, err := server.Exec(t.Context(), `CREATE OR REPLACE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS `+
			`'BEGIN `+body+` END'`)
		require.NoError(t, err)
	}
	diskFull(`RAISE EXCEPTION ''could not extend file'' USING ERRCODE = ''disk_full'';`)
	rows, err := server.Query(t.Context(), `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	for _, table := range tables {
		// One table at a time: a transaction that locks several could be in a deadlock with one of the shop.
		_, err := server.Exec(t.Context(), `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON `+
			pgx.Identifier{table}.Sanitize()+` FOR EACH ROW EXECUTE FUNCTION disk_full()`)
		require.NoError(t, err)
	}
	for path, fields := range map[string]params{
		"/Film/flkpay":     pay,
		"/Login/sendcode":  {"phone": "13811110402"},
		"/Film/unpayorder": {},
	} {
		a := b.http.Post(b.token, path, fields)
		if path == "/Film/unpayorder" {
			require.Equal(t, http.StatusOK, a.Status, "a read")
			continue
		}
		require.Equal(t, "service_unavailable", a.Error, "%s: %+v", path, a)
		require.Equal(t, http.StatusServiceUnavailable, a.Status, path)
	}
	status, text = ready()
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Contains(t, text, "db_disk_full")

	diskFull(`RETURN NEW;`)
	require.Eventually(t,
		func() bool { return b.http.Post(b.token, "/Film/flkpay", pay).Error != "service_unavailable" },
		20*time.Second, 20*time.Millisecond)
	b.waitForStatus(no, sources[0].issued)
	status, text = ready()
	require.Equal(t, http.StatusOK, status, text)
	h.Verify()
}
