package newmovie

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"marquee/server/durations"
	"marquee/server/providers/transport"
)

// fetchToken fetches a token and returns the value of the Authorization header. Its errors are those of a query even if
// the token is for a command: without a token the command is not sent.
func (c *Client) fetchToken(ctx context.Context, _ string) (string, time.Time, error) {
	asked := c.cfg.Now()
	body, err := json.Marshal(map[string]string{"entId": c.cfg.EntID, "appSecret": c.cfg.AppSecret})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("encode token request: %w", err)
	}
	var a struct {
		Type      string `json:"token_type"`
		Token     string `json:"access_token"`
		ExpiresIn *int   `json:"expires_in"` // seconds
	}
	const path = "/api/oauth/token"
	if err := c.call(ctx, transport.Query, http.MethodPost, path, "", body, &a); err != nil {
		return "", time.Time{}, err
	}
	life := durations.NewMovieToken
	if a.ExpiresIn != nil {
		life = time.Duration(*a.ExpiresIn) * time.Second
	}
	if a.Type == "" || a.Token == "" || life <= 0 {
		return "", time.Time{}, transport.Query.BadAnswer(path,
			errors.New("token_type or access_token is missing, or expires_in is not positive"))
	}
	return a.Type + " " + a.Token, asked.Add(life), nil
}
