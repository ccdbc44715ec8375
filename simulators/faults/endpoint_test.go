package faults_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

// testProvider is a provider with the operations send and query, behind faults.Endpoint. It counts the calls that it
// has executed.
type testProvider struct {
	*testing.T
	plan    *faults.Plan
	journal *journal.Journal
	acted   atomic.Int64
	url     string
}

const answer = `{"answer":"the result of a call"}`

func startTestProvider(t *testing.T) *testProvider {
	t.Helper()
	r := &testProvider{T: t, plan: faults.NewPlan(), journal: journal.New(50, time.Now)}
	r.plan.Declare(faults.Provider{Name: "example", Operations: []string{"send", "query"},
		DomainKinds: map[string][]string{"over-limit": {"send"}}})
	server := httptest.NewServer(&faults.Endpoint{
		Provider: "example", Plan: r.plan, Journal: r.journal, MaxBody: 100,
		Operation: func(q *http.Request, _ []byte) string { return strings.TrimPrefix(q.URL.Path, "/") },
		Error: func(w http.ResponseWriter, _ *http.Request, code, message string) {
			_, _ = io.WriteString(w, "example error "+code+" "+message)
		},
		Next: http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
			r.acted.Add(1)
			body, _ := io.ReadAll(q.Body)
			if string(body) == "unreadable" {
				journal.From(q.Context()).Reject("the body cannot be read")
			}
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Length", strconv.Itoa(len(answer)))
			_, _ = io.WriteString(w, answer)
		}),
	})
	t.Cleanup(server.Close)
	r.url = server.URL
	return r
}

func (r *testProvider) add(f faults.Fault) faults.Fault {
	r.Helper()
	f.Provider = "example"
	planned, err := r.plan.Add(f)
	require.NoError(r, err)
	return planned
}

func (r *testProvider) send(ctx context.Context, sent string) (*http.Response, string, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, r.url+"/send", strings.NewReader(sent))
	require.NoError(r, err)
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

// once plans a fault for the next call and makes it.
func (r *testProvider) once(f faults.Fault) (*http.Response, string, error) {
	r.Helper()
	f.Operation, f.Times = "send", 1
	r.add(f)
	return r.send(r.Context(), "request")
}

func TestEndpoint_FaultsThatDoNotAct(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	response, body, err := r.once(faults.Fault{Do: faults.Status, Status: 503, Body: "closed"})
	require.NoError(t, err)
	assert.Equal(t, 503, response.StatusCode)
	assert.Equal(t, "closed", body)
	response, body, err = r.once(faults.Fault{Do: faults.HTML})
	require.NoError(t, err)
	assert.Equal(t, 502, response.StatusCode)
	assert.Contains(t, body, "<html>")
	_, body, err = r.once(faults.Fault{Do: faults.Error, Code: "7", Message: "no balance"})
	require.NoError(t, err)
	assert.Equal(t, "example error 7 no balance", body)
	_, _, err = r.once(faults.Fault{Do: faults.Reset})
	require.ErrorIs(t, err, syscall.ECONNRESET)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	r.add(faults.Fault{Operation: "send", Do: faults.Hang, Times: 1})
	_, _, err = r.send(ctx, "request")
	require.ErrorIs(t, err, context.DeadlineExceeded)
	_, _, err = r.once(faults.Fault{Do: faults.Hang, LatencyMS: 10})
	require.ErrorIs(t, err, io.EOF, "the connection ends without an answer")
	assert.Zero(t, r.acted.Load())
}

func TestEndpoint_ACallWithoutAnAnswerIsInTheJournalBeforeItsEnd(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	for _, do := range []string{faults.Reset, faults.ActThenReset} {
		for range 50 {
			before := r.journal.Last()
			_, _, err := r.once(faults.Fault{Do: do})
			require.ErrorIs(t, err, syscall.ECONNRESET)
			require.Equal(t, 1, r.journal.Count(journal.Filter{After: before, Verdict: journal.Faulted}),
				"the call is journaled before the reset")
		}
	}
	for _, do := range []string{faults.Hang, faults.ActThenHang} {
		ctx, hangUp := context.WithCancel(t.Context())
		before := r.journal.Last()
		r.add(faults.Fault{Operation: "send", Do: do, Times: 1})
		ended := make(chan error, 1)
		go func() {
			_, _, err := r.send(ctx, "request")
			ended <- err
		}()
		patience, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		require.Len(t, r.journal.Wait(patience, journal.Filter{After: before}), 1, "while it hangs")
		cancel()
		require.Empty(t, ended)
		hangUp()
		require.ErrorIs(t, <-ended, context.Canceled)
	}
}

