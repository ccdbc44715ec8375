package simulators

import (
	"bytes"
	"net"
	"net/http"
	"strings"

	"marquee/simulators/newmovie"
	"marquee/simulators/script"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
)

// mount is where a provider is served, and how one of its calls tells which world it is for. A handler gets the
// request as it came, with its whole path.
type mount struct {
	// paths are the path prefixes it answers on any host: "/gateway" takes /gateway and /gateway/…
	paths []string
	// hosts are the vendor hosts (without port) it answers whatever the path: "api.mch.weixin.qq.com". A leading
	// "*." takes every subdomain: "*.inapp.localhost". A host wins over a path.
	hosts []string
	// header marks its calls on any host and path: the vendor's SDK sends it even when it is given another endpoint.
	header string
	// key is the credential of a call. What no world has, the default world refuses in the provider's own words.
	key func(*http.Request) credential
}

type mountID int

const (
	gatewayMount mountID = iota
	newmovieMount
	artMount
	smsMount
	tencentMount
	payMount
	apiMount
	openMount
	phoneMount
	mountCount
)

// mounts is the table of the port. A provider joins by a line here and one in World.build: its package offers
// New(Config) with a Handler() method, declares its operations and fault words to the plan, and wraps its handler in
// a script.Endpoint.
var mounts = [mountCount]mount{
	gatewayMount:  {paths: []string{"/gateway"}, key: gatewayKey},
	newmovieMount: {paths: []string{"/newmovie"}, key: newmovieKey},
	artMount:      {paths: []string{"/art"}, key: func(*http.Request) credential { return credential{} }},
	smsMount:      {hosts: []string{sms.Host}, header: "X-Acs-Action", key: smsKey},
	tencentMount:  {hosts: []string{sms.TencentHost}, header: "X-Tc-Action", key: tencentKey},
	payMount:      {hosts: []string{wechat.PayHost}, paths: []string{"/wechatpay"}, key: payKey},
	apiMount:      {hosts: []string{wechat.APIHost}, paths: []string{"/sns", "/cgi-bin"}, key: apiKey},
	openMount:     {hosts: []string{wechat.OpenHost}, paths: []string{"/connect/oauth2"}, key: openKey},
	phoneMount:    {hosts: []string{wechat.AppHost, "*." + wechat.AppHost}, paths: []string{"/phone"}, key: phoneKey},
}

func gatewayKey(r *http.Request) credential {
	for pair := range bytes.SplitSeq(script.Peek(r), []byte("&")) {
		if value, ok := bytes.CutPrefix(pair, []byte("appkey=")); ok {
			return credential{byAppKey, string(value)}
		}
	}
	return credential{}
}

func newmovieKey(r *http.Request) credential {
	if key := newmovie.KeyOf(r.Header.Get("Authorization")); key != "" {
		return credential{byBearer, key}
	}
	if strings.HasSuffix(r.URL.Path, "/oauth/token") {
		return credential{byEntID, newmovie.EntIDOf(script.Peek(r))}
	}
	return credential{}
}

func smsKey(r *http.Request) credential {
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	id, _, _ := strings.Cut(rest, ",")
	return credential{byAccessKey, strings.TrimSpace(id)}
}

// tencentKey is the beginning of the credential's scope: Credential={id}/{date}/….
func tencentKey(r *http.Request) credential {
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), "Credential=")
	id, _, _ := strings.Cut(rest, "/")
	return credential{byAccessKey, strings.TrimSpace(id)}
}

func payKey(r *http.Request) credential {
	_, rest, _ := strings.Cut(r.Header.Get("Authorization"), `mchid="`)
	id, _, _ := strings.Cut(rest, `"`)
	return credential{byMchID, id}
}

func apiKey(r *http.Request) credential {
	q := r.URL.Query()
	if id := q.Get("appid"); id != "" {
		return credential{byAppID, id}
	}
	if token := q.Get("access_token"); token != "" {
		return credential{byAccountToken, wechat.KeyOf(token)}
	}
	if r.Method == http.MethodPost {
		return credential{byAppID, wechat.AppIDOf(script.Peek(r))}
	}
	return credential{}
}

func openKey(r *http.Request) credential { return credential{byAppID, r.URL.Query().Get("appid")} }

// phoneKey: a phone is in the world that its host names, "w1.inapp.localhost", else in that of the page's or start's
// parameter, else in that of the browser's cookie. Login is in the world of the account that asks for it.
func phoneKey(r *http.Request) credential {
	if r.URL.Path == "/connect/oauth2/authorize" {
		return openKey(r)
	}
	host := hostname(r.Host)
	if label, ok := strings.CutSuffix(host, "."+wechat.AppHost); ok && worldID.MatchString(label) && label != "phone" {
		return credential{byWorld, label}
	}
	chooses := r.URL.Path == "/__phone/start" || r.URL.Path == "/phone" || strings.HasPrefix(r.URL.Path, "/phone/")
	if chooses {
		if id := r.URL.Query().Get("world"); id != "" {
			return credential{byWorld, id}
		}
		return credential{}
	}
	if c, err := r.Cookie(wechat.WorldCookie); err == nil && c.Value != "" {
		return credential{byWorld, c.Value}
	}
	return credential{}
}

func hostname(host string) string {
	if h, _, err := net.SplitHostPort(host); err == nil {
		return h
	}
	return host
}
