package account_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/clocktest"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/pepper"
	"marquee/server/store"
	"marquee/server/store/sqlite/sqlitetest"
)

// services are those of one server on a real database, with a clock that the test moves. They are their own code
// sender and identity provider.
type services struct {
	*account.Service
	*account.Passwords
	*account.Journal
	codes     *account.Codes
	security  *account.Security
	store     *store.Accounts
	codeStore *store.Codes
	log       *bytes.Buffer // what the journal logged

	clock  *clocktest.Clock
	shared *services    // whose phones this server uses; nil: its own
	ring   pepper.Ring  // the server's peppers
	cost   account.Cost // of hashing; the zero value is the default

	mu      sync.Mutex
	sent    map[string]string // phone -> the last code
	sendErr error
	openIDs map[string]string // OAuth code -> openid
}

func (r *services) SendCode(ctx context.Context, phone, code string) error {
	if r.shared != nil {
		return r.shared.SendCode(ctx, phone, code)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.sendErr == nil || fault.KindOf(r.sendErr) == fault.Unknown {
		r.sent[phone] = code
	}
	return r.sendErr
}

func (r *services) failSending(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendErr = err
}

func (r *services) code(phone string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.sent[phone]
}

func (r *services) AuthorizeURL(redirectURL, state string) string { return redirectURL + "#" + state }

func (r *services) Exchange(_ context.Context, code string) (string, error) {
	if openID, ok := r.openIDs[code]; ok {
		return openID, nil
	}
	return "", account.ErrOAuthCode
}

func newServices(t *testing.T) *services {
	t.Helper()
	return newServicesOn(t, sqlitetest.Open(t).Stores)
}

// newServicesOn returns the services of a server on a database.
func newServicesOn(t *testing.T, db *store.Stores) *services {
	t.Helper()
	r := &services{
		store: db.Accounts(), codeStore: db.Codes(), clock: clocktest.New(time.Date(2026, 5, 1, 10, 0, 0, 0, time.UTC)),
		sent:    map[string]string{},
		openIDs: map[string]string{"code-a": "openid-a", "code-b": "openid-b"},
	}
	ring, err := pepper.New([]byte("a pepper for tests only"), nil)
	require.NoError(t, err)
	r.wire(ring)
	return r
}

// wire makes the services, as a server does whose peppers are those of the ring.
func (r *services) wire(ring pepper.Ring) {
	r.ring = ring
	r.limitCodes(account.Limits{PhoneHour: 5, PhoneDay: 8, NetworkHour: 20, NetworkDay: 30})
}

// configureCodes rebuilds the services on the same database, with other limits and another challenge.
func (r *services) configureCodes(c account.CodesConfig) {
	r.log = &bytes.Buffer{}
	logger := slog.New(slog.NewJSONHandler(r.log, nil))
	r.Journal = account.NewJournal(r.store, logger, r.clock.Now)
	c.Store, c.Sender, c.Journal, c.Now, c.Pepper = r.codeStore, r, r.Journal, r.clock.Now, r.ring
	c.Logger = logger
	r.codes = account.NewCodes(c)
	r.Passwords = account.NewPasswords(account.PasswordsConfig{
		Store: r.store, Codes: r.codes, Journal: r.Journal, Now: r.clock.Now, Pepper: r.ring,
		Cost: r.cost,
	})
	r.Service = account.New(account.Config{
		Sessions: r.store, Identities: r.store, Provider: r, Codes: r.codes, Journal: r.Journal, Now: r.clock.Now,
	})
	r.security = account.NewSecurity(account.SecurityConfig{
		Service: r.Service, Store: r.store, Passwords: r.Passwords,
	})
}

func (r *services) limitCodes(limits account.Limits) {
	r.configureCodes(account.CodesConfig{Limits: limits})
}

const (
	alice = "13800000001"
	bob   = "13900000002"
)

var home = account.Origin{Address: "192.0.2.1"}

func (r *services) login(t *testing.T, phone string) account.Login {
	t.Helper()
	require.NoError(t, r.SendLoginCode(t.Context(), phone, home))
	l, err := r.Login(t.Context(), account.EnteredCode{Phone: phone, Code: r.code(phone)})
	require.NoError(t, err)
	return l
}

// loginAgain logs in after the wait between two codes.
func (r *services) loginAgain(t *testing.T, phone string) account.Login {
	t.Helper()
	r.clock.Advance(time.Minute)
	return r.login(t, phone)
}

// wrong is a code that differs from the right one.
func wrong(code string) string {
	if code[0] == '0' {
		return "1" + code[1:]
	}
	return "0" + code[1:]
}

func TestLogin_MakesAnAccountForAnUnknownPhoneAndFindsItAgain(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	first := r.login(t, alice)
	r.clock.Advance(2 * time.Minute)
	second := r.login(t, alice)
	require.Equal(t, first.UserID, second.UserID)
	require.NotEqual(t, first.Token, second.Token)
	require.NotEqual(t, first.UserID, r.login(t, bob).UserID, "another phone is another account")

	u, err := r.Session(t.Context(), first.Token)
	require.NoError(t, err)
	require.Equal(t, alice, u.Phone)
}

func TestSendCode_RejectsWhatIsNotAMainlandPhone(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	for _, phone := range []string{
		"", "1380000000", "138000000011", "12800000001", "23800000001", "1380000000a", "+8613800000001",
		"13800000001\n",
	} {
		require.ErrorIs(t, r.SendLoginCode(t.Context(), phone, home), account.ErrPhoneInvalid, "%q", phone)
	}
}

func TestSendCode_LimitsPerPhone(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited, "within 60 s")
	r.clock.Advance(59 * time.Second)
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited, "after 59 s")
	r.clock.Advance(time.Second)
	for range 4 {
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		r.clock.Advance(time.Minute)
	}
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited, "sixth in an hour")
	require.NoError(t, r.SendLoginCode(t.Context(), bob, home), "another phone is not held up")
	r.clock.Advance(time.Hour)
	for range 3 {
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		r.clock.Advance(time.Minute)
	}
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited, "ninth in a day")
	r.clock.Advance(24 * time.Hour)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, home), "the day is over")
}

