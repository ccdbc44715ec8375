package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
)

// recorded runs the record command during one call of the gateway and returns the path of the recording.
func recorded(t *testing.T) string {
	t.Helper()
	sims, err := simulators.Start(simulators.Options{Seed: 7})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	file := filepath.Join(t.TempDir(), "gateway.jsonl")
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- run(ctx, []string{"record", "-provider", "gateway", "-target", sims.URL() + "/gateway", "-listen",
			"127.0.0.1:0", "-out", file}, in, io.Discard)
	}()
	said, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	keys := sims.Default().Credentials().Gateway
	form := url.Values{"method": {"film.hot"}, "appkey": {keys.AppKey}, "v": {"2.0"},
		"timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)}}
	sign, err := legacygateway.Sign(form, keys.Secret, legacygateway.Dialect{})
	require.NoError(t, err)
	form.Set("sign", sign)
	answer, err := http.PostForm(strings.Fields(said)[1], form)
	require.NoError(t, err)
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Contains(t, string(text), `"success":true`)
	stop()
	require.NoError(t, <-ended, "stops cleanly")
	return file
}

// exitStatus returns the exit status of a command that returned err.
func exitStatus(t *testing.T, err error) int {
	t.Helper()
	if err == nil {
		return 0
	}
	var own *exit
	require.ErrorAs(t, err, &own)
	return own.status
}

func TestCompare_EndsAsDiffDoes(t *testing.T) {
	t.Parallel()
	file := recorded(t)
	var out strings.Builder
	require.Equal(t, 0, exitStatus(t, run(t.Context(), []string{"compare", "-in", file}, &out, io.Discard)),
		"its own simulators")
	require.Contains(t, out.String(), "1 of 1 calls")
	require.Contains(t, out.String(), "no differences")

	sims, err := simulators.Start(simulators.Options{Seed: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		sims.Handler().ServeHTTP(answer, r)
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), `"total":`, `"count":`))
	}))
	t.Cleanup(other.Close)
	out.Reset()
	require.Equal(t, 1, exitStatus(t, run(t.Context(), []string{"compare", "-in", file, "-target", other.URL, "-json"},
		&out, io.Discard)))
	var report struct {
		Differences []struct{ Operation, Kind, Path string }
	}
	require.NoError(t, json.Unmarshal([]byte(out.String()), &report))
	require.Len(t, report.Differences, 2)
	require.Equal(t, "data.count", report.Differences[0].Path)

	broken := filepath.Join(t.TempDir(), "broken.jsonl")
	require.NoError(t, os.WriteFile(broken, []byte("{}\n"), 0o600))
	out.Reset()
	err = run(t.Context(), []string{"compare", "-in", broken, "-json"}, &out, io.Discard)
	require.Equal(t, 2, exitStatus(t, err))
	require.ErrorContains(t, err, "bad_recording")
	require.Contains(t, out.String(), `{"error":{"code":"bad_recording","message":"line 1`)
	err = run(t.Context(), []string{"compare", "-in", file, "-target", "http://127.0.0.1:1"}, &out, io.Discard)
	require.Equal(t, 2, exitStatus(t, err))
	require.ErrorContains(t, err, "target_unreachable")
}

func TestReplay_PrintsEveryCallAndKeepsTheAnswers(t *testing.T) {
	t.Parallel()
	file := recorded(t)
	sims, err := simulators.Start(simulators.Options{Seed: 8})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sims.Close()) })
	kept := filepath.Join(t.TempDir(), "again.jsonl")
	var out strings.Builder
	require.Equal(t, 0, exitStatus(t, run(t.Context(),
		[]string{"replay", "-in", file, "-target", sims.URL(), "-out", kept}, &out, io.Discard)))
	require.Equal(t, "   1 film.hot: recorded 200 success, answered 200 success\n", out.String())
	require.Equal(t, 0, exitStatus(t, run(t.Context(), []string{"compare", "-in", kept}, io.Discard, io.Discard)))

	keys, err := json.Marshal(sims.Default().Credentials())
	require.NoError(t, err)
	credentials := filepath.Join(t.TempDir(), "keys.json")
	require.NoError(t, os.WriteFile(credentials, keys, 0o600))
	require.Equal(t, 0, exitStatus(t, run(t.Context(), []string{
		"compare", "-in", file, "-target", sims.URL() + "/gateway", "-credentials", credentials,
	}, io.Discard, io.Discard)), "a provider with credentials of a file")
}

func TestRecordCommands_ReportWhatTheyCannotDo(t *testing.T) {
	t.Parallel()
	file := recorded(t)
	fresh := func() string { return filepath.Join(t.TempDir(), "new.jsonl") }
	for name, row := range map[string]struct {
		args []string
		says string
	}{
		"no provider": {[]string{"record", "-target", "http://x", "-out", fresh()}, "missing flags: --provider"},
		"no file":     {[]string{"record", "-target", "http://x", "-provider", "gateway"}, "missing flags: --out"},
		"unknown provider": {[]string{"record", "-target", "http://x", "-provider", "bank", "-out", fresh()},
			"unknown_provider"},
		"no URL": {[]string{"record", "-target", "x", "-provider", "gateway", "-out", fresh()},
			"bad_target"},
		"a file that exists": {[]string{"record", "-target", "http://x", "-provider", "gateway", "-listen",
			"127.0.0.1:0", "-out", file}, "out_exists"},
		"an address that is bad": {[]string{"record", "-target", "http://x", "-provider", "gateway", "-listen",
			"nowhere:1:2", "-out", fresh()}, "listen_failed"},
		"no credentials": {[]string{"compare", "-in", file, "-target", "http://x", "-credentials", fresh()},
			"bad_credentials"},
		"no recording":            {[]string{"compare"}, "missing flags: --in"},
		"a recording not there":   {[]string{"compare", "-in", fresh()}, "bad_recording"},
		"keys without a target":   {[]string{"compare", "-in", file, "-credentials", file}, "bad_target"},
		"replay without a target": {[]string{"replay", "-in", file}, "missing flags: --target"},
		"words left over":         {[]string{"replay", "-in", file, "-target", "http://x", "now"}, "unexpected argument now"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := run(t.Context(), row.args, io.Discard, io.Discard)
			require.Equal(t, 2, exitStatus(t, err))
			require.ErrorContains(t, err, row.says)
		})
	}
	err := run(t.Context(), []string{"compare", "-no-such"}, io.Discard, io.Discard)
	require.Equal(t, 2, exitStatus(t, err))
	require.ErrorContains(t, err, "--no-such (see sim --help and sim COMMAND --help)")
	var help strings.Builder
	require.Equal(t, 0, exitStatus(t, run(t.Context(), []string{"record", "-help"}, &help, io.Discard)))
	require.Contains(t, help.String(), `--listen="127.0.0.1:9191"`, "loopback by default")
}
