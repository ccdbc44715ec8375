// Package provider defines the interface of a simulated provider: its name, the paths and hosts at which it is served,
// how the world of a call is found, and how a snapshot keeps its state. A world is an isolated set of simulated
// providers.
package provider

import (
	"encoding/json"
	"net/http"
	"regexp"

	"marquee/simulators/control"
	"marquee/simulators/schema"
)

// Provider is one simulated provider of one world. To add a provider, implement it and add one line to newProviders of
// package simulators. Its package declares the faults that can be planned to the world's faults.Plan.
//
// A provider may also implement Publisher and Cataloguer, and the interfaces listed at control.Provider.
type Provider interface {
	control.Provider
	// Mounts lists where the port serves the provider. The list has the same order in every world; only the handlers
	// differ.
	Mounts() []Mount
	// CallCredentials lists the credentials of calls for this world. Each must be unique among all worlds.
	CallCredentials() []Credential
	// State saves and restores the provider. It is nil for a provider without state in snapshots.
	State() State
	// Close ends the provider's background work, such as notifications and pushes. It can be called more than once.
	Close()
}

// Publisher is a provider whose changes are reported by event streams.
type Publisher interface {
	// OnChange calls publish after every change. It replaces an earlier function. publish must not call the provider.
	OnChange(publish func(control.Change))
}

// Cataloguer is a provider with values that clients look up in the catalogue, such as magic phone numbers.
type Cataloguer interface {
	// AddToCatalogue appends the provider's values.
	AddToCatalogue(c *control.Catalogue)
}

// Mount describes how the router recognizes calls of a provider (by path, host, header or parameter), and the handler
// of these calls. The handler receives the original request with its entire path.
type Mount struct {
	// Paths are path prefixes, on any host: "/gateway" matches /gateway and /gateway/….
	Paths []string
	// Hosts are the vendor's host names without port, whatever the path. "*.inapp.localhost" matches every subdomain
	// one level deep. A host takes precedence over a path.
	Hosts []string
	// Header is the name, in canonical form, of a header that only the provider's calls have. It marks them on any host
	// and path: a vendor's SDK sends it even when it is configured with another endpoint. "" means none.
	Header string
	// Parameter marks the provider's calls by a parameter in the query, or in the form of the body, at any path that
	// nothing else serves. It is needed for a client with a changed endpoint, which does not send the vendor's host.
	// "" means none.
	Parameter string
	// Credential reads the credential that selects the world from a call. The zero Credential, or one that no world
	// has, means the default world. It may read the body by faults.Peek. Nil means always the default world.
	Credential func(*http.Request) Credential
	// Handler serves the calls of this world.
	Handler http.Handler
}

// Credential is the part of a call that selects its world. The kind distinguishes equal values of different providers.
type Credential struct {
	Kind  string
	Value string
}

// World is the kind of a Credential that is the id of a world. If there is no such world, the call is rejected.
const World = "world"

var worldID = regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}[a-z0-9]$`)

// IsWorldID reports whether a text has the form of a world's id: 3 to 32 of a-z, 0-9 and -, with a letter first and no
// - last.
func IsWorldID(text string) bool { return worldID.MatchString(text) }

// State saves and restores a provider as JSON.
type State interface {
	// Save returns the current state.
	Save() json.RawMessage
	// Load fills a new provider. The error describes the invalid part of the state.
	Load(state json.RawMessage) error
}

// StateOf is the State of a provider that saves and loads values of type T. A state that does not match T is not
// loaded; the error is a *schema.Problem.
func StateOf[T any](save func() T, load func(T) error) State { return typedState[T]{save, load} }

type typedState[T any] struct {
	save func() T
	load func(T) error
}

// Save implements State.
func (s typedState[T]) Save() json.RawMessage {
	encoded, err := json.Marshal(s.save())
	if err != nil {
		panic(err) // cannot happen: states contain only strings, numbers and times
	}
	return encoded
}

// Load implements State.
func (s typedState[T]) Load(state json.RawMessage) error {
	var saved T
	if err := schema.Decode(state, &saved); err != nil {
		return err
	}
	return s.load(saved)
}
