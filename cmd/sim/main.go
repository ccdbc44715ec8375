// Command sim runs the whole stack offline: the simulated providers and the shop in one process, on one clock.
//
//	sim                   simulators and shop
//	sim -providers-only   the simulators alone
//	sim -version          print the build
//	sim help              list the flags and the other commands, which commands.go holds
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"marquee/server/app"
	"marquee/simulators"
	"marquee/simulators/certs"
	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/preset"
	"marquee/simulators/testclock"
	"marquee/web"
)

// version is set by the linker.
var version = "dev"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil {
		status := 1
		var own *exit
		if errors.As(err, &own) {
			status, err = own.status, own.err
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "sim:", err)
		}
		stop()
		os.Exit(status)
	}
}

const usage = `The whole stack offline: the simulated providers and the shop in one process, on one clock.

  sim                   simulators and shop, until Ctrl-C
  sim -providers-only   the simulators alone; beside them: MARQUEE_SIMULATOR_URL=http://127.0.0.1:9090 shop
  sim -version          print the build
  sim help COMMAND      explain a command and list its flags

Commands:

%s
The shop on http://127.0.0.1:8080, the simulators' console on http://127.0.0.1:9090, a phone with the messaging app on
http://127.0.0.1:9090/phone. HTTPS on https://127.0.0.1:9443, and for every vendor's host by
HTTPS_PROXY=http://127.0.0.1:9090; trust http://127.0.0.1:9090/sim/v1/ca.pem.
The database is kept between runs, and business time goes on from where it stood.
shop verify and shop admin work on it meanwhile.

Exit status: 0 after Ctrl-C or SIGTERM; 1 if it could not start or work; 2 if the command line is wrong or names a file
that cannot be used; 3 if a call had a verdict of -fail-on.

-sim-authority '' makes a new certificate for each run and writes no file. So it does, with a warning, where the default
file cannot be written. Flags, with the variables that set them too:

`

// defaultDB is where the shop of make sim keeps its data.
const defaultDB = "data/sim/sim.db"

func dbFlag(flags *flag.FlagSet, db *string) {
	flags.StringVar(db, "db", cmp.Or(os.Getenv("MARQUEE_DB"), defaultDB),
		"the shop's SQLite file or postgres:// URL; postgres: a server of its own (MARQUEE_DB)")
}

// options are the flags of the simulators and the shop.
type options struct {
	addr, simAddr, adminAddr, db string
	tlsAddr, authority, hosts    string
	portsFile, preset            string
	failOn                       []journal.Verdict
	providersOnly, captcha       bool
	seed                         uint64
	maxWorlds                    int
	maxTrades, maxOrders         int
	apps                         []int
	idle                         time.Duration
}

// run executes the command that the first argument names, or serves if that is a flag or missing.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		return serve(ctx, args, stdout, stderr)
	}
	if args[0] == "help" {
		return runHelp(ctx, args[1:], stdout, stderr)
	}
	c, err := commandNamed(args[0])
	if err != nil {
		return err
	}
	return c.run(ctx, args[1:], stdout, stderr)
}

