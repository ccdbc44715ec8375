// Package httpapi serves the shop over HTTP: the calls of the specification at their paths, each backend with the
// envelope it has there, the providers' notifies, and the web app. What each call takes and gives stands in README.md.
package httpapi

import (
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"marquee/server/content"
)

// Accounts is what the calls ask of accounts.
type Accounts interface {
	Sessions
	CodeLogin
	AppLogin
	PaymentPasswords
	Payers
	Avatars
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
	Channel       Channel
	App           AppConfig // Channel fills its channel number, key and secret
	Logo          string    // address of the shop's logo
	Web           fs.FS     // the built web app
	AvatarDir     string    // where uploaded pictures are kept

	Hosts          []string // host[:port] under which the shop is opened; addresses of others are not signed or returned to
	TrustedOrigins []string // origins that may post besides the shop's own
	TrustedProxies []string // networks whose X-Forwarded-For counts; none: the peer is the client
	PictureHosts   []string // sources of posters and banners, for the content security policy
	Rates          Rates
	Secure         bool // served over TLS: cookies and HSTS say so
}

type handler struct {
	Config
	hosts   map[string]bool
	pages   *pages
	avatars AvatarFiles
	drawing *semaphore.Weighted
}

// drawAtOnce is how many pictures are decoded at a time.
const drawAtOnce = 2

// New makes the shop's handler.
func New(c Config) (http.Handler, error) {
	if c.Channel.No == "" || c.Channel.AppKey == "" || c.Channel.Secret == "" {
		return nil, fmt.Errorf("httpapi: Channel is incomplete")
	}
	for _, network := range c.TrustedProxies {
		if _, err := netip.ParsePrefix(network); err != nil {
			return nil, fmt.Errorf("httpapi: trusted proxy %q: %w", network, err)
		}
	}
	for _, host := range c.PictureHosts {
		if host == "" || strings.ContainsAny(host, "; ,'\"\r\n\t") {
			return nil, fmt.Errorf("httpapi: picture host %q is no source of a content security policy", host)
		}
	}
	if c.WireNow == nil {
		c.WireNow = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Rates = c.Rates.withDefaults()
	c.App.ChannelNo, c.App.AppKey, c.App.Secret = c.Channel.No, c.Channel.AppKey, c.Channel.Secret
	h := &handler{Config: c, hosts: map[string]bool{}, avatars: AvatarFiles{c.AvatarDir}, drawing: semaphore.NewWeighted(drawAtOnce)}
	for _, host := range c.Hosts {
		h.hosts[host] = true
	}
	var err error
	if h.pages, err = newPages(c.Web, c.App, h.firstCalls); err != nil {
		return nil, err
	}
	return h.routes()
}
