package main

import (
	"cmp"
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

// clusterOptions are the flags of sim cluster.
type clusterOptions struct {
	addr, simAddr, dir, db, shop string
	replicas                     int
}

// runCluster serves PostgreSQL, the simulators and several replicas of the shop behind a balancer, until ctx ends.
// Every replica is a process of bin/shop, so that it can be killed. The replicas run on real time.
func runCluster(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	var o clusterOptions
	flags := newFlags("cluster")
	flags.StringVar(&o.addr, "addr", cmp.Or(os.Getenv("MARQUEE_ADDR"), "127.0.0.1:8080"),
		"where the balancer listens, the address of the shop (MARQUEE_ADDR)")
	flags.StringVar(&o.simAddr, "sim-addr", cmp.Or(os.Getenv("MARQUEE_SIM_ADDR"), "127.0.0.1:9090"),
		"where the simulators listen (MARQUEE_SIM_ADDR)")
	flags.IntVar(&o.replicas, "replicas", 3, "how many replicas of the shop there are")
	flags.StringVar(&o.dir, "dir", "data/cluster", "folder of the database and of the logs")
	flags.StringVar(&o.db, "db", "", "database of the shop; empty: a PostgreSQL server of its own in -dir")
	flags.StringVar(&o.shop, "shop", besideThisProgram("shop"), "the program of a replica")
	if err := parse(flags, stdout, args, "addr", "sim-addr", "dir", "shop"); err != nil {
		return err
	}
	if err := refuseProduction(os.Getenv, 1); err != nil {
		return err
	}
	if o.replicas < 1 {
		return withFailureStatus(errors.New("-replicas must be positive"))
	}
	if _, err := os.Stat(o.shop); err != nil {
		return withFailureStatus(fmt.Errorf("the program of the replicas is missing, run make build: %w", err))
	}
	return serveCluster(ctx, o, stdout, slog.New(slog.NewTextHandler(stderr, nil)))
}

// besideThisProgram returns the path of another program in the folder of this one.
func besideThisProgram(name string) string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Join(filepath.Dir(path), name)
}

func serveCluster(ctx context.Context, o clusterOptions, stdout io.Writer, log *slog.Logger) (err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.addr)
	if err != nil {
		return fmt.Errorf("listen for the balancer on %s: %w", o.addr, err)
	}
	o.addr = listener.Addr().String()
	defer func() {
		if closed := listener.Close(); !errors.Is(closed, net.ErrClosed) { // the cluster closes it
			err = errors.Join(err, closed)
		}
	}()
	if o.db == "" {
		fmt.Fprintln(stdout, "starting PostgreSQL …")
		url, stop, err := startPostgres(ctx, o.dir, "sim cluster on http://"+o.addr, log)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, stop()) }()
		o.db = url
	}
	clock := testclock.New()
	sims, err := startSimulators(options{addr: o.addr, simAddr: o.simAddr, seed: 1, maxWorlds: 200}, clock, log)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sims.Close()) }()
	fmt.Fprintln(stdout, "filling the database …")
	if err := seedCluster(ctx, o, sims, log); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "starting %d replicas …\n", o.replicas)
	running, err := cluster.Start(ctx, cluster.Options{
		Listener: listener, Binary: o.shop, Replicas: o.replicas, Environment: replicaEnvironment(o, sims), Dir: o.dir,
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

// seedCluster brings the schema of the database up to date and adds the demo data.
func seedCluster(ctx context.Context, o clusterOptions, sims *simulators.Simulators, log *slog.Logger) error {
	shop, err := newShop(ctx, options{db: o.db, adminAddr: "none"}, "http://"+o.addr, sims, log)
	if err != nil {
		return err
	}
	return shop.Close()
}

// replicaEnvironment is the environment of every replica, apart from its addresses.
func replicaEnvironment(o clusterOptions, sims *simulators.Simulators) map[string]string {
	environment := maps.Clone(sims.Default().ShopEnvironment())
	environment["MARQUEE_DB"] = o.db
	environment["PATH"] = os.Getenv("PATH")
	return environment
}

func printCluster(stdout io.Writer, o clusterOptions, c *cluster.Cluster, sims *simulators.Simulators) {
	fmt.Fprintf(stdout, "\nshop        %s, the balancer in front of:\n", c.URL())
	for _, r := range c.Replicas {
		fmt.Fprintf(stdout, "  %s %s, metrics %s/metrics, process %d\n", r.Name, r.URL, r.AdminURL, r.PID())
	}
	fmt.Fprintf(stdout, "simulators  %s\nphone       %s/phone\ndatabase    %s\nlogs        %s\n",
		sims.URL(), sims.URL(), o.db, filepath.Join(o.dir, "replica-*.log"))
	fmt.Fprintln(stdout, "Providers are simulated: no ticket, message or payment is real.")
	fmt.Fprintln(stdout, "\nKill a replica, also while you pay. It is started again, and the purchase is completed:")
	fmt.Fprintf(stdout, "  kill -9 %d\nVerify the books:\n  MARQUEE_DB='%s' bin/shop verify\n", c.Replicas[0].PID(),
		o.db)
}
