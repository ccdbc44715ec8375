package record_test

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/record"
)

// endless sends a body without an end, as fast as it is taken.
func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	piece := []byte(`"` + strings.Repeat("x", 64<<10) + `",`)
	_, err := io.WriteString(w, "[")
	for err == nil {
		_, err = w.Write(piece)
	}
}

// against replays a recording of the gateway against a target and compares the answers.
func against(t *testing.T, rec *record.Recording, target string, timeout time.Duration) (*record.Report, error) {
	t.Helper()
	return record.Compare(t.Context(), rec,
		record.ReplayOptions{Target: target, Credentials: startSims(t, 8).Default().Credentials(), Timeout: timeout})
}

func TestCompare_AHostileTargetIsGivenUp(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), false).recording()
	for name, row := range map[string]struct {
		serve http.HandlerFunc
		code  string
	}{
		"a body without an end": {endless, "target_too_big"},
		"never an answer": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			<-r.Context().Done()
		}, "target_timeout"},
		"never the end of an answer": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			_, _ = io.WriteString(w, "{")
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, "target_timeout"},
		"always a broken connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
			"target_reset"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			timeout := time.Minute
			if row.code == "target_timeout" {
				timeout = 200 * time.Millisecond
			}
			var asked atomic.Int32
			_, err := against(t, rec, httpServer(t, func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				row.serve(w, r)
			}), timeout)
			require.Equal(t, row.code, code(t, err))
			require.ErrorContains(t, err, "3 calls in a row")
			if row.code == "target_timeout" { // a call may end before a loaded machine serves it
				require.LessOrEqual(t, asked.Load(), int32(3), "and not each of the recording's calls")
			} else {
				require.EqualValues(t, 3, asked.Load(), "and not each of the recording's calls")
			}
		})
	}
}

func TestCompare_OneFailureIsADifference(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), false).recording()
	other := startSims(t, 8)
	report, err := against(t, rec, httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		if err := r.ParseForm(); err == nil && r.Form.Get("method") == "drama.list" {
			endless(w, r)
			return
		}
		again, err := http.PostForm(other.URL()+"/gateway", r.PostForm)
		if err != nil {
			panic(err)
		}
		defer again.Body.Close()
		_, _ = io.Copy(w, again.Body)
	}), time.Minute)
	require.NoError(t, err)
	require.Equal(t, []record.Difference{{Operation: "drama.list", Kind: "failure", Recorded: "an answer",
		Answered: "too_big", Calls: []int{3}}}, report.Differences)
}

// Answers that are complete but unusual are compared like any other.
func TestCompare_OddAnswersAreDifferences(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), false).recording()
	for name, row := range map[string]struct {
		serve    http.HandlerFunc
		kind, is string
	}{
		"a redirect to itself": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		}, "status", "307"},
		"JSON that is too deep": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat("[", 1<<20)+strings.Repeat("]", 1<<20))
		}, "body", "other"},
		"JSON as deep as it may be": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, strings.Repeat(`{"data":`, 9000)+"1"+strings.Repeat("}", 9000))
		}, "code", "none"},
		"twenty thousand elements": {func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"success":true,"data":{"cityList":[`)
			for i := range 20_000 {
				_, _ = io.WriteString(w, `{"cityid":"`+strconv.Itoa(i)+`"},`)
			}
			_, _ = io.WriteString(w, `1]}}`)
		}, "missing", ""},
		"no JSON though it is called so": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{")
		}, "body", "other"},
		"nothing": {func(http.ResponseWriter, *http.Request) {}, "body", "empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			report, err := against(t, rec, httpServer(t, row.serve), time.Minute)
			require.NoError(t, err)
			for _, d := range report.Differences {
				if d.Kind == row.kind && d.Answered == row.is {
					return
				}
			}
			t.Fatalf("no %s %q among %d differences", row.kind, row.is, len(report.Differences))
		})
	}
}

func TestAtSimulators_ARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	loop := httpServer(t, func(w http.ResponseWriter,
		r *http.Request) {
		http.Redirect(w, r, r.URL.Path, http.StatusFound)
	})
	_, err := record.AtSimulators(t.Context(), loop, "", "gateway")
	require.Equal(t, "not_simulators", code(t, err))
	require.ErrorContains(t, err, "HTTP 302")
	_, err = record.AtSimulators(t.Context(), httpServer(t, endless), "", "gateway")
	require.Equal(t, "target_too_big", code(t, err))
}

func TestProxy_AnAnswerThatIsTooBigHasACode(t *testing.T) {
	t.Parallel()
	r := newTape(t, startSims(t, 7), "gateway", httpServer(t, endless))
	answer, err := http.Get(r.URL)
	require.NoError(t, err)
	failed := errorOf(t, answer)
	require.Equal(t, http.StatusBadGateway, answer.StatusCode)
	require.Equal(t, "target_too_big", failed.Code)
	require.Contains(t, failed.Message, "larger than 33554432 bytes")
	require.Equal(t, "too_big", r.recording().Calls[0].Failure)
}