func TestEndpoint_FaultsThatActFirst(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	_, _, err := r.once(faults.Fault{Do: faults.ActThenReset})
	require.ErrorIs(t, err, syscall.ECONNRESET)
	_, _, err = r.once(faults.Fault{Do: faults.ActThenHang, LatencyMS: 10})
	require.ErrorIs(t, err, io.EOF)
	_, body, err := r.once(faults.Fault{Do: faults.Truncate})
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	assert.Equal(t, answer[:len(answer)/2], body)
	_, body, err = r.once(faults.Fault{Do: faults.Malformed})
	require.NoError(t, err)
	assert.NotEqual(t, answer, body)
	start := time.Now()
	_, body, err = r.once(faults.Fault{Do: faults.Latency, LatencyMS: 30})
	require.NoError(t, err)
	assert.Equal(t, answer, body)
	assert.GreaterOrEqual(t, time.Since(start), 30*time.Millisecond)
	assert.Equal(t, int64(5), r.acted.Load())
	faulted := r.journal.Entries(journal.Filter{Verdict: journal.Faulted})
	assert.Len(t, faulted, 5)
	assert.Equal(t, "5 latency", faulted[0].Fault)
}

func TestEndpoint_JournalsRequestsAnswersAndRejections(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	_, _, err := r.send(t.Context(), "request")
	require.NoError(t, err)
	_, _, err = r.send(t.Context(), "unreadable")
	require.NoError(t, err)
	response, _, err := r.send(t.Context(), strings.Repeat("x", 200))
	require.NoError(t, err)
	assert.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
	entries := r.journal.Entries(journal.Filter{})
	require.Len(t, entries, 3)
	assert.Equal(t, journal.Rejected, entries[0].Verdict)
	assert.Equal(t, "the body cannot be read", entries[1].Reason)
	assert.Equal(t, journal.Rejected, entries[1].Verdict)
	assert.Equal(t, "request", entries[2].Request)
	assert.JSONEq(t, answer, entries[2].Answer)
	assert.Equal(t, "send", entries[2].Operation)
	assert.Equal(t, journal.OK, entries[2].Verdict)
}

func TestPlan_AFaultOfOneHost(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	r.add(faults.Fault{Operation: "*", Do: faults.Status, Status: http.StatusTeapot, Host: "main.example"})
	for host, want := range map[string]int{"main.example": http.StatusTeapot, "main.example:443": http.StatusTeapot,
		"backup.example": http.StatusOK} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, r.url+"/send",
			strings.NewReader("request"))
		require.NoError(t, err)
		req.Host = host
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, want, resp.StatusCode, host)
	}
	_, hit := r.plan.Apply(&journal.Note{}, "example", "send", faults.Status)
	assert.False(t, hit, "a call that has no host")
}

func TestPlan_SkipTimesAndProbabilityAreExact(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	r.add(faults.Fault{Operation: "send", Do: "over-limit", Skip: 2, Times: 2})
	var hits []int
	for i := range 6 {
		if _, hit := r.plan.Apply(&journal.Note{}, "example", "send", "over-limit"); hit {
			hits = append(hits, i)
		}
		_, hit := r.plan.Apply(&journal.Note{}, "example", "query", "over-limit")
		assert.False(t, hit, "another operation")
	}
	assert.Equal(t, []int{2, 3}, hits)
	r.plan.Clear()
	draw := func(seed uint64) string {
		r.plan.Clear()
		r.add(faults.Fault{Operation: "*", Do: "over-limit", Probability: 0.5, Seed: seed})
		var b strings.Builder
		for range 64 {
			_, hit := r.plan.Apply(&journal.Note{}, "example", "send", "over-limit")
			b.WriteString(map[bool]string{true: "1", false: "0"}[hit])
		}
		return b.String()
	}
	assert.Equal(t, draw(3), draw(3))
	assert.NotEqual(t, draw(3), draw(4))
	assert.InDelta(t, 32, strings.Count(draw(3), "1"), 16)
	assert.InDelta(t, strings.Count(draw(3), "1"), r.plan.Faults()[0].Hits, 0)
}

