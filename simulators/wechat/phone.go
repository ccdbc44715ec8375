package wechat

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/journal"
	"marquee/simulators/ownname"
)

// AppHost is the host of the in-app browser; "<port>.inapp.localhost" shows the web app on that port of this machine,
// if it is an app of a world or in the allowlist.
const AppHost = "inapp.localhost"

// pageHost serves the phone page. It shares a site with the in-app browser, so that the frame's cookies are
// first-party.
const pageHost = "phone." + AppHost

// The operating systems of a phone, and the behaviors of its bridge: present from the start, injected late, or absent.
const (
	osIOS        = "ios"
	osAndroid    = "android"
	bridgeReady  = "ready"
	bridgeLate   = "late"
	bridgeAbsent = "absent"

	// worldCookie contains the id of the world of a browser's phone; without it that is the default world.
	worldCookie  = "phone_world"
	osCookie     = "phone_os"
	bridgeCookie = "phone_bridge"
)

// The phones' user agents, as the messaging app writes them.
const (
	userAgentIOS = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) " +
		"Mobile/15E148 MicroMessenger/8.0.59(0x18003b2e) NetType/WIFI Language/zh_CN"
	UserAgentAndroid = "Mozilla/5.0 (Linux; Android 15; 24129PN74C Build/AQ3A.240812.002; wv) AppleWebKit/537.36 " +
		"(KHTML, like Gecko) Version/4.0 Chrome/130.0.6723.103 Mobile Safari/537.36 " +
		"XWEB/1300333 MMWEBSDK/20250201 MMWEBID/4521 " +
		"MicroMessenger/8.0.58.2841(0x28003A51) WeChat/arm64 Weixin NetType/WIFI Language/zh_CN ABI/arm64"
)

// merchantName is the merchant's name on the pay sheet.
const merchantName = "影票商城（模拟商户）"

// phone serves the in-app browser with its bridge (the JavaScript interface by which a page calls the messaging app),
// and the phone page around the browser.
type phone struct {
	Config
	faults    faultInjector
	people    *people
	merchant  *merchant
	payments  *payments
	appTokens *appTokens
	checkout  checkout
	shares    *shares
}

// handler answers the in-app browser's hosts, and /phone on any other. Paths under /__phone/ of an in-app host belong
// to the phone; the rest is the web app's, apart from the vendor's login page.
func (p *phone) handler(login http.Handler) http.Handler {
	bridge := http.NewServeMux()
	bridge.HandleFunc("POST /__phone/sheet", p.openSheet)
	bridge.HandleFunc("POST /__phone/pay", p.pay)
	bridge.HandleFunc("POST /__phone/jsconfig", p.verifyJSConfig)
	bridge.HandleFunc("POST /__phone/share", p.setShareCard)
	endpoint := p.faults.endpoint(bridge)
	endpoint.MaxBody = 64 << 10
	endpoint.Operation = func(r *http.Request, _ []byte) string {
		return map[string]string{"/__phone/sheet": opPaySheet, "/__phone/pay": opPay,
			"/__phone/jsconfig": opJSConfig, "/__phone/share": opShare}[r.URL.Path]
	}
	endpoint.Error = func(w http.ResponseWriter, _ *http.Request, _, message string) {
		writeJSON(w, bridgeAnswer{Message: bridgeFail, Description: message})
	}
	reserved := http.NewServeMux()
	reserved.HandleFunc("GET /__phone/start", p.start)
	reserved.HandleFunc("GET /__phone/bridge.js", p.bridgeScript)
	reserved.Handle("POST /__phone/", http.NewCrossOriginProtection().Handler(endpoint))
	proxy, page := p.proxy(), p.pageHandler()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := ownname.WithoutPort(r.Host)
		inApp := host != pageHost && (host == AppHost || strings.HasSuffix(host, "."+AppHost))
		switch {
		case !inApp:
			page.ServeHTTP(w, r)
		case fromElsewhere(r):
			http.Error(w, "request of another site rejected: other sites may only link to pages of the in-app browser",
				http.StatusForbidden)
		case strings.HasPrefix(r.URL.Path, "/__phone/"):
			reserved.ServeHTTP(w, r)
		case r.URL.Path == authorizePath:
			login.ServeHTTP(w, r)
		default:
			proxy.ServeHTTP(w, r)
		}
	})
}

// fromElsewhere reports whether a page of another site calls the in-app browser, whose hosts all belong to one site.
// Opening a page in a window, as links do, does not count.
func fromElsewhere(r *http.Request) bool {
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch r.Header.Get("Sec-Fetch-Site") {
	case "": // no browser, or one without these headers
		origin := r.Header.Get("Origin")
		if origin == "" {
			return false
		}
		u, err := url.Parse(origin)
		return err != nil || u.Hostname() != AppHost && !strings.HasSuffix(u.Hostname(), "."+AppHost)
	case "cross-site":
		return !reads || r.Header.Get("Sec-Fetch-Mode") != "navigate" || r.Header.Get("Sec-Fetch-Dest") != "document"
	}
	return false
}

// device is the phone shown by one browser.
type device struct {
	openID, os, bridge, userAgent string
}

