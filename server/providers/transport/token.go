package transport

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/fault"
)

// TokenConfig says how a Token is fetched and when it is renewed.
type TokenConfig struct {
	// Fetch asks the provider for a new token. Its context does not end with the call that needs the token.
	Fetch  func(ctx context.Context) (value string, ends time.Time, err error)
	Now    func() time.Time // the clock on which the provider counts the token's life
	Margin time.Duration    // how long before its end a token is no longer used
}

// Token is a credential that all calls of a client share until shortly before its end. It is safe for concurrent use.
type Token struct {
	cfg    TokenConfig
	flight singleflight.Group

	mu    sync.Mutex
	value string
	ends  time.Time
}

// NewToken makes a Token. The first Get fetches it.
func NewToken(cfg TokenConfig) *Token { return &Token{cfg: cfg} }

// Get returns the token. It fetches a new one if there is none, if it is about to end, or if it equals stale, which
// is a token that the provider refused ("" for none). Calls that need a new token at the same time share one fetch.
// It returns the error of the fetch, or fault.ErrUnavailable if ctx ends first.
func (t *Token) Get(ctx context.Context, stale string) (string, error) {
	if value, ok := t.current(stale); ok {
		return value, nil
	}
	result := t.flight.DoChan("", func() (any, error) {
		if value, ok := t.current(stale); ok {
			return value, nil
		}
		// Other calls wait for this fetch, so it must not end with the context of the call that started it.
		value, ends, err := t.cfg.Fetch(context.WithoutCancel(ctx))
		if err != nil {
			return "", err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.value, t.ends = value, ends
		return value, nil
	})
	select {
	case r := <-result:
		value, _ := r.Val.(string)
		return value, r.Err
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a token: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
}

func (t *Token) current(stale string) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.value, t.value != "" && t.value != stale && t.cfg.Now().Before(t.ends.Add(-t.cfg.Margin))
}
