package account_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/durations"
	"marquee/server/fault"
)

const right, mistyped = "246810", "135791"

func (r *services) withPassword(t *testing.T, phone string) int64 {
	t.Helper()
	l := r.login(t, phone)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
	require.NoError(t, r.SetPaymentPassword(t.Context(), l.UserID, r.code(phone), right))
	return l.UserID
}

func TestPassword_SetNeedsACodeAndSixDigits(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), l.UserID, right), account.ErrPasswordMissing)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
	for _, p := range []string{"", "12345", "1234567", "12345a", "１２３４５６"} {
		require.ErrorIs(t, r.SetPaymentPassword(t.Context(), l.UserID, r.code(alice), p), account.ErrPasswordFormat,
			"%q", p)
	}
	require.ErrorIs(t, r.SetPaymentPassword(t.Context(), l.UserID, "", right), account.ErrCodeRequired)
	require.ErrorIs(t, r.SetPaymentPassword(t.Context(), l.UserID, wrong(r.code(alice)), right), account.ErrCodeWrong)
	require.NoError(t, r.SetPaymentPassword(t.Context(), l.UserID, r.code(alice), right))
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), l.UserID, right))
	u, err := r.store.User(t.Context(), l.UserID)
	require.NoError(t, err)
	require.True(t, u.HasPassword)
}

func TestPassword_RejectsThoseThatAreGuessedFirst(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	l := r.login(t, alice)
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
	for _, weak := range []string{
		"000000", "999999", "123456", "012345", "890123", "654321", "210987", "112233", "998877", "111222", "121212",
		"100000", "700007", "123123", "520520", "123321", "159951", "147258", "159753", "520131", alice[:6], alice[3:9],
		alice[5:],
	} {
		err := r.SetPaymentPassword(t.Context(), l.UserID, r.code(alice), weak)
		require.ErrorIs(t, err, account.ErrPasswordWeak, weak)
	}
	u, err := r.store.User(t.Context(), l.UserID)
	require.NoError(t, err)
	require.False(t, u.HasPassword)
	require.NoError(t, r.SetPaymentPassword(t.Context(), l.UserID, r.code(alice), "135790"), "the code is unused")
	for _, strong := range []string{"246810", "864209", "135791", "100203", "124578", "908070"} {
		r.clock.Advance(25 * time.Hour)
		require.NoError(t, r.SendPasswordCode(t.Context(), l.UserID, home))
		require.NoError(t, r.SetPaymentPassword(t.Context(), l.UserID, r.code(alice), strong), strong)
	}
}

func TestPassword_AWeakOneThatIsSetGoesOnWorking(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	require.NoError(t, r.store.SetPassword(t.Context(), id, account.HashOf(r.Passwords, "123456"), account.Event{}))
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, "123456"))
}

func TestPassword_TwentyWrongTriesLockForTheWeek(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	began := r.clock.Now()
	for range account.PasswordWeekTries - 1 {
		require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordWrong)
		require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))
	}
	f := fault.Of(r.VerifyPaymentPassword(t.Context(), id, mistyped))
	require.Equal(t, "payment_password_locked", f.Code)
	require.Equal(t, "密码错误次数过多，请7天后再试，或重新设置支付密码", f.Message)
	end := began.Add(durations.PasswordWeek)
	require.Equal(t, end.Sub(r.clock.Now()), f.RetryAfter)
	r.clock.Advance(end.Sub(r.clock.Now()) - 2*time.Hour)
	f = fault.Of(r.VerifyPaymentPassword(t.Context(), id, right))
	require.Equal(t, "密码错误次数过多，请2小时后再试，或重新设置支付密码", f.Message)
	r.clock.Advance(2*time.Hour - time.Second)
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, right), account.ErrPasswordLocked)
	r.clock.Advance(time.Second)
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))
}

func TestPassword_FiveWrongTriesLockForHalfAnHour(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	for range account.PasswordTries - 1 {
		require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordWrong)
	}
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordLocked)
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, right), account.ErrPasswordLocked, "even the right one")
	r.clock.Advance(durations.PasswordLock - time.Second)
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, right), account.ErrPasswordLocked)
	r.clock.Advance(time.Second)
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordWrong,
		"the count starts again")
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))
}

