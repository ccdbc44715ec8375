package pgserver

import (
	"context"
	"log/slog"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

func TestSupervise_StartsAKilledServerAgainWithItsData(t *testing.T) {
	t.Parallel()
	s, err := Supervise(t.Context(), Options{Dir: t.TempDir(), Durable: true}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	url := s.Server().URL("postgres")
	execute(t, url, `CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)`)
	killed := s.Server().PID()
	require.NoError(t, kill(killed, syscall.SIGKILL))
	require.Eventually(t, func() bool {
		conn, err := pgx.Connect(t.Context(), url)
		if err != nil {
			return false
		}
		defer func() { require.NoError(t, conn.Close(context.Background())) }()
		var n int
		return conn.QueryRow(t.Context(), `SELECT n FROM kept`).Scan(&n) == nil && n == 7 && s.Server().PID() != killed
	}, time.Minute, 10*time.Millisecond)
	last := s.Server().PID()
	require.NoError(t, s.Stop())
	require.ErrorIs(t, kill(last, 0), os.ErrProcessDone)
}
