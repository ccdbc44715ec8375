package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/app"
	"marquee/simulators"
)

func TestRun_VersionAndUnknownCommands(t *testing.T) {
	t.Setenv("MARQUEE_SIMULATOR_URL", "")
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"-version"}, &out, io.Discard))
	require.Equal(t, version+"\n", out.String())
	out.Reset()
	require.NoError(t, run(t.Context(), []string{"version"}, &out, io.Discard))
	require.Regexp(t, `(?m)^version +dev$`, out.String())
	require.Regexp(t, `(?m)^SQLite +3\.\d+\.\d+$`, out.String())
	require.Regexp(t, `(?m)^PostgreSQL +15 and later$`, out.String())
	require.ErrorContains(t, run(t.Context(), []string{"fly"}, io.Discard, io.Discard), "fly")
	t.Chdir(t.TempDir())
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), "MARQUEE_PEPPER", "nothing is configured")
	require.NoDirExists(t, "data", "a shop that does not start must create nothing")
}

// The log reports what was started: the version, the engine and the variables that are set, without their secrets. It
// leaves out probes, and durations have their unit.
func TestLog_ReportsWhatWasStartedAndHowLongARequestTook(t *testing.T) {
	t.Setenv("MARQUEE_PEPPER_PREVIOUS", "a planted pepper")
	t.Setenv("MARQUEE_LINK_SERVICE", "https://user:plantedpassword@example.com")
	shop := startShop(t, simulators.StartForTest(t).URL(), 0)
	for _, path := range []string{"/healthz", "/newmovie/api/movie/movies?cityId=310100"} {
		resp, err := http.Get(shop.url + path)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
	}
	shop.stop()
	require.NoError(t, <-shop.ended)
	log := shop.log.String()
	require.Regexp(t,
		`"shop started".*"version":"dev","engine":"SQLite","configuration":\{.*"MARQUEE_ADDR":"127.0.0.1:0"`, log)
	require.Contains(t, log, `"MARQUEE_PEPPER_PREVIOUS":"(16 bytes)"`)
	require.NotContains(t, log, "planted")
	require.Regexp(t,
		`"msg":"request".*"route":"/newmovie/api/movie/movies".*"took_ms":\d+(\.\d+)?,"client":"127.0.0.1"`, log)
	require.NotContains(t, log, `"/healthz"`)
}

func TestLog_LeavesOutLinesBelowItsLevel(t *testing.T) {
	t.Setenv("MARQUEE_LOG_LEVEL", "debug")
	shop := startShop(t, simulators.StartForTest(t).URL(), 0)
	resp, err := http.Get(shop.url + "/healthz")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	shop.stop()
	require.NoError(t, <-shop.ended)
	require.Contains(t, shop.log.String(), `"/healthz"`)
	t.Setenv("MARQUEE_LOG_LEVEL", "loud")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), "MARQUEE_LOG_LEVEL")
}

func TestRun_FindsTheSimulatorsByTheirAddress(t *testing.T) {
	sims := simulators.StartForTest(t)
	shop := startShop(t, sims.URL(), 0)
	require.Eventually(t, func() bool {
		resp, err := http.Get(shop.url + "/newmovie/api/movie/movies?cityId=310100")
		if err != nil {
			return false
		}
		defer resp.Body.Close()
		return resp.StatusCode == http.StatusOK
	}, 10*time.Second, 20*time.Millisecond)
	err := run(t.Context(), nil, io.Discard, io.Discard)
	require.ErrorContains(t, err, "is served by another process: shop on http://127.0.0.1:0, process ",
		"only one process may serve a database")
	require.ErrorContains(t, err, os.Getenv("MARQUEE_DB"))
	var output strings.Builder
	require.NoError(t, run(t.Context(), []string{"verify"}, &output, io.Discard), "verify must run while a shop serves")
	require.NoError(t, run(t.Context(), []string{"admin", "--by", "alice", "order", "waiting"}, io.Discard, io.Discard))
	shop.stop()
	require.NoError(t, <-shop.ended)
	require.Contains(t, shop.log.String(), "PROVIDERS ARE SIMULATED")

	t.Setenv("MARQUEE_SIMULATOR_URL", "http://127.0.0.1:1")
	var verified strings.Builder
	require.NoError(t, run(t.Context(), []string{"verify"}, &verified, io.Discard), "verify must need no provider")
	require.Contains(t, verified.String(), "agree")
	require.ErrorContains(t, run(t.Context(), []string{"verify", "extra"}, io.Discard, io.Discard), "extra")

	t.Setenv("MARQUEE_ENV", "prod")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), `MARQUEE_ENV is "prod"`)
	t.Setenv("MARQUEE_ENV", "production")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), "MARQUEE_SIMULATOR_URL")
}