// deviceOf reads the phone from the cookies that start sets. If the browser's user agent is already the messaging
// app's, it is kept, with its operating system.
func (p *phone) deviceOf(r *http.Request) device {
	d := device{openID: p.people.holder(r), os: osIOS, bridge: cookie(r, bridgeCookie, bridgeReady),
		userAgent: userAgentIOS}
	if cookie(r, osCookie, osIOS) == osAndroid {
		d.os, d.userAgent = osAndroid, UserAgentAndroid
	}
	if own := r.UserAgent(); strings.Contains(own, "MicroMessenger") {
		d.userAgent, d.os = own, osIOS
		if strings.Contains(own, "Android") {
			d.os = osAndroid
		}
	}
	return d
}

// cookie is the value of a cookie, or fallback if it is missing or empty.
func cookie(r *http.Request, name, fallback string) string {
	if c, err := r.Cookie(name); err == nil && c.Value != "" {
		return c.Value
	}
	return fallback
}

// start makes a person the holder of the phone and opens a page of the web app.
func (p *phone) start(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	to, err := url.Parse(cmp.Or(q.Get("to"), "/"))
	openID := cmp.Or(q.Get("openid"), p.people.holder(r))
	system, bridge := cmp.Or(q.Get("os"), osIOS), cmp.Or(q.Get("bridge"), bridgeReady)
	switch {
	case err != nil || to.Scheme != "" || to.Host != "" || !strings.HasPrefix(to.Path, "/") ||
		strings.HasPrefix(q.Get("to"), "/\\"):
		http.Error(w, "to must be a path of the web app", http.StatusBadRequest)
		return
	case !isOpenID(openID):
		http.Error(w, "openid must be 6 to 128 letters, digits, - or _", http.StatusBadRequest)
		return
	case system != osIOS && system != osAndroid:
		http.Error(w, "os must be ios or android", http.StatusBadRequest)
		return
	case bridge != bridgeReady && bridge != bridgeLate && bridge != bridgeAbsent:
		http.Error(w, "bridge must be ready, late or absent", http.StatusBadRequest)
		return
	}
	p.people.setLast(openID)
	cookies := map[string]string{identityCookie: openID, osCookie: system, bridgeCookie: bridge, worldCookie: p.Label}
	for name, value := range cookies {
		c := &http.Cookie{Name: name, Value: value, Path: "/", Domain: AppHost, HttpOnly: true,
			SameSite: http.SameSiteLaxMode}
		if value == "" {
			if _, err := r.Cookie(name); err != nil {
				continue
			}
			c.MaxAge = -1 // the browser was in another world before
		}
		http.SetCookie(w, c)
	}
	w.Header().Set("Cache-Control", "no-store")
	http.Redirect(w, r, to.String(), http.StatusFound)
}

// bridgeAnswer is the bridge's answer, which a page's callback receives.
type bridgeAnswer struct {
	Message     string `json:"err_msg"`
	Description string `json:"err_desc,omitempty"`
}

// rejectSheet reports a failed payment to the page, and its reason to the journal.
func rejectSheet(w http.ResponseWriter, r *http.Request, text, reason string) {
	journal.From(r.Context()).Reject(reason)
	writeJSON(w, bridgeAnswer{bridgeFail, text})
}

// openSheet checks the parameters of a payment and answers with the content of the pay sheet.
func (p *phone) openSheet(w http.ResponseWriter, r *http.Request) {
	var params payParams
	if !readJSON(w, r, &params) {
		return
	}
	if rejection, reason := p.merchant.verifyPaySheet(params); rejection != "" {
		rejectSheet(w, r, rejection, reason)
		return
	}
	t, rejection, reason := p.payments.sheet(params.prepayID(), p.people.holder(r))
	if rejection != "" {
		rejectSheet(w, r, rejection, reason)
		return
	}
	writeJSON(w, map[string]any{
		"merchant": merchantName, "description": t.Order.Description, "total": t.Order.Amount.Total,
		"payer": identity(p.people.holder(r)).Name,
	})
}

// pay executes the choice that the person made on the pay sheet, and answers with the result for the page.
func (p *phone) pay(w http.ResponseWriter, r *http.Request) {
	var q struct {
		payParams
		Outcome string `json:"outcome"`
	}
	if !readJSON(w, r, &q) {
		return
	}
	if rejection, reason := p.merchant.verifyPaySheet(q.payParams); rejection != "" {
		rejectSheet(w, r, rejection, reason)
		return
	}
	note := journal.From(r.Context())
	message, err := p.payments.pay(p.faults, note, q.prepayID(), control.Outcome(q.Outcome), p.people.holder(r))
	if err != nil {
		rejectSheet(w, r, err.Message, err.Message)
		return
	}
	if note.Fault != "" {
		note.Verdict = journal.Faulted
	}
	writeJSON(w, bridgeAnswer{Message: message})
}

// verifyJSConfig verifies a page's wx.config.
func (p *phone) verifyJSConfig(w http.ResponseWriter, r *http.Request) {
	var config jsConfig
	if !readJSON(w, r, &config) {
		return
	}
	rejection, reason := p.appTokens.checkJSConfig(config)
	if rejection != "" {
		journal.From(r.Context()).Reject(reason)
	}
	writeJSON(w, bridgeAnswer{Message: "preVerifyJSAPI:" + cmp.Or(rejection, "ok")})
}

// readJSON decodes the body of a call of the bridge. If that fails, it answers 400 and returns false.
func readJSON(w http.ResponseWriter, r *http.Request, into any) bool {
	if err := json.NewDecoder(r.Body).Decode(into); err != nil {
		journal.From(r.Context()).Reject("the body cannot be decoded: " + err.Error())
		http.Error(w, "the body cannot be decoded as JSON", http.StatusBadRequest)
		return false
	}
	return true
}
