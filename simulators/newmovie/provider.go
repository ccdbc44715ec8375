package newmovie

import (
	"net/http"
	"strings"

	"marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/provider"
)

var (
	_ provider.Provider    = (*NewMovie)(nil)
	_ control.TicketSeller = (*NewMovie)(nil)
)

// The kinds of credentials that select a world.
const (
	byEntID = "newmovie entId"
	byToken = "newmovie token key"
)

// Name identifies the provider in faults, in the journal and in snapshots.
func (n *NewMovie) Name() string { return Name }

// Mounts serves the provider under /newmovie. The bearer token selects the world of a call, the entId that of a call
// for a token.
func (n *NewMovie) Mounts() []provider.Mount {
	return []provider.Mount{{Paths: []string{prefix}, Credential: credentialOf, Handler: n.Handler()}}
}

// CallCredentials are the entId, and the key at the start of the tokens that are issued for it.
func (n *NewMovie) CallCredentials() []provider.Credential {
	id := n.c.Credentials.EntID
	return []provider.Credential{{Kind: byEntID, Value: id}, {Kind: byToken, Value: tokenKey(id)}}
}

// State saves the box office and the tokens.
func (n *NewMovie) State() provider.State { return provider.StateOf(n.Save, n.Load) }

// Close does nothing, because the provider does not make calls.
func (n *NewMovie) Close() {}

// credentialOf reads the bearer token's key, or the entId of a call for a token.
func credentialOf(r *http.Request) provider.Credential {
	if key := keyOf(r.Header.Get("Authorization")); key != "" {
		return provider.Credential{Kind: byToken, Value: key}
	}
	if strings.HasSuffix(r.URL.Path, "/oauth/token") {
		return provider.Credential{Kind: byEntID, Value: entIDOf(faults.Peek(r))}
	}
	return provider.Credential{}
}
