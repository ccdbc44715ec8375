package account_test

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/store"
	"marquee/server/store/postgres/pgtest"
	"marquee/server/store/sqlite/sqlitetest"
)

// succeeded calls do n times at once, in turn on each server, and returns how many calls returned no error. do gets the
// number of the call. A call that got no connection to the database has done nothing, and is repeated.
func succeeded(n int, servers []*services, do func(r *services, i int) error) int32 {
	var count atomic.Int32
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			err := do(servers[i%len(servers)], i)
			for store.CodeOf(err) == store.PoolEmpty {
				err = do(servers[i%len(servers)], i)
			}
			if err == nil {
				count.Add(1)
			}
		})
	}
	wg.Wait()
	return count.Load()
}

// What can be used once can be used once on all servers together, and a limit holds for all of them together.
func TestReplicas_LimitsAndSingleUseHoldForAllServersTogether(t *testing.T) {
	t.Parallel()
	engines := map[string]func(*testing.T) *store.Stores{
		"sqlite": func(t *testing.T) *store.Stores {
			return sqlitetest.Open(t).Stores
		},
		"postgres": func(t *testing.T) *store.Stores { return pgtest.OpenShop(t).Stores },
	}
	attacks := map[string]func(*testing.T, []*services){
		"a login code":             useOneCode,
		"wrong login codes":        tryWrongCodes,
		"codes to one phone":       sendToOnePhone,
		"codes from one network":   sendFromOneNetwork,
		"codes of the shop":        sendToStrangers,
		"wrong payment passwords":  tryWrongPasswords,
		"a proof of an identity":   useOneProof,
		"a token of a device":      useOneDevice,
		"one phone for two buyers": takeOnePhone,
	}
	for engine, open := range engines {
		for name, attack := range attacks {
			t.Run(engine+"/"+name, func(t *testing.T) {
				t.Parallel()
				first := newServicesOn(t, open(t))
				attack(t, []*services{first, first.another(t, "a pepper for tests only", "")})
			})
		}
	}
}

func useOneCode(t *testing.T, servers []*services) {
	require.NoError(t, servers[0].SendLoginCode(t.Context(), alice, home))
	code := servers[0].code(alice)
	require.EqualValues(t, 1, succeeded(12, servers, func(r *services, _ int) error {
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: code})
		return err
	}))
}

func tryWrongCodes(t *testing.T, servers []*services) {
	require.NoError(t, servers[0].SendLoginCode(t.Context(), alice, home))
	code := servers[0].code(alice)
	compared := succeeded(20, servers, func(r *services, _ int) error {
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: wrong(code)})
		if errors.Is(err, account.ErrCodeWrong) {
			return nil
		}
		return err
	})
	require.LessOrEqual(t, compared, int32(account.CodeTries))
	for _, r := range servers {
		_, err := r.Login(t.Context(), account.EnteredCode{Phone: alice, Code: code})
		require.ErrorIs(t, err, account.ErrCodeLocked)
	}
}

func sendToOnePhone(t *testing.T, servers []*services) {
	require.EqualValues(t, 1, succeeded(16, servers, func(r *services, _ int) error {
		return r.SendLoginCode(t.Context(), alice, home)
	}))
}

func sendFromOneNetwork(t *testing.T, servers []*services) {
	require.EqualValues(t, 20, succeeded(32, servers, func(r *services, i int) error {
		return r.SendLoginCode(t.Context(), fmt.Sprintf("138000001%02d", i), home)
	}))
}

func sendToStrangers(t *testing.T, servers []*services) {
	limits := account.Limits{PhoneHour: 5, PhoneDay: 8, NetworkHour: 20, NetworkDay: 30, ShopHour: 10}
	for _, r := range servers {
		r.limitCodes(limits)
	}
	require.EqualValues(t, limits.StrangersShopHour(), succeeded(24, servers, func(r *services, i int) error {
		return r.SendLoginCode(t.Context(), fmt.Sprintf("138000001%02d", i),
			account.Origin{Address: fmt.Sprint("192.0.2.", i)})
	}))
}

func tryWrongPasswords(t *testing.T, servers []*services) {
	id := servers[0].withPassword(t, alice)
	compared := succeeded(20, servers, func(r *services, _ int) error {
		err := r.VerifyPaymentPassword(t.Context(), id, mistyped)
		for errors.Is(err, account.ErrPasswordBusy) {
			runtime.Gosched()
			err = r.VerifyPaymentPassword(t.Context(), id, mistyped)
		}
		if errors.Is(err, account.ErrPasswordWrong) {
			return nil
		}
		return err
	})
	require.Less(t, compared, int32(account.PasswordTries))
	for _, r := range servers {
		require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, right), account.ErrPasswordLocked)
	}
}

func useOneProof(t *testing.T, servers []*services) {
	identity := servers[0].proof(t, "code-a")
	servers[0].bindByCode(t, alice, identity)
	identity = servers[0].proof(t, "code-a")
	require.EqualValues(t, 1, succeeded(12, servers, func(r *services, _ int) error {
		_, err := r.QuickLogin(t.Context(), identity)
		return err
	}))
}

func useOneDevice(t *testing.T, servers []*services) {
	_, device := servers[0].onDevice(t)
	require.EqualValues(t, 1, succeeded(12, servers, func(r *services, _ int) error {
		_, _, err := r.DeviceLogin(t.Context(), "openid-a", device)
		return err
	}))
}

// takeOnePhone has two buyers change to the same phone at once, each with a valid code to it. Only one of them gets it.
func takeOnePhone(t *testing.T, servers []*services) {
	const wanted = "13700000003"
	var changes [2]func(*services) error
	for i, phone := range []string{alice, bob} {
		login := servers[0].login(t, phone)
		u, err := servers[0].Session(t.Context(), login.Token)
		require.NoError(t, err)
		servers[0].clock.Advance(2 * time.Minute)
		own := servers[0].securityCode(t, u.User)
		servers[0].clock.Advance(2 * time.Minute)
		require.NoError(t, servers[0].security.SendNewPhoneCode(t.Context(), u.ID, wanted, home))
		change := account.ChangePhone{Phone: wanted, Code: servers[0].code(wanted), Reauth: account.Reauth{Code: own}}
		changes[i] = func(r *services) error { return r.security.ChangePhone(t.Context(), u.User, login.Token, change) }
	}
	require.EqualValues(t, 1, succeeded(2, servers, func(r *services, i int) error { return changes[i](r) }))
}
