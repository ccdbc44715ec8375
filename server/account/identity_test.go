package account_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

// identify goes through the messaging app's login in a browser with the session, "" without one.
func (r *services) identify(t *testing.T, code, token string) (account.Identity, error) {
	t.Helper()
	_, state, seal := r.StartOAuth("http://shop.example/quickLogin", token)
	return r.FinishOAuth(t.Context(), account.OAuthReturn{Code: code, State: state, Seal: seal, Token: token})
}

func (r *services) proof(t *testing.T, code string) (openID, proof string) {
	t.Helper()
	id, err := r.identify(t, code, "")
	require.NoError(t, err)
	require.False(t, id.Bound)
	return id.OpenID, id.Proof
}

func TestFinishOAuth_ChecksTheState(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	_, mine, seal := r.StartOAuth("http://shop.example/", "")
	_, other, _ := r.StartOAuth("http://shop.example/", "")
	require.NotEqual(t, mine, other)
	for name, back := range map[string]account.OAuthReturn{
		"no cookie":        {Code: "code-a", State: mine},
		"no state":         {Code: "code-a", Seal: seal},
		"another's state":  {Code: "code-a", State: other, Seal: seal},
		"neither of both":  {Code: "code-a"},
		"a part of it":     {Code: "code-a", State: mine[:20], Seal: seal},
		"longer than sent": {Code: "code-a", State: mine + "x", Seal: seal},
		"the state itself": {Code: "code-a", State: mine, Seal: mine},
	} {
		_, err := r.FinishOAuth(t.Context(), back)
		require.ErrorIs(t, err, account.ErrOAuthState, name)
	}
	_, err := r.FinishOAuth(t.Context(), account.OAuthReturn{Code: "bad", State: mine, Seal: seal})
	require.ErrorIs(t, err, account.ErrOAuthCode)
	_, err = r.FinishOAuth(t.Context(), account.OAuthReturn{State: mine, Seal: seal})
	require.ErrorIs(t, err, account.ErrOAuthCode)
}

// A session that was planted in a browser, by a link or between the start and the end of the messaging app's login,
// never gets the identity of the person in front of the browser.
func TestFinishOAuth_BindsNothingToAPlantedSession(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	attacker := r.login(t, alice)
	code, err := r.LinkCode(t.Context(), attacker.UserID)
	require.NoError(t, err)
	planted, err := r.LinkLogin(t.Context(), code)
	require.NoError(t, err)
	require.Equal(t, attacker.UserID, planted.UserID)
	require.Equal(t, alice, planted.Phone)

	id, err := r.identify(t, "code-a", planted.Token)
	require.NoError(t, err)
	require.False(t, id.Bound, "the session comes from a link")
	_, state, seal := r.StartOAuth("http://shop.example/", "")
	id, err = r.FinishOAuth(t.Context(),
		account.OAuthReturn{Code: "code-a", State: state, Seal: seal, Token: attacker.Token})
	require.NoError(t, err)
	require.False(t, id.Bound, "the login began without a session")
	_, state, seal = r.StartOAuth("http://shop.example/", planted.Token)
	_, err = r.FinishOAuth(t.Context(),
		account.OAuthReturn{Code: "code-a", State: state, Seal: seal, Token: attacker.Token})
	require.ErrorIs(t, err, account.ErrOAuthState, "the login began with another session")
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), attacker.UserID, "openid-a"), account.ErrOpenIDUnproven)

	// The victim proves the phone, and the identity is bound to the victim's account.
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home))
	victim, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: bob, Code: r.code(bob)}, id.OpenID, id.Proof)
	require.NoError(t, err)
	require.NotEqual(t, attacker.UserID, victim.UserID)
	require.NoError(t, r.OwnsOpenID(t.Context(), victim.UserID, "openid-a"))
}

func TestLinkLogin_OnceAndBriefly(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	code, err := r.LinkCode(t.Context(), l.UserID)
	require.NoError(t, err)
	for name, wrong := range map[string]string{
		"a session token": l.Token, "no code": "", "of another buyer": "2" + code[1:], "cut off": code[:len(code)-1],
		"made up": code[:len(code)-4] + "AAAA", "an id out of range": "99999999999999999999" + code[1:],
	} {
		_, err := r.LinkLogin(t.Context(), wrong)
		require.ErrorIs(t, err, account.ErrLinkCode, name)
	}
	opened, err := r.LinkLogin(t.Context(), code)
	require.NoError(t, err)
	u, err := r.Session(t.Context(), opened.Token)
	require.NoError(t, err)
	require.Equal(t, l.UserID, u.ID)
	_, err = r.LinkLogin(t.Context(), code)
	require.ErrorIs(t, err, account.ErrLinkCode, "used")

	code, err = r.LinkCode(t.Context(), l.UserID)
	require.NoError(t, err)
	r.clock.Advance(account.LinkLife)
	_, err = r.LinkLogin(t.Context(), code)
	require.ErrorIs(t, err, account.ErrLinkCode, "too old")
}

func TestQuickLogin_NeedsAProofOfTheIdentity(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	openID, proof := r.proof(t, "code-a")
	_, otherProof := r.proof(t, "code-b")
	for name, p := range map[string]string{"none": "", "made up": "abc", "of another identity": otherProof} {
		_, err := r.QuickLogin(t.Context(), openID, p)
		require.ErrorIs(t, err, account.ErrOpenIDUnproven, name)
	}
	l, err := r.QuickLogin(t.Context(), openID, proof)
	require.NoError(t, err)
	require.Empty(t, l.Token, "the identity has no phone yet")
	require.NotEmpty(t, l.Proof)
	_, err = r.QuickLogin(t.Context(), openID, proof)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "spent")
	r.clock.Advance(account.ProofLife)
	_, err = r.QuickLogin(t.Context(), openID, l.Proof)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "too old")
}