func TestPlan_ErrorsContainTheValidValues(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	for says, f := range map[string]faults.Fault{
		"valid: example":         {Provider: "unknown", Operation: "*", Do: "hang"},
		"valid: *, send, query":  {Provider: "example", Operation: "cancel", Do: "hang"},
		"valid: latency, status": {Provider: "example", Operation: "*", Do: "unknown"},
		"valid: *, send":         {Provider: "example", Operation: "query", Do: "over-limit"},
		"latency_ms":             {Provider: "example", Operation: "*", Do: "latency"},
		"times":                  {Provider: "example", Operation: "*", Do: "hang", Times: -1},
		"status":                 {Provider: "example", Operation: "*", Do: "status", Status: 99},
		"status 204 has no body": {Provider: "example", Operation: "*", Do: "status", Status: 204, Body: "lost"},
		"status 304 has no body": {Provider: "example", Operation: "*", Do: "html", Status: 304},
	} {
		_, err := r.plan.Add(f)
		var invalid *faults.Invalid
		require.True(t, errors.As(err, &invalid), says)
		assert.Contains(t, invalid.Reason, says)
	}
	assert.Empty(t, r.plan.Faults())
	kept := r.add(faults.Fault{Operation: "*", Do: "hang"})
	assert.True(t, r.plan.Remove(kept.ID))
	assert.False(t, r.plan.Remove(kept.ID))
}

func TestPlan_NthHitsOneCallAndASavedPlanContinues(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	r.add(faults.Fault{Operation: "query", Do: "hang", Nth: 3})
	r.add(faults.Fault{Operation: "send", Do: "over-limit", Probability: 0.5, Seed: 8})
	var nth []int
	for i := range 6 {
		if _, hit := r.plan.Apply(&journal.Note{}, "example", "query", "hang"); hit {
			nth = append(nth, i)
		}
	}
	assert.Equal(t, []int{2}, nth)
	draws := func(p *faults.Plan) (s string) {
		for range 64 {
			_, hit := p.Apply(&journal.Note{}, "example", "send", "over-limit")
			s += map[bool]string{true: "1", false: "0"}[hit]
		}
		return s
	}
	draws(r.plan)
	saved := r.plan.Save()
	other := startTestProvider(t)
	require.NoError(t, other.plan.Load(saved))
	assert.Equal(t, r.plan.Faults(), other.plan.Faults())
	assert.Equal(t, draws(r.plan), draws(other.plan))
	assert.Equal(t, "3", other.add(faults.Fault{Operation: "*", Do: "hang"}).ID, "ids go on")

	saved.Faults[0].Operation = "dance"
	require.ErrorContains(t, other.plan.Load(saved), "dance")
	assert.Len(t, other.plan.Faults(), 3, "an invalid plan changes nothing")
	_, err := r.plan.Add(faults.Fault{Provider: "example", Operation: "*", Do: "hang", Nth: 2, Skip: 1})
	require.ErrorContains(t, err, "nth")
}

func TestPlan_AnnouncesOnlyChanges(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	var changes int
	r.plan.OnChange(func() { changes++ })
	changesOf := func(change func()) int {
		before := changes
		change()
		return changes - before
	}
	assert.Zero(t, changesOf(func() { r.plan.Remove("1") }), "remove a fault that does not exist")
	assert.Zero(t, changesOf(r.plan.Clear), "remove all of no faults")
	assert.Zero(t, changesOf(func() { r.plan.Stubs().Remove("1") }), "remove a stub that does not exist")
	assert.Zero(t, changesOf(func() { r.plan.Stubs().Remove("") }), "remove all of no stubs")
	kept := r.add(faults.Fault{Operation: "*", Do: "hang"})
	assert.Equal(t, 1, changesOf(func() { r.plan.Remove(kept.ID) }))
	r.add(faults.Fault{Operation: "*", Do: "hang"})
	assert.Equal(t, 1, changesOf(r.plan.Clear))
	_, err := r.plan.AddStub(faults.Stub{Provider: "example", Path: "/a"})
	require.NoError(t, err)
	assert.Equal(t, 1, changesOf(func() { r.plan.Stubs().Remove("") }))
}

func TestPlan_IsBounded(t *testing.T) {
	t.Parallel()
	r := startTestProvider(t)
	for range 1000 {
		r.add(faults.Fault{Operation: "*", Do: "hang", Times: 1})
	}
	_, err := r.plan.Add(faults.Fault{Provider: "example", Operation: "*", Do: "hang"})
	require.ErrorContains(t, err, "1000")
}
