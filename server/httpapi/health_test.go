package httpapi

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealth(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	require.Equal(t, http.StatusOK, r.get(t, "/healthz").Status)
	require.Equal(t, http.StatusOK, r.get(t, "/readyz").Status)
	head := r.do(t, r.request(t, http.MethodHead, "/index", ""))
	require.Equal(t, http.StatusOK, head.Status)
	down := newHarness(t, func(c *Config) { c.Readiness = ready{http.ErrServerClosed} })
	require.Equal(t, http.StatusOK, down.get(t, "/healthz").Status)
	a := down.get(t, "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, a.Status)
	require.Equal(t, "service_unavailable", a.Error)
}
