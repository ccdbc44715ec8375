package storetest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/personal"
)

// AccountStores holds the account store of one empty database, once for each interface that it implements.
type AccountStores struct {
	account.SessionStore
	account.CodeStore
	LoginCounter
	account.IdentityStore
	AvatarStore
	account.EventStore
	account.SecurityStore
	account.NoticeStore
	Passwords account.PasswordStore
	Orders    order.Updater
	Personal  PersonalStore
}

// PersonalStore closes accounts, and reads the data of an account.
type PersonalStore interface {
	personal.Store
	personal.Profile
}

// LoginCounter counts the logins of networks.
type LoginCounter interface {
	CountLogin(ctx context.Context, network string, now time.Time, allowed int) (counted bool, err error)
}

// AvatarStore stores the pictures of buyers.
type AvatarStore interface {
	// SetAvatar stores a picture under a new URL, assigns it to the buyer, and deletes the one that it replaces. It
	// returns account.ErrLoginRequired for an account that does not exist or is closed.
	SetAvatar(ctx context.Context, userID int64, url string, picture []byte) error
	// Avatar returns the picture with the URL, and false if there is none.
	Avatar(ctx context.Context, url string) (picture []byte, found bool, err error)
}

// Accounts tests an implementation of the account stores. It calls open once for each test, which must return stores
// on a new database.
func Accounts(t *testing.T, open func(t *testing.T) AccountStores) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, AccountStores){
		"users": users, "sessions": sessions, "linked sessions": linkedSessions,
		"a link during a logout": linkDuringLogout,
		"codes":                  codes, "code limits": codeLimits, "code tries": codeTries,
		"logins of a network": networkLogins, "code shares": codeShares, "code ceiling": codeCeiling,
		"devices": devices, "device login": deviceLogin,
		"identities": identities, "proofs": proofs, "notices": notices, "password tries": passwordTries,
		"replaced hash": replacedHash, "parallel tries": parallelTries, "password week": passwordWeek,
		"holder tries": holderTries, "phones": phones, "events": events, "erased accounts": erasedAccounts,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			check(t, open(t))
		})
	}
}

// hashOf returns the SHA-256 hash of a text.
func hashOf(text string) []byte {
	h := sha256.Sum256([]byte(text))
	return h[:]
}

// countSuccesses calls f n times in parallel and returns how many calls returned nil.
func countSuccesses(n int, f func() error) (succeeded int) {
	for _, err := range inParallel(n, func(int) error { return f() }) {
		if err == nil {
			succeeded++
		}
	}
	return succeeded
}

// inParallel calls f with 0 to n-1 in parallel and returns the errors, one for each call.
func inParallel(n int, f func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = f(i) })
	}
	wg.Wait()
	return errs
}

// countRejections checks that every error is nil or the rejection, and counts the rejections.
func countRejections(t *testing.T, errs []error, rejection error) (rejected int) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, rejection)
			rejected++
		}
	}
	return rejected
}

// users tests that parallel logins with one phone make one user, and that a buyer has one picture.
func users(t *testing.T, s AccountStores) {
	ctx := t.Context()
	_, err := s.User(ctx, 1)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	var ids sync.Map
	require.Equal(t, 16, countSuccesses(16, func() error {
		u, err := s.EnsureUser(ctx, "13800000001", noon)
		ids.Store(u.ID, true)
		return err
	}))
	found := 0
	ids.Range(func(any, any) bool { found++; return true })
	require.Equal(t, 1, found, "one phone is one buyer")
	u, err := s.EnsureUser(ctx, "13800000001", noon.Add(time.Hour))
	require.NoError(t, err)
	require.Equal(t, account.User{ID: u.ID, Phone: "13800000001", CreatedAt: u.CreatedAt,
		PhoneProvenAt: u.CreatedAt}, u)
	require.True(t, u.CreatedAt.Equal(noon))
	other, err := s.EnsureUser(ctx, "13800000002", noon)
	require.NoError(t, err)
	require.NotEqual(t, u.ID, other.ID)

	shown := func(url string) []byte {
		picture, found, err := s.Avatar(ctx, url)
		require.NoError(t, err)
		require.Equal(t, found, picture != nil)
		return picture
	}
	require.Nil(t, shown("/avatars/old.jpg"))
	require.NoError(t, s.SetAvatar(ctx, u.ID, "/avatars/old.jpg", []byte{0xff, 0, 1}))
	require.Equal(t, []byte{0xff, 0, 1}, shown("/avatars/old.jpg"))
	require.NoError(t, s.SetAvatar(ctx, u.ID, "/avatars/a.jpg", []byte("new")))
	require.Equal(t, []byte("new"), shown("/avatars/a.jpg"))
	require.Nil(t, shown("/avatars/old.jpg"), "the picture that was replaced is deleted")
	require.ErrorIs(t, s.SetAvatar(ctx, other.ID+1, "/avatars/b.jpg", nil), account.ErrLoginRequired)
	require.Nil(t, shown("/avatars/b.jpg"))
	u, err = s.User(ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, "/avatars/a.jpg", u.AvatarURL)
	other, err = s.User(ctx, other.ID)
	require.NoError(t, err)
	require.Empty(t, other.AvatarURL)
}

