package sqlite_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/store/sqlite/sqlitetest"
	"marquee/server/store/storetest"
	"marquee/server/token"
)

func TestTokens(t *testing.T) {
	t.Parallel()
	storetest.Tokens(t, func(t *testing.T) token.Store { return sqlitetest.Open(t).Tokens() })
}

func TestTokens_Forget(t *testing.T) {
	t.Parallel()
	s := sqlitetest.Open(t).Tokens()
	noon := time.Date(2026, 3, 14, 4, 0, 0, 0, time.UTC)
	leased, err := s.Lease(t.Context(), "a", "one", noon, noon.Add(time.Minute))
	require.NoError(t, err)
	require.True(t, leased)
	require.NoError(t, s.Forget(t.Context()))
	saved, err := s.Save(t.Context(), "a", "one", token.Row{Sealed: []byte("x"), RenewAt: noon})
	require.NoError(t, err)
	require.False(t, saved)
}
