package wechat

import (
	"cmp"
	"fmt"
	"html/template"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/testclock"
)

// The lifetimes of codes and tokens, in business time.
const (
	codeLife         = 5 * time.Minute
	userTokenLife    = 2 * time.Hour
	refreshTokenLife = 30 * 24 * time.Hour
)

// The scopes of a login link and of the code that it gets.
const (
	scopeBase     = "snsapi_base"
	scopeUserInfo = "snsapi_userinfo"
)

// authorizePath is the path of the login page ("Web page authorization" of the vendor's documentation).
const authorizePath = "/connect/oauth2/authorize"

// login is OAuth for web pages: the login page on open.weixin.qq.com issues codes, and the calls under /sns of
// api.weixin.qq.com exchange them for a person's tokens.
type login struct {
	seed        uint64
	clock       *testclock.Clock
	credentials dataset.WeChatCredentials
	appURL      func() string
	people      *people

	mu      sync.Mutex
	serial  uint64 // codes so far
	codes   map[string]grant
	users   map[string]grant // by user access token
	refresh map[string]grant // by refresh token
}

// grant is what a code or a token permits: access to a person's data in a scope, until End. Snapshots contain it.
type grant struct {
	OpenID string    `json:"openid"`
	Scope  string    `json:"scope"`
	End    time.Time `json:"end"`
	Used   bool      `json:"used,omitempty"` // of a code, which can be exchanged for tokens once
}

// newLogin returns a login without codes and tokens.
func newLogin(c Config, p *people) *login {
	return &login{
		seed: c.Seed, clock: c.Clock, credentials: c.Credentials, appURL: c.AppURL, people: p,
		codes: map[string]grant{}, users: map[string]grant{}, refresh: map[string]grant{},
	}
}

// pageHandler answers the vendor's login page.
func (l *login) pageHandler(f faultInjector) *faults.Endpoint {
	endpoint := f.endpoint(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.authorize(w, r)
	}))
	endpoint.Operation = func(r *http.Request, _ []byte) string {
		if r.URL.Path == authorizePath && (r.Method == http.MethodGet || r.Method == http.MethodHead) {
			return opAuthorize
		}
		return ""
	}
	endpoint.Error = func(w http.ResponseWriter, r *http.Request, code, message string) {
		showError(w, r, cmp.Or(message, "系统错误"), cmp.Or(code, "-1"))
	}
	return endpoint
}

// authorize ("网页授权" of the vendor's documentation, step 1) redirects the browser back to the shop with a code for the
// person who holds the phone. Unlike at the vendor, the scope snsapi_userinfo does not ask the person for consent.
func (l *login) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	switch {
	case q.Get("appid") != l.credentials.AppID:
		showError(w, r, "AppID 参数错误", "10013")
	case q.Get("response_type") != "code":
		showError(w, r, "response_type 参数错误", "10004")
	case q.Get("scope") != scopeBase && q.Get("scope") != scopeUserInfo:
		showError(w, r, "Scope 参数错误或没有 Scope 权限", "10005")
	case err != nil || back.Host == "" || back.Scheme != "http" && back.Scheme != "https" || !l.mayReturnTo(back):
		showError(w, r, "redirect_uri域名与后台配置不一致", "10003")
	case len(q.Get("state")) > 128:
		showError(w, r, "state 参数错误", "10009")
	default:
		values := back.Query()
		values.Set("code", l.newCode(l.people.holder(r), q.Get("scope")))
		values.Set("state", q.Get("state"))
		back.RawQuery = values.Encode()
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, back.String(), http.StatusFound)
	}
}

// mayReturnTo reports whether the login may redirect to an address. The vendor checks the account's list of callback
// domains; the simulator allows the shop's host, localhost with its subdomains, and loopback addresses.
func (l *login) mayReturnTo(u *url.URL) bool {
	host := u.Hostname()
	if app, err := url.Parse(l.appURL()); err == nil && app.Hostname() != "" && app.Hostname() == host {
		return true
	}
	ip := net.ParseIP(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || ip != nil && ip.IsLoopback()
}

// errorPage has the vendor's layout: a text and the error code below it.
var errorPage = template.Must(template.New("").Parse(`<!doctype html><html lang="zh-CN"><meta charset="utf-8">` +
	`<meta name="viewport" content="width=device-width">
<title>提示</title><body style="font:16px/1.6 system-ui,sans-serif;text-align:center;padding:64px 24px">` +
	`<p>{{.Message}}</p><p style="color:#777">错误码:{{.Code}}</p></body></html>
`))

// showError answers with the vendor's page for an invalid login link, and records the rejection in the journal.
func showError(w http.ResponseWriter, r *http.Request, message, code string) {
	journal.From(r.Context()).Reject(code + ": " + message)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadRequest)
	_ = errorPage.Execute(w, map[string]string{"Message": message, "Code": code})
}

// alphanumeric is the alphabet of codes.
const alphanumeric = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// newCode stores a new code for a person and returns it.
func (l *login) newCode(openID, scope string) string {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.serial++
	text := dataset.RandOf(l.seed, "wechat", "code", fmt.Sprint(l.serial)).Text(alphanumeric, 24) + randomHex(4)
	now := l.clock.Now()
	l.evictEnded(now)
	l.codes[text] = grant{OpenID: openID, Scope: scope, End: now.Add(codeLife)}
	return text
}