// hourLong returns a session of the buyer from noon to an hour later.
func hourLong(token string, userID int64) account.NewSession {
	return account.NewSession{
		Hash: hashOf(token), UserID: userID, Method: account.ByApp, Created: noon, Expires: noon.Add(time.Hour),
	}
}

func loggedIn(userID int64) account.Event {
	return account.Event{At: noon, Kind: account.LoggedInByApp, UserID: userID, Address: "192.0.2.1", Actor: "buyer"}
}

// sessions tests that a session ends at its time or when it is revoked, and the others of its user stay valid. Unknown,
// expired and revoked ones are ErrLoginRequired.
func sessions(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "13800000001", noon)
	require.NoError(t, err)
	require.NoError(t, s.AddSession(ctx, hourLong("a", u.ID), loggedIn(u.ID)))
	require.NoError(t, s.AddSession(ctx, hourLong("b", u.ID), loggedIn(u.ID)))
	require.Error(t, s.AddSession(ctx, hourLong("a", u.ID), loggedIn(u.ID)), "the hash is unique")
	got, err := s.Session(ctx, hashOf("a"), noon.Add(time.Hour-time.Second))
	require.NoError(t, err)
	require.Equal(t, u.ID, got.ID)
	require.Equal(t, account.ByApp, got.Method)
	require.True(t, got.Expires.Equal(noon.Add(time.Hour)))
	require.True(t, got.Created.Equal(noon))
	require.ErrorIs(t, s.AddSession(ctx, hourLong("z", u.ID+1), loggedIn(u.ID)), account.ErrLoginRequired,
		"no such buyer")
	_, err = s.Session(ctx, hashOf("a"), noon.Add(time.Hour))
	require.ErrorIs(t, err, account.ErrLoginRequired, "expired")
	_, err = s.Session(ctx, hashOf("c"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired, "unknown")
	for i, token := range []string{"a", "a", "c"} {
		live, err := s.RevokeSession(ctx, hashOf(token), hashOf(""), noon,
			account.Event{At: noon, Kind: account.LoggedOut})
		require.NoError(t, err)
		require.Equal(t, i == 0, live, "a session ends once")
	}
	journal, err := s.Events(ctx, account.EventFilter{UserID: u.ID})
	require.NoError(t, err)
	require.Len(t, journal, 3, "two logins and one logout")
	require.Equal(t, account.LoggedOut, journal[0].Kind)
	_, err = s.Session(ctx, hashOf("a"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired, "revoked")
	_, err = s.Session(ctx, hashOf("b"), noon)
	require.NoError(t, err, "the other session stays valid")
}

// linkedSessions tests that the end of a session also ends those that were opened by links from it, and no others.
func linkedSessions(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "13800000001", noon)
	require.NoError(t, err)
	add := func(token, openedBy string) error {
		n := hourLong(token, u.ID)
		if openedBy != "" {
			n.Method, n.OpenedBy = account.ByLink, hashOf(openedBy)
		}
		return s.AddSession(ctx, n, loggedIn(u.ID))
	}
	live := func(tokens ...string) {
		t.Helper()
		var found []string
		for _, token := range []string{"a", "a1", "a11", "a2", "b", "b1"} {
			if _, err := s.Session(ctx, hashOf(token), noon); err == nil {
				found = append(found, token)
			} else {
				require.ErrorIs(t, err, account.ErrLoginRequired)
			}
		}
		require.Equal(t, tokens, found)
	}
	for _, l := range [][2]string{{"a", ""}, {"a1", "a"}, {"a11", "a1"}, {"a2", "a"}, {"b", ""}, {"b1", "b"}} {
		require.NoError(t, add(l[0], l[1]))
	}
	require.NoError(t, s.ConfirmSession(ctx,
		account.Confirmation{Hash: hashOf("a2"), UserID: u.ID, Event: loggedIn(u.ID)}))
	_, err = s.RevokeSession(ctx, hashOf("a"), hashOf(""), noon, account.Event{At: noon, Kind: account.LoggedOut})
	require.NoError(t, err)
	live("a2", "b", "b1")
	require.ErrorIs(t, add("late", "a"), account.ErrLoginRequired, "the session of the link has ended")
	require.NoError(t, s.EndSession(ctx, u.ID, hashOf("b"), loggedIn(u.ID)))
	live("a2")
}

