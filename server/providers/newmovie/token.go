package newmovie

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"marquee/server/fault"
)

// tokenMargin is how long before its end a token is no longer used.
const tokenMargin = 60 * time.Second

// tokens keeps the bearer token that all calls share.
type tokens struct {
	mu      sync.Mutex
	current string // the whole Authorization value: "<type> <token>"
	ends    time.Time
	fetch   singleflight.Group
}

// token is the shared token, fetched when there is none or it is about to end.
func (c *Client) token(ctx context.Context) (string, error) {
	c.tokens.mu.Lock()
	current, ends := c.tokens.current, c.tokens.ends
	c.tokens.mu.Unlock()
	if current != "" && c.cfg.Now().Before(ends.Add(-tokenMargin)) {
		return current, nil
	}
	return c.refresh(ctx, current)
}

// refresh replaces the stale token. However many calls find the same one stale, the provider is asked once; a call
// that comes with an older one takes what is there.
func (c *Client) refresh(ctx context.Context, stale string) (string, error) {
	answer := c.tokens.fetch.DoChan("token", func() (any, error) {
		c.tokens.mu.Lock()
		current := c.tokens.current
		c.tokens.mu.Unlock()
		if current != stale {
			return current, nil
		}
		// Many wait for this answer: the caller that happened to be first must not take it away by leaving.
		token, ends, err := c.fetchToken(context.WithoutCancel(ctx))
		if err != nil {
			return "", err
		}
		c.tokens.mu.Lock()
		c.tokens.current, c.tokens.ends = token, ends
		c.tokens.mu.Unlock()
		return token, nil
	})
	select {
	case got := <-answer:
		if got.Err != nil {
			return "", got.Err
		}
		return got.Val.(string), nil //nolint:forcetypeassert // the function above returns nothing else
	case <-ctx.Done():
		return "", fmt.Errorf("wait for a token: %w: %w", fault.ErrUnavailable, ctx.Err())
	}
}

// fetchToken asks for a token. Whatever goes wrong, the call that needed it was not sent: it is a read.
func (c *Client) fetchToken(ctx context.Context) (string, time.Time, error) {
	asked := c.cfg.Now()
	body, err := json.Marshal(map[string]string{"entId": c.cfg.EntID, "appSecret": c.cfg.AppSecret})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("encode token request: %w", err)
	}
	var a struct {
		Type      string `json:"token_type"`
		Token     string `json:"access_token"`
		ExpiresIn int    `json:"expires_in"` // seconds
	}
	if err := c.exchange(ctx, reads, http.MethodPost, "/api/oauth/token", "", body, &a); err != nil {
		return "", time.Time{}, err
	}
	if a.Type == "" || a.Token == "" || a.ExpiresIn <= 0 {
		return "", time.Time{}, fmt.Errorf("token answer without type, token or life: %w", fault.ErrBadAnswer)
	}
	return a.Type + " " + a.Token, asked.Add(time.Duration(a.ExpiresIn) * time.Second), nil
}
