package main

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-chi/chi/v5"

	"marquee/server/platform"
)

// client keeps a connection open for each buyer, so that the figures do not include the time to connect.
var client = &http.Client{
	Timeout: 30 * time.Second,
	Transport: &http.Transport{
		MaxIdleConns:        512,
		MaxIdleConnsPerHost: 512,
		IdleConnTimeout:     time.Minute,
		DisableCompression:  true,
	},
}

func post(ctx context.Context, address string, form url.Values) ([]byte, error) {
	return postWith(ctx, client, address, form)
}

func postWith(ctx context.Context, by *http.Client, address string, form url.Values) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := by.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

// result is the result of a load: operations a second, and their latencies in ascending order.
type result struct {
	rate      float64
	latencies []time.Duration
	cpu       time.Duration // processor time of this process for an operation
	failures  int64
	failure   error // the last one
}

func (r result) quantile(q float64) time.Duration {
	if len(r.latencies) == 0 {
		return 0
	}
	return r.latencies[min(len(r.latencies)-1, int(q*float64(len(r.latencies))))]
}

// drive lets a number of clients run op as often as they can for the duration d. op gets the number of its client.
func drive(ctx context.Context, clients int, d time.Duration, op func(ctx context.Context, client int) error) result {
	ctx, cancel := context.WithTimeout(ctx, d+30*time.Second)
	defer cancel()
	var failures atomic.Int64
	var failure atomic.Pointer[error]
	all := make([][]time.Duration, clients)
	start, before := time.Now(), platform.ProcessorTime()
	var wg sync.WaitGroup
	for c := range clients {
		wg.Go(func() {
			for time.Since(start) < d && ctx.Err() == nil {
				began := time.Now()
				if err := op(ctx, c); err != nil {
					failures.Add(1)
					failure.Store(&err)
					continue
				}
				all[c] = append(all[c], time.Since(began))
			}
		})
	}
	wg.Wait()
	took, used := time.Since(start), platform.ProcessorTime()-before
	latencies := slices.Concat(all...)
	slices.Sort(latencies)
	r := result{rate: float64(len(latencies)) / took.Seconds(), latencies: latencies, failures: failures.Load()}
	r.cpu = used / time.Duration(max(1, len(latencies)))
	if err := failure.Load(); err != nil {
		r.failure = *err
	}
	return r
}

// syncRate measures how many writes of 4 KiB, each followed by fsync, the disk of dir completes in a second.
func syncRate(dir string, d time.Duration) (float64, error) {
	f, err := os.Create(filepath.Join(dir, "sync"))
	if err != nil {
		return 0, err
	}
	defer os.Remove(f.Name())
	defer f.Close()
	block := make([]byte, 4096)
	n := 0
	start := time.Now()
	for time.Since(start) < d {
		if _, err := f.WriteAt(block, int64(n%1024)*4096); err != nil {
			return 0, err
		}
		if err := f.Sync(); err != nil {
			return 0, err
		}
		n++
	}
	return float64(n) / time.Since(start).Seconds(), nil
}

// bare serves a chi handler that only decodes a form and answers with the given body. It is the reference with which
// the project's handlers are compared.
func bare(body []byte) (address string, stop func() error, err error) {
	r := chi.NewRouter()
	r.Post("/*", func(w http.ResponseWriter, req *http.Request) {
		if err := req.ParseForm(); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body)
	})
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("listen: %w", err)
	}
	server := &http.Server{Handler: r, ReadHeaderTimeout: 5 * time.Second}
	go func() { _ = server.Serve(l) }()
	return "http://" + l.Addr().String(), server.Close, nil
}
