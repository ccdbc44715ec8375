package httpapi

import (
	"context"
	"net/http"

	"marquee/server/fault"
	"marquee/server/httpapi/pages"
	"marquee/server/httpapi/wire"
)

// Readiness reports whether the shop can serve buyers.
type Readiness interface {
	// Ping returns an error with the reason why the shop cannot serve buyers, or nil.
	Ping(ctx context.Context) error
}

// health serves the probes of an orchestrator.
type health struct {
	readiness Readiness
	app       pages.AppConfig
}

// statusAnswer is the answer of both probes with status 200. It does not contain the build, because anyone can call the
// probes: the build is a metric at the admin address.
type statusAnswer struct {
	Status    string `json:"status"`
	Simulated bool   `json:"simulated"`
}

// alive answers GET /healthz.
func (h health) alive(w http.ResponseWriter, _ *http.Request) {
	wire.WriteJSON(w, http.StatusOK, statusAnswer{"ok", h.app.Simulated})
}

// ready answers GET /readyz with status 503 while the shop cannot serve buyers, for example without its database.
func (h health) ready(w http.ResponseWriter, r *http.Request) {
	if err := h.readiness.Ping(r.Context()); err != nil {
		wire.Note(r.Context(), "not_ready", err)
		wire.WriteJSON(w, http.StatusServiceUnavailable, wire.Main.Failure(fault.ErrService))
		return
	}
	wire.WriteJSON(w, http.StatusOK, statusAnswer{"ready", h.app.Simulated})
}
