package simulators

import (
	"encoding/json"
	"net/http"

	"marquee/simulators/control"
	"marquee/simulators/ownname"
)

// ownHosts lets only calls pass whose Host header names this machine, or what the simulators were told to listen on. A
// web page under another name could read every key and move the clock. Providers are not behind it: their clients send
// many names.
type ownHosts struct {
	listens string // the host of Options.Addr
	next    http.Handler
}

func (h ownHosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !ownname.Is(r.Host, h.listens) {
		writeControlError(w, &control.Error{
			Status: http.StatusForbidden, Code: "foreign_host",
			Message: "the control API and the console answer under an IP address, localhost, its subdomains or the host of -sim-addr, and not under another name",
		})
		return
	}
	h.next.ServeHTTP(w, r)
}

func writeControlError(w http.ResponseWriter, e *control.Error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(e.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": e}) // the caller may be gone
}
