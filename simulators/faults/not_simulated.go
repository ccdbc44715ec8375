package faults

import (
	"encoding/json"
	"net/http"

	"marquee/simulators/journal"
)

// NotSimulated answers a call that the provider may have and its simulator does not: HTTP 501 in a form that is no
// provider's, so that a missing simulation is never taken for an answer of the provider. more is a hint, or "".
func NotSimulated(w http.ResponseWriter, r *http.Request, provider, more string) {
	message := provider + ": " + r.Method + " " + r.URL.Path + " is not simulated"
	for _, action := range []string{"X-Tc-Action", "X-Acs-Action"} {
		if name := r.Header.Get(action); name != "" {
			message = provider + ": the action " + name + " is not simulated"
		}
	}
	if more != "" {
		message += ": " + more
	}
	journal.From(r.Context()).NotSimulated(message)
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Marquee-Not-Simulated", "1")
	w.WriteHeader(http.StatusNotImplemented)
	_ = json.NewEncoder(w).Encode(map[string]any{ // fails only if the client is gone
		"code": "NOT_SIMULATED", "message": message,
		"error": map[string]string{"code": "not_simulated", "message": message},
	})
}
