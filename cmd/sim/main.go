// Command sim runs the full stack offline: the simulated providers and the shop in one process, on one clock.
//
//	sim                   simulators and shop
//	sim --providers-only  only the simulators
//	sim --version         print the build
//	sim --help            list the commands, which commands.go holds
//	sim run --help        list the flags and the variables
package main

import (
	"cmp"
	"context"
	"errors"
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

// defaultDB is where the shop of `make sim` keeps its data.
const defaultDB = "data/sim/sim.db"

// options are the flags of the simulators and the shop. The help of a flag contains the variable that also sets it.
type options struct {
	Addr          string        `default:"${addr}" help:"Where the shop listens (MARQUEE_ADDR)."`
	SimAddr       string        `default:"${simAddr}" help:"Where the simulators listen (MARQUEE_SIM_ADDR)."`
	TLSAddr       string        `name:"sim-tls-addr" default:"${tlsAddr}" help:"Where the simulators listen for HTTPS; none: off; empty: ${defaultTLSAddr} or any free port (MARQUEE_SIM_TLS_ADDR)."`
	Authority     string        `name:"sim-authority" default:"${authority}" help:"File in which the authority of HTTPS is kept between runs; empty: a new certificate for each run, and no file (MARQUEE_SIM_AUTHORITY)."`
	Hosts         string        `name:"sim-hosts" default:"${hosts}" help:"Further host names of the simulators, separated by commas, such as a container's (MARQUEE_SIM_HOSTS)."`
	Apps          ports         `name:"sim-apps" default:"${apps}" help:"Apps of the default world: ports of this machine, separated by commas, whose web apps the phone shows as <port>.inapp.localhost (MARQUEE_SIM_APPS)."`
	AdminAddr     string        `default:"${adminAddr}" help:"Where the shop's metrics, probes and profiles are; port 0: any free one; none: off (MARQUEE_ADMIN_ADDR)."`
	DB            string        `name:"db" default:"${db}" help:"${dbHelp}"`
	PortsFile     string        `help:"File to which the addresses are written as JSON once all are served."`
	Preset        string        `help:"YAML file with the state in which the simulators begin, or one of ${presets}."`
	FailOn        verdicts      `help:"Verdicts of the journal; a call with one of them makes the exit status 3."`
	ProvidersOnly bool          `help:"Run the simulators without the shop."`
	Captcha       bool          `help:"Ask for a challenge before a code is sent to an unknown device."`
	Seed          uint64        `default:"1" help:"Seed of the simulated world."`
	MaxWorlds     int           `default:"200" help:"How many worlds there may be in addition to the default one."`
	MaxTrades     int           `default:"50000" help:"How many trades each world keeps; paid ones are never dropped."`
	MaxOrders     int           `default:"10000" help:"How many ticket orders each provider of a world keeps."`
	WorldIdle     time.Duration `default:"30m" help:"How long a world without calls is kept."`
}

// Help implements kong.HelpProvider.
func (*options) Help() string { return runStatus }

// Run serves the simulators, with or without the shop, until ctx ends.
func (o *options) Run(ctx context.Context, p *process) error {
	if err := checkNotProduction(os.Getenv, o.Seed); err != nil {
		return err
	}
	if o.MaxWorlds < 1 || o.WorldIdle <= 0 || o.MaxTrades < 1 || o.MaxOrders < 1 {
		return withFailureStatus(errors.New("-max-worlds, -max-trades, -max-orders and -world-idle must be positive"))
	}
	log := slog.New(slog.NewTextHandler(p.stderr, nil))
	if !o.ProvidersOnly {
		return runShop(ctx, *o, log, p.stdout)
	}
	return runProviders(ctx, *o, log, p.stdout)
}

// ports is a flag with TCP ports of this machine.
type ports []int

// UnmarshalText reads ports that are separated by commas.
func (p *ports) UnmarshalText(text []byte) error {
	*p = nil
	for part := range strings.SplitSeq(string(text), ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		port, err := strconv.Atoi(part)
		if err != nil || port < 1 || port > 65535 {
			return fmt.Errorf("%q is not a port from 1 to 65535", part)
		}
		*p = append(*p, port)
	}
	return nil
}

// runProviders runs the simulators without the shop until ctx ends.
func runProviders(ctx context.Context, o options, log *slog.Logger, stdout io.Writer) error {
	sims, err := startSimulators(o, nil, log)
	if err != nil {
		return err
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(50) // on a developer's machine, low memory use matters more than speed
	}
	sims.Default().SetPush("http://" + o.Addr + "/notify/gateway")
	printSimulators(stdout, sims)
	served := addresses{Simulators: sims.URL(), HTTPS: sims.TLSURL(), PID: os.Getpid()}
	if err := served.write(o.PortsFile); err != nil {
		return errors.Join(err, sims.Close())
	}
	<-ctx.Done()
	return errors.Join(sims.Close(), summarize(sims, o.FailOn, stdout))
}

func printSimulators(stdout io.Writer, sims *simulators.Simulators) {
	if url := sims.TLSURL(); url != "" {
		fmt.Fprintf(stdout, "https       %s, trust %s/sim/v1/ca.pem\n", url, sims.URL())
	}
	fmt.Fprintf(stdout, "simulators  %s\n", sims.URL())
}

// defaultAuthority is the default file of the certificate authority for HTTPS.
const defaultAuthority = "data/sim-authority.pem"

// defaultTLSAddr is where the simulators listen for HTTPS by default.
const defaultTLSAddr = "127.0.0.1:9443"

// openAuthority reads the certificate authority for HTTPS from a file, or makes one and writes it there. If the default
// file cannot be written, it returns a temporary authority, which is not kept.
func openAuthority(file string, names []string, log *slog.Logger) (*certs.Authority, error) {
	authority, err := certs.Open(file, names)
	var unwritable *fs.PathError
	if file == defaultAuthority && errors.As(err, &unwritable) {
		log.Warn("the certificate authority for HTTPS cannot be saved: a temporary one is used until this run ends",
			"file", file, "error", err)
		return certs.New(names)
	}
	if err != nil {
		return nil, coded("authority_unusable", fmt.Errorf("-sim-authority %s: %w", file, err))
	}
	return authority, nil
}

// startSimulators serves the simulators and the console. If clock is nil, business time is real time.
func startSimulators(o options, clock *testclock.Clock, log *slog.Logger) (*simulators.Simulators, error) {
	options := simulators.Options{
		Addr: o.SimAddr, TLSAddr: cmp.Or(o.TLSAddr, defaultTLSAddr), Hosts: strings.Split(o.Hosts, ","), Seed: o.Seed,
		Clock: clock, AppURL: "http://" + o.Addr, Logger: log, MaxWorlds: o.MaxWorlds, Idle: o.WorldIdle,
		MaxTrades: o.MaxTrades, MaxOrders: o.MaxOrders, Apps: o.Apps,
		Console: web.Console(),
	}
	if options.TLSAddr == "none" {
		options.TLSAddr = ""
	}
	if o.Authority != "" {
		options.Authority = func(names []string) (*certs.Authority, error) { return openAuthority(o.Authority, names, log) }
	}
	var text []byte
	if o.Preset != "" {
		var err error
		if text, err = preset.Read(o.Preset); err != nil {
			return nil, coded("preset_unreadable", err)
		}
	}
	sims, err := simulators.Start(options)
	if o.TLSAddr == "" && errors.Is(err, syscall.EADDRINUSE) { // another run may use the default port
		options.TLSAddr = "127.0.0.1:0"
		sims, err = simulators.Start(options)
	}
	if err != nil {
		return nil, err
	}
	if o.Preset != "" {
		if err := preset.Apply(sims, o.Preset, text); err != nil {
			return nil, coded("preset_invalid", errors.Join(err, sims.Close()))
		}
	}
	return sims, nil
}

// runShop serves the simulators and a shop that uses their default world (the set of simulated providers that every run
// has) and its clock. It claims the database first, so that no other process serves it.
func runShop(ctx context.Context, o options, log *slog.Logger, stdout io.Writer) (err error) {
	file := clockFile(o.DB)
	if o.DB == managedPostgres {
		url, stop, err := startPostgres(ctx, filepath.Dir(defaultDB), "sim with the shop on http://"+o.Addr, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
		o.DB = url
		fmt.Fprintf(stdout, "database    %s\n", url)
	}
	claim, err := app.TakeClaim(o.DB, "sim with the shop on http://"+o.Addr)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	clock, err := resumedClock(ctx, o.DB, file, log)
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
	admin, err := app.ListenAdmin(ctx, o.AdminAddr)
	if err != nil {
		return errors.Join(err, listener.Close(), shop.Close())
	}
	if ahead := time.Until(resumed.Now); resumed.Frozen || ahead > time.Second {
		standing := ""
		if resumed.Frozen {
			standing = " and stopped"
		}
		fmt.Fprintf(stdout, "clock       %s, %s ahead: business time continues from the last run or the latest record%s\n",
			clock.Now().In(dataset.Zone).Format(time.DateTime), ahead.Round(time.Second), standing)
	}
	fmt.Fprintf(stdout, "shop        %s\n", sims.Default().AppURL())
	printSimulators(stdout, sims)
	fmt.Fprintf(stdout, "phone       %s/phone\n", sims.URL())
	served := addresses{Simulators: sims.URL(), HTTPS: sims.TLSURL(), Shop: sims.Default().AppURL(), PID: os.Getpid()}
	if admin != nil {
		served.Admin = "http://" + admin.Addr().String()
		fmt.Fprintf(stdout, "metrics     http://%s/metrics\n", admin.Addr())
	}
	fmt.Fprintln(stdout, "Providers are simulated: no ticket, message or payment is real.")
	if err := served.write(o.PortsFile); err != nil {
		return errors.Join(err, listener.Close(), shop.Close())
	}
	work, ctx := errgroup.WithContext(ctx)
	work.Go(func() error { shop.Run(ctx); return nil })
	work.Go(func() error { return shop.ServeAdmin(ctx, admin) })
	work.Go(func() error { return shop.Serve(ctx, listener) })
	return errors.Join(work.Wait(), shop.Close(), summarize(sims, o.FailOn, stdout))
}
