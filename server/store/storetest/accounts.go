package storetest

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
)

// AccountStores is the account store of one empty database, as each interface that it implements.
type AccountStores struct {
	account.SessionStore
	account.CodeStore
	account.IdentityStore
	account.AvatarStore
	Passwords account.PasswordStore
}

// Accounts tests an implementation of the account stores. It calls open once for each test, which must return stores
// on a new database.
func Accounts(t *testing.T, open func(t *testing.T) AccountStores) {
	t.Helper()
	for name, check := range map[string]func(*testing.T, AccountStores){
		"users": users, "sessions": sessions, "codes": codes, "code limits": codeLimits, "code tries": codeTries,
		"identities": identities, "proofs": proofs, "password tries": passwordTries,
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
func countSuccesses(n int, f func() error) int {
	var succeeded atomic.Int32
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			if f() == nil {
				succeeded.Add(1)
			}
		})
	}
	wg.Wait()
	return int(succeeded.Load())
}

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
	require.Equal(t, account.User{ID: u.ID, Phone: "13800000001", CreatedAt: u.CreatedAt}, u)
	require.True(t, u.CreatedAt.Equal(noon))
	other, err := s.EnsureUser(ctx, "13800000002", noon)
	require.NoError(t, err)
	require.NotEqual(t, u.ID, other.ID)

	idle := func(at time.Time) []string {
		list, err := s.IdleAvatars(ctx, at)
		require.NoError(t, err)
		return list
	}
	require.NoError(t, s.PlanAvatar(ctx, "/avatars/old.jpg", noon))
	require.NoError(t, s.PlanAvatar(ctx, "/avatars/crash.jpg", noon))
	before, err := s.SetAvatar(ctx, u.ID, "/avatars/old.jpg", noon)
	require.NoError(t, err)
	require.Empty(t, before)
	before, err = s.SetAvatar(ctx, u.ID, "/avatars/a.jpg", noon.Add(time.Minute))
	require.NoError(t, err)
	require.Equal(t, "/avatars/old.jpg", before)
	require.Empty(t, idle(noon))
	require.Equal(t, []string{"/avatars/crash.jpg"}, idle(noon.Add(time.Second)))
	require.NoError(t, s.ForgetAvatar(ctx, "/avatars/crash.jpg"))
	require.Equal(t, []string{"/avatars/old.jpg"}, idle(noon.Add(time.Hour)))
	u, err = s.User(ctx, u.ID)
	require.NoError(t, err)
	require.Equal(t, "/avatars/a.jpg", u.AvatarURL)
	other, err = s.User(ctx, other.ID)
	require.NoError(t, err)
	require.Empty(t, other.AvatarURL)
}

