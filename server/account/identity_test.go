package account_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
)

// identify goes through the messaging app's login in a browser with the session, "" without one.
func (r *services) identify(t *testing.T, code, token string) (account.Identity, error) {
	t.Helper()
	_, state, seal := r.StartOAuth("http://shop.example/quickLogin", token)
	return r.FinishOAuth(t.Context(), account.OAuthReturn{Code: code, State: state, Seal: seal, Token: token})
}

// proofOf is the proof of an identity in the browser that made it.
func proofOf(id account.Identity) account.Proof {
	return account.Proof{
		Kind: account.ProofOfIdentity, Subject: id.OpenID, Token: id.Proof, Browser: id.Browser,
	}
}

// proof goes through the messaging app's login in a browser without a session.
func (r *services) proof(t *testing.T, code string) account.Proof {
	t.Helper()
	id, err := r.identify(t, code, "")
	require.NoError(t, err)
	require.False(t, id.Bound)
	return proofOf(id)
}

// bindByCode binds the identity to the account of the phone with a code, and returns the login.
func (r *services) bindByCode(t *testing.T, phone string, identity account.Proof) account.Login {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(t.Context(), phone, home))
	l, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: phone, Code: r.code(phone)}, identity, false)
	require.NoError(t, err)
	return l
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

// A session that was planted in a browser, by a link or between the start and the end of the messaging app's login, is
// never bound to the identity of the person in front of the browser.
func TestFinishOAuth_BindsNothingToAPlantedSession(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	attacker := r.login(t, alice)
	planted, err := r.LinkLogin(t.Context(), attacker.Token)
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
	victim, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: bob, Code: r.code(bob)}, proofOf(id), false)
	require.NoError(t, err)
	require.NotEqual(t, attacker.UserID, victim.UserID)
	require.NoError(t, r.OwnsOpenID(t.Context(), victim.UserID, "openid-a"))
}

func TestQuickLogin_NeedsAProofOfTheIdentity(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	mine, other := r.proof(t, "code-a"), r.proof(t, "code-b")
	for name, token := range map[string]string{"none": "", "made up": "abc", "of another identity": other.Token} {
		p := mine
		p.Token = token
		_, err := r.QuickLogin(t.Context(), p)
		require.ErrorIs(t, err, account.ErrOpenIDUnproven, name)
	}
	for range 2 {
		l, err := r.QuickLogin(t.Context(), mine)
		require.NoError(t, err)
		require.Equal(t, account.Login{OpenID: mine.Subject, Proof: mine.Token}, l, "the identity has no phone yet")
	}
	r.clock.Advance(durations.Proof - time.Second)
	_, err := r.QuickLogin(t.Context(), mine)
	require.NoError(t, err)
	r.clock.Advance(time.Second)
	_, err = r.QuickLogin(t.Context(), mine)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "no use has prolonged it")
}

// A proof that its owner has sent to another person, in the address of a page, is not valid there.
func TestProof_CountsInItsOwnBrowserOnly(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	r.withPassword(t, alice)
	sent := r.proof(t, "code-a")
	owner := r.bindByCode(t, alice, r.proof(t, "code-b"))
	u := r.user(t, owner.Token)
	mine := r.proof(t, "code-b")
	u2 := u
	u2.Phone = "" // such an account proves itself by its identity
	newCode := r.newPhoneCode(t, u, bob)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	for what, browser := range map[string]string{
		"no cookie": "", "the cookie of another browser": r.proof(t, "code-a").Browser, "an odd cookie": "x",
	} {
		there := func(p account.Proof) account.Proof {
			p.Browser = browser
			return p
		}
		for use, try := range map[string]func() error{
			"bind": func() error {
				_, err := r.BindPhone(ctx, account.EnteredCode{Phone: alice, Code: r.code(alice)}, there(sent), true)
				return err
			},
			"quick login": func() error {
				_, err := r.QuickLogin(ctx, there(mine))
				return err
			},
			"change of a lost phone": func() error {
				return r.security.ChangePhone(ctx, u, owner.Token, account.ChangePhone{
					Phone: bob, Code: newCode, Reauth: account.Reauth{Identity: there(mine), Password: right},
				})
			},
			"close and export": func() error {
				return r.security.Reauthenticate(ctx, u2, account.ForClosing, account.Reauth{Identity: there(mine)})
			},
		} {
			if use == "change of a lost phone" { // the code to the new phone was used up
				newCode = r.newPhoneCode(t, u, bob)
			}
			require.ErrorIs(t, try(), account.ErrProofBrowser, "%s with %s", use, what)
		}
	}
	require.ErrorIs(t, r.OwnsOpenID(ctx, u.ID, sent.Subject), account.ErrOpenIDUnproven)

	// Neither the code nor the proof was used up.
	_, err := r.BindPhone(ctx, account.EnteredCode{Phone: alice, Code: r.code(alice)}, sent, true)
	require.NoError(t, err)
	_, err = r.QuickLogin(ctx, mine)
	require.NoError(t, err)
}

