package app_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/store/postgres/pgtest"
)

// TestDatabaseLost_IsNotAFaultOfAProvider makes the database unavailable: each call answers with the shop's own code
// and a time to wait, and the same calls succeed when the database is back.
func TestDatabaseLost_IsNotAFaultOfAProvider(t *testing.T) {
	t.Parallel()
	db := pgtest.Shop(t)
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) { cfg.DB = db }})}
	b := h.newBuyer("13811110001").login()
	opiid, seats := b.legacyShowingTomorrow()
	var lock params
	for _, seat := range seats {
		if seat.Status == 1 && seat.Flag == 0 {
			lock = b.legacyLockForm(opiid, seat.ID)
			break
		}
	}
	session, _ := b.newmovieSessionTomorrow()
	lock["key"] = "the-first-lock"
	allowConnections(t, db, false)
	for path, fields := range map[string]params{
		"/Film/lockseat":      lock,
		"/newmovie/seat/lock": {"sessionId": session, "seatIds": "1"},
		"/Member/index":       {},
		"/Dyorder/order":      {"pageno": "1"},
		"/Film/flkpay":        {"oid": "1", "ka_ids": "1", "pass": "123456"},
		"/Member/security":    {},
		"/Login/sendcode":     {"phone": "13811110002"},
	} {
		a := b.http.Post(b.token, path, fields)
		require.Equal(t, "service_unavailable", a.Error, "%s: %+v", path, a)
		require.Equal(t, http.StatusServiceUnavailable, a.Status, path)
	}
	allowConnections(t, db, true)
	require.Eventually(t, func() bool {
		a := b.http.Post(b.token, "/Film/lockseat", lock)
		require.Contains(t, []any{"service_unavailable", "", nil}, a.Error)
		return a.Status == http.StatusOK
	}, 20*time.Second, 20*time.Millisecond)
	h.Verify()
}

// allowConnections allows new connections to a database, or ends all and forbids new ones.
func allowConnections(t *testing.T, db string, allow bool) {
	t.Helper()
	u, err := url.Parse(db)
	require.NoError(t, err)
	name := strings.TrimPrefix(u.Path, "/")
	u.Path = "/postgres"
	conn, err := pgx.Connect(t.Context(), u.String())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(t.Context()))) }()
	allowed := "FALSE"
	if allow {
		allowed = "TRUE"
	}
	_, err = conn.Exec(t.Context(), `ALTER DATABASE `+name+` ALLOW_CONNECTIONS `+allowed)
	require.NoError(t, err)
	if !allow {
		_, err = conn.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1`,
			name)
		require.NoError(t, err)
	}
}
