package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
)

// identities tests that an identity of the messaging app belongs to one user (ErrIdentityTaken). A user may have
// several; OpenID returns the one that was used last.
func identities(t *testing.T, s AccountStores) {
	ctx := t.Context()
	a, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	b, err := s.EnsureUser(ctx, "2", noon)
	require.NoError(t, err)
	bind := func(openID string, u account.User, at time.Time) {
		t.Helper()
		bound, err := s.BindIdentity(ctx, account.Binding{OpenID: openID, UserID: u.ID, Further: true},
			account.Event{At: at, Kind: account.IdentityBound, UserID: u.ID})
		require.NoError(t, err)
		require.Equal(t, at != noon.Add(time.Minute), bound)
	}
	none, err := s.IdentityUser(ctx, "o1")
	require.NoError(t, err)
	require.Zero(t, none)
	bind("o1", a, noon)
	bind("o2", a, noon.Add(time.Second))
	_, err = s.BindIdentity(ctx, account.Binding{OpenID: "o1", UserID: b.ID, Further: true}, account.Event{At: noon})
	require.ErrorIs(t, err, account.ErrIdentityTaken)
	_, err = s.BindIdentity(ctx, account.Binding{OpenID: "o3", UserID: a.ID}, account.Event{At: noon})
	require.ErrorIs(t, err, account.ErrIdentityFurther)
	for phone, further := range map[string]map[string]bool{
		"1": {"o1": false, "o3": true}, "2": {"o1": false, "o3": false}, "3": {"o1": false},
	} {
		for openID, want := range further {
			got, err := s.IsFurther(ctx, phone, openID)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s for phone %s", openID, phone)
		}
	}
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
	unix := func(at time.Time) time.Time { return time.Unix(at.Unix(), 0) }
	list, err := s.Identities(ctx, a.ID)
	require.NoError(t, err)
	o2 := account.BoundIdentity{OpenID: "o2", BoundAt: unix(noon.Add(time.Second)), UsedAt: unix(noon.Add(time.Second))}
	require.Equal(t, []account.BoundIdentity{
		{OpenID: "o1", BoundAt: unix(noon), UsedAt: unix(noon.Add(time.Minute))}, o2,
	}, list, "binding again leaves the time of the first binding")
	confirm := func() bool {
		changed, err := s.BindIdentity(ctx, account.Binding{OpenID: "o2", UserID: a.ID, Confirmed: true},
			account.Event{At: noon.Add(time.Hour), Kind: account.IdentityConfirmed, UserID: a.ID})
		require.NoError(t, err)
		return changed
	}
	require.True(t, confirm())
	require.False(t, confirm(), "it is confirmed")
	bind("o2", a, noon.Add(time.Minute))
	list, err = s.Identities(ctx, a.ID)
	require.NoError(t, err)
	require.True(t, list[1].Confirmed, "binding again without a code leaves it confirmed")
	require.False(t, list[0].Confirmed)
	list, err = s.Identities(ctx, b.ID)
	require.NoError(t, err)
	require.Empty(t, list)
	latest, err = s.OpenID(ctx, b.ID)
	require.NoError(t, err)
	require.Empty(t, latest)
}

// proofs tests that a proof is checked any number of times and used once: for its kind and subject, in its browser,
// before its end. Otherwise it is ErrUnproven, or ErrProofBrowser in another browser.
func proofs(t *testing.T, s AccountStores) {
	ctx := t.Context()
	ends := noon.Add(durations.Proof)
	mine := account.StoredProof{
		Hash: hashOf("p"), Kind: account.ProofOfIdentity, Subject: "o1", Browser: hashOf("browser"),
	}
	require.NoError(t, s.AddProof(ctx, mine, ends))
	other := account.StoredProof{
		Hash: hashOf("l"), Kind: account.ProofOfIdentity, Subject: "1", Browser: hashOf("browser"),
	}
	require.NoError(t, s.AddProof(ctx, other, ends))
	with := func(p account.StoredProof, change func(p *account.StoredProof)) account.StoredProof {
		change(&p)
		return p
	}
	for name, try := range map[string]func(account.StoredProof, time.Time) error{
		"check": func(p account.StoredProof, at time.Time) error { return s.CheckProof(ctx, p, at) },
		"use":   func(p account.StoredProof, at time.Time) error { return s.UseProof(ctx, p, at) },
	} {
		for what, p := range map[string]account.StoredProof{
			"unknown":           with(mine, func(p *account.StoredProof) { p.Hash = hashOf("x") }),
			"another subject":   with(mine, func(p *account.StoredProof) { p.Subject = "o2" }),
			"another kind":      with(mine, func(p *account.StoredProof) { p.Kind = "phone" }),
			"the other's token": with(mine, func(p *account.StoredProof) { p.Hash = other.Hash }),
		} {
			require.ErrorIs(t, try(p, noon), account.ErrUnproven, "%s %s", name, what)
		}
		require.ErrorIs(t, try(mine, ends), account.ErrUnproven, name)
		for _, browser := range [][]byte{hashOf("other"), {}} {
			p := with(mine, func(p *account.StoredProof) { p.Browser = browser })
			require.ErrorIs(t, try(p, noon), account.ErrProofBrowser, name)
		}
	}
	require.NoError(t, s.CheckProof(ctx, other, ends.Add(-time.Second)))
	require.NoError(t, s.CheckProof(ctx, mine, ends.Add(-time.Second)))
	require.Equal(t, 1, countSuccesses(8, func() error { return s.UseProof(ctx, mine, noon) }))
	require.ErrorIs(t, s.CheckProof(ctx, mine, noon), account.ErrUnproven)
}
