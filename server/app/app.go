// Package app configures the shop and wires its parts: provider clients, store, domain services and HTTP interface. It
// holds no rule of the domain, and it is the only package that imports all of server.
package app

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/exaring/otelpgx"

	"marquee/server/account"
	"marquee/server/backoffice"
	"marquee/server/cards"
	"marquee/server/catalog"
	"marquee/server/content"
	"marquee/server/demo"
	"marquee/server/durations"
	"marquee/server/fulfilment"
	"marquee/server/goods"
	"marquee/server/httpapi"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
	"marquee/server/jobs"
	"marquee/server/ops"
	"marquee/server/order"
	"marquee/server/pepper"
	"marquee/server/personal"
	"marquee/server/providers/captcha"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/sms"
	"marquee/server/providers/transport"
	"marquee/server/providers/wechat"
	"marquee/server/purchase"
	"marquee/server/reconcile"
	"marquee/server/store"
	"marquee/server/token"
)

// App is a shop whose parts New has wired. To run it, serve Handler and call Run, which runs the jobs.
type App struct {
	cfg            Config
	metrics        *ops.Metrics
	traces         *ops.Traces
	probe          *ops.Probe
	db             *database
	store          *store.Accounts
	journal        *account.Journal
	codes          *account.Codes
	passwords      *account.Passwords
	accounts       *account.Service
	security       *account.Security
	closer         *personal.Closer
	exporter       *personal.Exporter
	peppers        pepper.Ring
	content        *content.Service
	films          *catalog.Service
	cards          *cards.Service
	issuer         *cards.Issuer
	goods          *goods.Service
	purchase       *purchase.Purchase
	reconciliation *reconcile.Service
	pay            *wechat.Pay
	handler        http.Handler
}