func TestRun_HelpListsCommandsAndVariables(t *testing.T) {
	for _, asked := range []string{"-help", "-h", "--help", "help"} {
		var out strings.Builder
		require.NoError(t, run(t.Context(), []string{asked}, &out, io.Discard))
		for _, name := range []string{"verify", "admin", "card issue", "order waiting"} {
			require.Contains(t, out.String(), name)
		}
		for _, v := range app.Variables() {
			require.Regexp(t, v.Name+" +"+regexp.QuoteMeta(v.Help), out.String())
		}
	}
	require.ErrorContains(t, run(t.Context(), []string{"-fly"}, io.Discard, io.Discard), "-help")
}

func TestRun_AMissingDatabaseIsNotAnEmptyOne(t *testing.T) {
	c := newCLI(t)
	path := filepath.Join(c.dir, "typo", "shop.db")
	t.Setenv("MARQUEE_DB", path)
	var out strings.Builder
	require.ErrorContains(t, run(t.Context(), []string{"verify"}, &out, io.Discard), path)
	require.Empty(t, out.String())
	c.mustFail(path, "order", "waiting")
	c.mustFail(path, "goods", "list")
	c.mustFail(path, "card", "freeze", "8000", "--reason", "lost")
	require.NoDirExists(t, filepath.Dir(path))
	c.mustRun("card", "issue", "--pid", "1", "--count", "1", "--points", "5",
		"--out", filepath.Join(c.dir, "first.csv"))
	require.FileExists(t, path, "card issue may create the database")
	c.mustRun("order", "waiting")
}

func TestRun_ReportsUnreachableSimulators(t *testing.T) {
	t.Setenv("MARQUEE_SIMULATOR_URL", "http://127.0.0.1:1")
	require.ErrorContains(t, run(t.Context(), nil, io.Discard, io.Discard), "MARQUEE_SIMULATOR_URL")
}

func TestEnvironment_PrintsEveryVariable(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	require.NoError(t, run(t.Context(), []string{"environment"}, &out, io.Discard))
	for _, v := range app.Variables() {
		line := v.Name + "=" + v.Default
		if v.Required == "" {
			line = "#" + line
		}
		require.Contains(t, out.String(), "\n"+line+"\n", v.Name)
		require.NotEmpty(t, v.Help, v.Name)
	}
	require.Regexp(t, `# .* \(required\) \(secret\)\nMARQUEE_PEPPER=\n`, out.String())
}

// A secret may be a file: of systemd's credentials, of Docker or of Kubernetes.
func TestRun_ReadsSecretsFromFiles(t *testing.T) {
	folder := t.TempDir()
	write := func(name, value string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(value), 0o600))
	}
	db := filepath.Join(t.TempDir(), "shop.db")
	migrated := filepath.Join(t.TempDir(), "other.db")
	for _, path := range []string{db, migrated} {
		code, text := onDatabase(t, path, "migrate")
		require.Zero(t, code, text)
	}
	t.Setenv("MARQUEE_DB", "")
	verify := func() error { return run(t.Context(), []string{"verify"}, io.Discard, io.Discard) }
	for _, variable := range []string{"CREDENTIALS_DIRECTORY", "MARQUEE_SECRETS"} {
		t.Setenv(variable, folder)
		write("MARQUEE_DB", db+"\n")
		write("other.service", "of another program")
		require.NoError(t, verify(), variable)
	}
	for _, v := range app.Variables() {
		if v.Secret && v.Name != "MARQUEE_WECHAT_MCH_PRIVATE_KEY" {
			write(v.Name, "  the value of "+v.Name+"  \r\n")
		}
	}
	variables, err := app.WithSecretFiles(map[string]string{"MARQUEE_SECRETS": folder})
	require.NoError(t, err)
	require.Equal(t, "  the value of MARQUEE_PEPPER  ", variables["MARQUEE_PEPPER"])
	require.Equal(t, "  the value of MARQUEE_WECHAT_APIV3_KEY  ", variables["MARQUEE_WECHAT_APIV3_KEY"])

	t.Setenv("MARQUEE_DB", migrated)
	require.ErrorContains(t, verify(), "MARQUEE_DB is set, and is a file in "+folder)
	t.Setenv("MARQUEE_DB", "")
	write("MARQUEE_PEPER", "mistyped")
	require.ErrorContains(t, verify(), "MARQUEE_PEPER is not named after a variable")
	t.Setenv("MARQUEE_SECRETS", filepath.Join(folder, "none"))
	require.ErrorContains(t, verify(), "MARQUEE_SECRETS")
	require.Equal(t, exitConfig, exitCode(verify()))
}
