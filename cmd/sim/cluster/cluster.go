// Package cluster runs several replicas of the shop as separate processes behind a balancer, on one database, for the
// command `make cluster` and for the tests that kill replicas. A replica that ends is started again, as systemd or
// Kubernetes would.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"marquee/cmd/sim/balancer"
)

// Options describe a cluster. Every field but Log is required.
type Options struct {
	// Listener is where the balancer serves. Its address is the public one of the shop. Close closes it.
	Listener net.Listener
	// Binary is the path of the shop's program, unless Replace gives a replica another one.
	Binary string
	// Replicas is the number of replicas.
	Replicas int
	// Environment is the environment of every replica without its addresses, which the cluster adds.
	Environment map[string]string
	// Dir receives the log of each replica, in replica-<n>.log.
	Dir string
	// Log records starts and ends of replicas; nil discards it.
	Log *slog.Logger
}

// Cluster is a running set of replicas and their balancer.
type Cluster struct {
	Replicas []*Replica

	url      string
	balancer *balancer.Balancer
	server   *http.Server
	stop     context.CancelFunc // ends the probes of the balancer
	work     errgroup.Group
}

const (
	// drainDelay is how long a replica that stops still accepts requests. The balancer needs a fifth of that time to
	// stop sending requests.
	drainDelay = 500 * time.Millisecond
	// startTimeout bounds the start of a replica, which may wait for a migration.
	startTimeout = time.Minute
)

// Start starts the replicas and returns when every one is ready. If a replica ends before that, it returns an error
// with the last lines of its log. The caller closes the Cluster.
func Start(ctx context.Context, o Options) (_ *Cluster, err error) {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	c := &Cluster{url: "http://" + o.Listener.Addr().String()}
	var addresses []string
	for n := range o.Replicas {
		r, err := newReplica(o, n+1, c.url)
		if err != nil {
			return nil, errors.Join(err, c.releasePorts(), o.Listener.Close())
		}
		c.Replicas = append(c.Replicas, r)
		addresses = append(addresses, r.URL)
	}
	if c.balancer, err = balancer.New(addresses, o.Log); err != nil {
		return nil, errors.Join(err, c.releasePorts(), o.Listener.Close())
	}
	var running context.Context
	running, c.stop = context.WithCancel(context.Background())
	c.work.Go(func() error { c.balancer.Run(running); return nil })
	c.server = &http.Server{
		Handler: c.balancer, ReadHeaderTimeout: 15 * time.Second,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug),
	}
	c.work.Go(func() error {
		if err := c.server.Serve(o.Listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("cluster: serve the balancer: %w", err)
		}
		return nil
	})
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Close())
		}
	}()
	for _, r := range c.Replicas {
		c.work.Go(r.keepRunning)
	}
	for _, r := range c.Replicas {
		if err := r.awaitReady(ctx, 1, 1); err != nil {
			return nil, err
		}
	}
	return c, c.awaitBalancer(ctx)
}

// awaitBalancer returns when the balancer sends requests to every replica.
func (c *Cluster) awaitBalancer(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	return poll(ctx, func() bool { return c.balancer.Ready() == len(c.Replicas) })
}

// URL returns the address of the balancer.
func (c *Cluster) URL() string { return c.url }

// RollingRestart restarts one replica after another with SIGTERM. It waits until a replica is ready again before it
// restarts the next one.
func (c *Cluster) RollingRestart(ctx context.Context) error {
	for _, r := range c.Replicas {
		if err := r.Restart(ctx); err != nil {
			return err
		}
	}
	return c.awaitBalancer(ctx)
}

// Replace restarts a replica, as RollingRestart does, with another program: the next release of the shop. It returns
// when the balancer sends requests to every replica.
func (c *Cluster) Replace(ctx context.Context, r *Replica, binary string) error {
	r.setBinary(binary)
	if err := r.Restart(ctx); err != nil {
		return err
	}
	return c.awaitBalancer(ctx)
}

// Close stops the replicas, which finish the requests in progress, then the balancer. It returns when every process has
// ended.
func (c *Cluster) Close() error {
	var group errgroup.Group
	for _, r := range c.Replicas {
		group.Go(r.stop)
	}
	err := group.Wait()
	c.stop()
	return errors.Join(err, c.server.Close(), c.work.Wait(), c.releasePorts())
}

func (c *Cluster) releasePorts() (err error) {
	for _, r := range c.Replicas {
		for _, p := range r.ports {
			err = errors.Join(err, p.Release())
		}
	}
	return err
}

// newReplica reserves the ports of a replica. The replica keeps them when it is started again.
func newReplica(o Options, n int, public string) (*Replica, error) {
	port, err := ReservePort()
	if err != nil {
		return nil, err
	}
	admin, err := ReservePort()
	if err != nil {
		return nil, errors.Join(err, port.Release())
	}
	r := &Replica{
		Name: fmt.Sprintf("replica %d", n), URL: "http://" + port.Address, AdminURL: "http://" + admin.Address,
		LogFile: filepath.Join(o.Dir, fmt.Sprintf("replica-%d.log", n)),
		ports:   []Port{port, admin},
		log:     o.Log, binary: o.Binary, closing: make(chan struct{}),
	}
	for name, value := range o.Environment {
		r.environment = append(r.environment, name+"="+value)
	}
	r.environment = append(r.environment, "MARQUEE_ADDR="+port.Address, "MARQUEE_ADMIN_ADDR="+admin.Address,
		"MARQUEE_PUBLIC_URL="+public, "MARQUEE_TRUSTED_PROXIES=127.0.0.1/32",
		"MARQUEE_DRAIN_DELAY="+drainDelay.String())
	return r, nil
}

// poll returns when the condition holds, or the error of the context.
func poll(ctx context.Context, holds func() bool) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
	return nil
}