// serve serves the simulators, with or without the shop, until ctx ends.
func serve(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o options
	flags := newFlags("sim")
	flags.StringVar(&o.addr, "addr", cmp.Or(os.Getenv("MARQUEE_ADDR"), "127.0.0.1:8080"),
		"where the shop listens (MARQUEE_ADDR)")
	flags.StringVar(&o.simAddr, "sim-addr", cmp.Or(os.Getenv("MARQUEE_SIM_ADDR"), "127.0.0.1:9090"),
		"where the simulators listen (MARQUEE_SIM_ADDR)")
	flags.StringVar(&o.tlsAddr, "sim-tls-addr", os.Getenv("MARQUEE_SIM_TLS_ADDR"),
		"where the simulators listen for HTTPS; none: off; empty: "+defaultTLSAddr+
			" or any free port (MARQUEE_SIM_TLS_ADDR)")
	flags.StringVar(&o.authority, "sim-authority", cmp.Or(os.Getenv("MARQUEE_SIM_AUTHORITY"), defaultAuthority),
		"file in which the authority of HTTPS is kept between runs (MARQUEE_SIM_AUTHORITY)")
	flags.StringVar(&o.hosts, "sim-hosts", os.Getenv("MARQUEE_SIM_HOSTS"),
		"further names by which the simulators are called, separated by commas, such as a container's "+
			"(MARQUEE_SIM_HOSTS)")
	apps := flags.String("sim-apps", os.Getenv("MARQUEE_SIM_APPS"),
		"apps of the default world: ports of this machine, separated by commas, whose web apps the phone shows as "+
			"<port>.inapp.localhost (MARQUEE_SIM_APPS)")
	flags.StringVar(&o.portsFile, "ports-file", "",
		"file in which the addresses are written as JSON once all are served")
	flags.StringVar(&o.preset, "preset", "", "YAML file with the state in which the simulators begin, or one of "+
		strings.Join(preset.Names(), ", "))
	failOn := flags.String("fail-on", "", "verdicts of the journal; a call with one of them makes the exit status 3")
	flags.StringVar(&o.adminAddr, "admin-addr", cmp.Or(os.Getenv("MARQUEE_ADMIN_ADDR"), "127.0.0.1:0"),
		"where the shop's metrics, probes and profiles are; port 0: any free one; none: off (MARQUEE_ADMIN_ADDR)")
	dbFlag(flags, &o.db)
	flags.BoolVar(&o.providersOnly, "providers-only", false, "run the simulators without the shop")
	flags.BoolVar(&o.captcha, "captcha", false, "ask for a challenge before a code is sent to a stranger")
	flags.Uint64Var(&o.seed, "seed", 1, "seed of the simulated world")
	flags.IntVar(&o.maxWorlds, "max-worlds", 200, "how many worlds there may be besides the default one")
	flags.IntVar(&o.maxTrades, "max-trades", 50_000, "how many trades each world keeps; paid ones are never dropped")
	flags.IntVar(&o.maxOrders, "max-orders", 10_000, "how many ticket orders each provider of a world keeps")
	flags.DurationVar(&o.idle, "world-idle", 30*time.Minute, "after how long without a call a world is gone")
	showVersion := flags.Bool("version", false, "print the build and exit")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, usage, summaries())
		flags.SetOutput(stdout)
		flags.PrintDefaults()
		return nil
	} else if err != nil {
		return withFailureStatus(fmt.Errorf("%w (sim -help lists what there is)", err))
	}
	if flags.NArg() > 0 {
		return withFailureStatus(fmt.Errorf("sim takes flags only, not %q; a command comes first (sim help lists them)",
			flags.Arg(0)))
	}
	if *showVersion {
		_, err := fmt.Fprintln(stdout, version)
		return err
	}
	if err := refuseProduction(os.Getenv, o.seed); err != nil {
		return err
	}
	if o.maxWorlds < 1 || o.idle <= 0 || o.maxTrades < 1 || o.maxOrders < 1 {
		return withFailureStatus(errors.New("-max-worlds, -max-trades, -max-orders and -world-idle must be positive"))
	}
	var err error
	if o.failOn, err = verdictsOf(*failOn); err != nil {
		return withFailureStatus(err)
	}
	if o.apps, err = portsOf(*apps); err != nil {
		return withFailureStatus(err)
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	if !o.providersOnly {
		return runShop(ctx, o, log, stdout)
	}
	return runProviders(ctx, o, log, stdout)
}

// portsOf reads the ports of -sim-apps.
func portsOf(text string) (ports []int, err error) {
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		port, err := strconv.Atoi(part)
		if err != nil || port < 1 || port > 65535 {
			return nil, fmt.Errorf("-sim-apps: %q is not a port from 1 to 65535", part)
		}
		ports = append(ports, port)
	}
	return ports, nil
}

// runProviders runs the simulators without the shop until ctx ends.
func runProviders(ctx context.Context, o options, log *slog.Logger, stdout io.Writer) error {
	sims, err := startSimulators(o, nil, log)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // on a developer's machine little memory matters more than speed
	}
	sims.Default().SetPush("http://" + o.addr + "/notify/gateway")
	printSimulators(stdout, sims)
	served := ports{Simulators: sims.URL(), HTTPS: sims.TLSURL(), PID: os.Getpid()}
	if err := served.write(o.portsFile); err != nil {
		return errors.Join(err, sims.Close())
	}
	<-ctx.Done()
	return errors.Join(sims.Close(), summarize(sims, o.failOn, stdout))
}

func printSimulators(stdout io.Writer, sims *simulators.Simulators) {
	if url := sims.TLSURL(); url != "" {
		fmt.Fprintf(stdout, "https       %s, trust %s/sim/v1/ca.pem\n", url, sims.URL())
	}
	fmt.Fprintf(stdout, "simulators  %s\n", sims.URL())
}

// defaultAuthority is where the authority of HTTPS is kept unless they are told otherwise.
const defaultAuthority = "data/sim-authority.pem"

// defaultTLSAddr is where the simulators listen for HTTPS unless they are told otherwise.
const defaultTLSAddr = "127.0.0.1:9443"