// A client cannot choose an identity, and no other secret from the shop counts as the proof of one.
func TestProof_OtherSecretsAreNone(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	id := r.proof(t, "code-a")
	device, err := r.codes.RememberDevice(ctx, l.UserID, "")
	require.NoError(t, err)
	for _, token := range []string{l.Token, device, id.Browser} {
		for _, openID := range []string{alice, "1", "openid-a"} {
			_, err := r.QuickLogin(ctx, account.Proof{
				Kind: account.ProofOfIdentity, Subject: openID, Token: token, Browser: id.Browser,
			})
			require.ErrorIs(t, err, account.ErrOpenIDUnproven)
		}
		for _, openID := range []string{"phone:" + alice, "link:1", "", "a b", "微信", "o\n", string(make([]byte, 65))} {
			p := account.Proof{Kind: account.ProofOfIdentity, Subject: openID, Token: token, Browser: id.Browser}
			_, err := r.QuickLogin(ctx, p)
			require.ErrorIs(t, err, account.ErrOpenIDInvalid, "%q", openID)
			_, _, err = r.DeviceLogin(ctx, openID, token)
			require.Error(t, err)
		}
	}
	_, err = r.LinkLogin(ctx, id.Token)
	require.ErrorIs(t, err, account.ErrLinkToken)
	_, err = r.QuickLogin(ctx, account.Proof{
		Kind: "phone", Subject: id.Subject, Token: id.Token, Browser: id.Browser,
	})
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "another kind")
}

func TestBindPhone_ThenQuickLogin(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	identity := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err := r.BindPhone(t.Context(),
		account.EnteredCode{Phone: alice, Code: wrong(r.code(alice))}, identity, false)
	require.ErrorIs(t, err, account.ErrCodeWrong)
	bound, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)}, identity, false)
	require.NoError(t, err, "a wrong code leaves the proof")
	require.NotEmpty(t, bound.Token)

	again := r.proof(t, "code-a")
	quick, err := r.QuickLogin(t.Context(), again)
	require.NoError(t, err)
	require.Equal(t, bound.UserID, quick.UserID)
	_, err = r.QuickLogin(t.Context(), again)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "used")
	u, err := r.Session(t.Context(), quick.Token)
	require.NoError(t, err)
	require.Equal(t, alice, u.Phone)
	require.NoError(t, r.OwnsOpenID(t.Context(), u.ID, identity.Subject))
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), u.ID, "openid-b"), account.ErrOpenIDUnproven)
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), u.ID, ""), account.ErrOpenIDUnproven)
}

func TestBindPhone_AnotherBuyersIdentityIsRejected(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.bindByCode(t, alice, r.proof(t, "code-a"))
	identity := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home))
	_, err := r.BindPhone(t.Context(), account.EnteredCode{Phone: bob, Code: r.code(bob)}, identity, false)
	require.ErrorIs(t, err, account.ErrIdentityTaken)
}

// An account never gets a further identity unless its buyer agrees. A client without the code does not learn that the
// account has an identity.
func TestBindPhone_AsksBeforeAFurtherIdentity(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	first := r.bindByCode(t, alice, r.proof(t, "code-a"))
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	further := r.proof(t, "code-b")
	bind := func(code string, agreed bool) (account.Login, error) {
		return r.BindPhone(ctx, account.EnteredCode{Phone: alice, Code: code}, further, agreed)
	}
	_, err := bind(wrong(r.code(alice)), false)
	require.ErrorIs(t, err, account.ErrCodeWrong)
	_, err = bind(r.code(alice), false)
	require.ErrorIs(t, err, account.ErrIdentityFurther)
	require.ErrorIs(t, r.OwnsOpenID(ctx, first.UserID, further.Subject), account.ErrOpenIDUnproven)
	l, err := bind(r.code(alice), true)
	require.NoError(t, err, "the question uses up neither code nor proof")
	require.Equal(t, first.UserID, l.UserID)
	require.NoError(t, r.OwnsOpenID(ctx, first.UserID, further.Subject))
	_, err = bind(r.code(alice), true)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven)

	l = r.bindByCode(t, alice, r.proof(t, "code-b")) // it is not asked about an identity that it has
	require.Equal(t, first.UserID, l.UserID)
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
	r.clock.Advance(durations.Device)
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
