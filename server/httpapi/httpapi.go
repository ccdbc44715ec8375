// Package httpapi serves the shop over HTTP: the calls of the specification's section 7 at their paths, the providers'
// webhooks, the buyers' pictures and the web app. README.md holds the conventions, routes.go the list of the calls, and
// contracts/shop.md describes them. Each file holds the calls of one subject, with the interfaces that they need.
// Tickets come from two sources: the legacy gateway, and the provider newmovie, which calls a showing a session. The
// access of a login is limited (package account) if its phone was not proven for a long time and may have a new owner.
package httpapi

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"runtime"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"

	"marquee/server/content"
	"marquee/server/httpapi/admission"
	"marquee/server/httpapi/avatars"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
)

// Config holds what the handlers need. Every field is required unless the meaning of its zero value is documented.
type Config struct {
	// Accounts.
	Sessions         Sessions
	CodeLogin        CodeLogin
	Devices          Devices
	AppLogin         AppLogin
	LinkLogin        LinkLogin
	SessionConfirmer SessionConfirmer
	AccountSecurity  AccountSecurity
	AccountCloser    AccountCloser
	DataExporter     DataExporter
	Identities       Identities
	PaymentPasswords PaymentPasswords
	Avatars          avatars.Pictures

	// Reads that need no login.
	Cities   Cities
	Cinemas  Cinemas
	Films    Films
	Showings Showings
	Dramas   Dramas
	SeatMaps SeatMaps
	Shows    ShowCompleter
	Texts    Texts
	Showcase Showcase
	Goods    GoodsCatalog
	JS       content.JSSigner // nil: pages cannot be signed for the messaging app

	// Orders and payments.
	SeatLocker       SeatLocker
	SessionFinder    SessionFinder
	UnpaidOrders     UnpaidOrders
	OrderCanceller   OrderCanceller
	Orders           OrderReader
	TicketCheckout   TicketCheckout
	GoodsCheckout    GoodsCheckout
	CardRecharger    CardRecharger
	PaymentConfirmer PaymentConfirmer
	GoodsCodes       GoodsCodes
	TicketPages      TicketPages

	// Welfare cards.
	Cards          Cards
	CardBinder     CardBinder
	CardMerger     CardMerger
	CardCounter    CardCounter
	PayingCards    PayingCards
	RechargeOffers RechargeOffers

	// What machines call.
	PaymentWebhooks PaymentWebhooks
	TicketWebhooks  TicketWebhooks
	PaymentEvents   PaymentEvents
	RefundEvents    RefundEvents
	TicketEvents    TicketEvents
	Readiness       Readiness

	Now     func() time.Time // business time
	WireNow func() time.Time // real time, for signatures and the age of answers; nil: time.Now
	Logger  *slog.Logger     // nil: slog.Default()

	ObserveRequest wire.ObserveRequest // nil: requests are logged only
	// ObserveUndeclared is called for each error that its operation does not declare, and that is answered as another one.
	// It may be nil. Tests use it to fail.
	ObserveUndeclared func(path, code string)
	// ObserveUnreadableAddress is called for each request whose client's address cannot be determined. It may be nil:
	// at most one such request a minute is logged in any case.
	ObserveUnreadableAddress func()
	// ObserveShed is called with the class of each request that is shed (package admission), for a metric. It may be
	// nil.
	ObserveShed func(class string)

	Channel wire.Channel
	App     pages.AppConfig // New fills in the channel
	Logo    string          // URL of the shop's logo
	Web     fs.FS           // the built web app
	// SiteFiles are plain texts by path, such as the file with which the messaging app verifies the owner of the
	// domain.
	SiteFiles map[string][]byte

	Hosts          []string // host[:port] of the shop: only pages at these are signed and get the return of OAuth
	TrustedOrigins []string // origins of other sites whose pages may post, such as "https://other.example"
	TrustedProxies []string // networks (CIDR) of proxies whose X-Forwarded-For is used; none: the peer is the client
	PictureHosts   []string // sources of posters and banners, for the content security policy
	Rates          Rates
	InProgress     admission.Limits // zero: admission.LimitsFor the cores of this process
	LoginCounter   LoginCounter     // counts over all processes; nil: each process counts only its logins
	Secure         bool             // the shop is served over TLS
}

