package storetest

import (
	"crypto/rand"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/token"
)

// Tokens tests an implementation of the store of tokens. It calls open once for each test, which must return a store on
// a new database.
func Tokens(t *testing.T, open func(t *testing.T) token.Store) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, token.Store){
		"token rows": tokenRows, "token leases": tokenLeases, "a lost token lease": lostTokenLease,
		"parallel token leases": parallelTokenLeases,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, open(t))
		})
	}
}

func tokenRows(t *testing.T, s token.Store) {
	row := token.Row{Sealed: []byte{0, 1, 2}, RenewAt: noon}
	_, err := s.Token(t.Context(), "a")
	require.ErrorIs(t, err, token.ErrNone)
	requireLease(t, s, "a", "one", noon, true)
	_, err = s.Token(t.Context(), "a")
	require.ErrorIs(t, err, token.ErrNone, "a lease is not a token")
	saved, err := s.Save(t.Context(), "a", "one", row)
	require.NoError(t, err)
	require.True(t, saved)
	got, err := s.Token(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, row.Sealed, got.Sealed)
	require.True(t, row.RenewAt.Equal(got.RenewAt))
	requireLease(t, s, "a", "two", noon, true)
	got, err = s.Token(t.Context(), "a")
	require.NoError(t, err, "the token stays readable while it is renewed")
	require.Equal(t, row.Sealed, got.Sealed)
	_, err = s.Token(t.Context(), "b")
	require.ErrorIs(t, err, token.ErrNone)
}

// requireLease requests a lease of a minute, and requires that it is granted exactly if given is true.
func requireLease(t *testing.T, s token.Store, name, holder string, now time.Time, given bool) {
	t.Helper()
	leased, err := s.Lease(t.Context(), name, holder, now, now.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, given, leased)
}

func tokenLeases(t *testing.T, s token.Store) {
	requireLease(t, s, "a", "one", noon, true)
	requireLease(t, s, "a", "two", noon.Add(59*time.Second), false)
	requireLease(t, s, "b", "two", noon, true)
	requireLease(t, s, "a", "two", noon.Add(time.Minute), true)
	requireLease(t, s, "a", "one", noon.Add(time.Minute), false)
	require.NoError(t, s.Release(t.Context(), "a", "one"), "of another holder: nothing happens")
	requireLease(t, s, "a", "three", noon.Add(time.Minute), false)
	require.NoError(t, s.Release(t.Context(), "a", "two"))
	requireLease(t, s, "a", "three", noon.Add(time.Minute), true)
}

func lostTokenLease(t *testing.T, s token.Store) {
	requireLease(t, s, "a", "one", noon, true)
	requireLease(t, s, "a", "two", noon.Add(time.Minute), true)
	saved, err := s.Save(t.Context(), "a", "two", token.Row{Sealed: []byte("two"), RenewAt: noon})
	require.NoError(t, err)
	require.True(t, saved)
	saved, err = s.Save(t.Context(), "a", "one", token.Row{Sealed: []byte("one"), RenewAt: noon})
	require.NoError(t, err)
	require.False(t, saved)
	got, err := s.Token(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, []byte("two"), got.Sealed)
}

func parallelTokenLeases(t *testing.T, s token.Store) {
	require.EqualValues(t, 1, countSuccesses(16, func() error {
		leased, err := s.Lease(t.Context(), "a", rand.Text(), noon, noon.Add(time.Minute))
		if err == nil && !leased {
			return token.ErrNone
		}
		return err
	}))
}