func TestPassword_ErrorsContainTheTriesLeftAndTheEndOfTheLock(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	for left := account.PasswordTries - 1; left > 0; left-- {
		f := fault.Of(r.VerifyPaymentPassword(t.Context(), id, mistyped))
		require.Equal(t, "payment_password_wrong", f.Code)
		require.Equal(t, "支付密码错误", f.Message)
		require.Equal(t, left, f.TriesLeft)
	}
	for _, step := range []struct {
		passed, wait time.Duration
		message      string
	}{
		{0, durations.PasswordLock, "密码错误次数过多，请30分钟后再试"},
		{0, durations.PasswordLock, "密码错误次数过多，请30分钟后再试"},
		{12*time.Minute + time.Second, durations.PasswordLock - 12*time.Minute - time.Second, "密码错误次数过多，请18分钟后再试"},
	} {
		r.clock.Advance(step.passed)
		f := fault.Of(r.VerifyPaymentPassword(t.Context(), id, mistyped))
		require.Equal(t, "payment_password_locked", f.Code)
		require.Equal(t, step.message, f.Message)
		require.Equal(t, step.wait, f.RetryAfter)
		require.Zero(t, f.TriesLeft)
	}
}

func TestPassword_ARightOneForgetsWrongOnes(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	for range 2 {
		for range account.PasswordTries - 1 {
			require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, mistyped), account.ErrPasswordWrong)
		}
		require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, right))
	}
}

// countingStore runs count instead of counting a try.
type countingStore struct {
	account.PasswordStore
	count func(context.Context, account.Try) error
}

func (s countingStore) CountTry(
	ctx context.Context, _ int64, t account.Try, _ int, _ time.Time,
) (left int, until time.Time, err error) {
	return account.PasswordTries, time.Time{}, s.count(ctx, t)
}

// withCounting returns the passwords of another server, which counts tries by count.
func (r *services) withCounting(count func(context.Context, account.Try) error) *account.Passwords {
	return account.NewPasswords(account.PasswordsConfig{
		Store: countingStore{r.store, count}, Codes: r.codes, Journal: r.Journal, Now: r.clock.Now, Pepper: r.ring,
		Cost: r.cost,
	})
}

// A try that the store cannot count is not answered: the error does not depend on the password.
func TestPassword_ATryThatIsNotCountedIsNotAnswered(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	broken := r.withCounting(func(context.Context, account.Try) error { return assert.AnError })
	var answers []string
	for _, password := range []string{right, mistyped} {
		err := broken.VerifyPaymentPassword(t.Context(), id, password)
		require.ErrorIs(t, err, assert.AnError)
		answers = append(answers, err.Error())
	}
	require.Equal(t, answers[0], answers[1])
}

// While a server compares the right password, the tries on another server lock it: the right one is not answered.
func TestPassword_ALockDuringTheComparisonCounts(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	for _, password := range []string{right, mistyped} {
		late := r.withCounting(func(ctx context.Context, try account.Try) error {
			for range account.PasswordTries {
				require.Error(t, r.VerifyPaymentPassword(ctx, id, mistyped))
			}
			_, _, err := r.store.CountTry(ctx, id, try, account.PasswordWeekTries, r.clock.Now())
			return err
		})
		require.ErrorIs(t, late.VerifyPaymentPassword(t.Context(), id, password), account.ErrPasswordLocked)
		r.clock.Advance(durations.PasswordLock)
	}
}

// A try of a client that has gone is counted.
func TestPassword_ATryIsCountedForAClientThatHasGone(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	ctx, leave := context.WithCancel(t.Context())
	gone := r.withCounting(func(counting context.Context, try account.Try) error {
		leave()
		_, _, err := r.store.CountTry(counting, id, try, account.PasswordWeekTries, r.clock.Now())
		return err
	})
	require.ErrorIs(t, gone.VerifyPaymentPassword(ctx, id, mistyped), account.ErrPasswordWrong)
	require.Equal(t, account.PasswordTries-2, fault.Of(r.VerifyPaymentPassword(t.Context(), id, mistyped)).TriesLeft)
}

func TestPassword_SettingANewOneUnlocks(t *testing.T) {
	t.Parallel()
	r := newServices(t)
	id := r.withPassword(t, alice)
	for range account.PasswordTries {
		require.Error(t, r.VerifyPaymentPassword(t.Context(), id, mistyped))
	}
	r.clock.Advance(time.Minute)
	require.NoError(t, r.SendPasswordCode(t.Context(), id, home))
	require.NoError(t, r.SetPaymentPassword(t.Context(), id, r.code(alice), mistyped))
	require.NoError(t, r.VerifyPaymentPassword(t.Context(), id, mistyped))
	require.ErrorIs(t, r.VerifyPaymentPassword(t.Context(), id, right), account.ErrPasswordWrong, "the old one is over")
}