// linkDuringLogout tests that a logout also ends the session that a link from it opens at the same time.
func linkDuringLogout(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "13800000001", noon)
	require.NoError(t, err)
	for round := range 60 {
		parent, child := fmt.Sprint("parent", round), func(i int) string { return fmt.Sprint("child", round, " ", i) }
		require.NoError(t, s.AddSession(ctx, hourLong(parent, u.ID), loggedIn(u.ID)))
		for _, err := range inParallel(6, func(i int) error {
			if i == 3 {
				_, err := s.RevokeSession(ctx, hashOf(parent), hashOf(""), noon,
					account.Event{At: noon, Kind: account.LoggedOut})
				return err
			}
			n := hourLong(child(i), u.ID)
			n.Method, n.OpenedBy = account.ByLink, hashOf(parent)
			if err := s.AddSession(ctx, n, loggedIn(u.ID)); !errors.Is(err, account.ErrLoginRequired) {
				return err
			}
			return nil
		}) {
			require.NoError(t, err)
		}
		live, err := s.Sessions(ctx, u.ID, noon)
		require.NoError(t, err)
		require.Empty(t, live)
	}
}

// unlimited are limits that the tests do not reach.
var unlimited = account.Limits{PhoneHour: 100, PhoneDay: 100, NetworkHour: 100, NetworkDay: 100}

// sent returns a code that an unknown device in one network has requested, and that was sent at the given time.
func sent(phone string, purpose account.Purpose, text string, at time.Time) account.Code {
	return account.Code{Phone: phone, Purpose: purpose, Network: "192.0.2.1", Hash: hashOf(text), SentAt: at,
		Expires: at.Add(durations.Code)}
}

// codes tests that a code works once, for its phone and purpose, before its end. A newer code of the same purpose
// replaces it. A dropped code counts against the limits, unless it is uncounted.
func codes(t *testing.T, s AccountStores) {
	ctx := t.Context()
	const phone = "13800000001"
	add := func(purpose account.Purpose, text string, at time.Time) int64 {
		id, err := s.AddCode(ctx, sent(phone, purpose, text, at), unlimited)
		require.NoError(t, err)
		return id
	}
	use := func(purpose account.Purpose, text string, at time.Time) error {
		return s.UseCode(ctx, account.CodeTry{
			Phone: phone, Purpose: purpose, Hashes: [][]byte{hashOf("of another key"), hashOf(text)}, At: at,
		})
	}
	add(account.ForLogin, "1", noon)
	require.ErrorIs(t, use(account.ForPassword, "1", noon), account.ErrCodeWrong, "for another purpose")
	require.ErrorIs(t, use(account.ForLogin, "1", noon.Add(durations.Code)), account.ErrCodeWrong, "expired")
	require.Equal(t, 1, countSuccesses(8, func() error { return use(account.ForLogin, "1", noon) }), "one use")

	at := noon.Add(time.Hour)
	add(account.ForLogin, "2", at)
	add(account.ForPassword, "3", at.Add(time.Minute))
	add(account.ForLogin, "4", at.Add(2*time.Minute))
	at = at.Add(2 * time.Minute)
	require.ErrorIs(t, use(account.ForLogin, "2", at), account.ErrCodeWrong, "replaced by a newer code")
	require.NoError(t, use(account.ForPassword, "3", at), "a code replaces only those with the same purpose")
	require.NoError(t, use(account.ForLogin, "4", at))

	at = at.Add(time.Hour)
	id := add(account.ForLogin, "5", at)
	require.NoError(t, s.DropCode(ctx, id, false))
	require.ErrorIs(t, use(account.ForLogin, "5", at), account.ErrCodeWrong, "dropped")
	_, err := s.AddCode(ctx, sent(phone, account.ForLogin, "6", at.Add(time.Second)), unlimited)
	require.ErrorIs(t, err, account.ErrSMSLimited, "a dropped code still counts")
	require.NoError(t, s.DropCode(ctx, id, true))
	add(account.ForLogin, "6", at.Add(time.Second))
}

