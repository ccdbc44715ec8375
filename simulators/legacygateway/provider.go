package legacygateway

import (
	"bytes"
	"net/http"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/provider"
)

var (
	_ provider.Provider    = (*Gateway)(nil)
	_ control.TicketSeller = (*Gateway)(nil)
	_ control.Webhooks     = (*Gateway)(nil)
)

// Name identifies the gateway in faults, in the journal and in snapshots.
func (g *Gateway) Name() string { return Name }

// Mounts serves the gateway at /gateway. A call's appkey selects its world.
func (g *Gateway) Mounts() []provider.Mount {
	return []provider.Mount{{Paths: []string{"/gateway"}, Credential: appKeyOf, Handler: g.Handler()}}
}

// CallCredentials is the appkey.
func (g *Gateway) CallCredentials() []provider.Credential {
	return []provider.Credential{appKey(g.c.Credentials.AppKey)}
}

// State saves the box office and the pending pushes.
func (g *Gateway) State() provider.State { return provider.StateOf(g.Save, g.Load) }

// Close cancels pushes that are being sent and makes no further ones.
func (g *Gateway) Close() { g.pusher.sender.Close() }

// appKey returns an application key as the credential that selects the world of a call.
func appKey(value string) provider.Credential {
	return provider.Credential{Kind: "gateway appkey", Value: value}
}

// appKeyOf reads the appkey of a form without decoding the rest; application keys need no escaping.
func appKeyOf(r *http.Request) provider.Credential {
	for pair := range bytes.SplitSeq(faults.Peek(r), []byte("&")) {
		if value, ok := bytes.CutPrefix(pair, []byte("appkey=")); ok {
			return appKey(string(value))
		}
	}
	return provider.Credential{}
}
