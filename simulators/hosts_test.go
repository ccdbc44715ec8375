package simulators_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

// A page whose name was made to lead here is of the same origin to its browser; only the Host header tells it.
func TestHosts_ControlAndConsoleAnswerUnderNamesOfThisMachineAlone(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{Addr: "localhost:0"})
	ask := func(method, host, target string) (int, string) {
		request, err := http.NewRequest(method, s.URL()+target, http.NoBody)
		require.NoError(t, err)
		request.Host = host
		request.Header.Set("Origin", "http://"+host)
		return do(t, request)
	}
	for _, host := range []string{
		"127.0.0.1", "127.0.0.1:9090", "[::1]", "[::1]:9090", "10.1.2.3:80", "localhost", "LOCALHOST.:9090", "ci-7.localhost", "a.b.localhost:1",
	} {
		status, text := ask(http.MethodPost, host, "/sim/v1/clock/freeze")
		assert.Equal(t, http.StatusOK, status, "%s: %s", host, text)
	}
	control(t, s, http.MethodPost, "/clock/resume", "")
	for _, host := range []string{"evil.example", "evil.example:9090", "localhost.evil.example", "notlocalhost", "127.0.0.1.evil.example", "0x7f.1", "sim", "evil.example:a:b"} {
		for _, call := range []string{"POST /sim/v1/clock/freeze", "GET /sim/v1/catalogue", "GET /sim/v1/no-such", "GET /"} {
			method, target, _ := strings.Cut(call, " ")
			status, text := ask(method, host, target)
			assert.Equal(t, http.StatusForbidden, status, "%s %s", host, call)
			assert.Contains(t, text, `"foreign_host"`, "%s %s", host, call)
		}
		status, _ := ask(http.MethodPost, host, "/gateway")
		assert.Equal(t, http.StatusOK, status, "a provider may have any name: %s", host)
	}
	assert.False(t, s.Default().Clock().Frozen())
}

func TestHosts_TheNameThatTheyListenOnIsTheirs(t *testing.T) {
	t.Parallel()
	s := simulators.Build(t, simulators.Options{Addr: "Sim.test:9090"})
	for host, wanted := range map[string]int{"sim.test:9090": http.StatusOK, "SIM.TEST": http.StatusOK, "other.test:9090": http.StatusForbidden, "": http.StatusOK} {
		request := httptest.NewRequest(http.MethodGet, "/sim/v1/clock", http.NoBody)
		request.Host = host
		answer := httptest.NewRecorder()
		s.Handler().ServeHTTP(answer, request)
		assert.Equal(t, wanted, answer.Code, host)
	}
}

func TestHosts_APathOfAWorldThatNobodyAnswers(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	for _, path := range []string{"/worlds/default/nothing", "/worlds/default", "/worlds/default/", "/worlds/default/sim/v1/clock"} {
		status, text := get(t, s.URL()+path)
		assert.Equal(t, http.StatusNotFound, status, path)
		assert.Contains(t, text, `"code":"not_found"`, path)
	}
}

func TestHosts_NoSuchHostOfThePhoneIsSaid(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	made, _ := create(t, s, `{"id":"shown"}`)
	for host, code := range map[string]string{
		"a.b.inapp.localhost":               "unknown_host",
		"a.b.inapp.localhost:9090":          "unknown_host",
		"x.phone.inapp.localhost":           "unknown_host",
		made.ID + ".phone.inapp.localhost":  "unknown_host",
		"a." + made.ID + ".inapp.localhost": "unknown_host",
		"none.inapp.localhost":              "world_unknown",
	} {
		for _, target := range []string{"/", "/phone", "/sim/v1/clock", "/__phone/start"} {
			request, err := http.NewRequest(http.MethodGet, s.URL()+target, http.NoBody)
			require.NoError(t, err)
			request.Host = host
			request.Header.Set("Accept", "text/html")
			status, text := do(t, request)
			assert.Equal(t, http.StatusNotFound, status, "%s%s", host, target)
			assert.Contains(t, text, `"code":"`+code+`"`, "%s%s", host, target)
		}
	}
}
