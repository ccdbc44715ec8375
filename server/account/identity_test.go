package account_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

func (r *rig) proof(t *testing.T, code string) (openID, proof string) {
	t.Helper()
	_, state := r.StartOAuth("http://shop.example/quickLogin")
	openID, proof, err := r.FinishOAuth(t.Context(), account.OAuthReturn{Code: code, State: state, CookieState: state})
	require.NoError(t, err)
	return openID, proof
}

func TestFinishOAuth_ChecksTheState(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	_, mine := r.StartOAuth("http://shop.example/")
	_, other := r.StartOAuth("http://shop.example/")
	require.NotEqual(t, mine, other)
	for name, back := range map[string]account.OAuthReturn{
		"no cookie":        {Code: "code-a", State: mine},
		"no state":         {Code: "code-a", CookieState: mine},
		"another's state":  {Code: "code-a", State: other, CookieState: mine},
		"neither of both":  {Code: "code-a"},
		"a part of it":     {Code: "code-a", State: mine[:20], CookieState: mine},
		"longer than sent": {Code: "code-a", State: mine + "x", CookieState: mine},
	} {
		_, _, err := r.FinishOAuth(t.Context(), back)
		require.ErrorIs(t, err, account.ErrOAuthState, name)
	}
	_, _, err := r.FinishOAuth(t.Context(), account.OAuthReturn{Code: "bad", State: mine, CookieState: mine})
	require.ErrorIs(t, err, account.ErrOAuthCode)
	_, _, err = r.FinishOAuth(t.Context(), account.OAuthReturn{State: mine, CookieState: mine})
	require.ErrorIs(t, err, account.ErrOAuthCode)
}

func TestQuickLogin_NeedsAProofOfTheIdentity(t *testing.T) {
	t.Parallel()
	r := newRig(t)
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
	r.advance(account.ProofLife)
	_, err = r.QuickLogin(t.Context(), openID, l.Proof)
	require.ErrorIs(t, err, account.ErrOpenIDUnproven, "too old")
}

func TestBindPhone_ThenQuickLogin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	openID, proof := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err := r.BindPhone(t.Context(), alice, wrong(r.code(alice)), openID, proof)
	require.ErrorIs(t, err, account.ErrCodeWrong)
	bound, err := r.BindPhone(t.Context(), alice, r.code(alice), openID, proof)
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
	r := newRig(t)
	openID, proof := r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err := r.BindPhone(t.Context(), alice, r.code(alice), openID, proof)
	require.NoError(t, err)

	_, proof = r.proof(t, "code-a")
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home))
	_, err = r.BindPhone(t.Context(), bob, r.code(bob), openID, proof)
	require.ErrorIs(t, err, account.ErrIdentityTaken)
}

func TestFinishOAuth_BindsTheLoggedInBuyer(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	a, b := r.login(t, alice), r.login(t, bob)
	finish := func(userID int64) error {
		_, state := r.StartOAuth("http://shop.example/")
		_, _, err := r.FinishOAuth(t.Context(), account.OAuthReturn{Code: "code-a", State: state, CookieState: state, UserID: userID})
		return err
	}
	require.NoError(t, finish(a.UserID))
	r.advance(time.Second)
	require.NoError(t, finish(a.UserID), "again is the same binding")
	require.ErrorIs(t, finish(b.UserID), account.ErrIdentityTaken)
	openID, err := r.OpenID(t.Context(), a.UserID)
	require.NoError(t, err)
	require.Equal(t, "openid-a", openID)
	none, err := r.OpenID(t.Context(), b.UserID)
	require.NoError(t, err)
	require.Empty(t, none)
}

func TestQuickLogin_OneProofInParallelServesOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	openID, proof := r.proof(t, "code-a")
	var served atomic.Int32
	var wg sync.WaitGroup
	for range 12 {
		wg.Go(func() {
			if _, err := r.QuickLogin(t.Context(), openID, proof); err == nil {
				served.Add(1)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, served.Load())
}
