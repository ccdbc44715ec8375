package account_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
)

// access returns what the session may do.
func (r *services) access(t *testing.T, token string) account.Access {
	t.Helper()
	session, err := r.Session(t.Context(), token)
	require.NoError(t, err)
	return session.Access
}

// sessionCode sends the code that confirms a session by link, and returns it.
func (r *services) sessionCode(t *testing.T, u account.User) string {
	t.Helper()
	r.clock.Advance(time.Minute)
	require.NoError(t, r.security.SendOwnCode(t.Context(), u.ID, account.ForSession, home))
	return r.code(u.Phone)
}

// afterDormancy waits until the account of the phone is dormant.
func (r *services) afterDormancy() { r.clock.Advance(durations.Dormant + time.Second) }

func TestLogin_AlwaysReturnsTokenAndAccount(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	first := r.login(t, alice)
	r.clock.Advance(durations.Dormant)
	onTime := r.login(t, alice)
	require.Equal(t, first.UserID, onTime.UserID)
	require.Equal(t, account.FullAccess, onTime.Access, "after exactly 90 days")
	require.Equal(t, account.FullAccess, r.access(t, onTime.Token))

	r.afterDormancy()
	late := r.login(t, alice)
	require.Equal(t, first.UserID, late.UserID)
	require.NotEmpty(t, late.Token)
	require.Equal(t, account.LimitedAccess, late.Access)
	require.Equal(t, account.LimitedAccess, r.access(t, late.Token))
	again := r.loginAgain(t, alice)
	require.Equal(t, account.LimitedAccess, again.Access, "a further code proves nothing more")
}

func TestConfirm_GivesTheOwnerOfADormantAccountFullAccess(t *testing.T) {
	t.Parallel()
	for name, prove := range map[string]func(t *testing.T, r *services, token string) account.Reauth{
		"payment password": func(*testing.T, *services, string) account.Reauth {
			return account.Reauth{Password: right}
		},
		"identity": func(t *testing.T, r *services, token string) account.Reauth {
			t.Helper()
			id, err := r.identify(t, "code-a", token)
			require.NoError(t, err)
			return account.Reauth{Identity: proofOf(id)}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newServices(t)
			r.withPassword(t, alice)
			r.bindByCode(t, alice, r.proof(t, "code-a"))
			r.afterDormancy()
			l := r.login(t, alice)
			_, err := r.security.Confirm(t.Context(), l.Token, account.Reauth{})
			require.ErrorIs(t, err, account.ErrReauthRequired)
			_, err = r.security.Confirm(t.Context(), l.Token, account.Reauth{Password: mistyped})
			require.ErrorIs(t, err, account.ErrPasswordWrong)
			other, err := r.identify(t, "code-b", l.Token)
			require.NoError(t, err)
			_, err = r.security.Confirm(t.Context(), l.Token, account.Reauth{Identity: proofOf(other)})
			require.ErrorIs(t, err, account.ErrIdentityMismatch)
			require.Equal(t, account.LimitedAccess, r.access(t, l.Token))

			access, err := r.security.Confirm(t.Context(), l.Token, prove(t, r, l.Token))
			require.NoError(t, err)
			require.Equal(t, account.FullAccess, access)
			require.Equal(t, account.FullAccess, r.access(t, l.Token))
			require.Equal(t, account.FullAccess, r.loginAgain(t, alice).Access)
			events, err := r.Events(t.Context(), account.EventFilter{Kind: account.SessionConfirmed})
			require.NoError(t, err)
			require.Len(t, events, 1)
		})
	}
}