// New checks the configuration, opens the database and wires all parts. It does not call a provider. It returns an
// error that names each variable that is missing or invalid, and an error if MustExist is set and the database does not
// exist. The caller must call Close.
func New(ctx context.Context, cfg Config) (*App, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.SimulatorURL != "" {
		cfg.Logger.WarnContext(ctx, "PROVIDERS ARE SIMULATED: no ticket, message or payment is real",
			"simulators", cfg.SimulatorURL)
	}
	peppers, err := pepper.New([]byte(cfg.Pepper), []byte(cfg.OldPepper))
	if err != nil {
		return nil, err
	}
	shared := &tokenStore{} // filled in when the database is open, which comes last: a failed start creates no file
	tokens, err := token.NewVault(shared, peppers)
	if err != nil {
		return nil, err
	}
	metrics := ops.NewMetrics(cfg.Build)
	p, err := NewProviders(cfg, tokens, metrics)
	if err != nil {
		return nil, err
	}
	traces, err := ops.NewTraces(ctx, cfg.Traces, cfg.Build)
	if err != nil {
		p.Pay.Stop()
		return nil, err
	}
	metrics.Trace(traces)
	if traces.On() { // statements without their parameters, which contain phone numbers and hashes
		cfg.queryTracer = otelpgx.NewTracer(otelpgx.WithTracerProvider(traces.Provider()))
	}
	db, err := openDatabase(ctx, cfg, metrics.ObserveCommit)
	if err != nil {
		p.Pay.Stop()
		return nil, errors.Join(err, traces.Close(ctx))
	}
	db.OnCommit(metrics.CountChanges)
	shared.Store = db.Tokens()
	a := &App{cfg: cfg, metrics: metrics, traces: traces, db: db, pay: p.Pay, peppers: peppers}
	if err := db.CheckMoved(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("app: open MARQUEE_DB: %w", err), a.Close())
	}
	if cfg.SimulatorURL != "" && !cfg.ForCommand {
		if err := db.Tokens().Forget(ctx); err != nil {
			return nil, errors.Join(err, a.Close())
		}
	}
	if err := a.wire(p); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.goods.CheckPeppers(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// tokenStore is the store of tokens in the database. Store is nil until New has opened the database.
type tokenStore struct{ token.Store }

// Providers are the clients of the outside parties.
type Providers struct {
	Legacy   *legacygateway.Client
	NewMovie *newmovie.Client
	SMS      *sms.Client
	Captcha  account.Challenge // nil: none
	Account  *wechat.Account
	Pay      *wechat.Pay
}

// NewProviders makes the clients. It calls no provider. For a provider whose configuration is invalid, it returns an
// error that names its variables. If metrics is not nil, the operations of the clients are counted and logged.
func NewProviders(cfg Config, tokens *token.Vault, metrics *ops.Metrics) (p Providers, err error) {
	operations := func(provider string) transport.Operations {
		o := transport.Operations{Limit: cfg.CallLimit}
		if metrics != nil {
			o.Observer = metrics.ObserveProvider(provider, cfg.Logger)
		}
		return o
	}
	invalid := func(variables string, err error) error {
		return configurationFault(fmt.Errorf("app: one of %s is invalid: %w", variables, err))
	}
	if p.Legacy, err = legacygateway.New(legacygateway.Config{
		BaseURL: cfg.Gateway.BaseURL, AppKey: cfg.Gateway.AppKey, Secret: cfg.Gateway.Secret,
		Logger: cfg.Logger, Operations: operations("gateway"),
		Dialect: legacygateway.Dialect{
			Digest: legacygateway.Digest(cfg.Gateway.Digest), LowerCase: cfg.Gateway.LowerCase,
			Window: cfg.Gateway.Window,
		},
	}); err != nil {
		return p, invalid("MARQUEE_GATEWAY_*", err)
	}
	if p.NewMovie, err = newmovie.New(newmovie.Config{
		BaseURL: cfg.NewMovie.BaseURL, EntID: cfg.NewMovie.EntID, AppSecret: cfg.NewMovie.AppSecret, Now: cfg.Now,
		Tokens: tokens, Logger: cfg.Logger, Operations: operations("newmovie"),
	}); err != nil {
		return p, invalid("MARQUEE_NEWMOVIE_*", err)
	}
	if p.SMS, err = sms.New(sms.Config{
		AccessKeyID: cfg.SMS.AccessKeyID, AccessKeySecret: cfg.SMS.AccessKeySecret, SignName: cfg.SMS.SignName,
		TemplateCode: cfg.SMS.TemplateCode, SimulatorURL: cfg.SimulatorURL, Operations: operations("sms"),
	}); err != nil {
		return p, invalid("MARQUEE_SMS_*", err)
	}
	if p.Captcha, err = newChallenge(cfg, operations("captcha")); err != nil {
		return p, invalid("MARQUEE_CAPTCHA_*", err)
	}
	if p.Account, err = wechat.NewAccount(wechat.AccountConfig{
		AppID: cfg.WeChat.AppID, AppSecret: cfg.WeChat.AppSecret, SimulatorURL: cfg.SimulatorURL,
		Tokens: tokens, Operations: operations("wechat_account"),
	}); err != nil {
		return p, invalid("MARQUEE_WECHAT_*", err)
	}
	p.Pay, err = wechat.NewPay(wechat.PayConfig{
		AppID: cfg.WeChat.AppID, MchID: cfg.WeChat.MchID, MchSerial: cfg.WeChat.MchSerial,
		MchPrivateKeyPEM: cfg.WeChat.MchPrivateKey, APIv3Key: cfg.WeChat.APIv3Key,
		PublicKeyPEM: cfg.WeChat.PublicKey, PublicKeyID: cfg.WeChat.PublicKeyID,
		WithoutCertificates: cfg.WeChat.PublicKeyOnly,
		NotifyURL:           cfg.PublicURL + "/notify/wechat/pay",
		RefundNotifyURL:     cfg.PublicURL + "/notify/wechat/refund",
		SimulatorURL:        cfg.SimulatorURL, Now: cfg.Now, Operations: operations("wechat_pay"),
	})
	if err != nil {
		return p, invalid("MARQUEE_WECHAT_*", err)
	}
	return p, nil
}

// newChallenge makes the client of the captcha vendor, or nil if none is configured.
func newChallenge(cfg Config, operations transport.Operations) (account.Challenge, error) {
	if cfg.Captcha.AppID == 0 {
		return nil, nil
	}
	return captcha.New(captcha.Config{
		SecretID: cfg.Captcha.SecretID, SecretKey: cfg.Captcha.SecretKey, AppID: cfg.Captcha.AppID,
		AppSecretKey: cfg.Captcha.AppSecretKey, SimulatorURL: cfg.SimulatorURL, Operations: operations,
	})
}

// shownCaptcha returns the settings of the captcha for the login page, or nil if none is configured.
func shownCaptcha(c Captcha) *pages.Captcha {
	if c.AppID == 0 {
		return nil
	}
	return &pages.Captcha{AppID: strconv.FormatUint(c.AppID, 10), Script: c.Script}
}

// wire makes the domain services, which use the store, and the HTTP interface, which uses the services.
func (a *App) wire(p Providers) (err error) {
	a.wireAccounts(p)
	a.content = content.New(a.db.Contents())
	a.films = catalog.New(catalog.Config{
		Legacy: p.Legacy, NewMovie: p.NewMovie, Now: a.cfg.Now, Logger: a.cfg.Logger,
	})
	a.cards = cards.New(a.db.Cards(), a.peppers, a.cfg.Now)
	a.issuer = cards.NewIssuer(a.db.Cards(), a.peppers, a.cfg.Now)
	if a.goods, err = goods.New(a.db.Goods(), a.peppers, a.cfg.Now); err != nil {
		return err
	}
	if err := a.wirePurchase(p); err != nil {
		return err
	}
	a.exporter = personal.NewExporter(personal.ExporterConfig{
		Profile: a.db.Personal(), Orders: a.purchase.Orders, Cards: a.db.Cards(), Codes: a.goods, Reauth: a.security,
		Journal: a.journal, Now: a.cfg.Now,
	})
	a.wireReconciliation(p)
	a.wireNotices(p)
	a.wireMaintenance()
	a.wireMetrics(p)
	handler, err := a.newHandler(p)
	a.handler = a.traces.Handler(handler)
	return err
}

// wireAccounts makes the services of buyers' accounts: login, payment passwords, security and closing.
func (a *App) wireAccounts(p Providers) {
	cfg := a.cfg
	a.store = a.db.Accounts()
	a.journal = account.NewJournal(a.store, cfg.Logger, cfg.Now)
	a.codes = account.NewCodes(account.CodesConfig{
		Store: a.db.Codes(), Sender: p.SMS, Journal: a.journal, Now: cfg.Now,
		Pepper: a.peppers, Limits: cfg.SMSLimits, Logger: cfg.Logger,
		Challenge: p.Captcha, ObserveLimited: a.metrics.CountLimitedCode,
	})
	a.passwords = account.NewPasswords(account.PasswordsConfig{
		Store: a.store, Codes: a.codes, Journal: a.journal, Now: cfg.Now, Pepper: a.peppers, Cost: cfg.PasswordCost,
	})
	a.accounts = account.New(account.Config{
		Sessions: a.store, Identities: a.store, Provider: p.Account, Codes: a.codes, Journal: a.journal,
		Now: cfg.Now,
	})
	a.security = account.NewSecurity(account.SecurityConfig{
		Service: a.accounts, Store: a.store, Passwords: a.passwords,
	})
	a.closer = personal.NewCloser(a.db.Personal(), a.security, a.journal, cfg.Now)
}

// wirePurchase makes the use cases of a purchase and the runner of the shop's jobs.
func (a *App) wirePurchase(p Providers) (err error) {
	cfg, orders := a.cfg, a.db.Orders()
	a.purchase, err = purchase.New(purchase.Config{
		Store: orders, Tasks: orders, Records: orders, AroundJob: a.traces.Job,
		Sources: order.TicketSources{catalog.Legacy: p.Legacy, catalog.NewMovie: p.NewMovie},
		Gateway: p.Pay, AppID: cfg.WeChat.AppID, MchID: cfg.WeChat.MchID, H5: cfg.WeChat.H5,
		Passwords: a.passwords, Identities: a.accounts, Venues: a.films, Lots: a.issuer, Recharges: a.cards,
		Topup: cfg.topUp(), Now: cfg.Now, Logger: cfg.Logger,
		UnpaidLimits:    order.DefaultUnpaidLimits,
		TradeAnswerLife: durations.TradeAnswer,
		SeatMapLife:     durations.SeatMap,
		CallLimit:       cfg.CallLimit,
	})
	return err
}

// wireNotices adds the job that sends notices of account changes by SMS.
func (a *App) wireNotices(p Providers) {
	templates := a.cfg.SMS
	notices := account.NewNotices(account.NoticesConfig{
		Store: a.store, Sender: p.SMS, Now: a.cfg.Now, Logger: a.cfg.Logger,
		Templates: map[account.NoticeKind]string{
			account.NewIdentity: templates.NewIdentity, account.NewPhone: templates.NewPhone,
			account.NewPassword: templates.NewPassword, account.NewDevice: templates.NewDevice,
		},
	})
	a.purchase.Jobs.Handle(account.NoticeTask, func(ctx context.Context, t jobs.Task) error {
		id, err := strconv.ParseInt(t.Subject, 10, 64)
		if err == nil {
			err = notices.Send(ctx, id)
		}
		if err != nil {
			return err
		}
		return a.purchase.Jobs.Finish(ctx, t)
	})
}

// wireMaintenance adds the periodic jobs that maintain accounts and goods. The jobs that maintain orders and cards are
// added by package purchase.
func (a *App) wireMaintenance() {
	a.purchase.Jobs.Every("purge-accounts", durations.MaintenanceInterval, func(ctx context.Context) error {
		_, _, err := a.store.PurgeAccounts(ctx, a.cfg.Now(), purgeSteps)
		return err
	})
	a.purchase.Jobs.Every("reseal-codes", durations.MaintenanceInterval, func(ctx context.Context) error {
		_, err := a.goods.ResealCodes(ctx)
		return err
	})
}

// wireMetrics makes the probe of readiness and adds the metrics that are read from the store and the clients.
func (a *App) wireMetrics(p Providers) {
	orders := a.db.Orders()
	a.probe = ops.NewProbe(a.db, a.purchase.Jobs, time.Now)
	a.metrics.WatchState(ops.State{
		Queues: orders, Reviews: a.db.BackOffice(), Refunds: a.db.BackOffice(), Disk: a.db, Verifications: orders,
		Reconciliations: a.reconciliation, Messages: a.codes, Backups: a.db, Clock: a.db, Readiness: a.probe,
		Now: a.cfg.Now, Logger: a.cfg.Logger,
	})
	a.metrics.WatchLeftOut(map[string]ops.LeftOutRows{"gateway": p.Legacy.LeftOut, "newmovie": p.NewMovie.LeftOut})
	a.metrics.WatchPool(a.db.pool)
}

// newHandler makes the HTTP interface. Most fields of httpapi.Config are small interfaces, each implemented by one
// service.
func (a *App) newHandler(p Providers) (http.Handler, error) {
	cfg, pay := a.cfg, a.purchase.Checkout
	public, err := url.Parse(cfg.PublicURL)
	if err != nil {
		return nil, fmt.Errorf("app: MARQUEE_PUBLIC_URL: %w", err)
	}
	web := cfg.Web
	if web == nil {
		web = embed.FS{} // empty: the page reports that the web app is missing
	}
	files, err := readSiteFiles(cfg.SiteFiles)
	if err != nil {
		return nil, err
	}
	handler, err := httpapi.New(httpapi.Config{
		Sessions: a.accounts, CodeLogin: a.accounts, AppLogin: a.accounts, LinkLogin: a.accounts,
		SessionConfirmer: a.security, Identities: a.accounts, PaymentPasswords: a.passwords,
		Avatars: a.db.Avatars(), Devices: a.codes,
		AccountSecurity: a.security, AccountCloser: a.closer, DataExporter: a.exporter,

		Cities: a.films, Cinemas: a.films, Films: a.films, Showings: a.films, Dramas: a.films,
		SeatMaps: a.purchase.Seating, Shows: a.films,
		Texts: a.content, Showcase: a.content, Goods: a.goods, JS: p.Account,

		SeatLocker: a.purchase.Seating, SessionFinder: a.films,
		UnpaidOrders: a.purchase.Orders, OrderCanceller: pay.Canceller,
		Orders: a.purchase.Orders, TicketCheckout: pay.Payer, GoodsCheckout: pay.Purchases,
		CardRecharger: pay.Purchases, PaymentConfirmer: pay.Payer, GoodsCodes: a.goods,
		TicketPages: ticketPages{p.NewMovie},

		Cards: a.cards, CardBinder: a.cards, CardMerger: a.cards, CardCounter: a.cards, PayingCards: a.cards,
		RechargeOffers: a.cards,

		PaymentWebhooks: p.Pay, TicketWebhooks: p.Legacy, PaymentEvents: pay.Trades, RefundEvents: pay.Refunds,
		TicketEvents: a.purchase.Fulfilment,
		Readiness:    a.probe.Recent(),

		Now: cfg.Now, Logger: cfg.Logger, ObserveRequest: a.metrics.ObserveRequest,
		ObserveUnreadableAddress: a.metrics.CountUnreadableAddress, ObserveShed: a.metrics.CountShed,
		ObserveUndeclared: cfg.ObserveUndeclared, Channel: wire.Channel(cfg.Channel),
		App: pages.AppConfig{
			Build: cfg.Build, Simulated: cfg.SimulatorURL != "", SimulatorURL: cfg.SimulatorURL,
			Links: pages.Links(cfg.Links), Captcha: shownCaptcha(cfg.Captcha), H5: cfg.WeChat.H5,
		},
		Logo: cfg.Logo, Web: web, SiteFiles: files,
		Hosts: append([]string{public.Host}, cfg.Hosts...), TrustedOrigins: cfg.TrustedOrigins,
		TrustedProxies: cfg.TrustedProxies,
		PictureHosts:   cfg.PictureHosts, Rates: httpapi.Rates(cfg.Rates), LoginCounter: a.loginCounter(),
		Secure: public.Scheme == "https",
	})
	if err != nil {
		return nil, fmt.Errorf("app: make the HTTP interface "+
			"(MARQUEE_TRUSTED_PROXIES, _TRUSTED_ORIGINS, _PICTURE_HOSTS, _CAPTCHA_SCRIPT): %w", err)
	}
	return handler, nil
}

// loginCounter returns the counter of logins over all processes, or nil for SQLite, which only one process serves.
func (a *App) loginCounter() httpapi.LoginCounter {
	if !IsPostgres(a.cfg.DB) {
		return nil
	}
	return a.db.Codes()
}

// topUp returns the provider that recharges the accounts of goods orders. The specification names no real one, so an
// operator recharges by hand (`shop admin order delivered`). If the providers are simulated, a recharge succeeds at
// once.
func (c Config) topUp() order.Deliverer {
	if c.SimulatorURL != "" {
		return &demo.InstantTopUp{}
	}
	return fulfilment.ManualTopup{}
}

// ticketPages adapts newmovie's client to the interface of the HTTP handler.
type ticketPages struct{ client *newmovie.Client }

// TicketPage implements httpapi.TicketPages.
func (t ticketPages) TicketPage(ctx context.Context, orderNo string) (string, time.Duration, error) {
	page, err := t.client.TicketPage(ctx, orderNo)
	return page.URL, page.ExpiresIn, err
}

// Handler returns the handler of every path of the shop.
func (a *App) Handler() http.Handler { return a.handler }

// Server returns an HTTP server with the shop's time-outs. It does not listen.
func (a *App) Server() *http.Server {
	return &http.Server{
		Handler: a.handler,
		// Longer than the ten seconds for which Chromium keeps a preconnected connection. If the shop closed such
		// connections first, the browser might request the files of a page on closed ones.
		ReadHeaderTimeout: 15 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      60 * time.Second,
		IdleTimeout:       durations.IdleConnection,
		MaxHeaderBytes:    32 << 10,
		ErrorLog:          slog.NewLogLogger(a.cfg.Logger.Handler(), slog.LevelWarn),
	}
}

// lastRequest is how long a stopping shop waits for a request on a preconnected connection.
const lastRequest = 5 * time.Second

// Serve serves buyers on the listener until ctx ends. Then readiness fails. For MARQUEE_DRAIN_DELAY, requests are still
// accepted, so that a load balancer has time to notice. After that, requests in progress may take at most
// durations.Drain.
//
// http.Server.Shutdown would close, without an answer, a connection whose first request it has not read yet. So Serve
// closes the listener first, and calls Shutdown after the last accepted connection has ended.
func (a *App) Serve(ctx context.Context, listener net.Listener) error {
	server := a.Server()
	var connections sync.WaitGroup
	var unused sync.Map // connections on which no request has begun
	server.ConnState = func(conn net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			connections.Add(1)
			unused.Store(conn, nil)
		case http.StateActive:
			unused.Delete(conn)
		case http.StateClosed, http.StateHijacked:
			unused.Delete(conn)
			connections.Done()
		}
	}
	served, stopped := make(chan struct{}), make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		a.probe.Drain()
		a.cfg.Logger.InfoContext(ctx,
			"shutting down: accepting requests for drain_delay, then finishing open ones within drain_timeout",
			"drain_delay", a.cfg.DrainDelay, "drain_timeout", durations.Drain)
		<-time.After(a.cfg.DrainDelay)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), durations.Drain)
		defer cancel()
		err := listener.Close()
		<-served
		server.SetKeepAlivesEnabled(false) // each connection is closed after its present request
		unused.Range(func(conn, _ any) bool {
			_ = conn.(net.Conn).SetReadDeadline(time.Now().Add(lastRequest)) // fails only if it is closed
			return true
		})
		ended := make(chan struct{})
		go func() { connections.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-ctx.Done():
		}
		stopped <- errors.Join(err, server.Shutdown(ctx))
	})
	err := server.Serve(listener)
	close(served)
	if stop() { // the server has ended before ctx
		return err
	}
	return <-stopped
}

