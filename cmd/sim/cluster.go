package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"os"
	"path/filepath"

	"marquee/cmd/sim/cluster"
	"marquee/simulators"
	"marquee/simulators/testclock"
)

// clusterCommand serves PostgreSQL, the simulators and several replicas of the shop behind a balancer. Every replica is
// a process of bin/shop, so that it can be killed. The replicas run on real time.
type clusterCommand struct {
	Addr     string `default:"${addr}" help:"Where the balancer listens, the address of the shop (MARQUEE_ADDR)."`
	SimAddr  string `default:"${simAddr}" help:"Where the simulators listen (MARQUEE_SIM_ADDR)."`
	Replicas int    `default:"3" help:"How many replicas of the shop there are."`
	Dir      string `default:"data/cluster" help:"Folder of the database and of the logs."`
	DB       string `name:"db" help:"Database of the shop; empty: a separate PostgreSQL server in --dir."`
	Shop     string `default:"${shop}" help:"The program of a replica."`
}

// Help implements kong.HelpProvider.
func (clusterCommand) Help() string {
	return "Every replica is a process, so that it can be killed; it is started again.\n\n" +
		"Exit status: 0 after Ctrl-C, 1 if it could not start or failed, 2 if a flag is wrong."
}

// Run serves until ctx ends.
func (c clusterCommand) Run(ctx context.Context, p *process) error {
	if err := checkNotProduction(os.Getenv, 1); err != nil {
		return err
	}
	if c.Replicas < 1 {
		return withFailureStatus(errors.New("-replicas must be positive"))
	}
	if _, err := os.Stat(c.Shop); err != nil {
		return withFailureStatus(fmt.Errorf("the program of the replicas is missing, run make build: %w", err))
	}
	return serveCluster(ctx, c, p.stdout, slog.New(slog.NewTextHandler(p.stderr, nil)))
}

// siblingProgram returns the path of another program in the folder of this one.
func siblingProgram(name string) string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(path), name)
}

func serveCluster(ctx context.Context, o clusterCommand, stdout io.Writer, log *slog.Logger) (err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("listen for the balancer on %s: %w", o.Addr, err)
	}
	o.Addr = listener.Addr().String()
	defer func() {
		if closed := listener.Close(); !errors.Is(closed, net.ErrClosed) { // the cluster closes it
			err = errors.Join(err, closed)
		}
	}()
	if o.DB == "" {
		fmt.Fprintln(stdout, "starting PostgreSQL …")
		url, stop, err := startPostgres(ctx, o.Dir, "sim cluster on http://"+o.Addr, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
		o.DB = url
	}
	clock := testclock.New()
	sims, err := startSimulators(options{Addr: o.Addr, SimAddr: o.SimAddr, Seed: 1, MaxWorlds: 200}, clock, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sims.Close()) }()
	fmt.Fprintln(stdout, "filling the database …")
	if err := seedCluster(ctx, o, sims, log); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "starting %d replicas …\n", o.Replicas)
	running, err := cluster.Start(ctx, cluster.Options{
		Listener: listener, Binary: o.Shop, Replicas: o.Replicas, Environment: replicaEnvironment(o, sims), Dir: o.Dir,
		Log: log,
	})
	if err != nil {
		return err
	}
	printCluster(stdout, o, running, sims)
	<-ctx.Done()
	fmt.Fprintln(stdout, "stopping …")
	return running.Close()
}

// seedCluster applies the missing migrations to the database and adds the demo data.
func seedCluster(ctx context.Context, o clusterCommand, sims *simulators.Simulators, log *slog.Logger) error {
	shop, err := newShop(ctx, options{DB: o.DB, AdminAddr: "none"}, "http://"+o.Addr, sims, log)
	if err != nil {
		return err
	}
	return shop.Close()
}

// replicaEnvironment is the environment of every replica, apart from its addresses.
func replicaEnvironment(o clusterCommand, sims *simulators.Simulators) map[string]string {
	environment := maps.Clone(sims.Default().ShopEnvironment())
	environment["MARQUEE_DB"] = o.DB
	environment["PATH"] = os.Getenv("PATH")
	return environment
}

func printCluster(stdout io.Writer, o clusterCommand, c *cluster.Cluster, sims *simulators.Simulators) {
	fmt.Fprintf(stdout, "\nshop        %s, the balancer in front of:\n", c.URL())
	for _, r := range c.Replicas {
		fmt.Fprintf(stdout, "  %s %s, metrics %s/metrics, process %d\n", r.Name, r.URL, r.AdminURL, r.PID())
	}
	fmt.Fprintf(stdout, "simulators  %s\nphone       %s/phone\ndatabase    %s\nlogs        %s\n",
		sims.URL(), sims.URL(), o.DB, filepath.Join(o.Dir, "replica-*.log"))
	fmt.Fprintln(stdout, "Providers are simulated: no ticket, message or payment is real.")
	fmt.Fprintln(stdout, "\nKill a replica, even while you pay. It is started again, and the purchase is completed:")
	fmt.Fprintf(stdout, "  kill -9 %d\nVerify the books:\n  MARQUEE_DB='%s' bin/shop verify\n", c.Replicas[0].PID(),
		o.DB)
}
