package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/record"
)

func httpServer(t *testing.T, serve http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(serve)
	t.Cleanup(server.Close)
	return server.URL
}

func TestProxy_SurvivesAProviderThatHangsOrResets(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	r := newTape(t, real, "gateway", real.URL()+"/gateway", func(o *record.ProxyOptions) { o.Timeout = time.Second })
	for i, row := range []struct {
		do, code string
		status   int
	}{
		{faults.Hang, "target_timeout", http.StatusGatewayTimeout},
		{faults.Reset, "target_reset", http.StatusBadGateway},
		{faults.Truncate, "target_reset", http.StatusBadGateway},
	} {
		_, err := real.Default().Faults().Add(faults.Fault{Provider: legacygateway.Name, Operation: "city.list",
			Do: row.do, Times: 1})
		require.NoError(t, err)
		answer, err := http.PostForm(r.URL, url.Values{"method": {"city.list"}})
		require.NoError(t, err)
		failed := errorOf(t, answer)
		require.Equal(t, row.status, answer.StatusCode)
		require.Equal(t, row.code, failed.Code)
		require.Len(t, r.recording().Calls, i+1)
	}
	_, code := r.ask("city.list")
	require.Empty(t, code)
	rec := r.recording()
	require.Equal(t, []string{"timeout", "reset", "reset", ""},
		[]string{rec.Calls[0].Failure, rec.Calls[1].Failure, rec.Calls[2].Failure, rec.Calls[3].Failure})

	other := startSims(t, 8)
	report, err := record.Compare(t.Context(), rec, options(t, other.URL(), "gateway", false))
	require.NoError(t, err)
	require.Equal(t, 1, report.Compared)
	require.Len(t, report.Skipped, 3)
	require.Contains(t, report.Skipped[0].Reason, "no answer")
	require.Empty(t, report.Differences)
}

func TestProxy_ACallerThatGoesAwayIsStillRecorded(t *testing.T) {
	t.Parallel()
	came, release := make(chan struct{}), make(chan struct{})
	target := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
		close(came)
		<-release
		_, _ = io.WriteString(w, `{"success":true}`)
	})
	real := startSims(t, 7)
	r := newTape(t, real, "gateway", target)
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	require.NoError(t, err)
	_, err = io.WriteString(conn, "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
	require.NoError(t, err)
	<-came
	require.NoError(t, conn.Close())
	close(release)
	require.Eventually(t, func() bool { return strings.Count(r.file.String(), "\n") == 2 }, 5*time.Second,
		time.Millisecond)
	require.Equal(t, http.StatusOK, r.recording().Calls[0].Answer.Status)
}

func TestProxy_PassesAnswersOnAsTheyAre(t *testing.T) {
	t.Parallel()
	var got *http.Request
	target := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		got = r
		w.Header().Set("Location", "/elsewhere")
		w.Header().Set("X-Own", "1")
		w.Header().Set("Connection", "X-Hop")
		w.Header().Set("X-Hop", "1")
		w.WriteHeader(http.StatusFound)
	})
	var file bytes.Buffer
	proxy, err := record.NewProxy(record.ProxyOptions{Provider: "newmovie", Target: target + "/base/", Out: &file})
	require.NoError(t, err)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequest(http.MethodGet, httpServer(t, proxy.ServeHTTP)+"/api/a%2Fb?q=1%202", nil)
	require.NoError(t, err)
	request.Header.Set("Authorization", "Bearer abc")
	answer, err := client.Do(request)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusFound, answer.StatusCode)
	require.Equal(t, "/elsewhere", answer.Header.Get("Location"))
	require.Equal(t, "1", answer.Header.Get("X-Own"))
	require.Empty(t, answer.Header.Get("X-Hop"))
	require.Equal(t, "/base/api/a%2Fb?q=1%202", got.RequestURI)
	require.Equal(t, strings.TrimPrefix(target, "http://"), got.Host)
	require.Equal(t, "Bearer abc", got.Header.Get("Authorization"))
}

