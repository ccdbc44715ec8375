package wechat

import (
	"crypto/sha1" // the JS-SDK's signature
	"encoding/hex"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
)

// Account tokens and tickets expire by real time. Clients such as the vendors' SDKs cache them for expires_in seconds
// of their own clock, so the tokens and tickets must stay valid when the business time is moved.
const (
	tokenLife    = 2 * time.Hour
	tokenOverlap = 5 * time.Minute // how long an account token stays valid after a new one is issued
	ticketLife   = 2 * time.Hour

	// stableEarly is how long before its expiry a stable token is replaced; both are valid until then. A forced
	// replacement revokes the old one at once, is allowed forcedMost times a day, and does nothing within forcedPause
	// of the previous one.
	stableEarly = 5 * time.Minute
	forcedPause = 30 * time.Second
	forcedMost  = 20
)

// appTokens issues the account's access tokens and tickets (api.weixin.qq.com). The JS-SDK ticket is also used to
// verify the wx.config of a page.
type appTokens struct {
	credentials dataset.WeChatCredentials
	now         func() time.Time // real time

	mu      sync.Mutex
	tokens  map[string]time.Time // account access tokens, with their expiries
	stable  string               // the token of stable_token; also in tokens
	forced  []time.Time          // forced replacements of the last 24 hours
	tickets map[string]ticket    // by their type
}

// The types of tickets: one for the JS-SDK, one for signing cards and coupons.
const (
	jsTicket   = "jsapi"
	cardTicket = "wx_card"
)

// ticket is a ticket of one type. It stays the same until it expires.
type ticket struct {
	Text string    `json:"ticket"`
	End  time.Time `json:"end"`
}

// tokenAnswer is the answer to both calls for an account token ("Get access token" of the vendor's documentation).
type tokenAnswer struct {
	AccessToken string `json:"access_token"`
	ExpiresIn   int    `json:"expires_in"` // seconds
}

// checkAccount rejects an appid and secret that are not the account's.
func checkAccount(c dataset.WeChatCredentials, appID, secret string) *journal.Rejection {
	switch {
	case appID == "":
		return missingAppID
	case secret == "":
		return missingSecret
	case appID != c.AppID:
		return invalidAppID
	case secret != c.AppSecret:
		return invalidSecret
	}
	return nil
}

