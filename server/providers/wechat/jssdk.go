package wechat

import (
	"context"
	"crypto/rand"
	"crypto/sha1" //nolint:gosec // the JS-SDK's signature prescribes it
	"encoding/hex"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"

	"marquee/server/content"
	"marquee/server/fault"
)

// SignJS signs a page for wx.config. The fragment is no part of what is signed.
func (a *Account) SignJS(ctx context.Context, pageURL string) (content.JSConfig, error) {
	page, _, _ := strings.Cut(pageURL, "#")
	ticket, err := a.ticket.get(ctx, a.cfg.Wire, "", a.fetchTicket)
	if err != nil {
		return content.JSConfig{}, fmt.Errorf("sign page: %w", err)
	}
	nonce, at := rand.Text()[:16], a.cfg.Wire().Unix()
	sum := sha1.Sum([]byte("jsapi_ticket=" + ticket + "&noncestr=" + nonce + "&timestamp=" + strconv.FormatInt(at, 10) + "&url=" + page)) //nolint:gosec // as above
	return content.JSConfig{AppID: a.cfg.AppID, NonceStr: nonce, Timestamp: at, Signature: hex.EncodeToString(sum[:])}, nil
}

type tokenAnswer struct {
	errcode
	Token     string `json:"access_token"`
	Ticket    string `json:"ticket"`
	ExpiresIn int    `json:"expires_in"` // seconds
}

// lasting checks an answer and counts its life from before it was asked for.
func (t tokenAnswer) lasting(value string, asked time.Time) (string, time.Time, error) {
	switch {
	case t.Code != 0:
		return "", time.Time{}, fmt.Errorf("%w: %w", fault.ErrUnavailable, t.errcode)
	case value == "" || t.ExpiresIn <= 0:
		return "", time.Time{}, fmt.Errorf("%w: no value or no life", fault.ErrBadAnswer)
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

// staleToken are the errcodes after which a new access token may help.
var staleToken = map[int]bool{40001: true, 40014: true, 42001: true}

func (a *Account) fetchTicket(ctx context.Context) (string, time.Time, error) {
	stale := ""
	for {
		token, err := a.token.get(ctx, a.cfg.Wire, stale, a.fetchToken)
		if err != nil {
			return "", time.Time{}, err
		}
		asked := a.cfg.Wire()
		var answer tokenAnswer
		if err := a.get(ctx, "/cgi-bin/ticket/getticket", url.Values{"access_token": {token}, "type": {"jsapi"}}, &answer); err != nil {
			return "", time.Time{}, fmt.Errorf("fetch JS ticket: %w", err)
		}
		if staleToken[answer.Code] && stale == "" {
			stale = token
			continue
		}
		return answer.lasting(answer.Ticket, asked)
	}
}

// margin is how long before its end a token or ticket is no longer used.
const margin = 5 * time.Minute

// cached is a value that lives for a while; whoever needs a new one first fetches it for all.
type cached struct {
	turn chan *lasting // holds the value while nobody uses it
}

type lasting struct {
	value string
	ends  time.Time
}

func newCached() cached {
	c := cached{turn: make(chan *lasting, 1)}
	c.turn <- &lasting{}
	return c
}

// get returns the value, fetched anew when there is none, it is about to end, or it is the stale one.
func (c cached) get(
	ctx context.Context, now func() time.Time, stale string, fetch func(context.Context) (string, time.Time, error),
) (string, error) {
	var held *lasting
	select {
	case held = <-c.turn:
	case <-ctx.Done():
		return "", fmt.Errorf("%w: %w", fault.ErrUnavailable, ctx.Err())
	}
	defer func() { c.turn <- held }()
	if held.value != "" && held.value != stale && now().Before(held.ends.Add(-margin)) {
		return held.value, nil
	}
	value, ends, err := fetch(ctx)
	if err != nil {
		return "", err
	}
	held.value, held.ends = value, ends
	return value, nil
}