func TestProxy_RejectsABodyThatIsTooBig(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	r := newTape(t, real, "gateway", real.URL()+"/gateway")
	answer, err := http.Post(r.URL, "text/plain", strings.NewReader(strings.Repeat("x", 1<<20+1)))
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusRequestEntityTooLarge, answer.StatusCode)
	require.Empty(t, r.recording().Calls)
}

func TestReplay_AnswersAreARecordingOfTheirOwn(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	other := startSims(t, 8)
	var progress, out strings.Builder
	require.NoError(t, record.Replay(t.Context(), rec, options(t, other.URL(), "gateway", true), &progress, &out))
	require.Contains(t, progress.String(), "  11 seat.lock: recorded 200 success, answered 200 success\n")
	again, err := record.Read(strings.NewReader(out.String()))
	require.NoError(t, err)
	require.Len(t, again.Calls, len(rec.Calls))
	require.NotContains(t, out.String(), other.Default().Credentials().Gateway.AppKey)
	require.NotContains(t, out.String(), "13910000001")

	third := startSims(t, 9)
	report, err := record.Compare(t.Context(), again, options(t, third.URL(), "gateway", true))
	require.NoError(t, err)
	require.Empty(t, report.Differences)

	progress.Reset()
	require.NoError(t, record.Replay(t.Context(), rec, options(t, third.URL(), "gateway", false), &progress, nil))
	require.Contains(t, progress.String(), "  11 seat.lock: skipped: it may change something")
}

func TestReplay_DoesNotRepeatCallsThatRejectedTheCaller(t *testing.T) {
	t.Parallel()
	real := startSims(t, 7)
	r := newTape(t, real, "gateway", real.URL()+"/gateway")
	r.keys.Gateway.Secret = "wrong"
	_, rejected := r.ask("city.list")
	require.Equal(t, "1003", rejected)
	other := startSims(t, 8)
	_, err := record.Compare(t.Context(), r.recording(), options(t, other.URL(), "gateway", false))
	require.Equal(t, "nothing_compared", code(t, err), "which must not look like agreement")
	require.ErrorContains(t, err, "its caller was rejected")
	require.Empty(t, other.Default().Journal().Entries(journal.Filter{}))
}

// code returns the code of an error, which must be an *Error.
func code(t *testing.T, err error) string {
	t.Helper()
	var known *record.Error
	require.ErrorAs(t, err, &known)
	require.NotEmpty(t, known.Message)
	return known.Code
}

