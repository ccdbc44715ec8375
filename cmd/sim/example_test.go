package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/examples/shell"
)

func TestMain(m *testing.M) {
	if args := os.Getenv(childArgs); args != "" { // a process that a test kills
		_ = run(context.Background(), strings.Split(args, "\n"), os.Stdout, os.Stderr)
		os.Exit(1)
	}
	// All tests share an authority, which is not kept in the folder of the code.
	_ = os.Setenv("MARQUEE_SIM_AUTHORITY", filepath.Join(os.TempDir(), "marquee-test-authority.pem"))
	shell.Main(m)
}

// walk is the example of a purchase and a refund, and the lines that it documents as its output, in their order.
func walk(t *testing.T) (commands string, printed []string) {
	t.Helper()
	script, err := os.ReadFile("../../simulators/examples/curl/ticket-to-refund.sh")
	require.NoError(t, err)
	for line := range strings.Lines(string(script)) {
		if said, ok := strings.CutPrefix(line, "#> "); ok {
			printed = append(printed, strings.TrimSpace(said))
		}
	}
	return string(script), printed
}

func TestExample_FromNothingToARefund(t *testing.T) {
	t.Parallel()
	commands, printed := walk(t)
	require.Greater(t, len(printed), 6)
	for name, curl := range map[string]shell.Curl{"curl": shell.Installed, "stand-in": shell.StandIn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := started(t, "-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db",
				filepath.Join(t.TempDir(), "sim.db"))
			out := shell.Run(t, curl, commands, "SHOP="+at["shop"], "SIM="+at["simulators"])
			rest := out
			for _, line := range printed {
				at := strings.Index(rest, line)
				require.GreaterOrEqual(t, at, 0, "%q is not printed, or not in its place:\n%s", line, out)
				rest = rest[at+len(line):]
			}
		})
	}
}

func TestExample_TheWalkWaitsUntilTheyListen(t *testing.T) {
	t.Parallel()
	commands, _ := walk(t)
	up := regexp.MustCompile(`(?m)^up\(\).*$`).FindString(commands)
	for name, curl := range map[string]shell.Curl{"curl": shell.Installed, "stand-in": shell.StandIn} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			address := listener.Addr().String()
			require.NoError(t, listener.Close())
			failed := filepath.Join(t.TempDir(), "failed")
			ended := make(chan struct{})
			go func() {
				defer close(ended)
				listenAfter(t, failed, address)
			}()
			script := up + "\nAT=http://" + address + "\ncurl -s $AT 2>page || touch " + failed +
				"\nup $AT 2>page\ncurl -s $AT\n"
			require.Equal(t, "here", shell.Run(t, curl, script))
			<-ended
		})
	}
}

// listenAfter serves at an address as soon as a file is there, until the test ends.
func listenAfter(t *testing.T, file, address string) {
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for {
		select {
		case <-t.Context().Done():
			return
		case <-poll.C:
		}
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	listener, err := net.Listen("tcp", address)
	if !assert.NoError(t, err) {
		return
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(
		func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "here") }))
	_ = server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
}
