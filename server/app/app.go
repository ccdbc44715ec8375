// Package app puts the shop together: it is the only place that knows every part.
package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"time"

	"marquee/server/account"
	"marquee/server/backoffice"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/demo"
	"marquee/server/goods"
	"marquee/server/httpapi"
	"marquee/server/httpapi/avatars"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/orders"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/sms"
	"marquee/server/providers/wechat"
	"marquee/server/store/sqlite"
)

// App is a shop, ready to serve and to work.
type App struct {
	cfg     Config
	db      *sqlite.DB
	avatars *account.Avatars
	store   *sqlite.Accounts
	content *content.Service
	cards   *cards.Service
	goods   *goods.Service
	orders  *orders.Service
	pay     *wechat.Pay
	handler http.Handler
}

// New opens the database and makes every part; it calls no provider. Close what it returns.
func New(ctx context.Context, cfg Config) (*App, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.SimulatorURL != "" {
		cfg.Logger.WarnContext(ctx, "PROVIDERS ARE SIMULATED: no ticket, message or payment is real", "simulators", cfg.SimulatorURL)
	}
	p, err := newProviders(cfg)
	if err != nil {
		return nil, err
	}
	ready := makeFolder
	if cfg.MustExist {
		ready = mustExist
	}
	if err := ready(cfg.DB); err != nil {
		p.pay.Stop()
		return nil, err
	}
	var how []sqlite.Option
	if cfg.Beside {
		how = append(how, sqlite.Beside())
	}
	db, err := sqlite.Open(cfg.DB, how...)
	if err != nil {
		p.pay.Stop()
		return nil, fmt.Errorf("app: open MARQUEE_DB: %w", err)
	}
	a := &App{cfg: cfg, db: db, pay: p.pay}
	if err := a.assemble(p); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// providers are the clients of everyone outside.
type providers struct {
	legacy   *legacygateway.Client
	newmovie *newmovie.Client
	sms      *sms.Client
	account  *wechat.Account
	pay      *wechat.Pay
}

func newProviders(cfg Config) (p providers, err error) {
	if p.legacy, err = legacygateway.New(legacygateway.Config{
		BaseURL: cfg.Gateway.BaseURL, AppKey: cfg.Gateway.AppKey, Secret: cfg.Gateway.Secret, Timeout: cfg.CallTimeout,
		Dialect: legacygateway.Dialect{
			Digest: legacygateway.Digest(cfg.Gateway.Digest), LowerCase: cfg.Gateway.LowerCase, Window: cfg.Gateway.Window,
		},
	}); err != nil {
		return p, err
	}
	if p.newmovie, err = newmovie.New(newmovie.Config{
		BaseURL: cfg.NewMovie.BaseURL, EntID: cfg.NewMovie.EntID, AppSecret: cfg.NewMovie.AppSecret, Now: cfg.Now,
		Timeout: cfg.CallTimeout,
	}); err != nil {
		return p, err
	}
	if p.sms, err = sms.New(sms.Config{
		AccessKeyID: cfg.SMS.AccessKeyID, AccessKeySecret: cfg.SMS.AccessKeySecret, SignName: cfg.SMS.SignName,
		TemplateCode: cfg.SMS.TemplateCode, SimulatorURL: cfg.SimulatorURL, Timeout: cfg.CallTimeout,
	}); err != nil {
		return p, err
	}
	if p.account, err = wechat.NewAccount(wechat.AccountConfig{
		AppID: cfg.WeChat.AppID, AppSecret: cfg.WeChat.AppSecret, SimulatorURL: cfg.SimulatorURL,
		Timeout: cfg.CallTimeout,
	}); err != nil {
		return p, err
	}
	p.pay, err = wechat.NewPay(wechat.PayConfig{
		AppID: cfg.WeChat.AppID, MchID: cfg.WeChat.MchID, MchSerial: cfg.WeChat.MchSerial,
		MchPrivateKeyPEM: cfg.WeChat.MchPrivateKey, APIv3Key: cfg.WeChat.APIv3Key,
		NotifyURL: cfg.PublicURL + "/notify/wechat/pay", RefundNotifyURL: cfg.PublicURL + "/notify/wechat/refund",
		SimulatorURL: cfg.SimulatorURL, Now: cfg.Now, Timeout: cfg.CallTimeout,
	})
	return p, err
}

func (a *App) assemble(p providers) (err error) {
	cfg := a.cfg
	a.store = a.db.Accounts()
	codes, err := account.NewCodes(account.CodesConfig{
		Store: a.store, Sender: p.sms, Now: cfg.Now, Pepper: []byte(cfg.Pepper), Limits: cfg.SMSLimits,
	})
	if err != nil {
		return err
	}
	passwords, err := account.NewPasswords(account.PasswordsConfig{
		Store: a.store, Codes: codes, Now: cfg.Now, Pepper: []byte(cfg.Pepper), Cost: cfg.PasswordCost,
	})
	if err != nil {
		return err
	}
	accounts := account.New(account.Config{Sessions: a.store, Identities: a.store, Provider: p.account, Codes: codes, Now: cfg.Now})
	a.avatars = account.NewAvatars(a.store, cfg.Now)
	a.content = content.New(a.db.Contents())
	films := catalog.New(catalog.Config{Legacy: p.legacy, NewMovie: p.newmovie, Now: cfg.Now, Logger: cfg.Logger})
	a.cards = cards.New(a.db.Cards(), []byte(cfg.Pepper), cfg.Now)
	if a.goods, err = goods.New(a.db.Goods(), []byte(cfg.Pepper), cfg.Now); err != nil {
		return err
	}
	if a.orders, err = orders.New(orders.Config{
		Store: a.db.Orders(), Sources: map[catalog.Source]orders.TicketSource{catalog.Legacy: p.legacy, catalog.NewMovie: p.newmovie},
		Gateway: p.pay, AppID: cfg.WeChat.AppID, MchID: cfg.WeChat.MchID, Passwords: passwords, Buyers: accounts, Now: cfg.Now,
		Venues: films, Lots: a.cards, Recharges: a.cards, Topup: cfg.topUp(), Logger: cfg.Logger,
		CallTimeout: cfg.CallTimeout + 2*time.Second, // a lock may take an exchange and some queries
	}); err != nil {
		return err
	}
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return fmt.Errorf("app: MARQUEE_PUBLIC_URL: %w", err)
	}
	web := cfg.Web
	if web == nil {
		web = embed.FS{} // holds nothing: the page says so
	}
	a.handler, err = httpapi.New(httpapi.Config{
		Sessions: accounts, CodeLogin: accounts, AppLogin: accounts, Identities: accounts, PaymentPasswords: passwords,
		Avatars: a.avatars,

		Cities: films, Cinemas: films, Films: films, Showings: films, Dramas: films,
		LegacySeats: a.orders.Halls(catalog.Legacy), NewMovieSeats: a.orders.Halls(catalog.NewMovie),
		Texts: a.content, Showcase: a.content, Goods: a.goods, JS: p.account,

		SeatLocker: a.orders, UnpaidOrders: a.orders, Orders: a.orders, TicketCheckout: a.orders,
		GoodsCheckout: a.orders, CardRecharger: a.orders, PaymentConfirmer: a.orders, GoodsCodes: a.goods,
		TicketPages: ticketPages{p.newmovie},

		Cards: a.cards, CardBinder: a.cards, CardMerger: a.cards, CardCounter: a.cards, PayingCards: a.cards,
		RechargeOffers: a.cards,

		PaymentWebhooks: p.pay, TicketWebhooks: p.legacy, PaymentEvents: a.orders, TicketEvents: a.orders,
		Readiness: a.db,

		Now: cfg.Now, Logger: cfg.Logger, Channel: wire.Channel(cfg.Channel),
		App: pages.AppConfig{
			Build: cfg.Build, Simulated: cfg.SimulatorURL != "", SimulatorURL: cfg.SimulatorURL,
			Links: pages.Links(cfg.Links),
		},
		Logo: cfg.Logo, Web: web, AvatarDir: a.avatarDir(),
		Hosts: append([]string{public.Host}, cfg.Hosts...), TrustedOrigins: cfg.TrustedOrigins, TrustedProxies: cfg.TrustedProxies,
		PictureHosts: cfg.PictureHosts, Rates: cfg.Rates, Secure: public.Scheme == "https",
	})
	return err
}