func TestErrors_HaveStableCodes(t *testing.T) {
	t.Parallel()
	_, err := record.NewProxy(record.ProxyOptions{Provider: "other", Target: "http://127.0.0.1:1", Out: io.Discard})
	require.Equal(t, "unknown_provider", code(t, err))
	require.ErrorContains(t, err, "gateway, newmovie, wechatpay, sms, sms-tencent")
	for _, target := range []string{"", "gateway", "ftp://x", "http://", "http://x?a=1", "http://x#a", ":"} {
		_, err = record.NewProxy(record.ProxyOptions{Provider: "gateway", Target: target, Out: io.Discard})
		require.Equal(t, "bad_target", code(t, err), target)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	unreachable := "http://" + listener.Addr().String()
	require.NoError(t, listener.Close())
	_, err = record.AtSimulators(t.Context(), unreachable, "", "gateway")
	require.Equal(t, "target_unreachable", code(t, err))
	other := startSims(t, 8)
	_, err = record.AtSimulators(t.Context(), other.URL(), "no-such-world", "gateway")
	require.Equal(t, "not_simulators", code(t, err))

	real := startSims(t, 7)
	r := newTape(t, real, "gateway", real.URL()+"/gateway")
	r.ask("city.list")
	_, err = record.Compare(t.Context(), r.recording(),
		record.ReplayOptions{Target: unreachable, Credentials: other.Default().Credentials()})
	require.Equal(t, "target_unreachable", code(t, err))

	tokens := newTape(t, real, "newmovie", real.URL()+"/newmovie").recording()
	keys := other.Default().Credentials()
	keys.NewMovie.AppSecret = "wrong"
	_, err = record.Compare(t.Context(), tokens,
		record.ReplayOptions{Target: other.URL() + "/newmovie", Credentials: keys})
	require.Equal(t, "bad_credentials", code(t, err))
	require.ErrorContains(t, err, "401004")
	require.NotContains(t, err.Error(), keys.NewMovie.AppSecret)
}

func TestReadCredentials_ReportsWhatIsMissing(t *testing.T) {
	t.Parallel()
	write := func(text string) string {
		name := filepath.Join(t.TempDir(), "keys.json")
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
		return name
	}
	for _, text := range []string{`{"gateway":{"appkey":"k","secret":"s"}}`,
		`{"id":"w1","credentials":{"gateway":{"appkey":"k","secret":"s"}}}`} {
		keys, err := record.ReadCredentials(write(text), "gateway")
		require.NoError(t, err)
		require.Equal(t, "s", keys.Gateway.Secret)
		for _, other := range []string{"newmovie", "wechatpay", "sms", "sms-tencent"} {
			_, err = record.ReadCredentials(write(text), other)
			require.Equal(t, "bad_credentials", code(t, err), other)
		}
	}
	_, err := record.ReadCredentials(write(`{"gateway":{"secret":"hush"`), "gateway")
	require.Equal(t, "bad_credentials", code(t, err))
	require.NotContains(t, err.Error(), "hush")
	_, err = record.ReadCredentials(filepath.Join(t.TempDir(), "none"), "gateway")
	require.Equal(t, "bad_credentials", code(t, err))
}

func TestCreate_OverwritesNothing(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "r.jsonl")
	file, err := record.Create(name)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	_, err = record.Create(name)
	require.Equal(t, "out_exists", code(t, err))
	_, err = record.Create(filepath.Join(name, "below"))
	require.Equal(t, "bad_out", code(t, err))
}

func TestProxy_PagesOfOtherSitesReachNoProvider(t *testing.T) {
	t.Parallel()
	var reached atomic.Int32
	target := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
		reached.Add(1)
		_, _ = io.WriteString(w, `{"success":true}`)
	})
	r := newTape(t, startSims(t, 7), "gateway", target)
	for name, row := range map[string]struct {
		method  string
		headers []string
	}{
		"a form of another site":    {http.MethodPost, []string{"Sec-Fetch-Site", "cross-site"}},
		"a picture of another site": {http.MethodGet, []string{"Sec-Fetch-Site", "cross-site"}},
		"another port":              {http.MethodGet, []string{"Sec-Fetch-Site", "same-site"}},
		"an older browser":          {http.MethodPost, []string{"Origin", "https://elsewhere.example"}},
	} {
		request, err := http.NewRequest(row.method, r.URL, strings.NewReader("method=city.list"))
		require.NoError(t, err)
		for i := 0; i < len(row.headers); i += 2 {
			request.Header.Set(row.headers[i], row.headers[i+1])
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		var body struct{ Error record.Error }
		require.NoError(t, json.NewDecoder(answer.Body).Decode(&body), name)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusForbidden, answer.StatusCode, name)
		require.Equal(t, "cross_origin", body.Error.Code, name)
	}
	require.Zero(t, reached.Load())
	require.Empty(t, r.recording().Calls)
	for _, host := range []string{"", "provider.example"} {
		request, err := http.NewRequest(http.MethodPost, r.URL, strings.NewReader("method=city.list"))
		require.NoError(t, err)
		request.Host = host
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		require.Equal(t, http.StatusOK, answer.StatusCode, host)
	}
}