// While the owner has a session with limited access, a stranger who got the number may have one as well.
func TestConfirm_AnotherSessionWithLimitedAccessStaysLimited(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.withPassword(t, alice)
	r.afterDormancy()
	owner, stranger := r.login(t, alice), r.loginAgain(t, alice)
	link, err := r.LinkLogin(t.Context(), stranger.Token)
	require.NoError(t, err)
	access, err := r.security.Confirm(t.Context(), owner.Token, account.Reauth{Password: right})
	require.NoError(t, err)
	require.Equal(t, account.FullAccess, access)
	require.Equal(t, account.LimitedAccess, r.access(t, stranger.Token))
	require.Equal(t, account.LimitedAccess, r.access(t, link.Token))
	later, err := r.LinkLogin(t.Context(), stranger.Token)
	require.NoError(t, err)
	require.Equal(t, account.LimitedAccess, later.Access, "a link opens no more")
	require.Equal(t, account.LimitedAccess, r.access(t, later.Token))
	limited, err := r.Session(t.Context(), stranger.Token)
	require.NoError(t, err)
	require.False(t, limited.ShowsCodes(true, limited.Created.Add(-time.Second)), "bought before by another person")
	require.False(t, limited.ShowsCodes(false, r.clock.Now()), "bought by the owner")
	require.True(t, limited.ShowsCodes(true, limited.Created))

	_, err = r.security.Confirm(t.Context(), stranger.Token, account.Reauth{Password: mistyped})
	require.ErrorIs(t, err, account.ErrPasswordWrong)
	require.Equal(t, account.LimitedAccess, r.access(t, stranger.Token))
	access, err = r.security.Confirm(t.Context(), stranger.Token, account.Reauth{Password: right})
	require.NoError(t, err)
	require.Equal(t, account.FullAccess, access, "it was the owner, too")
	require.Equal(t, account.LimitedAccess, r.access(t, link.Token))
}

// The phone was proven when the session was opened: its owner may have given the number away since.
func TestConfirm_TheNextNinetyDaysBeginWithTheLogin(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.withPassword(t, alice)
	r.afterDormancy()
	l := r.login(t, alice)
	entered := r.clock.Now()
	r.clock.Advance(durations.Session - time.Second)
	_, err := r.security.Confirm(t.Context(), l.Token, account.Reauth{Password: right})
	require.NoError(t, err)
	r.clock.Advance(entered.Add(durations.Dormant + time.Second).Sub(r.clock.Now()))
	require.Equal(t, account.LimitedAccess, r.login(t, alice).Access)
}

// Guesses of the payment password are bounded although each login by code opens a session in which to guess, and they
// lock nothing for the owner.
func TestConfirm_GuessesAreBoundedPerWeek(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.withPassword(t, alice)
	r.afterDormancy()
	guessIn := func(token, password string) error {
		_, err := r.security.Confirm(t.Context(), token, account.Reauth{Password: password})
		return err
	}
	guess := func(password string) error { return guessIn(r.login(t, alice).Token, password) }
	began := r.clock.Now()
	for try := range account.HolderWeekTries {
		err := guess(mistyped)
		require.ErrorIs(t, err, account.ErrPasswordWrong)
		require.Equal(t, account.HolderWeekTries-1-try, fault.Of(err).TriesLeft)
		r.clock.Advance(time.Hour)
	}
	for r.clock.Now().Before(began.Add(durations.PasswordWeek - 12*time.Hour)) {
		l := r.login(t, alice)
		for range account.PasswordTries {
			require.ErrorIs(t, guessIn(l.Token, right), account.ErrPasswordLocked)
		}
		r.clock.Advance(6 * time.Hour)
	}
	events, err := r.Events(t.Context(), account.EventFilter{Kind: account.PasswordRejected, Most: 1000})
	require.NoError(t, err)
	require.Len(t, events, account.HolderWeekTries)
	id := r.login(t, alice).UserID
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordLocked, "the fifth in a row")
	r.clock.Advance(durations.PasswordLock)
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))

	l := r.loginAgain(t, alice)
	r.clock.Advance(began.Add(durations.PasswordWeek - time.Second).Sub(r.clock.Now()))
	require.ErrorIs(t, guessIn(l.Token, right), account.ErrPasswordLocked)
	r.clock.Advance(time.Second)
	require.NoError(t, guessIn(l.Token, right))
}

