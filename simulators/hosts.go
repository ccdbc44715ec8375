package simulators

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"

	"marquee/simulators/control"
)

// ownHosts lets only calls pass whose Host header names this machine, or what the simulators were told to listen on. A
// web page whose name its owner makes lead to 127.0.0.1 is of the same origin to a browser, which would let it read every
// key and move the clock; its name alone gives it away. Providers are not behind it: their clients send many names.
type ownHosts struct {
	listens string // the host of Options.Addr
	next    http.Handler
}

func (h ownHosts) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !h.own(r.Host) {
		writeControlError(w, &control.Error{
			Status: http.StatusForbidden, Code: "foreign_host",
			Message: "the control API and the console answer under an IP address, localhost, its subdomains or the host of -sim-addr, and not under another name",
		})
		return
	}
	h.next.ServeHTTP(w, r)
}

func (h ownHosts) own(host string) bool {
	if host == "" { // no browser leaves it out
		return true
	}
	name := strings.ToLower(strings.TrimSuffix(strings.Trim(hostname(host), "[]"), "."))
	_, err := netip.ParseAddr(name) // nobody else can make an address lead here
	return err == nil || name == "localhost" || strings.HasSuffix(name, ".localhost") || name == h.listens
}

func writeControlError(w http.ResponseWriter, e *control.Error) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(e.Status)
	_ = json.NewEncoder(w).Encode(map[string]any{"error": e}) // the caller may be gone
}
