package wechat

import (
	"context"
	"crypto/rand"
	"crypto/sha1" // prescribed by the JS-SDK
	"fmt"
	"net/url"
	"strings"
	"time"

	"marquee/server/content"
	"marquee/server/fault"
)

// SignJS signs a page's address, without its fragment, for wx.config. It fetches the access token and the JS ticket
// if needed.
func (a *Account) SignJS(ctx context.Context, pageURL string) (content.JSConfig, error) {
	page, _, _ := strings.Cut(pageURL, "#")
	ticket, err := a.ticket.Get(ctx, "")
	if err != nil {
		return content.JSConfig{}, fmt.Errorf("sign page: %w", err)
	}
	nonce, at := rand.Text()[:16], a.cfg.Wire().Unix()
	signed := fmt.Appendf(nil, "jsapi_ticket=%s&noncestr=%s&timestamp=%d&url=%s", ticket, nonce, at, page)
	return content.JSConfig{
		AppID: a.cfg.AppID, NonceStr: nonce, Timestamp: at, Signature: fmt.Sprintf("%x", sha1.Sum(signed)),
	}, nil
}

// tokenAnswer is the answer to a request for an access token or a JS ticket.
type tokenAnswer struct {
	errcode
	Token     string `json:"access_token"`
	Ticket    string `json:"ticket"`
	ExpiresIn int    `json:"expires_in"` // seconds
}

// lasting returns a value of the answer and its end. The life counts from the time of the request.
func (t tokenAnswer) lasting(value string, asked time.Time) (string, time.Time, error) {
	switch {
	case t.Code != 0:
		return "", time.Time{}, fmt.Errorf("%w: %w", fault.ErrUnavailable, t.errcode)
	case value == "" || t.ExpiresIn <= 0:
		return "", time.Time{}, fmt.Errorf("%w: answer without value or life", fault.ErrBadAnswer)
	}
	return value, asked.Add(time.Duration(t.ExpiresIn) * time.Second), nil
}

func (a *Account) fetchToken(ctx context.Context) (string, time.Time, error) {
	asked := a.cfg.Wire()
	var answer tokenAnswer
	err := a.get(ctx, "/cgi-bin/token", url.Values{
		"grant_type": {"client_credential"}, "appid": {a.cfg.AppID}, "secret": {a.cfg.AppSecret},
	}, &answer)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("fetch access token: %w", err)
	}
	return answer.lasting(answer.Token, asked)
}

// staleToken are the errcodes that say that the access token is invalid or expired.
var staleToken = map[int]bool{40001: true, 40014: true, 42001: true}

// fetchTicket asks for a JS ticket. If the access token is stale, it asks once more with a new one.
func (a *Account) fetchTicket(ctx context.Context) (string, time.Time, error) {
	stale := ""
	for {
		token, err := a.token.Get(ctx, stale)
		if err != nil {
			return "", time.Time{}, err
		}
		asked := a.cfg.Wire()
		var answer tokenAnswer
		query := url.Values{"access_token": {token}, "type": {"jsapi"}}
		if err := a.get(ctx, "/cgi-bin/ticket/getticket", query, &answer); err != nil {
			return "", time.Time{}, fmt.Errorf("fetch JS ticket: %w", err)
		}
		if staleToken[answer.Code] && stale == "" {
			stale = token
			continue
		}
		return answer.lasting(answer.Ticket, asked)
	}
}
