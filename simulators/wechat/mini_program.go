package wechat

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"net/http"

	"marquee/simulators/control"
	"marquee/simulators/journal"
)

// The scopes of the codes that a mini-program receives: wx.login and the button for a phone number.
const (
	scopeMiniLogin = "mini-login"
	scopeMiniPhone = "mini-phone"
)

// MiniProgramCode returns a code as a mini-program on a person's phone receives it, from wx.login or getPhoneNumber. A
// server can exchange it once, within five minutes of business time.
func (s *Simulator) MiniProgramCode(openID string, purpose control.Purpose) string {
	if purpose == control.ForPhone {
		return s.login.newCode(openID, scopeMiniPhone)
	}
	return s.login.newCode(openID, scopeMiniLogin)
}

// codeToSession is /sns/jscode2session ("小程序登录" of the vendor's documentation): it exchanges a code of wx.login for
// the person's openid and a session key.
func (l *login) codeToSession(r *http.Request) (any, *journal.Rejection) {
	q := r.URL.Query()
	if failure := checkAccount(l.credentials, q.Get("appid"), q.Get("secret")); failure != nil {
		return nil, failure
	}
	if q.Get("grant_type") != "authorization_code" {
		return nil, invalidGrantType
	}
	g, failure := l.takeCode(q.Get("js_code"), scopeMiniLogin)
	if failure != nil {
		return nil, failure
	}
	key := make([]byte, 16)
	_, _ = rand.Read(key) // it never fails
	return map[string]string{"openid": g.OpenID, "session_key": base64.StdEncoding.EncodeToString(key)}, nil
}

// phoneNumber is /wxa/business/getuserphonenumber ("手机号快速验证" of the vendor's documentation): it exchanges a code of
// the button getPhoneNumber for the person's phone number.
func (l *login) phoneNumber(tokens *appTokens) func(*http.Request) (any, *journal.Rejection) {
	return func(r *http.Request) (any, *journal.Rejection) {
		if r.Method != http.MethodPost {
			return nil, requirePost
		}
		if failure := tokens.check(r.URL.Query().Get("access_token")); failure != nil {
			return nil, failure
		}
		var q struct {
			Code string `json:"code"`
		}
		if json.Unmarshal(journal.From(r.Context()).Body, &q) != nil {
			return nil, badData
		}
		g, failure := l.takeCode(q.Code, scopeMiniPhone)
		if failure != nil {
			return nil, failure
		}
		number := identity(g.OpenID).Phone
		if number == "" {
			number = "13900009999" // of every person who is not a demo person
		}
		return map[string]any{
			"errcode": 0, "errmsg": "ok",
			"phone_info": map[string]any{
				"phoneNumber": number, "purePhoneNumber": number, "countryCode": "86",
				"watermark": map[string]any{"timestamp": tokens.now().Unix(), "appid": l.credentials.AppID},
			},
		}, nil
	}
}

// check rejects an account's token that is missing, unknown or expired.
func (a *appTokens) check(token string) *journal.Rejection {
	a.mu.Lock()
	defer a.mu.Unlock()
	end, known := a.tokens[token]
	switch {
	case token == "":
		return missingToken
	case !known:
		return invalidToken
	case !a.now().Before(end):
		return expiredToken
	}
	return nil
}
