package record_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/syncbuffer"
	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/legacygateway"
	"marquee/simulators/record"
	"marquee/simulators/ticketing/ticketingtest"
)

// startSims runs simulators. In these tests, simulators with another seed take the place of the real provider.
func startSims(t *testing.T, seed uint64) *simulators.Simulators {
	t.Helper()
	s, err := simulators.Start(simulators.Options{Seed: seed})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// tape is a recording that is being made.
type tape struct {
	*testing.T
	*httptest.Server
	keys dataset.Credentials
	file syncbuffer.Buffer
}

// recording is what was recorded up to now.
func (r *tape) recording() *record.Recording {
	r.Helper()
	rec, err := record.Read(strings.NewReader(r.file.String()))
	require.NoError(r, err)
	return rec
}

// newTape puts a recording proxy in front of a provider of real, the simulators that take the place of the real
// provider.
func newTape(t *testing.T, real *simulators.Simulators, provider, target string,
	change ...func(*record.ProxyOptions)) *tape {
	t.Helper()
	r := &tape{T: t, keys: real.Default().Credentials()}
	o := record.ProxyOptions{Provider: provider, Target: target, Out: &r.file, Timeout: 5 * time.Second}
	for _, f := range change {
		f(&o)
	}
	proxy, err := record.NewProxy(o)
	require.NoError(t, err)
	r.Server = httptest.NewServer(proxy)
	t.Cleanup(r.Server.Close)
	return r
}

// ask posts to the gateway behind the proxy and returns the data of a success, or the code of an error.
func (r *tape) ask(method string, fields ...string) (data map[string]any, code string) {
	r.Helper()
	form := url.Values{
		"method": {method}, "appkey": {r.keys.Gateway.AppKey}, "v": {"2.0"},
		"timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)},
	}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	sign, err := legacygateway.Sign(form, r.keys.Gateway.Secret, legacygateway.Dialect{})
	require.NoError(r, err)
	form.Set("sign", sign)
	answer, err := http.PostForm(r.URL, form)
	require.NoError(r, err)
	defer answer.Body.Close()
	var body struct {
		Data  map[string]any
		Error *struct{ Code string }
	}
	require.NoError(r, json.NewDecoder(answer.Body).Decode(&body))
	if body.Error != nil {
		return nil, body.Error.Code
	}
	return body.Data, ""
}

// ordinary is a showing of a later day in a hall of single seats, whatever the seed and the day.
func ordinary(t *testing.T, sims *simulators.Simulators, source dataset.Source) dataset.Show {
	t.Helper()
	city, ok := sims.Default().Country().City("310100")
	require.True(t, ok)
	for _, c := range sims.Default().Country().Cinemas(source, city) {
		for _, s := range sims.Default().Country().Shows(c, "") {
			if s.Hall.Layout.Kind == "激光" && s.Starts.Sub(sims.Default().Country().Now()) > 30*time.Hour {
				return s
			}
		}
	}
	t.Fatal("no ordinary showing")
	return dataset.Show{}
}

// recordGateway makes a recording of reads of the catalog and, if buy is true, of the purchase of two tickets.
func recordGateway(t *testing.T, real *simulators.Simulators, buy bool) *tape {
	t.Helper()
	r := newTape(t, real, "gateway", real.URL()+"/gateway")
	r.ask("city.list")
	films, _ := r.ask("film.hot", "cityid", "310100", "pageNo", "1", "pageSize", "10")
	r.ask("drama.list")
	r.ask("film.detail", "movieid", ticketingtest.Text(t, ticketingtest.List(t, films, "filmList")[3], "movieid"))
	r.ask("cinema.list", "cityid", "310100")
	planned := ordinary(t, real, dataset.Gateway)
	cinema, show := planned.Cinema.ID, planned.ID
	r.ask("cinema.detail", "cinemaid", cinema)
	r.ask("opi.list.v2", "cinemaid", cinema)
	r.ask("opi.list.v2", "cinemaid", cinema, "date", planned.Starts.Format(time.DateOnly))
	seats, _ := r.ask("opi.seat", "opiid", show)
	_, code := r.ask("film.detail", "movieid", "no-such-film")
	require.Equal(t, "2002", code)
	if !buy {
		return r
	}
	var free []string
	for _, s := range ticketingtest.List(t, seats, "seatList") {
		if s["status"] == 1.0 && s["flag"] == 0.0 {
			free = append(free, ticketingtest.Text(t, s, "seatid"))
		}
	}
	lock, code := r.ask("seat.lock", "orderno", "REAL-0001", "opiid", show, "seatids", free[4]+"|"+free[5], "mobile",
		"13812345678")
	require.Empty(t, code)
	amount, err := json.Marshal(lock["amount"])
	require.NoError(t, err)
	for _, step := range [][]string{
		{"order.query", "orderno", "REAL-0001"},
		{"order.create", "orderno", "REAL-0001", "amount", string(amount), "mobile", "13812345678"},
		{"ticket.issue", "orderno", "REAL-0001"},
		{"order.query", "orderno", "REAL-0001"},
	} {
		_, code := r.ask(step[0], step[1:]...)
		require.Empty(t, code, step[0])
	}
	return r
}

// options returns the options with which a recording is compared with the simulators at an address.
func options(t *testing.T, address, provider string, writes bool) record.ReplayOptions {
	t.Helper()
	o, err := record.AtSimulators(t.Context(), address, "", provider)
	require.NoError(t, err)
	o.WithWrites = writes
	return o
}

// altered serves simulators with changed answers. edit gets the gateway's method or the path of the call, and the
// status and the body of its answer. It returns the status and the body to send instead.
func altered(t *testing.T, sims *simulators.Simulators,
	edit func(operation string, status int, body string) (int, string)) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		operation := r.URL.Path
		if form, err := url.ParseQuery(string(body)); err == nil && form.Has("method") {
			operation = form.Get("method")
		}
		answer := httptest.NewRecorder()
		sims.Handler().ServeHTTP(answer, r)
		status, text := edit(operation, answer.Code, answer.Body.String())
		w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(server.Close)
	return server
}

// errorOf reads the error of a proxy's answer.
func errorOf(t *testing.T, answer *http.Response) record.Error {
	t.Helper()
	var body struct{ Error record.Error }
	require.NoError(t, json.NewDecoder(answer.Body).Decode(&body))
	require.NoError(t, answer.Body.Close())
	return body.Error
}
