package app_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/durations"
	"marquee/server/store/postgres/pgtest"
)

// receiver is a collector of traces.
type receiver struct {
	mu    sync.Mutex
	spans []*tracev1.Span
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	var sent collector.ExportTraceServiceRequest
	if err != nil || req.URL.Path != "/v1/traces" || proto.Unmarshal(body, &sent) != nil {
		http.Error(w, "not a trace", http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, resource := range sent.ResourceSpans {
		for _, scope := range resource.ScopeSpans {
			r.spans = append(r.spans, scope.Spans...)
		}
	}
}

// attribute returns the text of an attribute of a span.
func attribute(s *tracev1.Span, key string) string {
	for _, a := range s.Attributes {
		if a.Key == key {
			return a.Value.GetStringValue()
		}
	}
	return ""
}

func TestTraces_FollowARequestToProvidersAndDatabase(t *testing.T) {
	t.Parallel()
	r := &receiver{}
	receiving := httptest.NewServer(r)
	t.Cleanup(receiving.Close)
	h := &testShop{harness.New(t, harness.Options{Configure: func(cfg *app.Config) {
		cfg.Traces, cfg.DB = receiving.URL, pgtest.Shop(t)
	}})}
	h.Get("/newmovie/api/movie/movies?cityId=" + shanghai)
	b := h.newBuyer("13811110401").loginInApp()
	h.issueCard("8010000000000001", 100)
	unpaid := dataOf[prepared](t, b.call("/api/api.php/Card/czwxpay", params{
		"num": "12.34", "price": "12.34", "card_id": b.bindCard("8010000000000001"), "openid": openID,
	}))
	b.AdvanceClock(durations.PayWithin)
	resp, err := http.Get(h.URL + "/newmovie/api/movie/movies?cityId=" + shanghai)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.NoError(t, h.Shop.Purchase().Jobs.RunDue(t.Context()))
	h.Verify()
	h.close()

	byName := map[string][]*tracev1.Span{}
	byID := map[string]*tracev1.Span{}
	for _, s := range r.spans {
		byName[s.Name] = append(byName[s.Name], s)
		byID[string(s.SpanId)] = s
		assert.NotContains(t, s.Name, unpaid.OrderNo, "the number of different names is bounded")
		for _, a := range s.Attributes {
			assert.NotContains(t, a.Value.GetStringValue(), "13811110401", "%s of %s", a.Key, s.Name)
		}
	}
	requests := byName["/newmovie/api/movie/movies"]
	require.NotEmpty(t, requests, "spans are named with the route pattern")
	assert.Equal(t, resp.Header.Get("X-Request-Id"), attribute(requests[len(requests)-1], "request_id"))
	calls := byName["newmovie films"]
	require.NotEmpty(t, calls)
	parent := byID[string(calls[0].ParentSpanId)]
	require.NotNil(t, parent, "the call of a provider belongs to the request")
	assert.Equal(t, attribute(parent, "request_id"), attribute(calls[0], "request_id"))
	jobs := byName["job periodic purge-accounts"]
	require.NotEmpty(t, jobs, "a run of a job is the root of a trace")
	assert.Empty(t, jobs[0].ParentSpanId)
	assert.NotEmpty(t, attribute(jobs[0], "request_id"))
	assert.True(t, slices.ContainsFunc(r.spans, func(s *tracev1.Span) bool {
		return string(s.ParentSpanId) == string(jobs[0].SpanId)
	}), "its statements belong to it")
	orders := byName["job order"]
	require.NotEmpty(t, orders)
	assert.Equal(t, unpaid.OrderNo, attribute(orders[0], "subject"))
	login := byName["/Login/phoneLogin"]
	require.NotEmpty(t, login)
	statements := 0
	for _, s := range r.spans {
		if string(s.TraceId) == string(login[0].TraceId) && s.Name != login[0].Name {
			statements++
		}
	}
	assert.Positive(t, statements, "the statements of a request belong to its trace")
}

// A shop without a collector starts no goroutine for traces. A goroutine inherits the labels of the one that starts it,
// so that the goroutines of other tests are distinguished.
func TestTraces_CostNothingWithoutACollector(t *testing.T) {
	t.Parallel()
	collecting := httptest.NewServer(&receiver{})
	t.Cleanup(collecting.Close)
	for collector, goroutines := range map[string]int{"": 0, collecting.URL: 1} {
		label := t.Name() + collector
		pprof.Do(t.Context(), pprof.Labels("shop", label), func(context.Context) {
			s := newIdleShop(t, func(cfg *app.Config) { cfg.Traces = collector })
			s.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/healthz", nil))
		})
		var stacks strings.Builder
		require.NoError(t, pprof.Lookup("goroutine").WriteTo(&stacks, 1))
		found := 0
		for g := range strings.SplitSeq(stacks.String(), "\n\n") {
			if strings.Contains(g, strconv.Quote(label)) && strings.Contains(g, "batchSpanProcessor") {
				found++
			}
		}
		assert.Equal(t, goroutines, found, "goroutines for traces with the collector %q", collector)
	}
}
