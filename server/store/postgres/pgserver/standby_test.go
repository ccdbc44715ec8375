package pgserver

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// withStandby starts a primary and its standby, with commits that wait for the log.
func withStandby(t *testing.T) (primary, standby *Server) {
	t.Helper()
	options := Options{Settings: map[string]string{"synchronous_commit": "on"}}
	primary, err := Start(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, primary.Kill()) })
	standby, err = primary.NewStandby(t.Context(), options)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, standby.Kill()) })
	return primary, standby
}

func TestStandby_HasWhatWasCommittedWhenThePrimaryCrashes(t *testing.T) {
	t.Parallel()
	primary, standby := withStandby(t)
	_, err := primary.Database(t.Context(), "shop")
	require.NoError(t, err)
	require.NoError(t, primary.RequireStandby(t.Context()))
	url := primary.Failover(standby, "shop")
	execute(t, url, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)`)
	require.NoError(t, primary.Crash())
	require.NoError(t, standby.Promote(t.Context()))
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.Background())) }()
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT n FROM kept`).Scan(&n))
	require.Equal(t, 7, n)
	execute(t, url, `INSERT INTO kept VALUES (8)`)
}

func TestStandby_ACommitWaitsForAFrozenOne(t *testing.T) {
	t.Parallel()
	primary, standby := withStandby(t)
	execute(t, primary.URL("postgres"), `CREATE TABLE kept (n int)`)
	require.NoError(t, primary.RequireStandby(t.Context()))
	require.NoError(t, standby.Freeze())
	conn, err := pgx.Connect(t.Context(), primary.URL("postgres"))
	require.NoError(t, err)
	committed := make(chan error, 1)
	go func() {
		_, err := conn.Exec(context.Background(), `INSERT INTO kept VALUES (7)`)
		committed <- err
	}()
	select {
	case err := <-committed:
		require.Fail(t, "the commit did not wait", "%v", err)
	case <-time.After(200 * time.Millisecond):
	}
	require.NoError(t, standby.Thaw())
	require.NoError(t, <-committed)
	require.NoError(t, conn.Close(t.Context()))
}