// codeLimits tests that parallel requests cannot exceed the limits per phone and per network, in an hour and in a day,
// nor the wait between two codes, and that the fault contains the end of the limits.
func codeLimits(t *testing.T, s AccountStores) {
	ctx := t.Context()
	limits := account.Limits{PhoneHour: 2, PhoneDay: 3, NetworkHour: 5, NetworkDay: 6}
	add := func(phone string, at time.Time) error {
		_, err := s.AddCode(ctx, sent(phone, account.ForLogin, "x", at), limits)
		return err
	}
	require.Equal(t, 1, countSuccesses(8, func() error { return add("1", noon) }), "one of many parallel requests")
	early := add("1", noon.Add(durations.ResendCode-17*time.Second))
	require.ErrorIs(t, early, account.ErrSMSLimited)
	require.Equal(t, 17*time.Second, fault.Of(early).RetryAfter)
	require.Zero(t, fault.Of(early).Until, "the wait before a code is sent again does not count as a lock")
	ends := func(phone string, at, end time.Time) {
		t.Helper()
		limited := fault.Of(add(phone, at))
		require.ErrorIs(t, limited, account.ErrSMSLimited)
		require.Equal(t, end.Unix(), limited.Until.Unix())
		require.Equal(t, end.Sub(at), limited.RetryAfter)
	}
	require.ErrorIs(t, add("1", noon.Add(durations.ResendCode-time.Second)), account.ErrSMSLimited)
	require.NoError(t, add("1", noon.Add(durations.ResendCode)))
	ends("1", noon.Add(durations.ResendCode+time.Second), noon.Add(time.Hour)) // two in an hour, and the resend wait
	ends("1", noon.Add(time.Hour-time.Second), noon.Add(time.Hour))
	require.NoError(t, add("1", noon.Add(time.Hour)))
	ends("1", noon.Add(time.Hour+time.Second), noon.Add(24*time.Hour)) // three in a day, and each shorter limit
	ends("1", noon.Add(5*time.Hour), noon.Add(24*time.Hour))
	for i := range 3 {
		require.NoError(t, add(fmt.Sprint("2", i), noon.Add(6*time.Hour)))
	}
	ends("3", noon.Add(6*time.Hour), noon.Add(24*time.Hour)) // six from one address in a day
	ends("1", noon.Add(24*time.Hour-time.Second), noon.Add(24*time.Hour))
	require.NoError(t, add("1", noon.Add(24*time.Hour)))
	require.NoError(t, add("1", noon.Add(48*time.Hour)))
	require.NoError(t, add("4", noon.Add(-time.Hour)), "a code with a later time does not count")
}

