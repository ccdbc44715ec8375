package wechat

import (
	"net/http"
	"strconv"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// apiFailure is a refusal of api.weixin.qq.com, which is HTTP 200 like a success.
type apiFailure struct {
	Code    int    `json:"errcode"`
	Message string `json:"errmsg"`
}

var (
	invalidAppID     = &apiFailure{40013, "invalid appid"}
	invalidSecret    = &apiFailure{40125, "invalid appsecret"}
	invalidCode      = &apiFailure{40029, "invalid code"}
	usedCode         = &apiFailure{40163, "code been used"}
	invalidGrantType = &apiFailure{40002, "invalid grant_type"}
	invalidRefresh   = &apiFailure{40030, "invalid refresh_token"}
	invalidToken     = &apiFailure{40001, "invalid credential, access_token is invalid or not latest"}
	expiredToken     = &apiFailure{42001, "access_token expired"}
	invalidOpenID    = &apiFailure{40003, "invalid openid"}
	invalidType      = &apiFailure{40097, "invalid args: type must be jsapi"}
	noPermission     = &apiFailure{48001, "api unauthorized"}
	missingToken     = &apiFailure{41001, "access_token missing"}
	missingAppID     = &apiFailure{41002, "appid missing"}
	missingRefresh   = &apiFailure{41003, "refresh_token missing"}
	missingSecret    = &apiFailure{41004, "appsecret missing"}
	missingCode      = &apiFailure{41008, "missing code"}
	missingOpenID    = &apiFailure{41009, "missing openid"}
	requirePost      = &apiFailure{43002, "require POST method"}
)

// APIHandler answers api.weixin.qq.com: user tokens, the account's token, the JS-SDK's ticket.
func (s *Simulator) APIHandler() http.Handler {
	calls := map[string]struct {
		operation string
		call      func(r *http.Request) (any, *apiFailure)
	}{
		"/sns/oauth2/access_token":  {opOAuthToken, s.userToken},
		"/sns/oauth2/refresh_token": {opOAuthToken, s.refreshToken},
		"/sns/auth":                 {opOAuthToken, s.checkUserToken},
		"/sns/userinfo":             {opOAuthToken, s.userInfo},
		"/cgi-bin/token":            {opToken, s.token},
		"/cgi-bin/stable_token":     {opToken, s.stableToken},
		"/cgi-bin/ticket/getticket": {opTicket, s.jsTicket},
	}
	return &script.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal,
		Operation: func(r *http.Request, _ []byte) string { return calls[r.URL.Path].operation },
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			number, err := strconv.Atoi(code)
			if err != nil {
				number, message = -1, or(message, "system error")
			}
			writeJSON(w, apiFailure{number, message})
		},
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			c, known := calls[r.URL.Path]
			if !known {
				http.NotFound(w, r)
				return
			}
			result, failure := c.call(r)
			if failure != nil {
				journal.From(r.Context()).Refuse(strconv.Itoa(failure.Code) + ": " + failure.Message)
				result = apiFailure{failure.Code, failure.Message + " rid: " + randomHex(4) + "-" + randomHex(4) + "-" + randomHex(4)}
			}
			writeJSON(w, result)
		}),
	}
}

// writeJSON answers as the vendor does: JSON that calls itself text.
func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	_, _ = w.Write(encode(v))
}

type userTokenAnswer struct {
	AccessToken  string `json:"access_token"`
	ExpiresIn    int    `json:"expires_in"`
	RefreshToken string `json:"refresh_token"`
	OpenID       string `json:"openid"`
	Scope        string `json:"scope"`
}

// userToken exchanges a code, once.
func (s *Simulator) userToken(r *http.Request) (any, *apiFailure) {
	q := r.URL.Query()
	if failure := s.checkAccount(q.Get("appid"), q.Get("secret")); failure != nil {
		return nil, failure
	}
	switch {
	case q.Get("grant_type") != "authorization_code":
		return nil, invalidGrantType
	case q.Get("code") == "":
		return nil, missingCode
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	c, known := s.account.codes[q.Get("code")]
	switch {
	case known && c.used:
		return nil, usedCode
	case !known || !s.Clock.Now().Before(c.end):
		return nil, invalidCode
	}
	c.used = true
	return s.grantUser(c.openID, c.scope, ""), nil
}

// grantUser hands out a user token. The caller holds the lock.
func (s *Simulator) grantUser(openID, scope, refresh string) userTokenAnswer {
	now := s.Clock.Now()
	if refresh == "" {
		refresh = s.newUserToken()
		s.account.refresh[refresh] = grant{openID, scope, now.Add(refreshTokenLife)}
	}
	token := s.newUserToken()
	s.account.users[token] = grant{openID, scope, now.Add(userTokenLife)}
	return userTokenAnswer{token, int(userTokenLife.Seconds()), refresh, openID, scope}
}

func (s *Simulator) refreshToken(r *http.Request) (any, *apiFailure) {
	q := r.URL.Query()
	switch {
	case q.Get("appid") == "":
		return nil, missingAppID
	case q.Get("appid") != s.Credentials.AppID:
		return nil, invalidAppID
	case q.Get("grant_type") != "refresh_token":
		return nil, invalidGrantType
	case q.Get("refresh_token") == "":
		return nil, missingRefresh
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, known := s.account.refresh[q.Get("refresh_token")]
	if !known || !s.Clock.Now().Before(g.end) {
		return nil, invalidRefresh
	}
	return s.grantUser(g.openID, g.scope, q.Get("refresh_token")), nil
}

// user finds whose token a call carries.
func (s *Simulator) user(r *http.Request) (grant, *apiFailure) {
	q := r.URL.Query()
	switch {
	case q.Get("access_token") == "":
		return grant{}, missingToken
	case q.Get("openid") == "":
		return grant{}, missingOpenID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	g, known := s.account.users[q.Get("access_token")]
	switch {
	case !known:
		return g, invalidToken
	case !s.Clock.Now().Before(g.end):
		return g, expiredToken
	case g.openID != q.Get("openid"):
		return g, invalidOpenID
	}
	return g, nil
}

func (s *Simulator) checkUserToken(r *http.Request) (any, *apiFailure) {
	if _, failure := s.user(r); failure != nil {
		return nil, failure
	}
	return apiFailure{0, "ok"}, nil
}

func (s *Simulator) userInfo(r *http.Request) (any, *apiFailure) {
	g, failure := s.user(r)
	switch {
	case failure != nil:
		return nil, failure
	case g.scope != "snsapi_userinfo":
		return nil, noPermission
	}
	return map[string]any{
		"openid": g.openID, "nickname": identity(g.openID).Name, "sex": 0, "language": "zh_CN", "city": "", "province": "", "country": "",
		"headimgurl": "", "privilege": []string{},
	}, nil
}
