package simulators_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
	"marquee/simulators/script"
	"marquee/simulators/testclock"
)

// gatewayHandler is a gateway without a socket, so that two of one seed have one address.
func gatewayHandler(seed uint64, clock *testclock.Clock) http.Handler {
	w := dataset.NewCountry(seed, clock)
	return legacygateway.New(legacygateway.Config{
		Country: w, Clock: clock, Plan: script.NewPlan(), Journal: journal.New(1000, clock.Now),
		Credentials: dataset.NewCredentials(1).Gateway,
		BaseURL:     func() string { return "http://sim" }, PushURL: func() string { return "" },
	}).Handler()
}

func ask(t testing.TB, h http.Handler, method string, fields ...string) string {
	t.Helper()
	c := dataset.NewCredentials(1).Gateway
	form := url.Values{"method": {method}, "appkey": {c.AppKey}, "v": {"2.0"}, "timestamp": {time.Now().In(dataset.Zone).Format(time.DateTime)}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	sign, err := legacygateway.Sign(form, c.Secret, legacygateway.Dialect{})
	require.NoError(t, err)
	form.Set("sign", sign)
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
		{"city.list"}, {"film.hot"}, {"drama.list"}, {"film.detail", "movieid", "1307"}, {"cinema.list", "cityid", "330100"},
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