// codeShares tests that unknown devices (strangers) can use up only a part of the codes that a phone may get, so that
// the rest is left for its owner.
func codeShares(t *testing.T, s AccountStores) {
	ctx := t.Context()
	limits := account.Limits{
		PhoneHour: 5, PhoneDay: 9, StrangerHour: 4, StrangerDay: 7, OriginHour: 3, OriginDay: 4, NetworkHour: 6,
	}
	at := noon
	add := func(phone, network string, owner bool) error {
		at = at.Add(durations.ResendCode)
		c := sent(phone, account.ForLogin, "x", at)
		c.Network, c.Owner = network, owner
		_, err := s.AddCode(ctx, c, limits)
		return err
	}
	for range 3 {
		require.NoError(t, add("1", "a", false))
	}
	require.ErrorIs(t, add("1", "a", false), account.ErrSMSLimited, "three from one network")
	require.NoError(t, add("1", "b", false), "another network")
	require.ErrorIs(t, add("1", "c", false), account.ErrSMSLimited, "four from strangers")
	require.NoError(t, add("1", "a", true), "the owner's share, even from that network")
	require.ErrorIs(t, add("1", "a", true), account.ErrSMSLimited, "five in all")
	for i := range 3 {
		require.NoError(t, add(fmt.Sprint("2", i), "a", false))
	}
	require.ErrorIs(t, add("3", "a", false), account.ErrSMSLimited, "six from one network to all phones")
	require.NoError(t, add("3", "a", true), "its owner is not a stranger")
	at = noon.Add(2 * time.Hour)
	require.NoError(t, add("1", "a", false))
	require.ErrorIs(t, add("1", "a", false), account.ErrSMSLimited, "four in a day from one network")
	require.NoError(t, add("1", "b", false))
	require.NoError(t, add("1", "b", false))
	at = noon.Add(4 * time.Hour)
	require.ErrorIs(t, add("1", "c", false), account.ErrSMSLimited, "seven in a day from strangers")
	require.NoError(t, add("1", "c", true))
	require.ErrorIs(t, add("1", "c", true), account.ErrSMSLimited, "nine in a day in all")
}

// codeCeiling tests that the codes of the entire shop in an hour are limited, and that a part of them is reserved for
// owners.
func codeCeiling(t *testing.T, s AccountStores) {
	ctx := t.Context()
	limits := account.Limits{ShopHour: 10}
	next := 0
	add := func(owner bool, at time.Time) error {
		next++
		c := sent(fmt.Sprint(next), account.ForLogin, "x", at)
		c.Owner = owner
		_, err := s.AddCode(ctx, c, limits)
		return err
	}
	for range limits.StrangersShopHour() {
		require.NoError(t, add(false, noon))
	}
	ceiling := add(false, noon)
	require.ErrorIs(t, ceiling, account.ErrSMSCeiling)
	require.Zero(t, fault.Of(ceiling).RetryAfter, "others take what becomes free")
	require.NoError(t, add(true, noon), "a part is reserved for owners")
	require.NoError(t, add(true, noon))
	require.ErrorIs(t, add(true, noon), account.ErrSMSCeiling)
	n, err := s.CodesSent(ctx, noon.Add(time.Hour-time.Second))
	require.NoError(t, err)
	require.Equal(t, limits.ShopHour, n)
	n, err = s.CodesSent(ctx, noon.Add(time.Hour))
	require.NoError(t, err)
	require.Zero(t, n)
	require.NoError(t, add(false, noon.Add(time.Hour)))
}

// devices tests that a device is known for the users who logged in on it, under its latest token only.
func devices(t *testing.T, s AccountStores) {
	ctx := t.Context()
	alice, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	bob, err := s.EnsureUser(ctx, "2", noon)
	require.NoError(t, err)
	knows := func(phone, device string, since time.Time) bool {
		known, err := s.KnowsDevice(ctx, phone, hashOf(device), since)
		require.NoError(t, err)
		return known
	}
	require.False(t, knows("1", "a", noon))
	remember(t, s, hashOf(""), hashOf("a"), alice.ID, noon)
	require.True(t, knows("1", "a", noon))
	require.False(t, knows("2", "a", noon), "another buyer")
	require.False(t, knows("1", "b", noon), "another device")
	require.False(t, knows("1", "a", noon.Add(time.Second)), "too long ago")
	later := noon.Add(time.Hour)
	remember(t, s, hashOf("a"), hashOf("b"), bob.ID, later)
	require.True(t, knows("1", "b", noon) && knows("2", "b", later), "two buyers on one device")
	require.False(t, knows("1", "a", noon), "the device has another token now")
	remember(t, s, hashOf("b"), hashOf("b"), alice.ID, later)
	require.True(t, knows("1", "b", later))
}

// remember stores a device and reports whether its owner gets a notice of it.
func remember(t *testing.T, s AccountStores, before, fresh []byte, userID int64, at time.Time) (added bool) {
	t.Helper()
	added, err := s.RememberDevice(t.Context(), before, fresh,
		account.Event{At: at, Kind: account.DeviceAdded, UserID: userID, Actor: "buyer"})
	require.NoError(t, err)
	return added
}

