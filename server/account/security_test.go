package account_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
)

// user returns the buyer of the session.
func (r *services) user(t *testing.T, token string) account.User {
	t.Helper()
	session, err := r.Session(t.Context(), token)
	require.NoError(t, err)
	return session.User
}

// newPhoneCode sends a code for a new phone after the wait between two codes, and returns it.
func (r *services) newPhoneCode(t *testing.T, u account.User, phone string) string {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.security.SendNewPhoneCode(t.Context(), u.ID, phone, home))
	return r.code(phone)
}

// securityCode sends a code to the buyer's own phone after the wait between two codes, and returns it.
func (r *services) securityCode(t *testing.T, u account.User) string {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.security.SendOwnCode(t.Context(), u.ID, account.ForSecurity, home))
	return r.code(u.Phone)
}

// A thief binds an identity in a stolen session and knows the payment password. The identity does not let the thief
// change the phone, neither with the stolen token nor with a token from a login by that identity. This holds after a
// later login of the owner, and after the session that bound it would have ended. When the owner changes the phone, the
// identity is removed.
func TestChangePhone_AnIdentityBoundByAStolenSessionIsNotAProof(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, wait := range map[string]time.Duration{"a day": 24 * time.Hour, "a session": durations.Session} {
		t.Run(name+" later", func(t *testing.T) {
			t.Parallel()
			r := newServices(t)
			r.withPassword(t, alice)
			stolen := r.loginAgain(t, alice)
			id, err := r.identify(t, "code-a", stolen.Token)
			require.NoError(t, err)
			require.True(t, id.Bound, "the app can be used for payments")
			r.clock.Advance(wait)
			owner := r.login(t, alice)
			r.clock.Advance(time.Minute)
			own, err := r.QuickLogin(ctx, r.proof(t, "code-a"))
			require.NoError(t, err)

			u := r.user(t, own.Token)
			change := account.ChangePhone{Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{
				Identity: r.proof(t, "code-a"), Password: right,
			}}
			require.ErrorIs(t, r.security.ChangePhone(ctx, u, own.Token, change), account.ErrIdentityUnconfirmed)
			require.ErrorIs(t, r.security.UnbindPhone(ctx, u, own.Token, r.securityCode(t, u)),
				account.ErrIdentityUnconfirmed, "it would be the only way into the account")

			require.NoError(t, r.security.ChangePhone(ctx, u, owner.Token, account.ChangePhone{
				Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{Code: r.securityCode(t, u)},
			}))
			require.ErrorIs(t, r.OwnsOpenID(ctx, u.ID, id.OpenID), account.ErrOpenIDUnproven)
			_, err = r.Session(ctx, own.Token)
			require.ErrorIs(t, err, account.ErrLoginRequired)
			again, err := r.QuickLogin(ctx, r.proof(t, "code-a"))
			require.NoError(t, err)
			require.Empty(t, again.Token)
			require.Equal(t, bob, r.user(t, owner.Token).Phone)
		})
	}
}

// A change of phone distinguishes its two codes: each has its own tries, and a wrong one does not use up the other.
func TestChangePhone_ReportsWhichCodeIsWrong(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	u := r.user(t, l.Token)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.security.SendOwnCode(ctx, u.ID, account.ForSecurity, home))
	own := r.code(alice)
	fresh := r.newPhoneCode(t, u, bob)
	change := func(own, fresh string) error {
		return r.security.ChangePhone(ctx, u, l.Token, account.ChangePhone{
			Phone: bob, Code: fresh, Reauth: account.Reauth{Code: own},
		})
	}
	for entered, want := range map[[2]string]string{{own, wrong(fresh)}: "newcode", {wrong(own), fresh}: ""} {
		rejected := fault.Of(change(entered[0], entered[1]))
		require.ErrorIs(t, rejected, account.ErrCodeWrong, entered)
		require.Equal(t, want, rejected.Field, entered)
		require.Positive(t, rejected.TriesLeft, entered)
	}
	require.NoError(t, change(own, fresh))
	require.Equal(t, bob, r.user(t, l.Token).Phone)
}

