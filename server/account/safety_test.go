package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
)

// user returns the buyer of the session.
func (r *services) user(t *testing.T, token string) account.User {
	t.Helper()
	u, err := r.Session(t.Context(), token)
	require.NoError(t, err)
	return u
}

// newPhoneCode sends a code for a new phone after the wait between two codes, and returns it.
func (r *services) newPhoneCode(t *testing.T, u account.User, phone string) string {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.safety.SendNewPhoneCode(t.Context(), u.ID, phone, home))
	return r.code(phone)
}

// safetyCode sends a code to the buyer's own phone after the wait between two codes, and returns it.
func (r *services) safetyCode(t *testing.T, u account.User) string {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.safety.SendOwnCode(t.Context(), u.ID, account.ForSafety, home))
	return r.code(u.Phone)
}

// A stolen session binds the thief's identity, and the thief knows the payment password. The identity opens no way to
// the thief's phone, neither with the stolen token nor with a token that the identity has opened.
func TestChangePhone_AnIdentityBoundByAStolenSessionIsNoProof(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	r.withPassword(t, alice)
	stolen := r.loginAgain(t, alice)
	r.clock.Advance(time.Hour)
	id, err := r.identify(t, "code-a", stolen.Token)
	require.NoError(t, err)
	require.True(t, id.Bound, "the app can be used for payments")
	r.clock.Advance(time.Minute)
	_, proof := r.proof(t, "code-a")
	own, err := r.QuickLogin(ctx, id.OpenID, proof)
	require.NoError(t, err)

	for _, token := range []string{stolen.Token, own.Token} {
		id, err := r.identify(t, "code-a", token)
		require.NoError(t, err)
		u := r.user(t, token)
		change := account.ChangePhone{Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{
			OpenID: id.OpenID, Proof: id.Proof, Password: right,
		}}
		require.ErrorIs(t, r.safety.ChangePhone(ctx, u, token, change), account.ErrIdentityUnconfirmed)
	}

	// The owner changes the phone by code, and the thief's identity and sessions end.
	owner := stolen.Token // of which the owner has the original
	u := r.user(t, owner)
	require.NoError(t, r.safety.ChangePhone(ctx, u, owner, account.ChangePhone{
		Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{Code: r.safetyCode(t, u)},
	}))
	require.ErrorIs(t, r.OwnsOpenID(ctx, u.ID, id.OpenID), account.ErrOpenIDUnproven)
	_, err = r.Session(ctx, own.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired)
}

func TestChangePhone_AnIdentityIsAProofAfterACodeOrAfterThirtyDays(t *testing.T) {
	t.Parallel()
	for name, confirm := range map[string]func(r *services) account.Login{
		"login by code": func(r *services) account.Login { return r.loginAgain(t, alice) },
		"the life of a session": func(r *services) account.Login {
			r.clock.Advance(account.SessionLife)
			openID, proof := r.proof(t, "code-a")
			l, err := r.QuickLogin(t.Context(), openID, proof)
			require.NoError(t, err)
			return l
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newServices(t)
			r.withPassword(t, alice)
			first := r.loginAgain(t, alice)
			r.clock.Advance(time.Second)
			_, err := r.identify(t, "code-a", first.Token)
			require.NoError(t, err)
			l := confirm(r)
			id, err := r.identify(t, "code-a", l.Token)
			require.NoError(t, err)
			u := r.user(t, l.Token)
			require.NoError(t, r.safety.ChangePhone(t.Context(), u, l.Token, account.ChangePhone{
				Phone: bob, Code: r.newPhoneCode(t, u, bob),
				Reauth: account.Reauth{OpenID: id.OpenID, Proof: id.Proof, Password: right},
			}))
			require.NoError(t, r.OwnsOpenID(t.Context(), u.ID, id.OpenID), "a confirmed identity stays")
		})
	}
}

