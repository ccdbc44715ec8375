package wechat

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"marquee/server/account"
	"marquee/server/content"
	"marquee/server/fault"
)

// The vendor's hosts for login and the JS-SDK.
const (
	apiHost      = "https://api.weixin.qq.com"
	authorizeURL = "https://open.weixin.qq.com/connect/oauth2/authorize"
)

// AccountConfig says which public account we are.
type AccountConfig struct {
	AppID     string
	AppSecret string

	SimulatorURL string           // "": the vendor; else every request goes to this address, the vendor's Host kept
	AuthorizeURL string           // "": the vendor's page, or the simulated in-app browser's beside SimulatorURL
	HTTPClient   *http.Client     // nil: a client of its own
	Wire         func() time.Time // wire clock, for signed timestamps and the life of tokens; nil: time.Now
	Timeout      time.Duration    // of one call; 0: 8 s
}

// Account is the public account: login and the JS-SDK's signature. It is safe for concurrent use.
type Account struct {
	cfg    AccountConfig
	http   *http.Client
	token  cached
	ticket cached
}

var (
	_ account.IdentityProvider = (*Account)(nil)
	_ content.JSSigner         = (*Account)(nil)
)

// NewAccount checks the configuration and makes a client; it calls nobody.
func NewAccount(cfg AccountConfig) (*Account, error) {
	if cfg.AppID == "" || cfg.AppSecret == "" {
		return nil, fmt.Errorf("wechat: AccountConfig.AppID and AppSecret are required")
	}
	if cfg.Wire == nil {
		cfg.Wire = time.Now
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = 8 * time.Second
	}
	hc, err := httpClient(cfg.HTTPClient, cfg.SimulatorURL, cfg.Timeout)
	if err != nil {
		return nil, err
	}
	if cfg.AuthorizeURL == "" {
		cfg.AuthorizeURL = authorizeURL
		if u, err := url.Parse(cfg.SimulatorURL); err == nil && u.Host != "" {
			// The browser goes there itself, so no transport of ours can send it to the simulator.
			cfg.AuthorizeURL = u.Scheme + "://inapp.localhost:" + u.Port() + "/connect/oauth2/authorize"
		}
	}
	return &Account{cfg: cfg, http: hc, token: newCached(), ticket: newCached()}, nil
}

// AuthorizeURL is where the browser goes to be given a code. The vendor wants the parameters in this order.
func (a *Account) AuthorizeURL(redirectURL, state string) string {
	return a.cfg.AuthorizeURL + "?appid=" + url.QueryEscape(a.cfg.AppID) + "&redirect_uri=" + url.QueryEscape(redirectURL) +
		"&response_type=code&scope=snsapi_base&state=" + url.QueryEscape(state) + "#wechat_redirect"
}

// badCodes are the errcodes that say the code is at fault: invalid, expired, used, missing.
var badCodes = map[int]bool{40029: true, 42003: true, 40163: true, 41008: true}

// Exchange turns a single-use code into the buyer's openid.
func (a *Account) Exchange(ctx context.Context, code string) (string, error) {
	if code == "" {
		return "", account.ErrOAuthCode
	}
	var answer struct {
		errcode
		OpenID string `json:"openid"`
	}
	err := a.get(ctx, "/sns/oauth2/access_token", url.Values{
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

// errcode is how these APIs refuse, with status 200. Success leaves it out, or sends 0.
type errcode struct {
	Code    int    `json:"errcode"`
	Message string `json:"errmsg"`
}

func (e errcode) Error() string { return fmt.Sprintf("vendor refuses with %d %q", e.Code, e.Message) }

// get reads an API. Nothing here moves money or seats: silence is fault.ErrUnavailable.
func (a *Account) get(ctx context.Context, path string, query url.Values, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, apiHost+path+"?"+query.Encode(), nil)
	if err != nil {
		return fmt.Errorf("make request: %w", err)
	}
	resp, err := a.http.Do(req)
	if err != nil {
		return fmt.Errorf("%w: %s", fault.ErrUnavailable, describe(err))
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return fmt.Errorf("%w: answer cut short: %s", fault.ErrBadAnswer, describe(err))
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%w: status %d", fault.ErrUnavailable, resp.StatusCode)
	}
	// The vendor sends its JSON as text/plain: the content type says nothing.
	if err := json.Unmarshal(body, into); err != nil || !strings.HasPrefix(strings.TrimSpace(string(body)), "{") {
		return fmt.Errorf("%w: answer is not the vendor's JSON", fault.ErrBadAnswer)
	}
	return nil
}