// New returns the shop's HTTP handler. It returns an error if the configuration or the built web app is unusable.
func New(c Config) (http.Handler, error) {
	if c.Channel.No == "" || c.Channel.AppKey == "" || c.Channel.Secret == "" {
		return nil, errors.New("httpapi: Channel is incomplete")
	}
	if c.WireNow == nil {
		c.WireNow = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Rates = c.Rates.WithDefaults()
	if c.InProgress == (admission.Limits{}) {
		c.InProgress = admission.LimitsFor(runtime.GOMAXPROCS(0))
	}
	c.App.ChannelNo, c.App.AppKey, c.App.Secret = c.Channel.No, c.Channel.AppKey, c.Channel.Secret
	g, err := newGuards(c)
	if err != nil {
		return nil, err
	}
	list := routes(c)
	web, err := pages.New(pages.Config{
		Files: c.Web, App: c.App, Cities: c.Cities, Answers: publicAnswers(list),
		Shared: wire.NewSharedTexts(c.Now), WireNow: c.WireNow, Limited: g.calls.count, Gate: g.gate,
	})
	if err != nil {
		return nil, err
	}
	simulators, err := url.Parse(c.App.SimulatorURL)
	if err != nil {
		return nil, fmt.Errorf("httpapi: address of the simulators: %w", err)
	}
	return newRouter(c, list, g, web, simulators), nil
}

// newRouter returns the router of the calls, the probes, the webhooks, the pictures and the pages.
func newRouter(c Config, calls []route, g guards, web *pages.Pages, simulators *url.URL) http.Handler {
	d := dispatcher{
		channel: c.Channel, wireNow: c.WireNow, sessions: c.Sessions, passwords: g.passwords, reads: g.reads,
		undeclared: c.ObserveUndeclared,
	}
	probes := health{readiness: c.Readiness, app: c.App}
	hooks := webhooks{
		payments: c.PaymentWebhooks, tickets: c.TicketWebhooks,
		paymentEvents: c.PaymentEvents, refundEvents: c.RefundEvents, ticketEvents: c.TicketEvents,
		rejected: newRateLimiter(c.Rates.Notifies),
	}
	pictures := avatars.New(avatars.Config{
		Sessions: c.Sessions, Pictures: c.Avatars, ChannelNo: c.Channel.No, NotFound: web.NotFound,
	})

	r := chi.NewRouter()
	r.Use(g.requestID, g.clientIP, wire.LogRequests(c.Logger, c.ObserveRequest, networkOf), wire.Recover(c.Logger))
	r.Use(g.securityHeaders, middleware.GetHead, dropExcludedEncodings)
	r.Get("/healthz", probes.alive)
	r.Get("/readyz", probes.ready)
	r.Post("/notify/wechat/pay", hooks.paid)
	r.Post("/notify/wechat/refund", hooks.refunded)
	r.Post("/notify/gateway", hooks.ticketPushed)
	r.With(g.calls.handler, g.admit(admission.Browsing)).Get("/avatars/{name}", pictures.Serve)
	for path, text := range c.SiteFiles {
		r.With(g.calls.handler).Get(path, serveText(text))
	}
	if simulators.Host != "" {
		r.Get(pages.ArtPath+"*", web.ForwardArt(simulators))
	}
	public := r.With(g.sameOrigin, g.calls.handler)
	public.With(g.logins.handler).Post(pictureUpload.path, pictures.Upload) // package avatars limits how many at a time
	for _, rt := range calls {
		on := public.With(g.admit(rt.traits.class()))
		if rt.traits.has(loginRate) {
			on = on.With(g.logins.handler)
		}
		on.Method(rt.method, rt.path, d.handler(rt))
	}
	r.NotFound(func(w http.ResponseWriter, r *http.Request) {
		if (r.Method == http.MethodGet || r.Method == http.MethodHead) && !isCallPath(r.URL.Path) {
			// The server makes the calls whose answers a page carries without a session, so their reads of a provider
			// always count against the rate.
			web.ServeHTTP(w, r.WithContext(g.reads.limitReads(w, r, func() bool { return false })))
			return
		}
		wire.FailWithStatus(w, r, http.StatusNotFound, wire.ErrPathUnknown)
	})
	r.MethodNotAllowed(func(w http.ResponseWriter, r *http.Request) {
		wire.FailWithStatus(w, r, http.StatusMethodNotAllowed, wire.ErrHTTPMethod)
	})
	return r
}

// serveText answers with a plain text.
func serveText(text []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = w.Write(text) // an error means that the client has disconnected
	}
}

// excludedEncoding is an encoding with the weight 0 in Accept-Encoding.
var excludedEncoding = regexp.MustCompile(`(?i)[^,]*;\s*q=0(\.0*)?\s*(,|$)`)

// dropExcludedEncodings removes from Accept-Encoding the encodings that the client excludes (RFC 9110, section 12.4.2),
// because the code that chooses an encoding looks only for names and ignores weights.
func dropExcludedEncodings(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if accepts := r.Header.Get("Accept-Encoding"); strings.Contains(accepts, "=0") {
			r.Header.Set("Accept-Encoding", excludedEncoding.ReplaceAllString(accepts, ""))
		}
		next.ServeHTTP(w, r)
	})
}

// callPrefixes begin the paths of calls. An unknown path below one of them is answered with an envelope, not a page.
var callPrefixes = []string{
	"/movie/", "/newmovie/", "/api/", "/notify/", "/Login/", "/Member/", "/Film/", "/Dyorder/", "/Kaquan/",
}

func isCallPath(path string) bool {
	for _, prefix := range callPrefixes {
		if strings.HasPrefix(path, prefix) {
			return true
		}
	}
	return false
}
