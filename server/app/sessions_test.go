package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// openAccess is the sessions and identities with access to an account: the data of /Member/sessions.
type openAccess struct {
	Sessions []struct {
		ID      string
		Current bool
	}
	Identities []struct {
		OpenID    string
		Confirmed bool
	}
}

// A thief who has read one code of the owner has a session and has bound an identity to the account. The owner ends
// both from another phone, and the thief cannot log in again.
func TestSessions_TheOwnerEndsThoseOfAThief(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	thief := h.newBuyer("13811110025").loginInApp()
	h.AdvanceClock(time.Minute)
	owner := h.newBuyer(thief.phone).login()
	open := func() openAccess { return dataOf[openAccess](t, owner.call("/Member/sessions", nil)) }
	comesBack := func() string {
		return dataOf[struct{ Token string }](t, thief.call("/newmovie/seat/quicklogin", params{
			"openid": openID, "yz_code": thief.http.ProveIdentity("", openID),
		})).Token
	}

	before := open()
	require.Len(t, before.Sessions, 2)
	require.Len(t, before.Identities, 1)
	require.Equal(t, openID, before.Identities[0].OpenID)
	require.False(t, before.Identities[0].Confirmed)
	stranger := h.newBuyer("13811110026").login()
	for _, s := range before.Sessions {
		require.NotContains(t, []string{owner.token, thief.token}, s.ID)
		requireFault(t, stranger.call("/Member/endsession", params{"id": s.ID}), "session_unknown")
	}
	dataOf[any](t, thief.call("/Member/index", nil))
	for _, s := range before.Sessions {
		if !s.Current {
			dataOf[any](t, owner.call("/Member/endsession", params{"id": s.ID}))
		}
	}
	requireFault(t, thief.call("/Member/index", nil), "login_required")
	requireFault(t, thief.call("/newmovie/seat/quicklogin", params{"openid": openID}), "openid_unproven")
	require.Len(t, open().Sessions, 1)

	thief.token = comesBack() // the identity still opens the account
	require.NotEmpty(t, thief.token)
	dataOf[any](t, thief.call("/Member/index", nil))
	dataOf[any](t, owner.call("/Member/endsessions", nil))
	requireFault(t, thief.call("/Member/index", nil), "login_required")
	require.Empty(t, comesBack(), "no code was entered to bind the identity, so it is removed with the session")
	after := open()
	require.Len(t, after.Sessions, 1)
	require.True(t, after.Sessions[0].Current)
	require.Empty(t, after.Identities)
}
