package httpapi

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	for path, status := range map[string]string{"/healthz": "ok", "/readyz": "ready"} {
		a := r.get(t, path)
		require.Equal(t, http.StatusOK, a.Status)
		require.JSONEq(t, `{"status":"`+status+`","simulated":false}`, a.Body, "strangers do not learn the build")
	}
	head := r.do(t, r.request(t, http.MethodHead, "/index", ""))
	require.Equal(t, http.StatusOK, head.Status)
	down := newHarness(t, func(c *Config) {
		c.Readiness = ready{http.ErrServerClosed}
		c.ObserveRequest = func(route string, _ int, _ string, _ time.Duration) {
			t.Errorf("%s counts as a request of a buyer", route)
		}
	})
	require.Equal(t, http.StatusOK, down.get(t, "/healthz").Status)
	a := down.get(t, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, a.Status)
	require.Equal(t, "service_unavailable", a.Error)
	require.NotContains(t, down.log.String(), `"level":"ERROR"`, "a replica that drains is not a defect")
}
