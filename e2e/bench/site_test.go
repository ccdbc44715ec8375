package main

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSite_CodeReportsWhyThereIsNone(t *testing.T) {
	t.Parallel()
	for phone, want := range map[string]string{
		"1": "503 Service Unavailable: the world has ended",
		"2": "invalid character",
		"3": "no code was sent to 3",
	} {
		simulators := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Query().Get("phone") {
			case "1":
				http.Error(w, "the world has ended", http.StatusServiceUnavailable)
			case "2":
				_, _ = w.Write([]byte("<html>"))
			default:
				_, _ = w.Write([]byte(`{"messages":[{"text":"a notice","code":""}]}`))
			}
		}))
		t.Cleanup(simulators.Close)
		_, err := (&site{simulators: simulators.URL}).code(t.Context(), phone)
		require.ErrorContains(t, err, want)
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err := (&site{simulators: closed.URL}).code(t.Context(), "4")
	require.ErrorContains(t, err, "refused")
}
