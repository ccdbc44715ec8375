package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

// identities tests that an identity of the messaging app belongs to one user (ErrIdentityTaken). A user may have
// several; OpenID returns the one that was bound last.
func identities(t *testing.T, s AccountStores) {
	ctx := t.Context()
	a, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	b, err := s.EnsureUser(ctx, "2", noon)
	require.NoError(t, err)
	bind := func(openID string, u account.User, at time.Time) {
		t.Helper()
		_, err := s.BindIdentity(ctx, openID, u.ID, account.Event{At: at, Kind: account.IdentityBound, UserID: u.ID})
		require.NoError(t, err)
	}
	none, err := s.IdentityUser(ctx, "o1")
	require.NoError(t, err)
	require.Zero(t, none)
	bind("o1", a, noon)
	bind("o2", a, noon.Add(time.Second))
	_, err = s.BindIdentity(ctx, "o1", b.ID, account.Event{At: noon})
	require.ErrorIs(t, err, account.ErrIdentityTaken)
	owner, err := s.IdentityUser(ctx, "o1")
	require.NoError(t, err)
	require.Equal(t, a.ID, owner)
	latest, err := s.OpenID(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, "o2", latest)
	bind("o1", a, noon.Add(time.Minute))
	latest, err = s.OpenID(ctx, a.ID)
	require.NoError(t, err)
	require.Equal(t, "o1", latest, "binding again makes it the latest")
	boundAt, err := s.IdentityBoundAt(ctx, "o1", a.ID)
	require.NoError(t, err)
	require.True(t, noon.Equal(boundAt), "binding again leaves the time of the first binding")
	_, err = s.IdentityBoundAt(ctx, "o1", b.ID)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)
	latest, err = s.OpenID(ctx, b.ID)
	require.NoError(t, err)
	require.Empty(t, latest)
}

// proofs tests that a proof of an identity is checked any number of times and used once, for its identity, before its
// end. Otherwise it is ErrOpenIDUnproven.
func proofs(t *testing.T, s AccountStores) {
	ctx := t.Context()
	require.NoError(t, s.AddProof(ctx, hashOf("p"), "o1", noon.Add(account.ProofLife)))
	for _, try := range []func([]byte, string, time.Time) error{
		func(h []byte, o string, at time.Time) error { return s.CheckProof(ctx, h, o, at) },
		func(h []byte, o string, at time.Time) error { return s.UseProof(ctx, h, o, at) },
	} {
		require.ErrorIs(t, try(hashOf("x"), "o1", noon), account.ErrOpenIDUnproven)
		require.ErrorIs(t, try(hashOf("p"), "o2", noon), account.ErrOpenIDUnproven)
		require.ErrorIs(t, try(hashOf("p"), "o1", noon.Add(account.ProofLife)), account.ErrOpenIDUnproven)
	}
	require.NoError(t, s.CheckProof(ctx, hashOf("p"), "o1", noon))
	require.Equal(t, 1, countSuccesses(8, func() error { return s.UseProof(ctx, hashOf("p"), "o1", noon) }))
	require.ErrorIs(t, s.CheckProof(ctx, hashOf("p"), "o1", noon), account.ErrOpenIDUnproven)
}