// evictEnded drops expired codes and tokens every 512 codes. An expired code is kept for one more lifetime, so that a
// used one is rejected as used and not as unknown. The caller holds the lock.
func (l *login) evictEnded(now time.Time) {
	if len(l.codes)%512 != 511 {
		return
	}
	maps.DeleteFunc(l.codes, func(_ string, c grant) bool { return now.Sub(c.End) > codeLife })
	for _, grants := range []map[string]grant{l.users, l.refresh} {
		maps.DeleteFunc(grants, func(_ string, g grant) bool { return now.After(g.End) })
	}
}

// userTokenAnswer is the answer of the calls that issue a person's tokens.
type userTokenAnswer struct {
	AccessToken  string `json:"access_token"`
	ExpiresIn    int    `json:"expires_in"` // seconds
	RefreshToken string `json:"refresh_token"`
	OpenID       string `json:"openid"`
	Scope        string `json:"scope"`
}

// exchangeCode is /sns/oauth2/access_token (step 2): it exchanges a code for a person's tokens, one time.
func (l *login) exchangeCode(r *http.Request) (any, *journal.Rejection) {
	q := r.URL.Query()
	if failure := checkAccount(l.credentials, q.Get("appid"), q.Get("secret")); failure != nil {
		return nil, failure
	}
	if q.Get("grant_type") != "authorization_code" {
		return nil, invalidGrantType
	}
	g, failure := l.takeCode(q.Get("code"), scopeBase, scopeUserInfo)
	if failure != nil {
		return nil, failure
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.issueTokens(g, ""), nil
}

// takeCode consumes a code. It rejects a code that is missing, used, expired or of none of the scopes.
func (l *login) takeCode(code string, scopes ...string) (grant, *journal.Rejection) {
	l.mu.Lock()
	defer l.mu.Unlock()
	g, known := l.codes[code]
	switch {
	case code == "":
		return g, missingCode
	case known && g.Used:
		return g, usedCode
	case !known || !slices.Contains(scopes, g.Scope) || !l.clock.Now().Before(g.End):
		return g, invalidCode
	}
	g.Used = true
	l.codes[code] = g
	return g, nil
}

// refreshToken is /sns/oauth2/refresh_token (step 3): it exchanges a refresh token, which stays valid, for a new access
// token.
func (l *login) refreshToken(r *http.Request) (any, *journal.Rejection) {
	q := r.URL.Query()
	switch {
	case q.Get("appid") == "":
		return nil, missingAppID
	case q.Get("appid") != l.credentials.AppID:
		return nil, invalidAppID
	case q.Get("grant_type") != "refresh_token":
		return nil, invalidGrantType
	case q.Get("refresh_token") == "":
		return nil, missingRefresh
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g, known := l.refresh[q.Get("refresh_token")]
	if !known || !l.clock.Now().Before(g.End) {
		return nil, invalidRefresh
	}
	return l.issueTokens(g, q.Get("refresh_token")), nil
}

// issueTokens stores a new access token for the person of g, and a new refresh token when refresh is "". The caller
// holds the lock.
func (l *login) issueTokens(g grant, refresh string) userTokenAnswer {
	now := l.clock.Now()
	newToken := func() string { return "88_" + TokenKey(l.credentials.AppID) + randomHex(18) }
	if refresh == "" {
		refresh = newToken()
		l.refresh[refresh] = grant{OpenID: g.OpenID, Scope: g.Scope, End: now.Add(refreshTokenLife)}
	}
	token := newToken()
	l.users[token] = grant{OpenID: g.OpenID, Scope: g.Scope, End: now.Add(userTokenLife)}
	return userTokenAnswer{token, int(userTokenLife.Seconds()), refresh, g.OpenID, g.Scope}
}

// tokenOwner is the grant of the access token in a call. The token must belong to the openid in the call.
func (l *login) tokenOwner(r *http.Request) (grant, *journal.Rejection) {
	q := r.URL.Query()
	switch {
	case q.Get("access_token") == "":
		return grant{}, missingToken
	case q.Get("openid") == "":
		return grant{}, missingOpenID
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	g, known := l.users[q.Get("access_token")]
	switch {
	case !known:
		return g, invalidToken
	case !l.clock.Now().Before(g.End):
		return g, expiredToken
	case g.OpenID != q.Get("openid"):
		return g, invalidOpenID
	}
	return g, nil
}

// checkToken is /sns/auth: whether an access token is valid for an openid.
func (l *login) checkToken(r *http.Request) (any, *journal.Rejection) {
	_, failure := l.tokenOwner(r)
	return apiResult{0, "ok"}, failure
}

// userInfo is /sns/userinfo (step 4). It needs the scope snsapi_userinfo. The vendor no longer returns sex and place.
func (l *login) userInfo(r *http.Request) (any, *journal.Rejection) {
	g, failure := l.tokenOwner(r)
	switch {
	case failure != nil:
		return nil, failure
	case g.Scope != scopeUserInfo:
		return nil, noPermission
	}
	return map[string]any{
		"openid": g.OpenID, "nickname": identity(g.OpenID).Name, "sex": 0, "language": "zh_CN", "city": "",
		"province": "", "country": "",
		"headimgurl": "", "privilege": []string{},
	}, nil
}