// deviceLogin tests that a device logs in the identity of its latest buyer once with each hash, until the logout.
func deviceLogin(t *testing.T, s AccountStores) {
	ctx := t.Context()
	alice, err := s.EnsureUser(ctx, "1", noon)
	require.NoError(t, err)
	bob, err := s.EnsureUser(ctx, "2", noon)
	require.NoError(t, err)
	for openID, userID := range map[string]int64{"oa": alice.ID, "ob": bob.ID} {
		_, err := s.BindIdentity(ctx, account.Binding{OpenID: openID, UserID: userID},
			account.Event{At: noon, Kind: account.IdentityBound, UserID: userID})
		require.NoError(t, err)
	}
	rejected := func(openID, device string, since time.Time) {
		t.Helper()
		_, err := s.UseDevice(ctx, openID, hashOf(device), hashOf("never"), since)
		require.ErrorIs(t, err, account.ErrOpenIDUnproven)
	}
	rejected("oa", "a", noon)
	remember(t, s, hashOf(""), hashOf("a"), alice.ID, noon)
	rejected("ob", "a", noon)
	rejected("oa", "b", noon)
	rejected("oa", "a", noon.Add(time.Second))
	id, err := s.UseDevice(ctx, "oa", hashOf("a"), hashOf("b"), noon)
	require.NoError(t, err)
	require.Equal(t, alice.ID, id)
	rejected("oa", "a", noon)
	remember(t, s, hashOf("b"), hashOf("c"), bob.ID, noon)
	rejected("oa", "c", noon)
	id, err = s.UseDevice(ctx, "ob", hashOf("c"), hashOf("d"), noon)
	require.NoError(t, err)
	require.Equal(t, bob.ID, id)
	_, err = s.RevokeSession(ctx, hashOf("none"), hashOf("d"), noon, account.Event{At: noon, Kind: account.LoggedOut})
	require.NoError(t, err)
	rejected("ob", "d", noon)
	known, err := s.KnowsDevice(ctx, "2", hashOf("d"), noon)
	require.NoError(t, err)
	require.True(t, known, "the device stays known to the limits of codes")

	// Logging out on a device that is not stored ends the buyer's device logins on all devices. Logging out of a
	// session that was opened by a link ends none.
	remember(t, s, hashOf(""), hashOf("e"), alice.ID, noon)
	remember(t, s, hashOf(""), hashOf("f"), bob.ID, noon)
	link := hourLong("link", alice.ID)
	link.Method, link.OpenedBy = account.ByLink, hashOf("s")
	require.NoError(t, s.AddSession(ctx, hourLong("s", alice.ID), loggedIn(alice.ID)))
	require.NoError(t, s.AddSession(ctx, link, loggedIn(alice.ID)))
	logout := func(token, device string) {
		_, err := s.RevokeSession(ctx, hashOf(token), hashOf(device), noon,
			account.Event{At: noon, Kind: account.LoggedOut})
		require.NoError(t, err)
	}
	logout("link", "e")
	_, err = s.UseDevice(ctx, "oa", hashOf("e"), hashOf("e"), noon)
	require.NoError(t, err)
	logout("s", "")
	rejected("oa", "e", noon)
	_, err = s.UseDevice(ctx, "ob", hashOf("f"), hashOf("f"), noon)
	require.NoError(t, err, "of another buyer")
}

// networkLogins tests that no more logins of a network are counted in a minute than allowed, also in parallel, that
// networks do not limit each other, and that the minute slides.
func networkLogins(t *testing.T, s AccountStores) {
	count := func(network string, at time.Time) error {
		counted, err := s.CountLogin(t.Context(), network, at, 6)
		require.NoError(t, err)
		if !counted {
			return errors.New("rejected")
		}
		return nil
	}
	minute := noon.Truncate(time.Minute)
	require.Equal(t, 6, countSuccesses(9, func() error { return count("a", minute.Add(59*time.Second)) }))
	require.NoError(t, count("b", minute.Add(59*time.Second)))
	require.Error(t, count("a", minute.Add(time.Minute)), "all six were in the minute before")
	require.Error(t, count("a", minute.Add(time.Minute+100*time.Millisecond)), "all six were")
	half := minute.Add(90 * time.Second)
	require.Equal(t, 3, countSuccesses(5, func() error { return count("a", half) }), "half of the six count")
	require.Equal(t, 6, countSuccesses(9, func() error { return count("a", minute.Add(10*time.Minute)) }))
}

