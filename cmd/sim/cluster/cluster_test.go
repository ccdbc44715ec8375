package cluster

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

// fake is the variable with which this test binary is a replica: it answers with its process id, and drains as a shop
// does. Its value "broken" makes it end at once.
const fake = "CLUSTER_TEST_REPLICA"

func TestMain(m *testing.M) {
	switch os.Getenv(fake) {
	case "":
		os.Exit(m.Run())
	case "broken":
		fmt.Println("the database is of a later release")
		os.Exit(1)
	}
	if err := serveReplica(); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}

func serveReplica() error {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	delay, err := time.ParseDuration(os.Getenv("MARQUEE_DRAIN_DELAY"))
	if err != nil {
		return err
	}
	server := &http.Server{
		Addr: os.Getenv("MARQUEE_ADDR"), ReadHeaderTimeout: time.Second,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/readyz" && ctx.Err() != nil {
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			_, _ = io.WriteString(w, strconv.Itoa(os.Getpid()))
		}),
	}
	done := make(chan error, 1)
	context.AfterFunc(ctx, func() {
		<-time.After(delay)
		done <- server.Shutdown(context.Background())
	})
	if err := server.ListenAndServe(); ctx.Err() == nil {
		return err
	}
	return <-done
}

func options(t *testing.T, kind string) Options {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	program, err := os.Executable()
	require.NoError(t, err)
	return Options{
		Listener: listener, Binary: program, Replicas: 3, Dir: t.TempDir(), Environment: map[string]string{fake: kind},
	}
}

func start(t *testing.T) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), options(t, "good"))
	require.NoError(t, err)
	return c
}

// post sends a request as a buyer's app does, and repeats it if it got no answer.
func post(t *testing.T, url string) string {
	t.Helper()
	for {
		resp, err := http.Post(url, "", nil)
		require.NoError(t, err)
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		if resp.StatusCode == http.StatusOK {
			return string(body)
		}
	}
}

func TestCluster_StartsAKilledReplicaAgain(t *testing.T) {
	t.Parallel()
	c := start(t)
	pids := map[int]bool{}
	for _, r := range c.Replicas {
		pids[r.PID()] = true
	}
	require.Len(t, pids, 3)
	require.NoError(t, c.Replicas[1].Kill())
	require.Eventually(t, func() bool {
		pid := c.Replicas[1].PID()
		return pid != 0 && !pids[pid]
	}, 20*time.Second, time.Millisecond)
	again := strconv.Itoa(c.Replicas[1].PID())
	require.Eventually(t, func() bool { return post(t, c.URL()) == again }, 20*time.Second, time.Millisecond)
	ended := c.Replicas[1].PID()
	require.NoError(t, c.Close())
	process, err := os.FindProcess(ended)
	require.NoError(t, err)
	require.ErrorIs(t, process.Signal(syscall.Signal(0)), os.ErrProcessDone)
	require.NoError(t, c.Replicas[1].Kill(), "a replica that is down")
}

func TestCluster_ARollingRestartLosesNoRequest(t *testing.T) {
	t.Parallel()
	c := start(t)
	var load errgroup.Group
	var answers atomic.Int64
	restarted := make(chan struct{})
	for range 8 {
		load.Go(func() error {
			for {
				select {
				case <-restarted:
					return nil
				default:
				}
				resp, err := http.Post(c.URL(), "", nil)
				if err != nil {
					return err
				}
				_ = resp.Body.Close()
				if resp.StatusCode != http.StatusOK {
					return fmt.Errorf("status %s", resp.Status)
				}
				answers.Add(1)
			}
		})
	}
	before := c.Replicas[0].PID()
	require.NoError(t, c.RollingRestart(t.Context()))
	close(restarted)
	require.NoError(t, load.Wait())
	require.NotEqual(t, before, c.Replicas[0].PID())
	require.Positive(t, answers.Load())
	require.NoError(t, c.Close())
}

func TestCluster_ReplacesTheProgramOfOneReplica(t *testing.T) {
	t.Parallel()
	o := options(t, "good")
	c, err := Start(t.Context(), o)
	require.NoError(t, err)
	next := filepath.Join(t.TempDir(), "next")
	require.NoError(t, os.Symlink(o.Binary, next))
	require.NoError(t, c.Replace(t.Context(), c.Replicas[1], next))
	for n, r := range c.Replicas {
		// The first argument is the path that the process was started with.
		command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", r.PID()))
		require.NoError(t, err)
		want := o.Binary
		if n == 1 {
			want = next
		}
		require.Equal(t, want+"\x00", string(command), r.Name)
	}
	require.NoError(t, c.Close())
}

func TestStart_ReportsWhyAReplicaEnded(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), options(t, "broken"))
	require.ErrorContains(t, err, "replica 1 ended while it started")
	require.ErrorContains(t, err, "the database is of a later release")
	missing := options(t, "good")
	missing.Binary += ".missing"
	_, err = Start(t.Context(), missing)
	require.ErrorContains(t, err, "make build")
}
