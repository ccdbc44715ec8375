package wechat

import (
	"context"
	"crypto/rand"
	"crypto/sha1" // prescribed by the JS-SDK
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/server/content"
	"marquee/server/fault"
	"marquee/server/providers/transport"
)

// SignJS signs a page's URL, without its fragment, for wx.config. It fetches the access token and the JS ticket if
// needed.
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

// lasting returns value, which is the token or the ticket of the answer, and its expiry: expires_in after the time of
// the request.
func (t tokenAnswer) lasting(value string, asked time.Time) (string, time.Time, error) {
	switch {
	case t.Code != 0:
		return "", time.Time{}, fmt.Errorf("%w: %w", fault.ErrUnavailable, t.errcode)
	case value == "" || t.ExpiresIn <= 0:
		return "", time.Time{}, fmt.Errorf("%w: answer without value or life", fault.ErrBadAnswer)
	}
	return value, asked.Add(time.Duration(t.ExpiresIn) * time.Second), nil
}

// fetchToken fetches the stable access token ("获取稳定版接口调用凭据" of the vendor's documentation), which any number of systems
// of the account may use. If the vendor answers with the token that it has rejected, fetchToken requests a replacement,
// which the vendor allows 20 times a day, and not twice in 30 seconds.
func (a *Account) fetchToken(ctx context.Context, rejected string) (string, time.Time, error) {
	value, ends, err := a.stableToken(ctx, false)
	if err == nil && value == rejected {
		value, ends, err = a.stableToken(ctx, true)
	}
	return value, ends, err
}

func (a *Account) stableToken(ctx context.Context, replace bool) (string, time.Time, error) {
	asked := a.cfg.Wire()
	body, err := json.Marshal(map[string]any{
		"grant_type": "client_credential", "appid": a.cfg.AppID, "secret": a.cfg.AppSecret, "force_refresh": replace,
	})
	if err != nil {
		return "", time.Time{}, fmt.Errorf("encode token request: %w", err)
	}
	var answer tokenAnswer
	err = a.exchange(ctx, transport.Request{
		Method: http.MethodPost, URL: apiURL("/cgi-bin/stable_token"), Body: body,
		Header: map[string]string{"Content-Type": "application/json"},
	}, &answer)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("fetch access token: %w", err)
	}
	return answer.lasting(answer.Token, asked)
}

// staleToken are the errcodes for an access token that is invalid or expired.
var staleToken = map[int]bool{40001: true, 40014: true, 42001: true}

// fetchTicket fetches a JS ticket. If the access token is stale, it tries once more with a new one.
func (a *Account) fetchTicket(ctx context.Context, _ string) (string, time.Time, error) {
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