func TestLimitedAccess_PaysWithAnIdentityAndBindsNone(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	owner := r.login(t, alice)
	r.bindByCode(t, alice, r.proof(t, "code-a"))
	r.afterDormancy()

	// By a login in the messaging app, and by the OAuth of a session.
	inApp := r.bindByCode(t, alice, r.proof(t, "code-b"))
	require.Equal(t, account.LimitedAccess, inApp.Access)
	bySession := r.loginAgain(t, alice)
	id, err := r.identify(t, "code-b", bySession.Token)
	require.NoError(t, err)
	require.True(t, id.Bound, "to the session")
	for _, token := range []string{inApp.Token, bySession.Token} {
		session, err := r.Session(t.Context(), token)
		require.NoError(t, err)
		require.Equal(t, "openid-b", session.OpenID)
		require.NoError(t, r.OwnsOpenID(t.Context(), owner.UserID, "openid-b"))
		require.NoError(t, r.Logout(t.Context(), token, ""))
	}
	require.ErrorIs(t, r.OwnsOpenID(t.Context(), owner.UserID, "openid-b"), account.ErrOpenIDUnproven)
	l, err := r.QuickLogin(t.Context(), r.proof(t, "code-b"))
	require.NoError(t, err)
	require.Empty(t, l.Token, "it opens no session of the account")

	// The identity of the owner does, with full access, and not for the holder of the phone.
	l, err = r.QuickLogin(t.Context(), r.proof(t, "code-a"))
	require.NoError(t, err)
	require.Equal(t, account.FullAccess, r.access(t, l.Token))
	require.Equal(t, account.LimitedAccess, r.loginAgain(t, alice).Access)
}

// What a holder of the phone has bought stays visible to that holder, and not to the next one.
func TestLimitedAccess_ShowsWhatTheSameHolderBought(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.login(t, alice)
	r.afterDormancy()
	shows := func(limited bool, bought time.Time) bool {
		session, err := r.Session(t.Context(), r.loginAgain(t, alice).Token)
		require.NoError(t, err)
		return session.ShowsCodes(limited, bought)
	}
	byOwner := r.clock.Now()
	require.False(t, shows(false, byOwner))
	bought := r.clock.Now()
	require.True(t, shows(true, bought))
	require.False(t, shows(false, bought), "bought by the owner, through the messaging app")
	for range 4 {
		r.clock.Advance(durations.Dormant - time.Hour)
		require.True(t, shows(true, bought), "the holder has logged in again and again")
	}
	r.afterDormancy()
	require.False(t, shows(true, bought), "the number may have another holder")
	require.True(t, shows(true, r.clock.Now()))
}

func TestConfirmOwner_EndsTheLimits(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.login(t, alice)
	r.afterDormancy()
	l := r.login(t, alice)
	ctx := account.WithOperator(t.Context(), "admin:ann")
	require.NoError(t, r.security.ConfirmOwner(ctx, r.user(t, l.Token), "showed a bill"))
	require.Equal(t, account.FullAccess, r.access(t, l.Token))
	events, err := r.Events(t.Context(), account.EventFilter{Kind: account.SessionConfirmed})
	require.NoError(t, err)
	require.Len(t, events, 1)
	require.Equal(t, "admin:ann", events[0].Actor)
	require.Equal(t, "showed a bill", events[0].Detail)
}

func TestLinkLogin_OpensASeparateSession(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	from := r.login(t, alice)
	for _, token := range []string{"", "x", from.Token[:42], from.Token + "x", from.Token[:42] + "!"} {
		_, err := r.LinkLogin(t.Context(), token)
		require.ErrorIs(t, err, account.ErrLinkToken, "%q", token)
	}
	r.clock.Advance(time.Hour)
	l, err := r.LinkLogin(t.Context(), from.Token)
	require.NoError(t, err)
	require.Equal(t, from.UserID, l.UserID)
	require.NotEqual(t, from.Token, l.Token)
	require.Equal(t, alice, l.Phone)
	require.Equal(t, account.LinkAccess, l.Access)
	require.Equal(t, account.LinkAccess, r.access(t, l.Token))

	require.NoError(t, r.Logout(t.Context(), l.Token, ""))
	require.Equal(t, account.FullAccess, r.access(t, from.Token), "the session of the token is still live")
	l, err = r.LinkLogin(t.Context(), from.Token)
	require.NoError(t, err)
	r.clock.Advance(durations.Session - time.Hour - time.Second)
	require.Equal(t, account.LinkAccess, r.access(t, l.Token))
	r.clock.Advance(time.Second)
	_, err = r.Session(t.Context(), l.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired, "it ends with the session of the token")
	_, err = r.LinkLogin(t.Context(), from.Token)
	require.ErrorIs(t, err, account.ErrLinkToken)
}