// token is /cgi-bin/token ("获取接口调用凭据"): a new account token. Earlier tokens expire after tokenOverlap.
func (a *appTokens) token(r *http.Request) (any, *journal.Rejection) {
	q := r.URL.Query()
	if q.Get("grant_type") != "client_credential" {
		return nil, invalidGrantType
	}
	if failure := checkAccount(a.credentials, q.Get("appid"), q.Get("secret")); failure != nil {
		return nil, failure
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	end := a.now().Add(tokenOverlap)
	for token, e := range a.tokens {
		if token != a.stable && e.After(end) {
			a.tokens[token] = end
		}
	}
	return a.newToken(), nil
}

// stableToken is /cgi-bin/stable_token ("获取稳定版接口调用凭据"): the same token until shortly before its expiry, or until a new
// one is forced. It is independent of the tokens of /cgi-bin/token.
func (a *appTokens) stableToken(r *http.Request) (any, *journal.Rejection) {
	var q struct {
		GrantType    string `json:"grant_type"`
		AppID        string `json:"appid"`
		Secret       string `json:"secret"`
		ForceRefresh bool   `json:"force_refresh"`
	}
	if r.Method != http.MethodPost {
		return nil, requirePost
	}
	if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
		return nil, badData
	}
	if q.GrantType != "client_credential" {
		return nil, invalidGrantType
	}
	if failure := checkAccount(a.credentials, q.AppID, q.Secret); failure != nil {
		return nil, failure
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	left := a.tokens[a.stable].Sub(now)
	replace := false
	if q.ForceRefresh {
		a.forced = slices.DeleteFunc(a.forced, func(at time.Time) bool { return now.Sub(at) >= 24*time.Hour })
		if len(a.forced) >= forcedMost {
			return nil, quotaReached
		}
		replace = len(a.forced) == 0 || now.Sub(a.forced[len(a.forced)-1]) >= forcedPause
	}
	if left > stableEarly && !replace {
		return tokenAnswer{a.stable, int(left.Seconds())}, nil
	}
	if replace {
		a.forced = append(a.forced, now)
		delete(a.tokens, a.stable)
	}
	answer := a.newToken()
	a.stable = answer.AccessToken
	return answer, nil
}

// newToken stores a new account token. The caller holds the lock.
func (a *appTokens) newToken() tokenAnswer {
	token := "87_" + TokenKey(a.credentials.AppID) + randomHex(42)
	a.tokens[token] = a.now().Add(tokenLife)
	return tokenAnswer{token, int(tokenLife.Seconds())}
}

// keyDigits is the length of the key in a token.
const keyDigits = 12

// TokenKey is the part of every token that identifies the account with an appid. It follows the three characters "87_"
// of an account's token or "88_" of a person's token.
func TokenKey(appID string) string {
	return dataset.RandOf(0, "token key", appID).Text("0123456789abcdef", keyDigits)
}

// keyOf returns the key in a token; "" when the token is too short to have one.
func keyOf(token string) string {
	if len(token) < 3+keyDigits {
		return ""
	}
	return token[3 : 3+keyDigits]
}

// stableTokenAppID returns the appid in the body of a call of stable_token; "" if there is none. The call itself
// reports an invalid body.
func stableTokenAppID(body []byte) string {
	var q struct {
		AppID string `json:"appid"`
	}
	_ = json.Unmarshal(body, &q)
	return q.AppID
}

// getTicket is /cgi-bin/ticket/getticket ("获取sdk临时票据"): the ticket of the JS-SDK or of cards and coupons, the same
// until it expires.
func (a *appTokens) getTicket(r *http.Request) (any, *journal.Rejection) {
	q := r.URL.Query()
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	end, known := a.tokens[q.Get("access_token")]
	switch {
	case q.Get("access_token") == "":
		return nil, missingToken
	case !known:
		return nil, invalidToken
	case !now.Before(end):
		return nil, expiredToken
	}
	kind := q.Get("type")
	if kind != jsTicket && kind != cardTicket {
		return nil, invalidType
	}
	if !now.Before(a.tickets[kind].End) {
		a.tickets[kind] = ticket{"bxLdikRXVbTPdHSM05e5u" + randomHex(32), now.Add(ticketLife)}
	}
	return struct {
		apiResult
		Ticket    string `json:"ticket"`
		ExpiresIn int    `json:"expires_in"`
	}{apiResult{0, "ok"}, a.tickets[kind].Text, int(a.tickets[kind].End.Sub(now).Round(time.Second).Seconds())}, nil
}

// jsConfig is the argument of a page's wx.config, as the SDK passes it to the bridge.
type jsConfig struct {
	AppID     string `json:"appId"`
	Timestamp string `json:"timestamp"`
	NonceStr  string `json:"nonceStr"`
	Signature string `json:"signature"`
	URL       string `json:"url"` // the landing page on iOS, the current page on Android
}

// checkJSConfig returns the vendor's error text for a rejected wx.config, and the reason for the journal; both are ""
// if the signature is right. The signature is SHA-1 over ticket, nonce, time and the page's address without its
// fragment (appendix 1 of "JS-SDK说明文档").
func (a *appTokens) checkJSConfig(c jsConfig) (rejection, reason string) {
	a.mu.Lock()
	alive := a.tickets[jsTicket]
	a.mu.Unlock()
	switch {
	case c.AppID != a.credentials.AppID:
		return "invalid appid", "appId " + c.AppID + " is not " + a.credentials.AppID
	case !a.now().Before(alive.End):
		return "invalid signature", "no ticket is alive: the server has to fetch one first"
	}
	url, _, _ := strings.Cut(c.URL, "#")
	text := "jsapi_ticket=" + alive.Text + "&noncestr=" + c.NonceStr + "&timestamp=" + c.Timestamp + "&url=" + url
	sum := sha1.Sum([]byte(text))
	if want := hex.EncodeToString(sum[:]); !strings.EqualFold(want, c.Signature) {
		return "invalid signature", "expected " + want + " over " + text + ", came " + c.Signature
	}
	return "", ""
}