// codeTries tests that wrong codes are counted, also in parallel, and lock the code after CodeTries.
func codeTries(t *testing.T, s AccountStores) {
	ctx := t.Context()
	_, err := s.AddCode(ctx, sent("1", account.ForLogin, "right", noon), unlimited)
	require.NoError(t, err)
	try := func(asker string, texts ...string) error {
		var hashes [][]byte
		for _, text := range texts {
			hashes = append(hashes, hashOf(text))
		}
		return s.UseCode(ctx, account.CodeTry{
			Phone: "1", Purpose: account.ForLogin, Asker: asker, Hashes: hashes, At: noon.Add(2 * time.Minute),
		})
	}
	locked := atomic.Int32{}
	countSuccesses(account.CodeTries+3, func() error {
		err := try("", "wrong", "wrong too")
		if account.ErrCodeLocked.Is(err) {
			locked.Add(1)
		}
		return err
	})
	require.EqualValues(t, 3, locked.Load())
	require.ErrorIs(t, try("", "right"), account.ErrCodeLocked)

	// A code that a known client has requested counts the tries of that client and those of all other clients
	// separately.
	add := func(asker, text string, at time.Time) {
		c := sent("1", account.ForLogin, text, at)
		c.Asker = asker
		_, err := s.AddCode(ctx, c, unlimited)
		require.NoError(t, err)
	}
	add("phone", "of the phone", noon.Add(time.Minute))
	require.ErrorIs(t, try("", "of the phone too"), account.ErrCodeWrong)
	for range account.CodeTries - 1 {
		require.ErrorIs(t, try("tablet", "wrong"), account.ErrCodeWrong)
	}
	require.ErrorIs(t, try("tablet", "of the phone"), account.ErrCodeLocked, "the try without an asker counts too")
	add("tablet", "of the tablet", noon.Add(2*time.Minute))
	require.ErrorIs(t, try("tablet", "of the phone"), account.ErrCodeWrong, "only the new code is compared")
	for range account.CodeTries - 1 {
		require.ErrorIs(t, try("phone", "wrong"), account.ErrCodeWrong)
	}
	require.NoError(t, try("phone", "of the phone"), "the newer code has not replaced that of another client")
	require.ErrorIs(t, try("tablet", "of the tablet"), account.ErrCodeWrong, "one right code ends all")
}

