// Package httpapi serves the shop over HTTP: the calls of the specification at their paths, each backend with the
// envelope it has there, the providers' notifies, and the web app. What each call takes and gives stands in README.md.
package httpapi

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"marquee/server/content"
	"marquee/server/httpapi/avatars"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
)

// Accounts is what the calls ask of accounts.
type Accounts interface {
	Sessions
	CodeLogin
	AppLogin
	PaymentPasswords
	Payers
	avatars.Accounts
}

// Catalog is what the calls ask of the catalogue.
type Catalog interface {
	CityCatalog
	CinemaCatalog
	FilmCatalog
	SessionCatalog
	LegacyCatalog
	LegacyShowings
}

// Orders is what the calls ask of the purchase story.
type Orders interface {
	SeatLocker
	Cashier
	PaymentConfirmer
	OrderReader
	PurchaseEvents
	GoodsCashier
	CardRecharger
}

// Cards is what the calls ask of welfare cards.
type Cards interface {
	CardBook
	CardDesk
	PayingCards
	RechargePackages
	CardCounter
}

// Config is what the handler is made of. Everything without a word about its zero value is required.
type Config struct {
	Accounts      Accounts
	Catalog       Catalog
	Orders        Orders
	Cards         Cards
	Goods         GoodsShelves
	Texts         Texts
	Showcase      Showcase
	LegacySeats   SeatMaps
	NewMovieSeats SeatMaps
	TicketPages   TicketPages
	Notifies      PayNotifies
	Pushes        TicketPushes
	Ready         Readiness
	JS            content.JSSigner // nil: pages cannot be signed for the messaging app
	Now           func() time.Time // business time
	WireNow       func() time.Time // the world's time, for signatures; nil: time.Now
	Logger        *slog.Logger     // nil: the default one
	Channel       wire.Channel
	App           pages.AppConfig // Channel fills its channel number, key and secret
	Logo          string          // address of the shop's logo
	Web           fs.FS           // the built web app
	AvatarDir     string          // where uploaded pictures are kept

	Hosts          []string // host[:port] under which the shop is opened; addresses of others are not signed or returned to
	TrustedOrigins []string // origins that may post besides the shop's own
	TrustedProxies []string // networks whose X-Forwarded-For counts; none: the peer is the client
	PictureHosts   []string // sources of posters and banners, for the content security policy
	Rates          Rates
	Secure         bool // served over TLS: cookies and HSTS say so
}

type handler struct {
	Config
	hosts map[string]bool
}

// New returns the shop's HTTP handler. It returns an error if the configuration or the built web app is unusable.
func New(c Config) (http.Handler, error) {
	if c.Channel.No == "" || c.Channel.AppKey == "" || c.Channel.Secret == "" {
		return nil, fmt.Errorf("httpapi: Channel is incomplete")
	}
	if c.WireNow == nil {
		c.WireNow = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Rates = c.Rates.withDefaults()
	c.App.ChannelNo, c.App.AppKey, c.App.Secret = c.Channel.No, c.Channel.AppKey, c.Channel.Secret
	h := &handler{Config: c, hosts: map[string]bool{}}
	for _, host := range c.Hosts {
		h.hosts[host] = true
	}
	g, err := newGuards(c)
	if err != nil {
		return nil, err
	}
	calls := h.calls()
	web, err := pages.New(pages.Config{
		Files: c.Web, App: c.App, Cities: c.Catalog, Answer: answerer(calls), WireNow: c.WireNow,
	})
	if err != nil {
		return nil, err
	}
	return h.router(calls, g, web), nil
}

// router serves the calls, the pages, the pictures and what machines use.
func (h *handler) router(calls []route, g guards, web *pages.Pages) http.Handler {
	pictures := avatars.New(avatars.Config{
		Accounts: h.Accounts, Files: avatars.Files{Dir: h.AvatarDir}, ChannelNo: h.Channel.No, Logger: h.Logger, NotFound: web.NotFound,
	})
	d := dispatcher{channel: h.Channel, wireNow: h.WireNow, sessions: h.Accounts}

	r := chi.NewRouter()
	r.Use(g.clientIP, wire.LogRequests(h.Logger), wire.Recover(h.Logger), g.securityHeaders, middleware.GetHead)
	r.Get("/healthz", h.healthy)
	r.Get("/readyz", h.ready)
	r.Post("/notify/wechat/pay", h.payNotified)
	r.Post("/notify/wechat/refund", h.refundNotified)
	r.Post("/notify/gateway", h.ticketPushed)
	r.Get("/avatars/{name}", pictures.Serve)
	if h.App.SimulatorURL != "" {
		r.Get(pages.ArtPath+"*", web.RedirectArt(h.App.SimulatorURL))
	}
	public := r.With(g.sameOrigin, limitRate(h.Rates.Calls))
	strict := public.With(limitRate(h.Rates.Logins)) // one limit for all of its routes together
	strict.Post("/Member/uploadimg", pictures.Upload)
	packed := public.With(middleware.Compress(5, "application/json"))
	for _, rt := range calls {
		on := public
		switch {
		case rt.traits.has(limited):
			on = strict
		case rt.traits.has(compressed):
			on = packed
		}
		on.Method(rt.method, rt.path, d.handler(rt))
	}
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		if (r.Method == http.MethodGet || r.Method == http.MethodHead) && !isCallPath(r.URL.Path) {
			web.ServeHTTP(w, r)
			return
		}
		wire.Refuse(w, r, http.StatusNotFound, wire.ErrPathUnknown)
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		wire.Refuse(w, r, http.StatusMethodNotAllowed, wire.ErrHTTPMethod)
	})
	return r
}

// isCallPath reports whether a path belongs to the calls, so that an unknown one is answered with an envelope.
func isCallPath(path string) bool {
	for _, prefix := range []string{"/movie/", "/newmovie/", "/api/", "/notify/", "/Login/", "/Member/", "/Film/", "/Dyorder/", "/Kaquan/"} {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