// A code that is entered to bind the identity confirms it, also if a session has bound it before.
func TestChangePhone_AnIdentityIsAProofAfterACodeForIt(t *testing.T) {
	t.Parallel()
	for _, before := range []bool{false, true} {
		t.Run(map[bool]string{false: "bound with the code", true: "bound before"}[before], func(t *testing.T) {
			t.Parallel()
			r := newServices(t)
			r.withPassword(t, alice)
			if before {
				id, err := r.identify(t, "code-a", r.loginAgain(t, alice).Token)
				require.NoError(t, err)
				require.True(t, id.Bound)
			}
			l := r.bindByCode(t, alice, r.proof(t, "code-a"))
			u := r.user(t, l.Token)
			require.NoError(t, r.security.ChangePhone(t.Context(), u, l.Token, account.ChangePhone{
				Phone: bob, Code: r.newPhoneCode(t, u, bob),
				Reauth: account.Reauth{Identity: r.proof(t, "code-a"), Password: right},
			}))
			require.NoError(t, r.OwnsOpenID(t.Context(), u.ID, "openid-a"), "a confirmed identity stays")
		})
	}
}

func TestUnbindPhone_LeavesTheIdentitiesThatAreProofs(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	r := newServices(t)
	l := r.login(t, alice)
	first, err := r.identify(t, "code-b", l.Token)
	require.NoError(t, err)
	require.True(t, first.Bound)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendLoginCode(ctx, alice, home))
	_, err = r.BindPhone(ctx, account.EnteredCode{Phone: alice, Code: r.code(alice)}, r.proof(t, "code-a"), true)
	require.NoError(t, err)
	u := r.user(t, l.Token)
	require.NoError(t, r.security.UnbindPhone(ctx, u, l.Token, r.securityCode(t, u)))
	require.ErrorIs(t, r.OwnsOpenID(ctx, u.ID, first.OpenID), account.ErrOpenIDUnproven, "not confirmed")

	id, err := r.identify(t, "code-b", l.Token)
	require.NoError(t, err)
	require.False(t, id.Bound, "a further identity needs a code to the phone")
	id, err = r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.True(t, id.Bound)
	require.NoError(t, r.security.ChangePhone(ctx, r.user(t, l.Token), l.Token, account.ChangePhone{
		Phone: bob, Code: r.newPhoneCode(t, u, bob), Reauth: account.Reauth{Identity: proofOf(id)},
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
	change := account.ChangePhone{Phone: bob, Reauth: account.Reauth{Code: r.securityCode(t, u)}}
	change.Code = r.newPhoneCode(t, u, bob)
	require.ErrorIs(t, r.security.ChangePhone(ctx, u, l.Token, change), account.ErrPhoneTaken)
	change.Phone = "13700000003"
	change.Code = r.newPhoneCode(t, u, change.Phone)
	require.NoError(t, r.security.ChangePhone(ctx, u, l.Token, change), "the code to the present phone is unused")
}

// A client without the session of the account that guesses codes for the new phone locks only its own code.
func TestChangePhone_TheTriesOfOtherAccountsLockNoCode(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	other := r.user(t, r.login(t, bob).Token)
	u := r.user(t, l.Token)
	const phone = "13700000003"
	change := account.ChangePhone{Phone: phone, Reauth: account.Reauth{Code: r.securityCode(t, u)}}
	change.Code = r.newPhoneCode(t, u, phone)
	for range account.CodeTries + 1 {
		guess := account.ChangePhone{Phone: phone, Code: wrong(change.Code)}
		err := r.security.ChangePhone(t.Context(), other, "", guess)
		require.Error(t, err)
	}
	require.NoError(t, r.security.ChangePhone(t.Context(), u, l.Token, change))
}

func TestUnbindIdentity_WithoutOneUsesUpNoCode(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	u := r.user(t, l.Token)
	code := r.securityCode(t, u)
	require.ErrorIs(t, r.security.UnbindIdentity(t.Context(), u, l.Token, code, ""), account.ErrIdentityUnbound)
	_, err := r.identify(t, "code-a", l.Token)
	require.NoError(t, err)
	require.NoError(t, r.security.UnbindIdentity(t.Context(), u, l.Token, code, ""))
	openID, err := r.OpenID(t.Context(), u.ID)
	require.NoError(t, err)
	require.Empty(t, openID)
}

func TestReauthenticate_NamesAnotherIdentity(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	r.bindByCode(t, alice, r.proof(t, "code-a"))
	u := r.user(t, l.Token)
	u.Phone = "" // such an account proves itself by its identity
	prove := func(p account.Proof) error {
		return r.security.Reauthenticate(t.Context(), u, account.ForClosing, account.Reauth{Identity: p})
	}
	mine := r.proof(t, "code-a")
	forged := mine
	forged.Token = "wrong"
	require.ErrorIs(t, prove(account.Proof{}), account.ErrReauthRequired)
	require.ErrorIs(t, prove(r.proof(t, "code-b")), account.ErrIdentityMismatch)
	require.ErrorIs(t, prove(forged), account.ErrOpenIDUnproven)
	require.NoError(t, prove(mine))
}
