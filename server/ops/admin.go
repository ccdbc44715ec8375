package ops

import (
	"fmt"
	"net/http"
	"net/http/pprof"
)

// AdminConfig is what the admin address serves.
type AdminConfig struct {
	Metrics   *Metrics
	Readiness Readiness
}

// NewAdmin returns the handler of the admin address: /metrics, /healthz, /readyz and /debug/pprof/. It has no access
// control, so that it must never be reachable from outside.
func NewAdmin(c AdminConfig) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", c.Metrics.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok") // fails only if the client has disconnected
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		if err := c.Readiness.Ping(r.Context()); err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}
