// Package balancer distributes the requests of buyers over the replicas of a shop that `make cluster` runs. It behaves
// as the shop requires of any balancer:
//
//   - A replica gets requests while its /readyz answers 200. One that drains finishes the requests that it has.
//   - A request that reached no replica is sent to another one. A request that was sent and got no answer is repeated
//     only if it changes nothing (GET, HEAD, OPTIONS). The client repeats the others, with the same idempotency key.
//   - While no replica is ready, requests wait.
package balancer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// probeInterval is how often each replica is probed for readiness.
	probeInterval = 100 * time.Millisecond
	// probeTimeout is how long the answer to a probe may take.
	probeTimeout = time.Second
	// waitForReplica is how long a request waits while no replica is ready. A database fail-over takes less.
	waitForReplica = 10 * time.Second
	// longestReplay is the size in bytes up to which a body is kept, to be sent to another replica. The forms of the
	// shop have at most 64 KiB.
	longestReplay = 64 << 10
	// maxTries is how many replicas a request is sent to at most.
	maxTries = 4
)

// errNoReplica means that no replica became ready within waitForReplica.
var errNoReplica = errors.New("balancer: no replica is ready")

// Balancer is an http.Handler. Run must run while it serves.
type Balancer struct {
	replicas []*replica
	log      *slog.Logger
	proxy    httputil.ReverseProxy

	mu      sync.Mutex
	changed chan struct{} // closed when a replica becomes ready
	turn    int           // index of the replica that the next request considers first
}

type replica struct {
	url    *url.URL
	ready  atomic.Bool
	active atomic.Int64 // requests without a complete answer
	client *http.Transport
}

// New makes a Balancer for replicas at the given addresses, none of them ready. It returns an error for an address that
// is not an http URL.
func New(addresses []string, log *slog.Logger) (*Balancer, error) {
	b := &Balancer{log: log, changed: make(chan struct{})}
	for _, address := range addresses {
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "http" || u.Host == "" {
			return nil, fmt.Errorf("balancer: %q is not the address of a replica", address)
		}
		b.replicas = append(b.replicas, &replica{url: u, client: &http.Transport{
			DialContext:         (&net.Dialer{Timeout: time.Second}).DialContext,
			MaxIdleConnsPerHost: 256, IdleConnTimeout: time.Minute, DisableCompression: true,
		}})
	}
	b.proxy = httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetXForwarded()
			r.Out.URL.Scheme = "http"
			r.Out.URL.Host = r.In.Host // send replaces it
			r.Out.Host = r.In.Host
		},
		Transport: roundTripper(b.send),
		ErrorLog:  slog.NewLogLogger(log.Handler(), slog.LevelDebug),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			log.WarnContext(r.Context(), "request to a replica failed",
				"method", r.Method, "path", r.URL.Path, "error", err)
			status := http.StatusBadGateway
			if errors.Is(err, errNoReplica) {
				status = http.StatusServiceUnavailable
				w.Header().Set("Retry-After", "1")
			}
			http.Error(w, http.StatusText(status), status)
		},
	}
	return b, nil
}

type roundTripper func(*http.Request) (*http.Response, error)

// RoundTrip implements http.RoundTripper.
func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// ServeHTTP sends a request to a replica and its answer to the client. If the replica ends in the middle of its answer,
// the connection to the client is closed, so that a partial answer never looks complete.
func (b *Balancer) ServeHTTP(w http.ResponseWriter, r *http.Request) { b.proxy.ServeHTTP(w, r) }

// Run probes the replicas for readiness until ctx ends.
func (b *Balancer) Run(ctx context.Context) {
	var probes sync.WaitGroup
	for _, r := range b.replicas {
		probes.Go(func() {
			tick := time.NewTicker(probeInterval)
			defer tick.Stop()
			for {
				b.probe(ctx, r)
				select {
				case <-ctx.Done():
					return
				case <-tick.C:
				}
			}
		})
	}
	probes.Wait()
	for _, r := range b.replicas {
		r.client.CloseIdleConnections()
	}
}

