package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/simulators"
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
		if name, address, ok := strings.Cut(lines.Text(), " "); ok &&
			(name == "clock" || strings.Contains(address, "http")) {
			printed[name] = strings.TrimSpace(address)
		}
		if printed["simulators"] != "" && (printed["phone"] != "" ||
			strings.Contains(fmt.Sprint(args), "providers-only")) {
			break
		}
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return printed
}

func ask[T any](t *testing.T, method, url, body string) (answer T) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Less(t, resp.StatusCode, 300)
	require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
	return answer
}

type clockAnswer struct {
	Now     time.Time `json:"now"`
	Seconds float64   `json:"offset_seconds"`
	Frozen  bool      `json:"frozen"`
}

// Records made a day ahead by an advanced clock are not in the future after a restart.
func TestRun_BusinessTimeGoesOnFromWhereItStood(t *testing.T) {
	t.Parallel()
	args := []string{"-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db", filepath.Join(t.TempDir(), "sim.db")}
	var before clockAnswer
	t.Run("moved", func(t *testing.T) {
		at := started(t, args...)
		require.Empty(t, at["clock"], "no line for real time")
		before = ask[clockAnswer](t, http.MethodPost, at["simulators"]+"/sim/v1/clock/advance", `{"seconds":86400}`)
		channel := ask[struct {
			Environment map[string]string `json:"environment"`
		}](t, http.MethodGet, at["simulators"]+"/sim/v1/catalogue", "").Environment["MARQUEE_CHANNEL_NO"]
		resp, err := http.PostForm(at["shop"]+"/Login/sendcode",
			url.Values{"channel_no": {channel}, "phone": {"13800138000"}})
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	})
	t.Run("again", func(t *testing.T) {
		at := started(t, args...)
		require.Contains(t, at["clock"], before.Now.Format(time.DateOnly))
		require.Contains(t, at["clock"], "ahead")
		now := ask[clockAnswer](t, http.MethodGet, at["simulators"]+"/sim/v1/clock", "")
		require.False(t, now.Now.Before(before.Now.Truncate(time.Second)), "%s is before %s", now.Now, before.Now)
		require.InDelta(t, 86400, now.Seconds, 60)
		reset := ask[clockAnswer](t, http.MethodPost, at["simulators"]+"/sim/v1/clock/reset", "")
		require.InDelta(t, 86400, reset.Seconds, 60, "the time at which the database stood is the earliest")
	})
}

func TestRun_OneDatabaseOneShop(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "data", "sim.db")
	at := started(t, "-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db", db)
	second := []string{"-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db", db}
	err := run(t.Context(), second, io.Discard, io.Discard)
	require.ErrorContains(t, err, db)
	require.ErrorContains(t, err, fmt.Sprint("sim with the shop on http://127.0.0.1:0, process ", os.Getpid()))
	link := filepath.Join(t.TempDir(), "link.db")
	require.NoError(t, os.Symlink(db, link))
	second[len(second)-1] = link
	require.ErrorContains(t, run(t.Context(), second, io.Discard, io.Discard), "is served by another process",
		"by whatever name")
	require.Equal(t, http.StatusOK, status(t, at["shop"]+"/readyz"), "the first one does not mind")
}

func TestRun_HelpListsWhatThereIs(t *testing.T) {
	t.Parallel()
	for line, names := range map[string][]string{
		"-help":     {"http://127.0.0.1:9090/phone", "verify", "sim run --help"},
		"run -help": {"--providers-only", "--db=", "MARQUEE_DB", "MARQUEE_SIM_ADDR"},
	} {
		var out strings.Builder
		require.NoError(t, run(t.Context(), strings.Fields(line), &out, io.Discard))
		for _, name := range names {
			require.Contains(t, out.String(), name, line)
		}
	}
	require.ErrorContains(t, run(t.Context(), []string{"-fly"}, io.Discard, io.Discard), "sim --help")
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
	out.Reset()
	require.NoError(t, run(t.Context(), []string{"version"}, &out, io.Discard))
	require.Regexp(t, `(?m)^version +dev$`, out.String())
	require.Regexp(t, `(?m)^SQLite +3\.\d+\.\d+$`, out.String())
	require.Regexp(t, `(?m)^PostgreSQL +15 and later$`, out.String())
}

func TestRun_RejectsAProductionEnvironmentAndReportsTheVariable(t *testing.T) {
	t.Run("a mistyped one", func(t *testing.T) {
		t.Setenv("MARQUEE_ENV", "Production")
		err := run(t.Context(), []string{"-providers-only", "-sim-addr", "127.0.0.1:0"}, io.Discard, io.Discard)
		require.ErrorContains(t, err, `MARQUEE_ENV is "Production"`)
	})
	for name, value := range map[string]string{
		"MARQUEE_ENV":                    "production",
		"MARQUEE_PEPPER":                 "a secret of a real shop",
		"MARQUEE_PUBLIC_URL":             "https://tickets.example",
		"MARQUEE_GATEWAY_URL":            "https://gateway.example/router",
		"MARQUEE_NEWMOVIE_URL":           "http://10.1.2.3/newmovie",
		"MARQUEE_GATEWAY_SECRET":         "a real one",
		"MARQUEE_NEWMOVIE_APP_SECRET":    "a real one",
		"MARQUEE_WECHAT_MCH_ID":          "1600000000",
		"MARQUEE_WECHAT_MCH_PRIVATE_KEY": "/etc/marquee/merchant.pem",
		"MARQUEE_SMS_ACCESS_KEY_ID":      "LTAIreal",
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			for _, args := range [][]string{
				{"-providers-only", "-sim-addr", "127.0.0.1:0"},
				{"-sim-addr", "127.0.0.1:0", "-addr", "127.0.0.1:0", "-db", filepath.Join(t.TempDir(), "x.db")},
			} {
				err := run(t.Context(), args, io.Discard, io.Discard)
				require.ErrorContains(t, err, name)
				require.ErrorContains(t, err, "do not start with settings of a real shop")
				require.NotContains(t, strings.ReplaceAll(err.Error(), "is production", ""), value,
					"a secret is not repeated")
			}
		})
	}
}

