// Command shop is the shop: it serves buyers and works off what is due. Everything is configured by environment
// variables; shop -help lists them.
//
//	shop [run]     serve (the default)
//	shop verify    cross-check ledger, seats and orders, and print what contradicts
//	shop admin …   the back office; shop admin --help lists what it does
//	shop -version  print the build
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"marquee/server/app"
)

// version is set by the linker.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "shop:", err)
		stop()
		os.Exit(1) //nolint:gocritic // stop has run
	}
}

const usage = `The shop: serves buyers and works off what is due.

  shop [run]             serve (the default)
  shop verify            cross-check ledger, seats, stock, codes, payments and orders of a database
  shop admin …           the back office:
    card issue|recharge|deduct|freeze|unfreeze|packages|code
    goods list|category|put|spec|stock|codes|withdraw
    content banners|tiles|text
    order waiting|retry|refund|delivered
                         shop admin --help says what each takes
  shop -version          print the build
  shop -help             print this

verify and admin may run beside a running shop; verify needs nothing but MARQUEE_DB. Everything is configured by the environment:

`

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("shop", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {} // a mistake is one line; help is asked for
	showVersion := flags.Bool("version", false, "print the build and exit")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) || flags.Arg(0) == "help" {
		_, err = fmt.Fprint(stdout, usage, variablesHelp())
		return err
	}
	if err != nil {
		return fmt.Errorf("%w (shop -help lists what there is)", err)
	}
	if *showVersion {
		_, err := fmt.Fprintln(stdout, version)
		return err
	}
	command := flags.Arg(0)
	if command != "admin" && flags.NArg() > 1 {
		return fmt.Errorf("%s takes nothing more, not %q (shop -help says more)", command, flags.Args()[1:])
	}
	log := slog.New(slog.NewJSONHandler(stderr, nil))
	switch command {
	case "", "run":
		return serve(ctx, log, stdout)
	case "verify":
		return verify(ctx, stdout)
	case "admin":
		return runAdmin(ctx, flags.Args()[1:], func(mustExist bool) (*app.App, error) { return open(ctx, log, mustExist) }, stdout, stderr)
	default:
		return fmt.Errorf("unknown command %q: run, verify or admin (shop -help says more)", command)
	}
}

// open is the shop for a command that does not serve.
func open(ctx context.Context, log *slog.Logger, mustExist bool) (*app.App, error) {
	cfg, err := readConfig(ctx, version, log)
	if err != nil {
		return nil, err
	}
	cfg.MustExist, cfg.Beside = mustExist, true
	return app.New(ctx, cfg)
}

// drain is how long requests under way may take after the signal to stop.
const drain = 10 * time.Second

func serve(ctx context.Context, log *slog.Logger, stdout io.Writer) (err error) {
	cfg, err := readConfig(ctx, version, log)
	if err != nil {
		return err
	}
	if err := cfg.Check(); err != nil {
		return err // before anything is made on the disk
	}
	claim, err := app.TakeClaim(cfg.DB, "shop on http://"+cfg.Addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	shop, err := app.New(ctx, cfg)
	if err != nil {
		return err
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", cfg.Addr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen on MARQUEE_ADDR: %w", err), shop.Close())
	}
	fmt.Fprintf(stdout, "shop on http://%s\n", listener.Addr())
	server := shop.Server()
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { return shop.Run(ctx) })
	work.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	})
	work.Go(func() error {
		<-ctx.Done()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
		defer cancel()
		return server.Shutdown(ctx)
	})
	return errors.Join(work.Wait(), shop.Close())
}

// verify exits with an error when anything contradicts.
func verify(ctx context.Context, stdout io.Writer) error {
	// No other variable is read: a wrong one must not keep the books from being checked.
	cfg, err := app.FromEnvironment(map[string]string{"MARQUEE_DB": os.Getenv("MARQUEE_DB")})
	if err != nil {
		return err
	}
	found, err := app.Verify(ctx, cfg.DB)
	if err != nil {
		return err
	}
	for _, d := range found {
		fmt.Fprintf(stdout, "%s\t%s\t%s\n", d.Check, d.Subject, d.Detail)
	}
	if len(found) > 0 {
		return fmt.Errorf("%d contradictions", len(found))
	}
	_, err = fmt.Fprintln(stdout, "ledger, seats, goods and orders agree")
	return err
}

// variablesHelp lists the environment variables, one per line.
func variablesHelp() string {
	var b strings.Builder
	for _, v := range app.Variables() {
		fmt.Fprintf(&b, "  %-32s %s", v.Name, v.Help)
		if v.Default != "" {
			fmt.Fprintf(&b, " (default %s)", v.Default)
		}
		switch v.Required {
		case "always":
			fmt.Fprint(&b, " (required)")
		case app.Production:
			fmt.Fprint(&b, " (required in production)")
		}
		fmt.Fprintln(&b)
	}
	return b.String()
}