// Purchase returns the use cases of a purchase, for tests.
func (a *App) Purchase() *purchase.Purchase { return a.purchase }

// Verify cross-checks ledger, seats, stock, payments and orders, and returns every contradiction.
func (a *App) Verify(ctx context.Context) ([]order.Discrepancy, error) {
	return a.db.Orders().Discrepancies(ctx)
}

// Cards returns the welfare card service, for tests.
func (a *App) Cards() *cards.Service { return a.cards }

// CardIssuer returns the service that issues welfare cards, for tests.
func (a *App) CardIssuer() *cards.Issuer { return a.issuer }

// Goods returns the goods service, for tests.
func (a *App) Goods() *goods.Service { return a.goods }

// BackOffice opens the back office for an operator, whose name is recorded in the audit log.
func (a *App) BackOffice(operator string) (*backoffice.BackOffice, error) {
	return backoffice.New(backoffice.Config{
		Accounts: a.store, Phones: a.security, AccountRequests: a.closer, DataCopies: a.exporter, Events: a.journal,
		Cards: a.issuer, CardCodes: a.cards, Lookup: a.db.Cards(), Goods: a.goods, Content: a.content,
		Read: a.db.BackOffice(), Deliveries: a.purchase.Fulfilment, Refunds: a.purchase.Checkout.Refunds,
		Reconciliation: a.reconciliation, Pepper: a.peppers, Now: a.cfg.Now,
	}, operator)
}