// The code for the removal of the phone confirms the identity, which is then the only way into the account.
func TestUnbindPhone_LeavesAnIdentityThatIsAProof(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	r.clock.Advance(time.Hour)
	_, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	u := r.user(t, l.Token)
	require.NoError(t, r.safety.UnbindPhone(ctx, u, l.Token, r.safetyCode(t, u)))

	id, err := r.identify(t, "code-b", l.Token)
	require.NoError(t, err)
	require.False(t, id.Bound, "a further identity needs a code to the phone")
	id, err = r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.NoError(t, r.safety.ChangePhone(ctx, r.user(t, l.Token), l.Token, account.ChangePhone{
		Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{OpenID: id.OpenID, Proof: id.Proof},
	}))
	require.Equal(t, bob, r.user(t, l.Token).Phone)
}

// A session binds the first identity only. A further one is bound with a code to the phone.
func TestFinishOAuth_AFurtherIdentityNeedsThePhone(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	id, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.True(t, id.Bound)
	id, err = r.identify(t, "code-b", l.Token)
	require.NoError(t, err)
	require.False(t, id.Bound)
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), l.UserID, id.OpenID), account.ErrOpenIDUnproven)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	_, err = r.BindPhone(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)}, id.OpenID, id.Proof)
	require.NoError(t, err)
	require.NoError(t, r.OwnsOpenID(t.Context(), l.UserID, id.OpenID))
	again, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.True(t, again.Bound, "the first one stays")
}

func TestChangePhone_ATakenPhoneUsesUpNoProofOfTheOwner(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	r.login(t, bob)
	u := r.user(t, l.Token)
	change := account.ChangePhone{Phone: bob, Reauth: account.Reauth{Code: r.safetyCode(t, u)}}
	change.Code = r.newPhoneCode(t, u, bob)
	require.ErrorIs(t, r.safety.ChangePhone(ctx, u, l.Token, change), account.ErrPhoneTaken)
	change.Phone = "13700000003"
	change.Code = r.newPhoneCode(t, u, change.Phone)
	require.NoError(t, r.safety.ChangePhone(ctx, u, l.Token, change), "the code to the present phone is unused")
}

// A client without the session of the account guesses codes for its new phone, and locks its own code only.
func TestChangePhone_TheTriesOfOtherAccountsLockNoCode(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	other := r.user(t, r.login(t, bob).Token)
	u := r.user(t, l.Token)
	const phone = "13700000003"
	change := account.ChangePhone{Phone: phone, Reauth: account.Reauth{Code: r.safetyCode(t, u)}}
	change.Code = r.newPhoneCode(t, u, phone)
	for range account.CodeTries + 1 {
		err := r.safety.ChangePhone(t.Context(), other, "", account.ChangePhone{Phone: phone, Code: wrong(change.Code)})
		require.Error(t, err)
	}
	require.NoError(t, r.safety.ChangePhone(t.Context(), u, l.Token, change))
}

func TestUnbindIdentity_WithoutOneUsesUpNoCode(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	u := r.user(t, l.Token)
	code := r.safetyCode(t, u)
	require.ErrorIs(t, r.safety.UnbindIdentity(t.Context(), u, l.Token, code), account.ErrIdentityUnbound)
	_, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.NoError(t, r.safety.UnbindIdentity(t.Context(), u, l.Token, code))
	openID, err := r.OpenID(t.Context(), u.ID)
	require.NoError(t, err)
	require.Empty(t, openID)
}

func TestReauthenticate_NamesAnotherIdentity(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	id, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	u := r.user(t, l.Token)
	u.Phone = "" // such an account proves itself by its identity
	prove := func(openID, proof string) error {
		return r.safety.Reauthenticate(t.Context(), u, account.ForClosing, account.Reauth{OpenID: openID, Proof: proof})
	}
	require.ErrorIs(t, prove("openid-b", "wrong"), account.ErrIdentityMismatch)
	require.ErrorIs(t, prove(id.OpenID, "wrong"), account.ErrOpenIDUnproven)
	require.NoError(t, prove(id.OpenID, id.Proof))
}
