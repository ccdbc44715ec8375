package newmovie_test

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/fault"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/providertest"
)

func TestToken_IsSharedUntilItIsAboutToEnd(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/cancel", orderAnswer("CANCELLED", ""))
	var elapsed atomic.Int64 // seconds
	c := clientOf(t, newmovie.Config{BaseURL: p.server.URL + "/newmovie",
		Now: func() time.Time { return time.Unix(elapsed.Load(), 0) }})
	cancel := func() { require.NoError(t, c.Unlock(t.Context(), "n1")) }
	cancel()
	elapsed.Store(7200 - 61)
	cancel()
	assert.Equal(t, 1, p.called("/api/oauth/token"))
	elapsed.Store(7200 - 60)
	cancel()
	assert.Equal(t, 2, p.called("/api/oauth/token"))
}

func TestToken_RevokedIsRefreshedOnceForAll(t *testing.T) {
	t.Parallel()
	p := newProvider(t).on("/api/order/cancel", orderAnswer("CANCELLED", ""))
	c := p.client()
	require.NoError(t, c.Unlock(t.Context(), "n1"))
	p.revoke()
	var wg sync.WaitGroup
	for range 32 {
		wg.Go(func() { assert.NoError(t, c.Unlock(t.Context(), "n1")) })
	}
	wg.Wait()
	assert.Equal(t, 2, p.called("/api/oauth/token"))
}

func TestToken_RejectedAgainAfterTheRefreshIsUnavailable(t *testing.T) {
	t.Parallel()
	for _, code := range []int{401002, 401003} {
		p := newProvider(t).on("/api/order/lock", rejection(code))
		_, err := p.client().Lock(t.Context(), providertest.LockRequest())
		require.ErrorIs(t, err, fault.ErrUnavailable)
		assert.Equal(t, 2, p.called("/api/order/lock"))
		assert.Equal(t, 2, p.called("/api/oauth/token"))
	}
}

// If the call that fetches the token is cancelled, the other calls still get the token.
func TestToken_FirstCallerLeaving(t *testing.T) {
	t.Parallel()
	asked, release := make(chan struct{}), make(chan struct{})
	p := newProvider(t).on("/api/order/cancel", orderAnswer("CANCELLED", ""))
	p.on("/api/oauth/token", func(w http.ResponseWriter, r *http.Request) {
		close(asked)
		<-release
		success(`{"token_type":"Bearer","access_token":"t0","expires_in":7200}`)(w, r)
	})
	c := p.client()
	ctx, leave := context.WithCancel(t.Context())
	first, second := make(chan error, 1), make(chan error, 1)
	go func() { first <- c.Unlock(ctx, "n1") }()
	<-asked
	go func() { second <- c.Unlock(t.Context(), "n1") }()
	leave()
	require.Equal(t, fault.Unavailable, fault.KindOf(<-first))
	close(release)
	require.NoError(t, <-second)
	assert.Equal(t, 1, p.called("/api/oauth/token"))
}