func TestRun_AcceptsTheEnvironmentThatTheSimulatorsPublish(t *testing.T) {
	sims, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	for name, value := range sims.Default().ShopEnvironment() {
		t.Setenv(name, value)
	}
	require.NoError(t, sims.Close())
	at := started(t, "-providers-only", "-sim-addr", "127.0.0.1:0")
	require.Equal(t, http.StatusOK, status(t, at["simulators"]+"/sim/v1/health"))
}

func TestRun_WarnsWhenItListensBeyondThisMachine(t *testing.T) {
	t.Parallel()
	for addr, warns := range map[string]bool{"127.0.0.1:0": false, "localhost:0": false, "0.0.0.0:0": true,
		":0": true} {
		ctx, stop := context.WithCancel(t.Context())
		out, in := io.Pipe()
		var said strings.Builder
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, []string{"-providers-only", "-sim-addr", addr}, in, &said) }()
		_, err := bufio.NewReader(out).ReadString('\n')
		require.NoError(t, err)
		go func() { _, _ = io.Copy(io.Discard, out) }()
		stop()
		require.NoError(t, <-ended)
		require.Equal(t, warns, strings.Contains(said.String(), "LISTEN BEYOND THIS MACHINE"), addr)
	}
	var usage strings.Builder
	require.NoError(t, run(t.Context(), []string{"run", "-help"}, &usage, io.Discard))
	require.Contains(t, usage.String(), `--sim-addr="127.0.0.1:9090"`, "loopback by default")
}

func TestRun_RejectsTakenAddresses(t *testing.T) {
	at := started(t, "-providers-only", "-sim-addr", "127.0.0.1:0")
	taken := strings.TrimPrefix(at["simulators"], "http://")
	require.ErrorContains(t, run(t.Context(), []string{"-sim-addr", taken, "-db", filepath.Join(t.TempDir(), "y.db")},
		io.Discard, io.Discard), taken)
	require.ErrorContains(t, run(t.Context(), []string{"-sim-addr", "127.0.0.1:0", "-addr", taken, "-db",
		filepath.Join(t.TempDir(), "x.db")},
		io.Discard, io.Discard), taken)
}

func TestReset_RemovesDataOfStoppedServers(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db := filepath.Join(folder, "sim.db")
	t.Run("served", func(t *testing.T) {
		started(t, "-addr", "127.0.0.1:0", "-sim-addr", "127.0.0.1:0", "-db", db)
		require.ErrorContains(t, run(t.Context(), []string{"reset", "-db", db}, io.Discard, io.Discard),
			"is served by another process")
		require.FileExists(t, db)
	})
	var said strings.Builder
	require.NoError(t, run(t.Context(), []string{"reset", "-db", db}, &said, io.Discard))
	require.Equal(t, "deleted the database in "+db+"\n", said.String())
	require.NoFileExists(t, db)
	said.Reset()
	none := filepath.Join(folder, "none", "sim.db")
	require.NoError(t, run(t.Context(), []string{"reset", "-db", none}, &said, io.Discard))
	require.Equal(t, "there is no database in "+none+"\n", said.String())
	require.NoDirExists(t, filepath.Join(folder, "none"))
}

func TestRemovePostgres_DeletesWhatNoServerUses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	data := filepath.Join(dir, "postgres")
	require.NoError(t, removePostgres(dir), "nothing was kept")
	require.NoError(t, os.Mkdir(data, 0o700))
	claim, err := app.ClaimFolder(data, "sim")
	require.NoError(t, err)
	require.ErrorContains(t, removePostgres(dir), "is served by another process")
	require.DirExists(t, data)
	require.NoError(t, claim.Release())
	require.NoError(t, removePostgres(dir))
	require.NoDirExists(t, data)
}

// A mistyped command must not start the full stack on another database than that of the flags after it.
func TestRun_UnknownCommandsStartNothing(t *testing.T) {
	t.Parallel()
	err := run(t.Context(), []string{"recrod", "-addr", "127.0.0.1:0"}, io.Discard, io.Discard)
	require.ErrorContains(t, err, "unexpected argument recrod")
	require.ErrorContains(t, run(t.Context(), []string{"-addr", "127.0.0.1:0", "extra"}, io.Discard, io.Discard),
		"unexpected argument extra")
}
