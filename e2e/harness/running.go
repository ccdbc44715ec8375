// Package harness runs the shop and the simulated providers in this process, on free ports, with a new database and one
// business clock. Browser suites, contract verification, the tests of server/app and the benchmarks all use it.
//
// Start is for programs and returns errors. New is for tests: a failure ends the test, and when the test ends the
// shop's ledger, seats, payments and orders are cross-checked. The methods of a Stack need no t.Helper, because testify
// prints the call stack.
package harness

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"marquee/server/app"
	"marquee/server/demo"
	"marquee/simulators"
	"marquee/simulators/testclock"
)

// Options of a running shop. The zero value is a shop without web pages and demo data whose clock shows the real time.
type Options struct {
	Web   fs.FS     // the build of the web app; nil serves only the API
	Begin time.Time // the business time at the start; the zero value is now
	DB    string    // path or URL of the database; "" is a SQLite file that Close removes
	Demo  bool      // whether the demo data is seeded: goods, texts, pictures, the simulators' cards and coupons
	Cards []demo.Card

	Reconcile bool // whether the books are reconciled at the end of a test

	Captcha bool // whether unknown devices must pass the simulated captcha vendor's challenge before a code is sent

	Configure func(*app.Config) // changes the configuration before the shop opens; may be nil

	undeclared func(path, code string) // called for answers with errors that their operations do not declare
}

// Running is a shop and its simulators.
type Running struct {
	Sims *simulators.Simulators
	Shop *app.App
	URL  string // of the shop

	closers []func() error // in the order in which the parts were started; Close calls them in reverse
}

// Start starts the simulators and a shop that uses them. The caller closes them.
func Start(ctx context.Context, opts Options) (r *Running, err error) {
	r = &Running{}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	if opts.DB == "" {
		dir, err := os.MkdirTemp("", "marquee-")
		if err != nil {
			return r, err
		}
		r.closers = append(r.closers, func() error { return os.RemoveAll(dir) })
		opts.DB = filepath.Join(dir, "shop.db")
	}
	var clock *testclock.Clock
	if !opts.Begin.IsZero() {
		clock = testclock.NewAt(opts.Begin)
	}
	if r.Sims, err = simulators.Start(simulators.Options{Clock: clock}); err != nil {
		return r, fmt.Errorf("start the simulators: %w", err)
	}
	r.closers = append(r.closers, r.Sims.Close)
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return r, err
	}
	r.closers = append(
		r.closers,
		func() error { _ = listener.Close(); return nil },
	) // an error only means that the shop's server has already closed it
	r.URL = "http://" + listener.Addr().String()
	if err := r.openShop(ctx, opts); err != nil {
		return r, fmt.Errorf("open the shop: %w", err)
	}
	r.serve(listener)
	return r, nil
}

func (r *Running) openShop(ctx context.Context, opts Options) error {
	sims := r.Sims.Default()
	sims.SetAppURL(r.URL)
	sims.SetPush(r.URL + "/notify/gateway")
	environment := sims.ShopEnvironment()
	if opts.Captcha {
		maps.Copy(environment, sims.CaptchaEnvironment())
	}
	cfg, err := app.FromEnvironment(environment)
	if err != nil {
		return err
	}
	cfg.DB, cfg.PublicURL, cfg.Web = opts.DB, r.URL, opts.Web
	cfg.DBWait = time.Minute // on a busy machine PostgreSQL takes seconds to accept a connection
	cfg.Now, cfg.Logger, cfg.ObserveUndeclared = sims.Clock().Now, logger(), opts.undeclared
	if opts.Configure != nil {
		opts.Configure(&cfg)
	}
	if r.Shop, err = app.New(ctx, cfg); err != nil {
		return err
	}
	r.closers = append(r.closers, r.Shop.Close)
	sims.Clock().OnAdvance(r.Shop.Wake)
	if !opts.Demo {
		return nil
	}
	issued := opts.Cards
	for _, card := range sims.Credentials().Cards {
		issued = append(issued, demo.Card(card))
	}
	for _, coupon := range sims.Credentials().Coupons {
		issued = append(issued, demo.Card(coupon))
	}
	return r.Shop.SeedDemo(ctx, issued)
}

// logger discards what the shop logs, unless MARQUEE_TEST_LOG is set.
func logger() *slog.Logger {
	if os.Getenv("MARQUEE_TEST_LOG") != "" {
		return slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	return slog.New(slog.DiscardHandler)
}

// serve answers requests and runs the shop's jobs until Close.
func (r *Running) serve(listener net.Listener) {
	server := r.Shop.Server()
	served, worked := make(chan error, 1), make(chan struct{})
	go func() { served <- server.Serve(listener) }()
	ctx, stop := context.WithCancel(context.Background())
	go func() { r.Shop.Run(ctx); close(worked) }()
	r.closers = append(r.closers, func() error {
		err := server.Close()
		if e := <-served; !errors.Is(e, http.ErrServerClosed) {
			err = errors.Join(err, e)
		}
		stop()
		<-worked
		return err
	})
}

// Close stops the shop, then the simulators.
func (r *Running) Close() (err error) {
	for i := len(r.closers) - 1; i >= 0; i-- {
		err = errors.Join(err, r.closers[i]())
	}
	r.closers = nil
	return err
}

// running reports whether Close has not been called yet.
func (r *Running) running() bool { return r.closers != nil }
