package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// started runs the command until the test ends and returns the addresses that it printed.
func started(t *testing.T, args ...string) map[string]string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := run(ctx, args, in, io.Discard)
		ended <- err
		_ = in.CloseWithError(io.EOF)
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-ended, "stops cleanly")
	})
	printed := map[string]string{}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if name, address, ok := strings.Cut(lines.Text(), " "); ok && strings.Contains(address, "http") {
			printed[name] = strings.TrimSpace(address)
		}
		if printed["simulators"] != "" && (printed["phone"] != "" || strings.Contains(fmt.Sprint(args), "providers-only")) {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return printed
}

func status(t *testing.T, url string) int {
	t.Helper()
	resp, err := http.Get(url)
	require.NoError(t, err)
	defer resp.Body.Close()
	return resp.StatusCode
}

func TestRun_SimulatorsAndShop(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "sim.db")
	for range 2 { // the second start finds the first one's database
		t.Run("", func(t *testing.T) {
			at := started(t, "-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db", db)
			require.Equal(t, http.StatusOK, status(t, at["shop"]+"/readyz"))
			require.Equal(t, http.StatusOK, status(t, at["simulators"]+"/sim/v1/health"))
			require.Equal(t, http.StatusOK, status(t, at["phone"]))
			require.Equal(t, http.StatusOK, status(t, at["shop"]+"/newmovie/api/movie/movies?cityId=310100"))
		})
	}
}

func TestRun_ProvidersOnly(t *testing.T) {
	t.Parallel()
	at := started(t, "-providers-only", "-addr", "127.0.0.1:1", "-sim-addr", "127.0.0.1:0")
	require.Equal(t, http.StatusOK, status(t, at["simulators"]+"/sim/v1/health"))
	require.Empty(t, at["shop"])
}

func TestRun_WorldsAsTheFlagsSay(t *testing.T) {
	t.Parallel()
	at := started(t, "-providers-only", "-sim-addr", "127.0.0.1:0", "-max-worlds", "1", "-world-idle", "1h")
	for _, wanted := range []int{http.StatusCreated, http.StatusTooManyRequests} {
		resp, err := http.Post(at["simulators"]+"/sim/v1/worlds", "application/json", strings.NewReader("{}"))
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, wanted, resp.StatusCode)
	}
	require.ErrorContains(t, run(t.Context(), []string{"-world-idle", "0s"}, io.Discard, io.Discard), "positive")
}

func TestRun_Version(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-version"}, &out, io.Discard))
	require.Equal(t, version+"\n", out.String())
}

func TestRun_RefusesProductionAndTakenAddresses(t *testing.T) {
	t.Setenv("MARQUEE_ENV", "production")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), "production")
	t.Setenv("MARQUEE_ENV", "")
	at := started(t, "-providers-only", "-sim-addr", "127.0.0.1:0")
	taken := strings.TrimPrefix(at["simulators"], "http://")
	require.ErrorContains(t, run(t.Context(), []string{"-sim-addr", taken}, io.Discard, io.Discard), taken)
	require.ErrorContains(t, run(t.Context(), []string{"-sim-addr", "127.0.0.1:0", "-addr", taken, "-db", filepath.Join(t.TempDir(), "x.db")},
		io.Discard, io.Discard), taken)
}