// A thief of a token could otherwise keep the account open beyond the end of the session that was stolen.
func TestLinkLogin_EndsWithTheSessionOfTheToken(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(r *services, l account.Login) error{
		"logout": func(r *services, l account.Login) error { return r.Logout(t.Context(), l.Token, "") },
		"ended from another session": func(r *services, l account.Login) error {
			return r.security.EndSession(t.Context(), l.UserID, r.handle(t, l))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newServices(t)
			from, other := r.login(t, alice), r.loginAgain(t, alice)
			link := func(token string) account.Login {
				l, err := r.LinkLogin(t.Context(), token)
				require.NoError(t, err)
				return l
			}
			first, confirmed, foreign := link(from.Token), link(from.Token), link(other.Token)
			second := link(link(first.Token).Token)
			r.clock.Advance(time.Minute)
			code := r.sessionCode(t, r.user(t, confirmed.Token))
			_, err := r.security.Confirm(t.Context(), confirmed.Token, account.Reauth{Code: code})
			require.NoError(t, err)

			require.NoError(t, end(r, from))
			for _, l := range []account.Login{from, first, second} {
				_, err := r.Session(t.Context(), l.Token)
				require.ErrorIs(t, err, account.ErrLoginRequired)
			}
			for _, l := range []account.Login{confirmed, foreign, other} {
				r.user(t, l.Token)
			}
			live, err := r.security.Sessions(t.Context(), from.UserID)
			require.NoError(t, err)
			require.Len(t, live, 3)
		})
	}
}

// A session by link ends together with the session that opened it. So EndOtherSessions must not end that session
// either.
func TestLinkLogin_ALinkEndsOtherSessionsButNotTheOneThatOpenedIt(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	from, other := r.login(t, alice), r.loginAgain(t, alice)
	first, err := r.LinkLogin(t.Context(), from.Token)
	require.NoError(t, err)
	second, err := r.LinkLogin(t.Context(), first.Token)
	require.NoError(t, err)
	sibling, err := r.LinkLogin(t.Context(), from.Token)
	require.NoError(t, err)

	require.NoError(t, r.security.EndOtherSessions(t.Context(), second.UserID, second.Token))
	for _, l := range []account.Login{from, first, second} {
		r.user(t, l.Token)
	}
	for _, l := range []account.Login{other, sibling} {
		_, err := r.Session(t.Context(), l.Token)
		require.ErrorIs(t, err, account.ErrLoginRequired)
	}
	require.NoError(t, r.security.EndOtherSessions(t.Context(), from.UserID, from.Token))
	r.user(t, from.Token)
	for _, l := range []account.Login{first, second} {
		_, err := r.Session(t.Context(), l.Token)
		require.ErrorIs(t, err, account.ErrLoginRequired, "the owner ends them")
	}
}

