package faults

import (
	"net/http"

	"marquee/simulators/journal"
)

// CodeNotSimulated is the code that Endpoint.Error gets for a call that the real provider may have but its simulator
// does not. A provider with numeric codes answers it with a number that the vendor does not use.
const CodeNotSimulated = "NOT_SIMULATED"

// notSimulated answers a call that the provider may have and its simulator does not: HTTP 501 with an error in the
// provider's format, so that every client of the provider recognizes a failure.
func (e *Endpoint) notSimulated(w http.ResponseWriter, r *http.Request) {
	message := e.Provider + ": " + r.Method + " " + r.URL.EscapedPath() + " is not simulated"
	if e.Action != nil {
		if name := e.Action(r, journal.From(r.Context()).Body); name != "" {
			message = e.Provider + ": the action " + name + " is not simulated"
		}
	}
	if e.Hint != nil {
		if more := e.Hint(r); more != "" {
			message += ": " + more
		}
	}
	journal.From(r.Context()).NotSimulated(message)
	w.Header().Set("Marquee-Not-Simulated", "1")
	e.Error(&withStatus{w, http.StatusNotImplemented}, r, CodeNotSimulated, message)
}