func phones(t *testing.T, s AccountStores) {
	ctx := t.Context()
	const first, second = "13800000001", "13800000002"
	a, err := s.EnsureUser(ctx, first, noon)
	require.NoError(t, err)
	b, err := s.EnsureUser(ctx, second, noon)
	require.NoError(t, err)
	at := func(days int) account.Event {
		return account.Event{At: noon.AddDate(0, 0, days), Kind: account.PhoneChanged, UserID: a.ID, Actor: "buyer"}
	}
	for _, token := range []string{"here", "elsewhere"} {
		require.NoError(t, s.AddSession(ctx, hourLong(token, a.ID), loggedIn(a.ID)))
	}
	require.ErrorIs(t, s.SetPhone(ctx, a.ID, second, hashOf("here"), at(1)), account.ErrPhoneTaken)
	_, err = s.Session(ctx, hashOf("elsewhere"), noon)
	require.NoError(t, err, "nothing has changed")
	require.NoError(t, s.SetPhone(ctx, a.ID, "13800000003", hashOf("here"), at(1)))
	_, err = s.Session(ctx, hashOf("here"), noon)
	require.NoError(t, err)
	_, err = s.Session(ctx, hashOf("elsewhere"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	fresh, err := s.EnsureUser(ctx, first, noon)
	require.NoError(t, err)
	require.NotEqual(t, a.ID, fresh.ID, "a number that was given up opens a new account")

	require.NoError(t, s.SetPhone(ctx, a.ID, second, nil, at(91)), "the other account is dormant")
	b, err = s.User(ctx, b.ID)
	require.NoError(t, err)
	require.Empty(t, b.Phone)
	_, err = s.Session(ctx, hashOf("here"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	require.ErrorIs(t, s.ReleasePhone(ctx, a.ID, first, nil, at(91)), account.ErrPhoneMissing)
	require.NoError(t, s.ReleasePhone(ctx, a.ID, second, nil, at(91)))

	removed, err := s.User(ctx, a.ID)
	require.NoError(t, err)
	require.True(t, at(91).At.Equal(removed.PhoneProvenAt), "an operator releases a phone without a proof")

	bind := func(openID string, u account.User, confirmed bool) bool {
		bound, err := s.BindIdentity(ctx, account.Binding{
			OpenID: openID, UserID: u.ID, Confirmed: confirmed, Further: true,
		}, at(1))
		require.NoError(t, err)
		return bound
	}
	owners := func(want map[string]int64) {
		t.Helper()
		for openID, userID := range want {
			owner, err := s.IdentityUser(ctx, openID)
			require.NoError(t, err)
			require.Equal(t, userID, owner, openID)
		}
	}
	bind("confirmed", a, true)
	bind("old", a, false)
	require.NoError(t, s.SetPhone(ctx, a.ID, second, nil, at(93)))
	owners(map[string]int64{"confirmed": a.ID, "old": 0})
	bind("young", a, false)
	require.NoError(t, s.ReleasePhone(ctx, a.ID, second, nil, at(93)))
	owners(map[string]int64{"confirmed": a.ID, "young": a.ID})
	require.NoError(t, s.SetPhone(ctx, a.ID, second, nil, at(93)))
	bind("young", a, false)
	require.NoError(t, s.ReleasePhone(ctx, a.ID, second, hashOf("here"), at(94)))
	owners(map[string]int64{"confirmed": a.ID, "young": 0})
	removed, err = s.User(ctx, a.ID)
	require.NoError(t, err)
	require.True(t, at(94).At.Equal(removed.PhoneProvenAt), "the buyer has entered a code")
	bind("o1", a, false)
	require.NoError(t, s.UnbindIdentities(ctx, a.ID, "", nil, at(91)))
	require.ErrorIs(t, s.UnbindIdentities(ctx, a.ID, "", nil, at(91)), account.ErrIdentityUnbound)
	require.True(t, bind("o1", b, false), "an identity that was given up can be bound again")
}

func events(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "13800000001", noon)
	require.NoError(t, err)
	add := func(kind account.EventKind, phone string, at time.Time) {
		require.NoError(t, s.AddEvent(ctx, account.Event{
			At: at, Kind: kind, Phone: phone, Address: "192.0.2.1", Actor: "buyer", Detail: "login",
		}))
	}
	list := func(f account.EventFilter) []account.Event {
		found, err := s.Events(ctx, f)
		require.NoError(t, err)
		return found
	}
	add(account.CodeRejected, u.Phone, noon)
	add(account.CodeLocked, u.Phone, noon.Add(time.Hour))
	add(account.CodeLocked, "13900000002", noon.Add(time.Hour))
	all := list(account.EventFilter{})
	require.Len(t, all, 2, "no account has the other phone")
	require.Equal(t, account.CodeLocked, all[0].Kind, "the latest first")
	require.Equal(t, "138****0001", all[0].Phone)
	require.Equal(t, all, list(account.EventFilter{UserID: u.ID}))
	require.Empty(t, list(account.EventFilter{UserID: u.ID + 1}))
	require.Equal(t, u.ID, all[1].UserID, "the account is found by its phone")
	require.True(t, noon.Equal(all[1].At))
	require.Equal(t, all[:1], list(account.EventFilter{Kind: account.CodeLocked}))
	require.Equal(t, all[:1], list(account.EventFilter{Since: noon.Add(time.Minute)}))
	require.Equal(t, all[:1], list(account.EventFilter{Most: 1}))
	for range 2 * account.MaxRejected {
		add(account.CodeRejected, u.Phone, noon.Add(59*time.Minute))
	}
	count := func() int { return len(list(account.EventFilter{Kind: account.CodeRejected})) }
	require.Equal(t, account.MaxRejected, count(), "with the one of noon")
	add(account.CodeRejected, u.Phone, noon.Add(time.Hour-time.Second))
	require.Equal(t, account.MaxRejected, count(), "within an hour")
	add(account.CodeRejected, u.Phone, noon.Add(time.Hour))
	require.Equal(t, account.MaxRejected+1, count(), "the one of noon is an hour old")
	add(account.LoggedOut, u.Phone, noon.Add(time.Hour))
	require.Len(t, list(account.EventFilter{Kind: account.LoggedOut}), 1, "another kind")
}
