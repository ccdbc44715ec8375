package httpapi

import (
	"context"
	"net/http"

	"marquee/server/fault"
)

// Readiness tells whether the database answers with its schema in place.
type Readiness interface {
	Ping(ctx context.Context) error
}

type statusAnswer struct {
	Status    string `json:"status"`
	Build     string `json:"build"`
	Simulated bool   `json:"simulated"`
}

func (h *handler) healthy(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, statusAnswer{"ok", h.App.Build, h.App.Simulated})
}

func (h *handler) ready(w http.ResponseWriter, r *http.Request) {
	if err := h.Ready.Ping(r.Context()); err != nil {
		note(r.Context(), "not_ready", err)
		writeJSON(w, http.StatusServiceUnavailable, mainBackend.failure(fault.ErrUnavailable))
		return
	}
	writeJSON(w, http.StatusOK, statusAnswer{"ready", h.App.Build, h.App.Simulated})
}
