package token_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/pepper"
	"marquee/server/store/sqlite"
	"marquee/server/store/sqlite/sqlitetest"
	"marquee/server/token"
)

// issuer issues numbered tokens with a life of an hour, as a provider does.
type issuer struct {
	issued  atomic.Int64
	elapsed atomic.Int64 // seconds on the provider's clock
	failing atomic.Bool
	during  func() // runs while a token is fetched; may be nil
}

func (i *issuer) now() time.Time { return time.Unix(i.elapsed.Load(), 0) }

func (i *issuer) fetch(context.Context, string) (string, time.Time, error) {
	if i.failing.Load() {
		return "", time.Time{}, fault.ErrUnavailable
	}
	if i.during != nil {
		i.during()
	}
	return fmt.Sprint("t", i.issued.Add(1)), i.now().Add(time.Hour), nil
}

// replica returns the token of one replica, which accepts the current pepper and the pepper other ("" for none).
func (i *issuer) replica(t *testing.T, db *sqlite.DB, current, other string) *token.Token {
	t.Helper()
	peppers, err := pepper.New([]byte(current), []byte(other))
	require.NoError(t, err)
	vault, err := token.NewVault(db.Tokens(), peppers)
	require.NoError(t, err)
	return vault.Token(token.Config{Name: "account", Fetch: i.fetch, Now: i.now, Margin: 5 * time.Minute})
}

func get(t *testing.T, tok *token.Token, rejected string) string {
	t.Helper()
	value, err := tok.Get(t.Context(), rejected)
	require.NoError(t, err)
	return value
}

const secret = "a pepper of tests"

func TestToken_IsSharedByReplicas(t *testing.T) {
	t.Parallel()
	i, db := &issuer{}, sqlitetest.Open(t)
	var wg sync.WaitGroup
	for range 3 {
		replica := i.replica(t, db, secret, "")
		for range 8 {
			wg.Go(func() {
				value, err := replica.Get(t.Context(), "")
				assert.NoError(t, err)
				assert.Equal(t, "t1", value)
			})
		}
	}
	wg.Wait()
	a, b := i.replica(t, db, secret, ""), i.replica(t, db, secret, "")
	require.Equal(t, "t1", get(t, a, ""))
	require.Equal(t, "t1", get(t, b, ""))
	i.elapsed.Store(55 * 60)
	require.Equal(t, "t2", get(t, b, ""))
	require.Equal(t, "t2", get(t, a, ""))
	require.EqualValues(t, 2, i.issued.Load())
}

func TestToken_RejectedOneIsRenewedOnceForAllReplicas(t *testing.T) {
	t.Parallel()
	i, db := &issuer{}, sqlitetest.Open(t)
	a, b := i.replica(t, db, secret, ""), i.replica(t, db, secret, "")
	require.Equal(t, "t1", get(t, a, ""))
	require.Equal(t, "t1", get(t, b, ""))
	require.Equal(t, "t2", get(t, a, "t1"))
	require.Equal(t, "t2", get(t, b, "t1"))
	require.EqualValues(t, 2, i.issued.Load())
}

func TestToken_IsSealed(t *testing.T) {
	t.Parallel()
	i, db := &issuer{}, sqlitetest.Open(t)
	require.Equal(t, "t1", get(t, i.replica(t, db, secret, ""), ""))
	row, err := db.Tokens().Token(t.Context(), "account")
	require.NoError(t, err)
	require.NotContains(t, string(row.Sealed), "t1")
	require.Equal(t, "t2", get(t, i.replica(t, db, "another pepper of tests", ""), ""),
		"it cannot be opened, so it is renewed")
}

// A replica that ends while it renews a token leaves a lease behind. When the lease has run out, another one renews the
// token.
func TestToken_LeaseOfAReplicaThatEnded(t *testing.T) {
	t.Parallel()
	i, db := &issuer{}, sqlitetest.Open(t)
	past := time.Now().Add(-time.Hour)
	leased, err := db.Tokens().Lease(t.Context(), "account", "ended", past, past.Add(time.Minute))
	require.NoError(t, err)
	require.True(t, leased)
	require.Equal(t, "t1", get(t, i.replica(t, db, secret, ""), ""))
}

func TestToken_WaitsForTheReplicaThatRenewsIt(t *testing.T) {
	t.Parallel()
	db := sqlitetest.Open(t)
	begun, proceed := make(chan struct{}), make(chan struct{})
	i := &issuer{during: func() { close(begun); <-proceed }}
	values := make(chan string, 2)
	renew := func(replica *token.Token) {
		value, err := replica.Get(context.Background(), "")
		assert.NoError(t, err)
		values <- value
	}
	go renew(i.replica(t, db, secret, ""))
	<-begun
	second := i.replica(t, db, secret, "")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := second.Get(ended, "")
	require.ErrorIs(t, err, fault.ErrUnavailable, "a caller may give up")
	go renew(second)
	close(proceed)
	require.Equal(t, "t1", <-values)
	require.Equal(t, "t1", <-values)
	require.EqualValues(t, 1, i.issued.Load())
}

func TestToken_FailureEndsTheLease(t *testing.T) {
	t.Parallel()
	i, db := &issuer{}, sqlitetest.Open(t)
	i.failing.Store(true)
	a, b := i.replica(t, db, secret, ""), i.replica(t, db, secret, "")
	_, err := a.Get(t.Context(), "")
	require.ErrorIs(t, err, fault.ErrUnavailable)
	i.failing.Store(false)
	require.Equal(t, "t1", get(t, b, ""))
	require.Eventually(t, func() bool { v, err := a.Get(t.Context(), ""); return err == nil && v == "t1" },
		10*time.Second, 10*time.Millisecond)
}

func TestToken_WithoutVaultBelongsToTheProcess(t *testing.T) {
	t.Parallel()
	i := &issuer{}
	tok := (*token.Vault)(nil).Token(token.Config{Name: "account", Fetch: i.fetch, Now: i.now, Margin: time.Hour})
	require.Equal(t, "t1", get(t, tok, ""))
	i.elapsed.Store(29 * 60)
	require.Equal(t, "t1", get(t, tok, ""), "the margin is at most half of the life")
	i.elapsed.Store(30 * 60)
	require.Equal(t, "t2", get(t, tok, ""))
	_, err := (*token.Vault)(nil).Token(token.Config{Now: i.now,
		Fetch: func(context.Context, string) (string, time.Time, error) {
			return "", time.Time{}, errors.New("no")
		}}).Get(t.Context(), "")
	require.ErrorContains(t, err, "no")
}

// In the middle of a rotation the replicas have their peppers in opposite order.
func TestToken_IsSharedDuringARotationOfThePepper(t *testing.T) {
	t.Parallel()
	const next = "the next pepper of tests"
	for _, before := range []bool{true, false} {
		i, db := &issuer{}, sqlitetest.Open(t)
		first, second := i.replica(t, db, secret, next), i.replica(t, db, next, secret)
		if before {
			first, second = second, first
		}
		require.Equal(t, "t1", get(t, first, ""))
		require.Equal(t, "t1", get(t, second, ""), "the token is renewed once")
		require.EqualValues(t, 1, i.issued.Load())
	}
}