// Ready returns how many replicas are ready.
func (b *Balancer) Ready() (n int) {
	for _, r := range b.replicas {
		if r.ready.Load() {
			n++
		}
	}
	return n
}

func (b *Balancer) probe(ctx context.Context, r *replica) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url.JoinPath("readyz").String(), nil)
	if err != nil {
		b.setReady(r, false, err.Error())
		return
	}
	resp, err := r.client.RoundTrip(req)
	if err != nil {
		b.setReady(r, false, err.Error())
		return
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	b.setReady(r, resp.StatusCode == http.StatusOK, resp.Status)
}

func (b *Balancer) setReady(r *replica, ready bool, reason string) {
	if r.ready.Swap(ready) == ready {
		return
	}
	b.log.Info("replica changed", "replica", r.url.Host, "ready", ready, "reason", reason)
	if ready {
		b.mu.Lock()
		defer b.mu.Unlock()
		close(b.changed)
		b.changed = make(chan struct{})
	}
}

// choose returns the ready replica with the fewest active requests, and counts the request as active there. It waits
// while no replica is ready, and returns errNoReplica after waitForReplica.
func (b *Balancer) choose(ctx context.Context) (*replica, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, waitForReplica, errNoReplica)
	defer cancel()
	for {
		b.mu.Lock()
		changed := b.changed
		b.turn++
		var best *replica
		for i := range b.replicas {
			r := b.replicas[(b.turn+i)%len(b.replicas)]
			if r.ready.Load() && (best == nil || r.active.Load() < best.active.Load()) {
				best = r
			}
		}
		if best != nil {
			best.active.Add(1)
		}
		b.mu.Unlock()
		if best != nil {
			return best, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// send sends a request to one replica after another, until one answers, the request may not be repeated, or maxTries is
// reached.
func (b *Balancer) send(req *http.Request) (*http.Response, error) {
	replay, err := keepBody(req)
	if err != nil {
		return nil, err
	}
	for tries := 1; ; tries++ {
		r, err := b.choose(req.Context())
		if err != nil {
			return nil, err
		}
		out := req.Clone(req.Context())
		out.URL.Host = r.url.Host
		if replay != nil {
			out.Body, _ = replay()
			out.GetBody = replay
		}
		resp, err := r.client.RoundTrip(out)
		if err == nil {
			resp.Body = &countedBody{ReadCloser: resp.Body, replica: r}
			return resp, nil
		}
		r.active.Add(-1)
		if req.Context().Err() != nil {
			return nil, err // the client has disconnected
		}
		b.setReady(r, false, err.Error()) // until the next probe
		if replay == nil || tries == maxTries || !repeatable(req, err) {
			return nil, err
		}
	}
}

// keepBody returns a function that opens the body of a request again, or nil if the body is too long to be kept.
func keepBody(req *http.Request) (func() (io.ReadCloser, error), error) {
	if req.Body == nil || req.ContentLength == 0 {
		return func() (io.ReadCloser, error) { return http.NoBody, nil }, nil
	}
	if req.ContentLength < 0 || req.ContentLength > longestReplay {
		return nil, nil
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, fmt.Errorf("balancer: read the request: %w", err)
	}
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }, nil
}

// repeatable reports whether a request may be sent again after an error: it changes nothing, or it was not sent.
func repeatable(req *http.Request, err error) bool {
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodOptions:
		return true
	}
	var failed *net.OpError
	return errors.As(err, &failed) && failed.Op == "dial"
}

// countedBody is the body of an answer. When it is closed, the request no longer counts as active at its replica.
type countedBody struct {
	io.ReadCloser

	replica *replica
	once    sync.Once
}

// Close closes the body of the answer.
func (c *countedBody) Close() error {
	c.once.Do(func() { c.replica.active.Add(-1) })
	return c.ReadCloser.Close()
}