func TestBindPhone_ThenQuickLogin(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	openID, proof := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: alice, Code: wrong(r.code(alice))}, openID, proof)
	require.ErrorIs(t, err, account.ErrCodeWrong)
	bound, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)}, openID, proof)
	require.NoError(t, err, "a wrong code leaves the proof")
	require.NotEmpty(t, bound.Token)

	_, proof = r.proof(t, "code-a")
	quick, err := r.QuickLogin(t.Context(), openID, proof)
	require.NoError(t, err)
	require.Equal(t, bound.UserID, quick.UserID)
	u, err := r.Session(t.Context(), quick.Token)
	require.NoError(t, err)
	require.Equal(t, alice, u.Phone)
	require.NoError(t, r.OwnsOpenID(t.Context(), u.ID, openID))
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), u.ID, "openid-b"), account.ErrOpenIDUnproven)
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), u.ID, ""), account.ErrOpenIDUnproven)
}

func TestBindPhone_AnotherBuyersIdentityIsRefused(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	openID, proof := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)}, openID, proof)
	require.NoError(t, err)

	_, proof = r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home))
	_, err = r.BindPhone(t.Context(), account.EnteredCode{Phone: bob, Code: r.code(bob)}, openID, proof)
	require.ErrorIs(t, err, account.ErrIdentityTaken)
}

func TestFinishOAuth_BindsTheLoggedInBuyer(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	a, b := r.login(t, alice), r.login(t, bob)
	finish := func(l account.Login) error {
		id, err := r.identify(t, "code-a", l.Token)
		require.Equal(t, err == nil, id.Bound)
		return err
	}
	require.NoError(t, finish(a))
	r.clock.Advance(time.Second)
	require.NoError(t, finish(a), "again is the same binding")
	require.ErrorIs(t, finish(b), account.ErrIdentityTaken)
	openID, err := r.OpenID(t.Context(), a.UserID)
	require.NoError(t, err)
	require.Equal(t, "openid-a", openID)
	none, err := r.OpenID(t.Context(), b.UserID)
	require.NoError(t, err)
	require.Empty(t, none)
}

// onDevice logs the buyer in by code, binds openid-a and returns the token of the device.
func (r *services) onDevice(t *testing.T) (l account.Login, device string) {
	t.Helper()
	l = r.login(t, alice)
	id, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.True(t, id.Bound)
	device, err = r.codes.RememberDevice(t.Context(), l.UserID, "")
	require.NoError(t, err)
	return l, device
}

func TestDeviceLogin_EachTokenOfADeviceServesOnce(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	first, device := r.onDevice(t)
	for _, wrong := range []string{"", "x", first.Token} {
		_, _, err := r.DeviceLogin(t.Context(), "openid-a", wrong)
		require.ErrorIs(t, err, account.ErrOpenIDUnproven, "%q", wrong)
	}
	_, _, err := r.DeviceLogin(t.Context(), "openid-b", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "the identity is not of the buyer")

	var served atomic.Int32
	var wg sync.WaitGroup
	var fresh atomic.Value
	for range 12 {
		wg.Go(func() {
			if _, token, err := r.DeviceLogin(t.Context(), "openid-a", device); err == nil {
				served.Add(1)
				fresh.Store(token)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, served.Load())
	l, _, err := r.DeviceLogin(t.Context(), "openid-a", fresh.Load().(string))
	require.NoError(t, err)
	u, err := r.Session(t.Context(), l.Token)
	require.NoError(t, err)
	require.Equal(t, first.UserID, u.ID)
	require.Equal(t, "openid-a", l.OpenID)
	events, err := r.Events(t.Context(), account.EventFilter{Kind: account.LoggedInByDevice})
	require.NoError(t, err)
	require.Len(t, events, 2)
}

// A login by device does not prolong the time in which the next one is possible.
func TestDeviceLogin_EndsAfterTheLifeOfTheDevice(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	_, device := r.onDevice(t)
	r.clock.Advance(account.DeviceLife)
	_, device, err := r.DeviceLogin(t.Context(), "openid-a", device)
	require.NoError(t, err)
	r.clock.Advance(time.Second)
	_, _, err = r.DeviceLogin(t.Context(), "openid-a", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)
}

func TestDeviceLogin_EndsWithTheLogout(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l, device := r.onDevice(t)
	require.NoError(t, r.Logout(t.Context(), l.Token, device))
	_, _, err := r.DeviceLogin(t.Context(), "openid-a", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)

	device, err = r.codes.RememberDevice(t.Context(), l.UserID, device)
	require.NoError(t, err)
	_, device, err = r.DeviceLogin(t.Context(), "openid-a", device)
	require.NoError(t, err, "the next login makes it possible again")
	require.NoError(t, r.Logout(t.Context(), "not live", device))
	_, _, err = r.DeviceLogin(t.Context(), "openid-a", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "the session has ended before the logout")
}

// The session may be of any device of its buyer if the logout does not name a device of the buyer.
func TestDeviceLogin_EndsWithALogoutThatNamesNoDevice(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l, device := r.onDevice(t)
	require.NoError(t, r.Logout(t.Context(), l.Token, ""))
	_, _, err := r.DeviceLogin(t.Context(), "openid-a", device)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)
}