// ticketPages fits the provider's client to the handler's interface.
type ticketPages struct{ client *newmovie.Client }

func (t ticketPages) TicketPage(ctx context.Context, orderNo string) (string, time.Duration, error) {
	page, err := t.client.TicketPage(ctx, orderNo)
	return page.URL, page.ExpiresIn, err
}

// Handler serves the shop.
func (a *App) Handler() http.Handler { return a.handler }

// Server is an HTTP server with the shop's time-outs. It does not listen yet.
func (a *App) Server() *http.Server {
	return &http.Server{
		Handler:           a.handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(a.cfg.Logger.Handler(), slog.LevelWarn),
	}
}

// Orders is the purchase story, for the back office and for tests.
func (a *App) Orders() *orders.Service { return a.orders }

// Cards is the welfare cards, for the back office and for tests.
func (a *App) Cards() *cards.Service { return a.cards }

// Goods is what is sold besides tickets, for the back office and for tests.
func (a *App) Goods() *goods.Service { return a.goods }

// Content is what is shown around the goods.
func (a *App) Content() *content.Service { return a.content }

// BackOffice opens the back office for an operator, whose name is recorded in the audit.
func (a *App) BackOffice(operator string) (*backoffice.BackOffice, error) {
	return backoffice.New(backoffice.Config{
		Cards: a.cards, Lookup: a.db.Cards(), Goods: a.goods, Content: a.content, Orders: a.orders, Read: a.db.BackOffice(),
		Now: a.cfg.Now,
	}, operator)
}

