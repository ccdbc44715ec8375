package simulators

import (
	"bytes"
	"encoding/json"
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

// worldPrefix begins paths that name their world outright: /worlds/{id}/art/….
const worldPrefix = "/worlds/"

// router chooses a mount by Host header, then by path, and a world by the call's credential.
type router struct {
	sims      *Simulators
	control   http.Handler // everything else
	hosts     map[string]mountID
	subdomain map[string]mountID // by ".inapp.localhost"
	headers   map[string]mountID
	paths     map[string]mountID
}

func newRouter(s *Simulators, control http.Handler) *router {
	r := &router{
		sims: s, control: control,
		hosts: map[string]mountID{}, subdomain: map[string]mountID{}, headers: map[string]mountID{}, paths: map[string]mountID{},
	}
	for i := range mountCount {
		m := &mounts[i]
		for _, host := range m.hosts {
			if parent, ok := strings.CutPrefix(host, "*"); ok {
				r.subdomain[parent] = i
			} else {
				r.hosts[host] = i
			}
		}
		if m.header != "" {
			r.headers[m.header] = i
		}
		for _, path := range m.paths {
			r.paths[path] = i
		}
	}
	return r
}

func (r *router) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := hostname(q.Host)
	if i, ok := r.hosts[host]; ok {
		r.serve(i, w, q)
		return
	}
	if _, parent, ok := strings.Cut(host, "."); ok {
		if i, ok := r.subdomain["."+parent]; ok {
			r.serve(i, w, q)
			return
		}
	}
	for name, i := range r.headers {
		if len(q.Header[name]) > 0 {
			r.serve(i, w, q)
			return
		}
	}
	if rest, ok := strings.CutPrefix(q.URL.Path, worldPrefix); ok {
		r.serveNamed(rest, w, q)
		return
	}
	if i, ok := r.byPath(q.URL.Path); ok {
		r.serve(i, w, q)
		return
	}
	r.control.ServeHTTP(w, q)
}

// byPath finds the mount with the longest prefix of a path.
func (r *router) byPath(path string) (mountID, bool) {
	for path != "" {
		if i, ok := r.paths[path]; ok {
			return i, true
		}
		path = path[:max(0, strings.LastIndexByte(path, '/'))]
	}
	return 0, false
}

// serve answers in the world of the call's credential.
func (r *router) serve(i mountID, w http.ResponseWriter, q *http.Request) {
	key := mounts[i].key(q)
	found := r.sims.base
	if key.value != "" {
		if other := r.sims.worlds.find(key); other != nil {
			found = other
		} else if key.kind == byWorld {
			unknownWorld(w, key.value)
			return
		}
	}
	found.serve(i, w, q)
}

// serveNamed answers /worlds/{id}/… as the same path without this beginning, in that world.
func (r *router) serveNamed(rest string, w http.ResponseWriter, q *http.Request) {
	id, rest, _ := strings.Cut(rest, "/")
	found := r.sims.worlds.find(credential{byWorld, id})
	i, ok := r.byPath("/" + rest)
	switch {
	case found == nil:
		unknownWorld(w, id)
	case !ok:
		http.NotFound(w, q)
	default:
		q = q.Clone(q.Context())
		q.URL.Path, q.URL.RawPath = "/"+rest, ""
		found.serve(i, w, q)
	}
}

func unknownWorld(w http.ResponseWriter, id string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(http.StatusNotFound)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": noWorld(id)})
}