func sessions(t *testing.T, s AccountStores) {
	ctx := t.Context()
	u, err := s.EnsureUser(ctx, "13800000001", noon)
	require.NoError(t, err)
	require.NoError(t, s.AddSession(ctx, hashOf("a"), u.ID, noon, noon.Add(time.Hour)))
	require.NoError(t, s.AddSession(ctx, hashOf("b"), u.ID, noon, noon.Add(time.Hour)))
	require.Error(t, s.AddSession(ctx, hashOf("a"), u.ID, noon, noon.Add(time.Hour)), "the hash is unique")
	got, err := s.SessionUser(ctx, hashOf("a"), noon.Add(time.Hour-time.Second))
	require.NoError(t, err)
	require.Equal(t, u.ID, got.ID)
	_, err = s.SessionUser(ctx, hashOf("a"), noon.Add(time.Hour))
	require.ErrorIs(t, err, account.ErrLoginRequired, "expired")
	_, err = s.SessionUser(ctx, hashOf("c"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired, "unknown")
	require.NoError(t, s.RevokeSession(ctx, hashOf("a"), noon))
	require.NoError(t, s.RevokeSession(ctx, hashOf("a"), noon))
	require.NoError(t, s.RevokeSession(ctx, hashOf("c"), noon))
	_, err = s.SessionUser(ctx, hashOf("a"), noon)
	require.ErrorIs(t, err, account.ErrLoginRequired, "revoked")
	_, err = s.SessionUser(ctx, hashOf("b"), noon)
	require.NoError(t, err, "the other session stays valid")
}

// unlimited are limits that the tests do not reach.
var unlimited = account.Limits{PhoneHour: 100, PhoneDay: 100, IPHour: 100, IPDay: 100}

// sent returns a code that is sent from one IP address at the given time.
func sent(phone string, purpose account.Purpose, text string, at time.Time) account.Code {
	return account.Code{Phone: phone, Purpose: purpose, IP: "192.0.2.1", Hash: hashOf(text), SentAt: at,
		Expires: at.Add(account.CodeLife)}
}

func codes(t *testing.T, s AccountStores) {
	ctx := t.Context()
	const phone = "13800000001"
	add := func(purpose account.Purpose, text string, at time.Time) int64 {
		id, err := s.AddCode(ctx, sent(phone, purpose, text, at), unlimited)
		require.NoError(t, err)
		return id
	}
	use := func(purpose account.Purpose, text string, at time.Time) error {
		return s.UseCode(ctx, phone, purpose, hashOf(text), at)
	}
	add(account.ForLogin, "1", noon)
	require.ErrorIs(t, use(account.ForPassword, "1", noon), account.ErrCodeWrong, "for another purpose")
	require.ErrorIs(t, use(account.ForLogin, "1", noon.Add(account.CodeLife)), account.ErrCodeWrong, "expired")
	require.Equal(t, 1, countSuccesses(8, func() error { return use(account.ForLogin, "1", noon) }), "one use")

	at := noon.Add(time.Hour)
	add(account.ForLogin, "2", at)
	add(account.ForPassword, "3", at.Add(time.Minute))
	add(account.ForLogin, "4", at.Add(2*time.Minute))
	at = at.Add(2 * time.Minute)
	require.ErrorIs(t, use(account.ForLogin, "2", at), account.ErrCodeWrong, "replaced by a newer code")
	require.NoError(t, use(account.ForPassword, "3", at), "a code replaces those of its own purpose only")
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

func codeLimits(t *testing.T, s AccountStores) {
	ctx := t.Context()
	limits := account.Limits{PhoneHour: 2, PhoneDay: 3, IPHour: 5, IPDay: 6}
	add := func(phone string, at time.Time) error {
		_, err := s.AddCode(ctx, sent(phone, account.ForLogin, "x", at), limits)
		return err
	}
	require.Equal(t, 1, countSuccesses(8, func() error { return add("1", noon) }), "one of many parallel requests")
	early := add("1", noon.Add(account.ResendWait-17*time.Second))
	require.ErrorIs(t, early, account.ErrSMSLimited)
	require.Equal(t, 17*time.Second, fault.Of(early).RetryAfter)
	require.ErrorIs(t, add("1", noon.Add(account.ResendWait-time.Second)), account.ErrSMSLimited)
	require.NoError(t, add("1", noon.Add(account.ResendWait)))
	require.ErrorIs(t, add("1", noon.Add(30*time.Minute)), account.ErrSMSLimited, "two in an hour")
	require.NoError(t, add("1", noon.Add(90*time.Minute)))
	require.ErrorIs(t, add("1", noon.Add(5*time.Hour)), account.ErrSMSLimited, "three in a day")
	for i := range 3 {
		require.NoError(t, add(fmt.Sprint("2", i), noon.Add(6*time.Hour)))
	}
	require.ErrorIs(t, add("3", noon.Add(6*time.Hour)), account.ErrSMSLimited, "six from one address in a day")
	require.NoError(t, add("1", noon.Add(48*time.Hour)))
	require.NoError(t, add("4", noon.Add(-time.Hour)), "a code with a later time does not count")
}

func codeTries(t *testing.T, s AccountStores) {
	ctx := t.Context()
	_, err := s.AddCode(ctx, sent("1", account.ForLogin, "right", noon), unlimited)
	require.NoError(t, err)
	locked := atomic.Int32{}
	countSuccesses(account.CodeTries+3, func() error {
		err := s.UseCode(ctx, "1", account.ForLogin, hashOf("wrong"), noon)
		if account.ErrCodeLocked.Is(err) {
			locked.Add(1)
		}
		return err
	})
	require.EqualValues(t, 3, locked.Load())
	require.ErrorIs(t, s.UseCode(ctx, "1", account.ForLogin, hashOf("right"), noon), account.ErrCodeLocked)
}
