package wechat

import (
	"html/template"
	"net/http"
	"net/url"
	"time"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// The lives of what login hands out. A person's codes and tokens live in business time.
const (
	codeLife         = 5 * time.Minute
	userTokenLife    = 2 * time.Hour
	refreshTokenLife = 30 * 24 * time.Hour
)

// The account's tokens and tickets live in real time: clients, the vendors' SDKs among them, keep them for
// expires_in seconds of their own clock, and must not lose them when business time is moved.
const (
	tokenLife    = 2 * time.Hour
	tokenOverlap = 5 * time.Minute // an account token lives on this long after a new one was asked for
	ticketLife   = 2 * time.Hour
)

// account is the login side of the messaging app. Simulator.mu guards it.
type account struct {
	holder  string               // who picked up the phone last
	codes   map[string]*code     // by code
	users   map[string]grant     // by user access token
	refresh map[string]grant     // by refresh token
	tokens  map[string]time.Time // account access tokens, with their ends
	stable  string               // the token of stable_token; also in tokens
	ticket  string

	ticketEnd time.Time
}

type code struct {
	grant
	used bool
}

// grant is what a person allowed: openid, scope, and until when.
type grant struct {
	openID, scope string
	end           time.Time
}

func newAccount() account {
	return account{
		holder: BoundOpenID, codes: map[string]*code{}, users: map[string]grant{}, refresh: map[string]grant{}, tokens: map[string]time.Time{},
	}
}

// prune forgets what has ended, now and then, so that a long run stays small. A used code is remembered a while to be
// told from one that never was.
func (a *account) prune(now time.Time) {
	if len(a.codes)%512 != 511 {
		return
	}
	for text, c := range a.codes {
		if now.Sub(c.end) > codeLife {
			delete(a.codes, text)
		}
	}
	for _, grants := range []map[string]grant{a.users, a.refresh} {
		for text, g := range grants {
			if now.After(g.end) {
				delete(grants, text)
			}
		}
	}
}

// OpenHandler answers the vendor's login page, on the vendor's host and in the in-app browser.
func (s *Simulator) OpenHandler() http.Handler {
	return &script.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal,
		Operation: func(r *http.Request, _ []byte) string {
			if r.URL.Path == "/connect/oauth2/authorize" {
				return opAuthorize
			}
			return ""
		},
		Error: func(w http.ResponseWriter, r *http.Request, code, message string) {
			s.page(w, r, or(message, "系统错误"), or(code, "-1"))
		},
		Next: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/connect/oauth2/authorize" || r.Method != http.MethodGet && r.Method != http.MethodHead {
				http.NotFound(w, r)
				return
			}
			s.authorize(w, r)
		}),
	}
}

// authorize sends the browser back with a code for whoever holds the phone. Both scopes are silent here.
func (s *Simulator) authorize(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	back, err := url.Parse(q.Get("redirect_uri"))
	switch {
	case q.Get("appid") != s.Credentials.AppID:
		s.page(w, r, "AppID 参数错误", "10013")
	case q.Get("response_type") != "code":
		s.page(w, r, "response_type 参数错误", "10004")
	case q.Get("scope") != "snsapi_base" && q.Get("scope") != "snsapi_userinfo":
		s.page(w, r, "Scope 参数错误或没有 Scope 权限", "10005")
	case err != nil || back.Host == "" || back.Scheme != "http" && back.Scheme != "https" || !s.mayReturnTo(back):
		s.page(w, r, "redirect_uri域名与后台配置不一致", "10003")
	case len(q.Get("state")) > 128:
		s.page(w, r, "state 参数错误", "10009")
	default:
		openID := s.holder(r)
		s.mu.Lock()
		text := s.next("code").Text("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", 24) + randomHex(4)
		s.account.prune(s.Clock.Now())
		s.account.codes[text] = &code{grant: grant{openID, q.Get("scope"), s.Clock.Now().Add(codeLife)}}
		s.mu.Unlock()
		values := back.Query()
		values.Set("code", text)
		values.Set("state", q.Get("state"))
		back.RawQuery = values.Encode()
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, back.String(), http.StatusFound)
	}
}

var errorPage = template.Must(template.New("").Parse(`<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>提示</title><body style="font:16px/1.6 system-ui,sans-serif;text-align:center;padding:64px 24px"><p>{{.Message}}</p><p style="color:#777">错误码:{{.Code}}</p></body></html>
`))

// page is the vendor's page for a login link that is wrong.
func (s *Simulator) page(w http.ResponseWriter, r *http.Request, message, code string) {
	journal.From(r.Context()).Refuse(code + ": " + message)
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusBadRequest)
	_ = errorPage.Execute(w, map[string]string{"Message": message, "Code": code})
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
