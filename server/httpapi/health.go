package httpapi

import (
	"context"
	"marquee/server/httpapi/wire"
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
	wire.WriteJSON(w, http.StatusOK, statusAnswer{"ok", h.App.Build, h.App.Simulated})
}

func (h *handler) ready(w http.ResponseWriter, r *http.Request) {
	if err := h.Ready.Ping(r.Context()); err != nil {
		wire.Note(r.Context(), "not_ready", err)
		wire.WriteJSON(w, http.StatusServiceUnavailable, wire.Main.Failure(fault.ErrUnavailable))
		return
	}
	wire.WriteJSON(w, http.StatusOK, statusAnswer{"ready", h.App.Build, h.App.Simulated})
}
