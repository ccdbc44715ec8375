package wechat

import (
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"strings"

	"marquee/simulators/journal"
	"marquee/simulators/script"
)

// AppHost is the host of the in-app browser; "<port>.inapp.localhost" shows the web app on that port of this machine.
const AppHost = "inapp.localhost"

// pageHost is where the phone page lives. It shares a site with the in-app browser, so that the frame's cookies are
// not a third party's.
const pageHost = "phone." + AppHost

// The ways a phone can be. The bridge is there at once, comes late, or never.
const (
	osIOS        = "ios"
	osAndroid    = "android"
	bridgeReady  = "ready"
	bridgeLate   = "late"
	bridgeAbsent = "absent"

	// WorldCookie names the world that a browser's phone is in; without it that is the default world.
	WorldCookie  = "phone_world"
	osCookie     = "phone_os"
	bridgeCookie = "phone_bridge"
)

// The phones' user agents, as the messaging app writes them.
const (
	UserAgentIOS     = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.59(0x18003b2e) NetType/WIFI Language/zh_CN"
	UserAgentAndroid = "Mozilla/5.0 (Linux; Android 15; 24129PN74C Build/AQ3A.240812.002; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.103 Mobile Safari/537.36 XWEB/1300333 MMWEBSDK/20250201 MMWEBID/4521 MicroMessenger/8.0.58.2841(0x28003A51) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64"
)

// phone is how one browser holds the phone.
type phone struct {
	openID, os, bridge, userAgent string
}

// phoneOf reads it from the call: the cookies that start set, and the browser's own user agent when that is
// already the messaging app's.
func (s *Simulator) phoneOf(r *http.Request) phone {
	p := phone{openID: s.holder(r), os: cookie(r, osCookie, osIOS), bridge: cookie(r, bridgeCookie, bridgeReady)}
	if p.os != osAndroid {
		p.os = osIOS
	}
	p.userAgent = map[string]string{osIOS: UserAgentIOS, osAndroid: UserAgentAndroid}[p.os]
	if own := r.UserAgent(); strings.Contains(own, "MicroMessenger") {
		p.userAgent, p.os = own, osIOS
		if strings.Contains(own, "Android") {
			p.os = osAndroid
		}
	}
	return p
}

func cookie(r *http.Request, name, fallback string) string {
	if c, err := r.Cookie(name); err == nil && c.Value != "" {
		return c.Value
	}
	return fallback
}

// PhoneHandler answers the in-app browser's hosts, and /phone on any other.
func (s *Simulator) PhoneHandler() http.Handler {
	reserved := http.NewServeMux()
	reserved.HandleFunc("GET /__phone/start", s.serveStart)
	reserved.HandleFunc("GET /__phone/bridge.js", s.serveBridge)
	calls := http.NewServeMux()
	calls.HandleFunc("POST /__phone/sheet", s.serveSheet)
	calls.HandleFunc("POST /__phone/pay", s.servePay)
	calls.HandleFunc("POST /__phone/jsconfig", s.serveJSConfig)
	reserved.Handle("POST /__phone/", http.NewCrossOriginProtection().Handler(&script.Endpoint{
		Provider: Name, Plan: s.Plan, Journal: s.Journal, MaxBody: 64 << 10, Next: calls,
		Operation: func(r *http.Request, _ []byte) string {
			return map[string]string{"/__phone/sheet": opPaySheet, "/__phone/pay": opPay, "/__phone/jsconfig": opJSConfig}[r.URL.Path]
		},
		Error: func(w http.ResponseWriter, _ *http.Request, _, message string) {
			writeJSON(w, bridgeAnswer{Message: bridgeFail, Description: message})
		},
	}))
	login, proxy, page := s.OpenHandler(), s.proxy(), s.pageHandler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := hostname(r.Host)
		inApp := host != pageHost && (host == AppHost || strings.HasSuffix(host, "."+AppHost))
		switch {
		case !inApp:
			page.ServeHTTP(w, r)
		case strings.HasPrefix(r.URL.Path, "/__phone/"):
			reserved.ServeHTTP(w, r)
		case r.URL.Path == "/connect/oauth2/authorize":
			login.ServeHTTP(w, r)
		default:
			proxy.ServeHTTP(w, r)
		}
	})
}

func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return host
}

// serveStart gives the phone to somebody and opens a page of the web app.
func (s *Simulator) serveStart(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	to, err := url.Parse(or(q.Get("to"), "/"))
	openID, system, bridge := or(q.Get("openid"), s.holder(r)), or(q.Get("os"), osIOS), or(q.Get("bridge"), bridgeReady)
	switch {
	case err != nil || to.Scheme != "" || to.Host != "" || !strings.HasPrefix(to.Path, "/") || strings.HasPrefix(q.Get("to"), "/\\"):
		http.Error(w, "to must be a path of the web app", http.StatusBadRequest)
		return
	case !openIDForm.MatchString(openID):
		http.Error(w, "openid must be 6 to 128 letters, digits, - or _", http.StatusBadRequest)
		return
	case system != osIOS && system != osAndroid:
		http.Error(w, "os must be ios or android", http.StatusBadRequest)
		return
	case bridge != bridgeReady && bridge != bridgeLate && bridge != bridgeAbsent:
		http.Error(w, "bridge must be ready, late or absent", http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	s.account.holder = openID
	s.mu.Unlock()
	for name, value := range map[string]string{identityCookie: openID, osCookie: system, bridgeCookie: bridge, WorldCookie: s.Label} {
		c := &http.Cookie{Name: name, Value: value, Path: "/", Domain: AppHost, HttpOnly: true, SameSite: http.SameSiteLaxMode}
		if value == "" {
			if _, err := r.Cookie(name); err != nil {
				continue
			}
			c.MaxAge = -1 // a world that the browser was in before
		}
		http.SetCookie(w, c)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// serveJSConfig verifies a page's wx.config.
func (s *Simulator) serveJSConfig(w http.ResponseWriter, r *http.Request) {
	var config jsConfig
	if !readJSON(w, r, &config) {
		return
	}
	refusal, why := s.checkJSConfig(config)
	if refusal != "" {
		journal.From(r.Context()).Refuse(why)
	}
	writeJSON(w, bridgeAnswer{Message: "preVerifyJSAPI:" + or(refusal, "ok")})
}

func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		journal.From(r.Context()).Refuse("the body is not the JSON it should be: " + err.Error())
		http.Error(w, "the body is not the JSON it should be", http.StatusBadRequest)
		return false
	}
	return true
}
