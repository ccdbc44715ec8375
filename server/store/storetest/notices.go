package storetest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

// notices tests that the owner gets a notice of a new device, identity, password and phone, the last at the former
// phone, and that the kinds are limited separately. A buyer who signs up gets none, nor does an account without a
// phone.
func notices(t *testing.T, s AccountStores) {
	ctx := t.Context()
	const former, present = "13800000001", "13800000002"
	u, err := s.EnsureUser(ctx, former, noon)
	require.NoError(t, err)
	event := func(kind account.EventKind, at time.Time) account.Event {
		return account.Event{At: at, Kind: kind, UserID: u.ID, Actor: "buyer"}
	}
	next := int64(1)
	// pending returns the notices since the last call, and ends them.
	pending := func() (list []account.Notice) {
		for ; ; next++ {
			n, found, err := s.Notice(ctx, next)
			require.NoError(t, err)
			if !found {
				return list
			}
			require.NoError(t, s.EndNotice(ctx, n.ID))
			_, found, err = s.Notice(ctx, n.ID)
			require.NoError(t, err)
			assert.False(t, found, "it has ended")
			n.ID = 0
			list = append(list, n)
		}
	}
	notice := func(kind account.NoticeKind, phone string, at time.Time) account.Notice {
		return account.Notice{Kind: kind, Phone: phone, At: time.Unix(at.Unix(), 0)}
	}
	bind := func(b account.Binding, kind account.EventKind, at time.Time) {
		b.UserID, b.Further = u.ID, true
		_, err := s.BindIdentity(ctx, b, event(kind, at))
		require.NoError(t, err)
	}

	bind(account.Binding{OpenID: "signed-up", Confirmed: true}, account.IdentityConfirmed, noon)
	require.NoError(t, s.AddSession(ctx, hourLong("first", u.ID), loggedIn(u.ID)))
	require.False(t, remember(t, s, hashOf(""), hashOf("a"), u.ID, noon))
	require.Empty(t, pending(), "a sign-up sends none")
	require.False(t, remember(t, s, hashOf("a"), hashOf("b"), u.ID, noon), "a known device")
	bind(account.Binding{OpenID: "stolen"}, account.IdentityBound, noon)
	require.Equal(t, []account.Notice{notice(account.NewIdentity, former, noon)}, pending())
	bind(account.Binding{OpenID: "stolen"}, account.IdentityBound, noon)
	bind(account.Binding{OpenID: "stolen", Confirmed: true}, account.IdentityConfirmed, noon)
	require.Empty(t, pending(), "it is not new")

	require.NoError(t, s.AddSession(ctx, hourLong("second", u.ID), loggedIn(u.ID)))
	for i, want := range []bool{true, true, true, false} {
		at := noon.Add(time.Duration(i) * time.Minute)
		require.True(t, remember(t, s, hashOf(""), hashOf("new device"+string(rune('a'+i))), u.ID, at))
		require.Equal(t, want, len(pending()) == 1, "notice %d of a kind in a day", i+1)
	}
	require.NoError(t, s.Passwords.SetPassword(ctx, u.ID, "hash", event(account.PasswordSet, noon)))
	require.Equal(t, []account.Notice{notice(account.NewPassword, former, noon)}, pending(), "each kind has its own limit")
	require.NoError(t, s.SetPhone(ctx, u.ID, present, nil, event(account.PhoneChanged, noon)))
	require.Equal(t, []account.Notice{notice(account.NewPhone, former, noon)}, pending(), "to the former phone")
	later := noon.Add(24*time.Hour + 2*time.Minute)
	remember(t, s, hashOf(""), hashOf("at the new phone"), u.ID, noon)
	require.Equal(t, []account.Notice{notice(account.NewDevice, present, noon)}, pending())
	require.NoError(t, s.SetPhone(ctx, u.ID, former, nil, event(account.PhoneChanged, later)))
	require.Len(t, pending(), 1)
	remember(t, s, hashOf(""), hashOf("a day later"), u.ID, later)
	require.Equal(t, []account.Notice{notice(account.NewDevice, former, later)}, pending())

	require.NoError(t, s.ReleasePhone(ctx, u.ID, former, nil, event(account.PhoneUnbound, later)))
	remember(t, s, hashOf(""), hashOf("without a phone"), u.ID, later)
	require.Empty(t, pending())
}