// The holder of a token cannot open an unlimited number of sessions: the oldest of those by link end, with the sessions
// that their links opened.
func TestLinkLogin_TheLatestOfOneSessionStay(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	from, other := r.login(t, alice), r.loginAgain(t, alice)
	link := func(token string) string {
		r.clock.Advance(time.Second)
		l, err := r.LinkLogin(t.Context(), token)
		require.NoError(t, err)
		return l.Token
	}
	alive := func(tokens ...string) (n int) {
		for _, token := range tokens {
			if _, err := r.Session(t.Context(), token); err == nil {
				n++
			}
		}
		return n
	}
	foreign, first := link(other.Token), link(from.Token)
	tokens := []string{link(first)}
	for range account.LinkSessions - 2 {
		tokens = append(tokens, link(from.Token))
	}
	require.Equal(t, account.LinkSessions, alive(append(tokens, first)...))
	second := link(from.Token)
	require.Zero(t, alive(first, tokens[0]), "the oldest, and what it opened")
	require.Equal(t, account.LinkSessions-1, alive(append(tokens[1:], second)...))
	require.Equal(t, 3, alive(from.Token, other.Token, foreign), "other sessions are still live")

	for range 3 * account.LinkSessions {
		link(from.Token)
	}
	live, err := r.security.Sessions(t.Context(), from.UserID)
	require.NoError(t, err)
	require.Len(t, live, account.LinkSessions+3)
}

// A chain of sessions, each opened by a link of the one before, is limited to LinkSessions, too; the last session
// stays.
func TestLinkLogin_AChainOfLinksEnds(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	token := r.login(t, alice).Token
	for range account.LinkSessions {
		l, err := r.LinkLogin(t.Context(), token)
		require.NoError(t, err)
		token = l.Token
	}
	_, err := r.LinkLogin(t.Context(), token)
	require.ErrorIs(t, err, account.ErrLinkToken)
	require.Equal(t, account.LinkAccess, r.access(t, token))
}

// handle returns the handle of the session in the list of its buyer.
func (r *services) handle(t *testing.T, l account.Login) string {
	t.Helper()
	live, err := r.security.Sessions(t.Context(), l.UserID)
	require.NoError(t, err)
	own := slices.IndexFunc(live, func(s account.LiveSession) bool { return s.IsOf(l.Token) })
	require.GreaterOrEqual(t, own, 0)
	return live[own].Handle()
}

func TestConfirm_ACodeEndsTheLimitsOfALink(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	from := r.login(t, alice)
	l, err := r.LinkLogin(t.Context(), from.Token)
	require.NoError(t, err)
	_, err = r.security.Confirm(t.Context(), l.Token, account.Reauth{Password: right})
	require.ErrorIs(t, err, account.ErrCodeRequired)
	code := r.sessionCode(t, r.user(t, l.Token))
	_, err = r.security.Confirm(t.Context(), l.Token, account.Reauth{Code: wrong(code)})
	require.ErrorIs(t, err, account.ErrCodeWrong)
	require.Equal(t, account.LinkAccess, r.access(t, l.Token))
	access, err := r.security.Confirm(t.Context(), l.Token, account.Reauth{Code: code})
	require.NoError(t, err)
	require.Equal(t, account.FullAccess, access)
	require.Equal(t, account.FullAccess, r.access(t, l.Token))
}

// A link to a session of a dormant account gives no more access than a login with the phone.
func TestLinkLogin_ADormantAccountStaysLimited(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	r.withPassword(t, alice)
	r.bindByCode(t, alice, r.proof(t, "code-a"))
	r.afterDormancy()
	byApp, err := r.QuickLogin(t.Context(), r.proof(t, "code-a"))
	require.NoError(t, err)
	for _, from := range []account.Login{byApp, r.login(t, alice)} {
		l, err := r.LinkLogin(t.Context(), from.Token)
		require.NoError(t, err)
		require.Equal(t, account.LimitedAccess, l.Access)
		// The payment password does not prove the phone.
		_, err = r.security.Confirm(t.Context(), l.Token, account.Reauth{Password: right})
		require.ErrorIs(t, err, account.ErrCodeRequired)
		access, err := r.security.Confirm(t.Context(), l.Token,
			account.Reauth{Code: r.sessionCode(t, r.user(t, l.Token))})
		require.NoError(t, err)
		require.Equal(t, account.LimitedAccess, access)
		require.Equal(t, account.LimitedAccess, r.loginAgain(t, alice).Access)
	}
}
