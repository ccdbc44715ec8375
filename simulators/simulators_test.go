package simulators_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/testclock"
)

// start runs simulators on a free port for one test.
func start(t testing.TB, o simulators.Options) *simulators.Simulators {
	t.Helper()
	o.ObserveUndeclared = func(route, code string) { t.Errorf("%s answered %s, which it does not declare", route, code) }
	s, err := simulators.Start(o)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, s.Close()) })
	return s
}

// gatewayForm is a signed call of the gateway; fields are name, value, name, value…
func gatewayForm(t testing.TB, s interface{ Credentials() dataset.Credentials }, method string,
	fields ...string) url.Values {
	t.Helper()
	return signedForm(t, s.Credentials().Gateway, method, fields...)
}

func signedForm(t testing.TB, c dataset.GatewayCredentials, method string, fields ...string) url.Values {
	t.Helper()
	form := url.Values{"method": {method}, "appkey": {c.AppKey}, "v": {"2.0"},
		"timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	sign, err := legacygateway.Sign(form, c.Secret, legacygateway.Dialect{})
	require.NoError(t, err)
	form.Set("sign", sign)
	return form
}

func post(t testing.TB, url, kind, body string, header http.Header) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, url, strings.NewReader(body))
	require.NoError(t, err)
	for k, v := range header {
		request.Header[k] = v
	}
	request.Header.Set("Content-Type", kind)
	return do(t, request)
}

func do(t testing.TB, request *http.Request) (int, string) {
	t.Helper()
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode, string(answer)
}

func get(t testing.TB, url string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodGet, url, nil)
	require.NoError(t, err)
	return do(t, request)
}

// object decodes a JSON answer.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	m := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(text), &m), text)
	return m
}

func TestStart_BothTicketingProvidersAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	status, text := post(t, s.URL()+"/gateway", "application/x-www-form-urlencoded",
		gatewayForm(t, s.Default(), "city.list").Encode(), nil)
	assert.Equal(t, http.StatusOK, status)
	assert.Equal(t, true, object(t, text)["success"], text)

	c := s.Default().Credentials().NewMovie
	_, text = post(t, s.URL()+"/newmovie/api/oauth/token", "application/json",
		`{"entId":"`+c.EntID+`","appSecret":"`+c.AppSecret+`"}`, nil)
	data, ok := object(t, text)["data"].(map[string]any)
	require.True(t, ok, text)
	request, err := http.NewRequest(http.MethodGet, s.URL()+"/newmovie/api/movie/cities", nil)
	require.NoError(t, err)
	token, ok := data["access_token"].(string)
	require.True(t, ok)
	request.Header.Set("Authorization", "Bearer "+token)
	_, text = do(t, request)
	assert.InDelta(t, 0, object(t, text)["code"], 0, text)
	for _, e := range s.Default().Journal().Entries(journal.Filter{Provider: "newmovie"}) {
		assert.NotContains(t, e.Request+e.Answer, token)
		assert.NotContains(t, e.Request+e.Answer, c.AppSecret)
	}
	assert.Len(t, s.Default().Journal().Entries(journal.Filter{Provider: "newmovie"}), 2)
}

// serve runs a handler on a free port for one test.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL
}

// body reads an answer to its end.
func body(t testing.TB, response *http.Response) string {
	t.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return string(text)
}

// gatewayHandler returns a legacy gateway that does not listen. The links in its answers have a fixed address, so that
// two gateways with the same seed answer the same bytes.
func gatewayHandler(seed uint64, clock *testclock.Clock) http.Handler {
	w := dataset.NewCountry(seed, clock)
	return legacygateway.New(legacygateway.Config{
		Country: w, Clock: clock, Plan: faults.NewPlan(), Journal: journal.New(1000, clock.Now),
		Credentials: dataset.NewCredentials(1).Gateway,
		BaseURL:     func() string { return "http://sim" }, PushURL: func() string { return "" },
	}).Handler()
}

func ask(t testing.TB, h http.Handler, method string, fields ...string) string {
	t.Helper()
	form := signedForm(t, dataset.NewCredentials(1).Gateway, method, fields...)
	request := httptest.NewRequest(http.MethodPost, "/gateway", strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	answer := httptest.NewRecorder()
	h.ServeHTTP(answer, request)
	require.Contains(t, answer.Body.String(), `"success":true`, method)
	return answer.Body.String()
}

func TestSeed_TheSameSeedAnswersTheSameBytes(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	one, same, other := gatewayHandler(9, clock), gatewayHandler(9, clock), gatewayHandler(10, clock)
	city, _ := dataset.NewCountry(9, clock).City("330100")
	cinema := dataset.NewCountry(9, clock).Cinemas(dataset.Gateway, city)[2]
	show := dataset.NewCountry(9, clock).Shows(cinema, "")[20].ID
	for _, call := range [][]string{
		{"city.list"}, {"film.hot"}, {"drama.list"}, {"film.detail", "movieid", "1307"},
		{"cinema.list", "cityid", "330100"},
		{"cinema.detail", "cinemaid", cinema.ID}, {"opi.list.v2", "cinemaid", cinema.ID}, {"opi.seat", "opiid", show},
	} {
		first := ask(t, one, call[0], call[1:]...)
		second := ask(t, same, call[0], call[1:]...)
		assert.Equal(t, first, second, call[0])
		if call[0] != "city.list" && call[0] != "opi.seat" {
			assert.NotEqual(t, first, ask(t, other, call[0], call[1:]...), call[0])
		}
	}
}