// startSimulators serves the simulators and the console. A nil clock shows real time.
func startSimulators(o options, clock *testclock.Clock, log *slog.Logger) (*simulators.Simulators, error) {
	options := simulators.Options{
		Addr: o.simAddr, TLSAddr: cmp.Or(o.tlsAddr, defaultTLSAddr), Hosts: strings.Split(o.hosts, ","), Seed: o.seed,
		Clock: clock, AppURL: "http://" + o.addr, Logger: log, MaxWorlds: o.maxWorlds, Idle: o.idle,
		MaxTrades: o.maxTrades, MaxOrders: o.maxOrders, Apps: o.apps,
		Console: web.Console(),
	}
	if options.TLSAddr == "none" {
		options.TLSAddr = ""
	}
	if o.authority != "" {
		authority, err := certs.Open(o.authority)
		var unwritable *fs.PathError
		switch {
		case err == nil:
			options.Authority = authority
		case o.authority == defaultAuthority && errors.As(err, &unwritable):
			log.Warn("the certificate of HTTPS is new and not kept: its file cannot be written", "file", o.authority,
				"error", err)
		default:
			return nil, coded("authority_unusable", fmt.Errorf("-sim-authority %s: %w", o.authority, err))
		}
	}
	var text []byte
	if o.preset != "" {
		var err error
		if text, err = preset.Read(o.preset); err != nil {
			return nil, coded("preset_unreadable", err)
		}
	}
	sims, err := simulators.Start(options)
	if o.tlsAddr == "" && errors.Is(err, syscall.EADDRINUSE) { // of the default, which another run may have
		options.TLSAddr = "127.0.0.1:0"
		sims, err = simulators.Start(options)
	}
	if err != nil {
		return nil, err
	}
	if o.preset != "" {
		if err := preset.Apply(sims, o.preset, text); err != nil {
			return nil, coded("preset_invalid", errors.Join(err, sims.Close()))
		}
	}
	return sims, nil
}

// runShop serves the simulators and a shop on the clock of the default world. It claims the database first, so that no
// other process serves it.
func runShop(ctx context.Context, o options, log *slog.Logger, stdout io.Writer) (err error) {
	file := clockFile(o.db)
	if o.db == ownPostgres {
		url, stop, err := startPostgres(ctx, filepath.Dir(defaultDB), "sim with the shop on http://"+o.addr, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
		o.db = url
		fmt.Fprintf(stdout, "database    %s\n", url)
	}
	claim, err := app.TakeClaim(o.db, "sim with the shop on http://"+o.addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	clock, err := resumedClock(ctx, o.db, file, log)
	if err != nil {
		return err
	}
	keepClock(clock, file, log)
	resumed := clock.State()
	sims, err := startSimulators(o, clock, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sims.Close()) }()
	shop, listener, err := openShop(ctx, o, sims, log)
	if err != nil {
		return err
	}
	admin, err := app.ListenAdmin(ctx, o.adminAddr)
	if err != nil {
		return errors.Join(err, listener.Close(), shop.Close())
	}
	if ahead := time.Until(resumed.Now); resumed.Frozen || ahead > time.Second {
		standing := ""
		if resumed.Frozen {
			standing = " and stands still"
		}
		fmt.Fprintf(stdout, "clock       %s, %s ahead: business time goes on from where the last run left it%s\n",
			clock.Now().In(dataset.Zone).Format(time.DateTime), ahead.Round(time.Second), standing)
	}
	fmt.Fprintf(stdout, "shop        %s\n", sims.Default().AppURL())
	printSimulators(stdout, sims)
	fmt.Fprintf(stdout, "phone       %s/phone\n", sims.URL())
	served := ports{Simulators: sims.URL(), HTTPS: sims.TLSURL(), Shop: sims.Default().AppURL(), PID: os.Getpid()}
	if admin != nil {
		served.Admin = "http://" + admin.Addr().String()
		fmt.Fprintf(stdout, "metrics     http://%s/metrics\n", admin.Addr())
	}
	fmt.Fprintln(stdout, "Providers are simulated: no ticket, message or payment is real.")
	if err := served.write(o.portsFile); err != nil {
		return errors.Join(err, listener.Close(), shop.Close())
	}
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { shop.Run(ctx); return nil })
	work.Go(func() error { return shop.ServeAdmin(ctx, admin) })
	work.Go(func() error { return shop.Serve(ctx, listener) })
	return errors.Join(work.Wait(), shop.Close(), summarize(sims, o.failOn, stdout))
}