// SeedDemo adds demo cards, goods and content to a shop whose providers are simulated. It is idempotent.
func (a *App) SeedDemo(ctx context.Context, list []demo.Card) error {
	cardsAt := func(t time.Time) demo.CardIssuer {
		return cards.New(a.db.Cards(), []byte(a.cfg.Pepper), func() time.Time { return t })
	}
	return demo.Seed(ctx, demo.Shop{
		CardsAt: cardsAt, Cards: a.cards, Goods: a.goods, Content: a.content, Now: a.cfg.Now,
	}, list)
}

// Wake makes the jobs look for due work now, after the business clock has been moved.
func (a *App) Wake() { a.orders.Wake() }

// Run does the jobs until ctx ends.
func (a *App) Run(ctx context.Context) error {
	done := make(chan struct{})
	go func() {
		defer close(done)
		a.keepTidy(ctx)
	}()
	err := a.orders.Run(ctx)
	<-done
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// keepTidy removes old sessions and codes, and pictures that nobody shows, at the start and once an hour.
func (a *App) keepTidy(ctx context.Context) {
	tick := time.NewTicker(time.Hour)
	defer tick.Stop()
	for {
		if err := a.tidy(ctx); err != nil && ctx.Err() == nil {
			a.cfg.Logger.ErrorContext(ctx, "tidy up", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (a *App) tidy(ctx context.Context) error {
	if err := a.store.PurgeAccounts(ctx, a.cfg.Now()); err != nil {
		return fmt.Errorf("purge sessions and codes: %w", err)
	}
	return a.avatars.SweepAvatars(ctx, avatars.Files{Dir: a.avatarDir()}.Remove)
}

const avatarFolder = "avatars"

func (a *App) avatarDir() string { return filepath.Join(a.cfg.DataDir, avatarFolder) }

// Close closes the database; serving and jobs must have ended before.
func (a *App) Close() error {
	a.pay.Stop()
	return a.db.Close()
}

// topUp chooses the provider that recharges the accounts named by goods orders. No real one is known: an operator
// recharges by hand (`shop admin order delivered`). With simulated providers a recharge succeeds at once.
func (c Config) topUp() orders.Deliverer {
	if c.SimulatorURL != "" {
		return demo.InstantTopUp{}
	}
	return orders.Manual{}
}
