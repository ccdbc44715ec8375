package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
)

// The buyer sees where the account is open, and ends one session or all others.
func TestSessions_AreListedAndEnded(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	phone := account.WithClient(t.Context(), "203.0.113.7", "Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) "+
		"AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.49 NetType/WIFI Language/zh_CN")
	desktop := account.WithClient(t.Context(), "2001:db8:1:2::9", "Mozilla/5.0 (Windows NT 10.0; Win64; x64) "+
		"AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36 Edg/120")
	began := r.clock.Now()
	require.NoError(t, r.SendLoginCode(phone, alice, home))
	here, err := r.Login(phone, account.EnteredCode{Phone: alice, Code: r.code(alice)})
	require.NoError(t, err)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(desktop, alice, home))
	there, err := r.Login(desktop, account.EnteredCode{Phone: alice, Code: r.code(alice)})
	require.NoError(t, err)
	stranger := r.login(t, bob)

	list := func() []account.LiveSession {
		live, err := r.security.Sessions(t.Context(), here.UserID)
		require.NoError(t, err)
		return live
	}
	live := list()
	require.Len(t, live, 2)
	require.True(t, live[0].IsOf(there.Token) && live[1].IsOf(here.Token))
	require.Equal(t, "Windows · Edge", live[0].Device)
	require.Equal(t, "2001:db8:1::/48", live[0].Network)
	require.Equal(t, "iPhone · 微信", live[1].Device)
	require.Equal(t, "203.0.113.*", live[1].Network)
	require.True(t, live[1].Created.Equal(began) && live[1].Used.Equal(began))

	// The last use is saved to the hour, with the network of the client that uses the session.
	r.clock.Advance(durations.SessionUse - time.Minute - time.Second) // since the first login
	thief := account.WithClient(t.Context(), "198.51.100.1", "curl")
	_, err = r.Session(thief, here.Token)
	require.NoError(t, err)
	require.True(t, list()[1].Used.Equal(began))
	r.clock.Advance(time.Second)
	_, err = r.Session(thief, here.Token)
	require.NoError(t, err)
	used := list()[0]
	require.True(t, used.IsOf(here.Token) && used.Used.Equal(began.Add(durations.SessionUse)))
	require.Equal(t, "198.51.100.*", used.Network)

	id := live[0].Handle()
	require.ErrorIs(t, r.security.EndSession(t.Context(), stranger.UserID, id), account.ErrSessionUnknown)
	for _, wrong := range []string{"", "x", there.Token, id[2:]} {
		err := r.security.EndSession(t.Context(), here.UserID, wrong)
		require.ErrorIs(t, err, account.ErrSessionUnknown, "%q", wrong)
	}
	require.NoError(t, r.security.EndSession(t.Context(), here.UserID, id))
	_, err = r.Session(t.Context(), there.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	require.ErrorIs(t, r.security.EndSession(t.Context(), here.UserID, id), account.ErrSessionUnknown, "it has ended")
	r.user(t, here.Token)

	more := r.login(t, alice)
	require.NoError(t, r.security.EndOtherSessions(t.Context(), here.UserID, here.Token))
	_, err = r.Session(t.Context(), more.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	_, err = r.LinkLogin(t.Context(), more.Token)
	require.ErrorIs(t, err, account.ErrLinkToken, "a link with its token opens none")
	r.user(t, here.Token)
	r.user(t, stranger.Token)
	require.Len(t, list(), 1)
}

// An ended session cannot be replaced through the stored identity of its device.
func TestEndSession_EndsQuickLoginOnDevices(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l, device := r.onDevice(t)
	mine := r.loginAgain(t, alice)
	live, err := r.security.Sessions(t.Context(), l.UserID)
	require.NoError(t, err)
	for _, s := range live {
		if s.IsOf(l.Token) {
			require.NoError(t, r.security.EndSession(t.Context(), l.UserID, s.Handle()))
		}
	}
	_, _, err = r.DeviceLogin(t.Context(), "openid-a", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)
	r.user(t, mine.Token)
}

func TestUnbindIdentity_RemovesOneOfSeveral(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.bindByCode(t, alice, r.proof(t, "code-a"))
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	_, err := r.BindPhone(ctx, account.EnteredCode{Phone: alice, Code: r.code(alice)}, r.proof(t, "code-b"), true)
	require.NoError(t, err)
	u := r.user(t, l.Token)
	code := r.securityCode(t, u)
	require.ErrorIs(t, r.security.UnbindIdentity(ctx, u, l.Token, code, "openid-c"), account.ErrIdentityUnbound)
	require.NoError(t, r.security.UnbindIdentity(ctx, u, l.Token, code, "openid-b"))
	bound, err := r.security.Identities(ctx, u.ID)
	require.NoError(t, err)
	require.Len(t, bound, 1)
	require.Equal(t, "openid-a", bound[0].OpenID)
}
