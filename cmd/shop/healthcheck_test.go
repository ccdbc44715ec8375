package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHealthcheck_ReportsTheAnswerOfReadiness(t *testing.T) {
	status := http.StatusOK
	probed := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/readyz" && status != http.StatusOK {
			http.Error(w, "database: gone\ndisk: 1 MiB are free", status)
			return
		}
		_, _ = io.WriteString(w, strings.TrimPrefix(r.URL.Path, "/")+"\n")
	}))
	defer probed.Close()
	addr := strings.TrimPrefix(probed.URL, "http://")
	for _, variable := range []string{"MARQUEE_ADMIN_ADDR", "MARQUEE_ADDR"} {
		t.Setenv("MARQUEE_ADMIN_ADDR", "none")
		t.Setenv(variable, addr)
		var out strings.Builder
		status = http.StatusOK
		require.NoError(t, run(t.Context(), []string{"healthcheck"}, &out, io.Discard))
		require.Equal(t, "readyz\n", out.String())
		status = http.StatusServiceUnavailable
		err := run(t.Context(), []string{"healthcheck"}, io.Discard, io.Discard)
		require.ErrorContains(t, err, "database: gone\ndisk: 1 MiB are free")
		require.Equal(t, 1, exitCode(err))
		require.NoError(t, run(t.Context(), []string{"healthcheck", "--live"}, io.Discard, io.Discard))
	}
	probed.Close()
	require.ErrorContains(t, run(t.Context(), []string{"healthcheck"}, io.Discard, io.Discard), "refused")
}