// SeedDemo adds demo cards, goods and content to a shop whose providers are simulated. Calling it again changes
// nothing.
func (a *App) SeedDemo(ctx context.Context, list []demo.Card) error {
	cardsAt := func(t time.Time) demo.CardIssuer {
		return cards.NewIssuer(a.db.Cards(), a.peppers, func() time.Time { return t })
	}
	return demo.Seed(ctx, demo.Shop{
		CardsAt: cardsAt, Packages: a.cards, PackageWriter: a.issuer, Goods: a.goods, Content: a.content,
		Now: a.cfg.Now,
	}, list)
}

// Wake makes the workers look for due jobs now. Call it after the business clock was moved.
func (a *App) Wake() { a.purchase.Jobs.Wake() }

// Run runs the jobs until ctx ends, and returns when those in progress are done. It also reads, for the metrics, when
// the certificates of the providers and of the shop expire. Errors are logged.
func (a *App) Run(ctx context.Context) {
	var background sync.WaitGroup
	background.Go(func() {
		addresses := append(slices.Collect(maps.Values(a.cfg.ProviderAddresses())), a.cfg.PublicURL)
		a.metrics.WatchCertificates(ctx, addresses, a.cfg.Logger)
	})
	a.purchase.Jobs.Run(ctx)
	background.Wait()
}

// purgeSteps is the maximum number of steps in one run of the job that deletes old records of accounts.
const purgeSteps = 200

// lastSpans is how long Close waits, in real time, until the last spans are sent to the collector of traces.
const lastSpans = 2 * time.Second

// Close stops the payment client, sends the last spans and closes the database. Serve and Run must have returned before.
func (a *App) Close() error {
	a.pay.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), lastSpans)
	defer cancel()
	if err := a.traces.Close(ctx); err != nil { // an unreachable collector must not fail the stop
		a.cfg.Logger.Warn("the last spans were not sent", "error", err)
	}
	return a.db.Close()
}
