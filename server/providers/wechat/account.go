package wechat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"marquee/server/account"
	"marquee/server/content"
	"marquee/server/durations"
	"marquee/server/fault"
	"marquee/server/providers/transport"
	"marquee/server/token"
)

// The vendor's hosts for login and the JS-SDK. The backup is in another city ("通用异地容灾域名" of the vendor's
// documentation).
const (
	APIHost       = "api.weixin.qq.com"
	apiHostBackup = "api2.weixin.qq.com"
	authorizeURL  = "https://open.weixin.qq.com/connect/oauth2/authorize"
)

// AccountConfig configures an Account.
type AccountConfig struct {
	AppID     string
	AppSecret string // of the public account

	SimulatorURL string               // "": the vendor; else the URL to which all requests are sent, with the vendor's Host
	AuthorizeURL string               // "": the vendor's login page; with SimulatorURL the simulated one
	HTTPClient   *http.Client         // nil: a new client
	Tokens       *token.Vault         // shares token and ticket with other replicas; nil: not shared
	Wire         func() time.Time     // wire time, for signed timestamps and the life of tokens; nil: time.Now
	Operations   transport.Operations // the limit and the observer of each call
}

// Account is the client of the public account: login and the signature of the JS-SDK. It is safe for concurrent use.
type Account struct {
	cfg    AccountConfig
	http   *transport.Client
	hosts  *hosts
	token  *token.Token // the access token of the account's API
	ticket *token.Token // the JS ticket that pages are signed with
}

var (
	_ account.IdentityProvider = (*Account)(nil)
	_ content.JSSigner         = (*Account)(nil)
)

// NewAccount returns an Account. It fails if the configuration is incomplete or malformed. It sends nothing.
func NewAccount(cfg AccountConfig) (*Account, error) {
	if cfg.AppID == "" || cfg.AppSecret == "" {
		return nil, fmt.Errorf("wechat: AccountConfig.AppID and AppSecret are required")
	}
	if cfg.Wire == nil {
		cfg.Wire = time.Now
	}
	hc, err := httpClient(cfg.HTTPClient, cfg.SimulatorURL)
	if err != nil {
		return nil, err
	}
	if cfg.AuthorizeURL == "" {
		cfg.AuthorizeURL = authorizeURL
		if u, err := url.Parse(cfg.SimulatorURL); err == nil && u.Host != "" {
			// The browser opens this page itself, so roundTripper cannot redirect it to the simulator.
			cfg.AuthorizeURL = u.Scheme + "://inapp.localhost:" + u.Port() + "/connect/oauth2/authorize"
		}
	}
	a := &Account{cfg: cfg, http: transport.New(hc), hosts: &hosts{
		main: APIHost, backup: apiHostBackup,
		unanswered: func(err error) bool { return errors.Is(err, fault.ErrUnavailable) },
	}}
	a.token = cfg.Tokens.Token(token.Config{
		Name: "wechat/" + cfg.AppID + "/access_token", Fetch: a.fetchToken, Limit: cfg.Operations.Within(),
		Now: cfg.Wire, Margin: durations.AppTokenMargin,
	})
	a.ticket = cfg.Tokens.Token(token.Config{
		Name: "wechat/" + cfg.AppID + "/jsapi_ticket", Fetch: a.fetchTicket, Limit: cfg.Operations.Within(),
		Now: cfg.Wire, Margin: durations.AppTokenMargin,
	})
	return a, nil
}

// AuthorizeURL returns the page that sends the browser back with a code. The vendor requires this order of parameters.
func (a *Account) AuthorizeURL(redirectURL, state string) string {
	return a.cfg.AuthorizeURL +
		"?appid=" + url.QueryEscape(a.cfg.AppID) + "&redirect_uri=" + url.QueryEscape(redirectURL) +
		"&response_type=code&scope=snsapi_base&state=" + url.QueryEscape(state) + "#wechat_redirect"
}

// badCodes are the errcodes for an OAuth code that is invalid, expired, used or missing.
var badCodes = map[int]bool{40029: true, 42003: true, 40163: true, 41008: true}

// Exchange exchanges a one-use code for the buyer's openid. It returns account.ErrOAuthCode if the code is not valid.
func (a *Account) Exchange(ctx context.Context, code string) (_ string, err error) {
	ctx, end := a.cfg.Operations.Begin(ctx, "exchange")
	defer end(&err)
	if code == "" {
		return "", account.ErrOAuthCode
	}
	var answer struct {
		errcode
		OpenID string `json:"openid"`
	}
	err = a.get(ctx, "/sns/oauth2/access_token", url.Values{
		"appid": {a.cfg.AppID}, "secret": {a.cfg.AppSecret}, "code": {code}, "grant_type": {"authorization_code"},
	}, &answer)
	switch {
	case err != nil:
		return "", fmt.Errorf("exchange code: %w", err)
	case badCodes[answer.Code]:
		return "", fmt.Errorf("exchange code: %w: %w", account.ErrOAuthCode, answer.errcode)
	case answer.Code != 0:
		return "", fmt.Errorf("exchange code: %w: %w", fault.ErrUnavailable, answer.errcode)
	case answer.OpenID == "":
		return "", fmt.Errorf("exchange code: answer without openid: %w", fault.ErrBadAnswer)
	}
	return answer.OpenID, nil
}

// errcode is part of every answer of the account's API, whose errors have status 200, too. 0 or missing means success.
type errcode struct {
	Code    int    `json:"errcode"`
	Message string `json:"errmsg"`
}

// Error contains the vendor's code and text.
func (e errcode) Error() string {
	return fmt.Sprintf("vendor rejected the call with %d %q", e.Code, e.Message)
}

// get calls an API with GET.
func (a *Account) get(ctx context.Context, path string, query url.Values, into any) error {
	return a.exchange(ctx, transport.Request{Method: http.MethodGet, URL: apiURL(path) + "?" + query.Encode()}, into)
}

// apiURL returns the URL of a path at the main host.
func apiURL(path string) string { return "https://" + APIHost + path }

// exchange calls an API at one host or both, and decodes its answer. Every call here is a query: none of them changes
// seats, orders or money. If the answer to an OAuth code is lost, the second host rejects the code as used: the buyer
// then authorizes again.
func (a *Account) exchange(ctx context.Context, request transport.Request, into any) error {
	var body []byte
	_, err := a.hosts.attempts(ctx, func(ctx context.Context) (err error) {
		body, err = a.http.Exchange(ctx, transport.Query, request)
		return err
	})
	if err != nil {
		return err
	}
	// The vendor sends JSON as text/plain, so the content type is not checked.
	if err := json.Unmarshal(body, into); err != nil {
		return transport.Query.BadAnswer("decode answer", err)
	}
	return nil
}