func TestSendCode_LimitsPerAddress(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	for i := range 20 {
		require.NoError(t, r.SendLoginCode(t.Context(), fmt.Sprintf("138000001%02d", i), home))
	}
	require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited)
	require.NoError(t, r.SendLoginCode(t.Context(), alice, account.Origin{Address: "192.0.2.2"}))
}

func TestSendCode_ProviderFailures(t *testing.T) {
	t.Parallel()
	t.Run("unreachable: nothing was sent and nothing counts", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		r.failSending(fault.ErrUnavailable)
		require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), fault.ErrUnavailable)
		r.failSending(nil)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
	})
	t.Run("rejected: it counts, and no code is valid", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		r.failSending(account.ErrPhoneRejected)
		require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrPhoneRejected)
		r.failSending(nil)
		require.ErrorIs(t, r.SendLoginCode(t.Context(), alice, home), account.ErrSMSLimited)
	})
	t.Run("no answer: the message may arrive, and then its code is valid", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		r.failSending(fault.ErrUnknown)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
		require.NoError(t, err)
	})
}

func TestLogin_CodeRules(t *testing.T) {
	t.Parallel()
	t.Run("missing and malformed", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: ""})
		require.ErrorIs(t, err, account.ErrCodeRequired)
		_, err = r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: "12345"})
		require.ErrorIs(t, err, account.ErrCodeWrong)
		_, err = r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: "123456"})
		require.ErrorIs(t, err, account.ErrCodeWrong, "none was sent")
	})
	t.Run("one use", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		r.login(t, alice)
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
		require.ErrorIs(t, err, account.ErrCodeWrong)
	})
	t.Run("five minutes", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		r.clock.Advance(durations.Code)
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
		require.ErrorIs(t, err, account.ErrCodeWrong)
	})
	t.Run("five tries", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		for range account.CodeTries {
			_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: wrong(r.code(alice))})
			require.ErrorIs(t, err, account.ErrCodeWrong)
		}
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
		require.ErrorIs(t, err, account.ErrCodeLocked, "even the right one")
	})
	t.Run("a newer code ends the older one", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		older := r.code(alice)
		r.clock.Advance(time.Minute)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: older})
		require.ErrorIs(t, err, account.ErrCodeWrong)
	})
	t.Run("another phone's code", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		require.NoError(t, r.SendLoginCode(t.Context(), alice, home))
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: bob, Code: r.code(alice)})
		require.ErrorIs(t, err, account.ErrCodeWrong)
	})
	t.Run("a code for another purpose", func(t *testing.T) {
		t.Parallel()
		r := newServices(t)
		l := r.login(t, alice)
		r.clock.Advance(time.Minute)
		require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: r.code(alice)})
		require.ErrorIs(t, err, account.ErrCodeWrong)
	})
}

func TestSession_EndsByTimeAndByLogout(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	for _, token := range []string{"", "x", l.Token + "x", l.Token[:42] + "!"} {
		_, err := r.Session(t.Context(), token)
		require.ErrorIs(t, err, account.ErrLoginRequired, "%q", token)
	}
	r.clock.Advance(durations.Session - time.Second)
	_, err := r.Session(t.Context(), l.Token)
	require.NoError(t, err)
	r.clock.Advance(time.Second)
	_, err = r.Session(t.Context(), l.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired)

	again := r.login(t, alice)
	require.NoError(t, r.Logout(t.Context(), again.Token, ""))
	_, err = r.Session(t.Context(), again.Token)
	require.ErrorIs(t, err, account.ErrLoginRequired)
	require.NoError(t, r.Logout(t.Context(), again.Token, ""), "twice is once")
}
