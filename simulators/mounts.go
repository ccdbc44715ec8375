package simulators

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"marquee/simulators/art"
	"marquee/simulators/control"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/newmovie"
	"marquee/simulators/script"
	"marquee/simulators/sms"
	"marquee/simulators/wechat"
	"marquee/simulators/world"
)

// Env is what a provider is built from.
type Env struct {
	Seed        uint64
	Clock       *world.Clock
	Plan        *script.Plan
	Journal     *journal.Journal
	Credentials world.Credentials
	World       *world.World
	Logger      *slog.Logger
	Context     context.Context //nolint:containedctx // the life of the simulators: pushes and notifies end with it
	URL         func() string   // the simulators' own address, known once they listen
	AppURL      func() string   // the shop's address, "" until it is known
	PushURL     func() string   // where the gateway pushes tickets, "" for nowhere

	stop context.CancelFunc
}

// Mount is where a provider is served. A handler gets the request as it came, with its whole path.
type Mount struct {
	// Paths are the path prefixes it answers on any host: "/gateway" takes /gateway and /gateway/…
	Paths []string
	// Hosts are the vendor hosts (without port) it answers whatever the path: "api.mch.weixin.qq.com". A leading
	// "*." takes every subdomain: "*.inapp.localhost". A host wins over a path.
	Hosts []string
	// Header marks its calls on any host and path: the vendor's SDK sends it even when it is given another endpoint.
	Header  string
	Handler http.Handler
}

// mounts builds the providers. A provider joins by one line here: its package offers New(Config) with a Handler()
// method, declares its operations and fault words to the plan, and wraps its handler in a script.Endpoint.
func mounts(env Env) []Mount {
	text := sms.New(sms.Config{Clock: env.Clock, Plan: env.Plan, Journal: env.Journal, Credentials: env.Credentials.SMS})
	chat := wechat.New(wechat.Config{
		Seed: env.Seed, Clock: env.Clock, Plan: env.Plan, Journal: env.Journal, Credentials: env.Credentials.WeChat,
		PlatformKey: world.PlatformKeyPEM(), Logger: env.Logger, Context: env.Context, AppURL: env.AppURL, SMS: text.Messages,
	})
	tickets := legacygateway.New(legacygateway.Config{
		World: env.World, Clock: env.Clock, Plan: env.Plan, Journal: env.Journal, Credentials: env.Credentials.Gateway,
		BaseURL: env.URL, PushURL: env.PushURL, Context: env.Context, Logger: env.Logger,
	})
	newer := newmovie.New(newmovie.Config{
		World: env.World, Clock: env.Clock, Plan: env.Plan, Journal: env.Journal, Credentials: env.Credentials.NewMovie, BaseURL: env.URL,
	})
	return []Mount{
		{Paths: []string{"/gateway"}, Handler: tickets.Handler()},
		{Paths: []string{"/newmovie"}, Handler: newer.Handler()},
		{Paths: []string{"/art"}, Handler: art.New(env.World).Handler()},
		{Paths: []string{"/"}, Handler: control.Handler(control.Config{
			Seed: env.Seed, Clock: env.Clock, Plan: env.Plan, Journal: env.Journal, Inbox: text, Payer: chat,
			Catalogue: func() control.Catalogue { return catalogue(env) },
		})},
		{Hosts: []string{sms.Host}, Header: "X-Acs-Action", Handler: text.Handler()},
		{Hosts: []string{wechat.PayHost}, Paths: []string{"/wechatpay"}, Handler: chat.PayHandler()},
		{Hosts: []string{wechat.APIHost}, Paths: []string{"/sns", "/cgi-bin"}, Handler: chat.APIHandler()},
		{Hosts: []string{wechat.OpenHost}, Paths: []string{"/connect/oauth2"}, Handler: chat.OpenHandler()},
		{Hosts: []string{wechat.AppHost, "*." + wechat.AppHost}, Paths: []string{"/phone"}, Handler: chat.PhoneHandler()},
	}
}

// router chooses a mount by Host header, then by path.
type router struct {
	hosts     map[string]http.Handler
	subdomain map[string]http.Handler // by ".inapp.localhost"
	headers   map[string]http.Handler // by header name
	paths     map[string]http.Handler // by first path element
}

func newRouter(list []Mount) *router {
	r := &router{hosts: map[string]http.Handler{}, subdomain: map[string]http.Handler{}, headers: map[string]http.Handler{}, paths: map[string]http.Handler{}}
	for _, m := range list {
		for _, host := range m.Hosts {
			if parent, ok := strings.CutPrefix(host, "*"); ok {
				r.subdomain[parent] = m.Handler
			} else {
				r.hosts[host] = m.Handler
			}
		}
		if m.Header != "" {
			r.headers[m.Header] = m.Handler
		}
		for _, path := range m.Paths {
			r.paths[path] = m.Handler
		}
	}
	return r
}

func (r *router) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	host := q.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if h, ok := r.hosts[host]; ok {
		h.ServeHTTP(w, q)
		return
	}
	if _, parent, ok := strings.Cut(host, "."); ok {
		if h, ok := r.subdomain["."+parent]; ok {
			h.ServeHTTP(w, q)
			return
		}
	}
	for name, h := range r.headers {
		if len(q.Header[name]) > 0 {
			h.ServeHTTP(w, q)
			return
		}
	}
	path := q.URL.Path
	for {
		if h, ok := r.paths[path]; ok {
			h.ServeHTTP(w, q)
			return
		}
		i := strings.LastIndexByte(path, '/')
		if i < 0 {
			http.NotFound(w, q)
			return
		}
		if path = path[:i]; path == "" {
			path = "/"
			if h, ok := r.paths["/"]; ok {
				h.ServeHTTP(w, q)
				return
			}
			http.NotFound(w, q)
			return
		}
	}
}
