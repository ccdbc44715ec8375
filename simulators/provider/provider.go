// Package provider defines what a simulated provider is to the rest of the simulators: its name, where the port serves
// it, how a call tells which world it is for, and how a snapshot keeps its state.
package provider

import (
	"encoding/json"
	"net/http"
	"regexp"

	"marquee/simulators/control"
	"marquee/simulators/schema"
)

// Provider is one simulated provider of one world. A provider joins the simulators by implementing it and by one line
// in newProviders of package simulators. Its package declares to the world's faults.Plan which faults can be planned.
//
// A provider may also implement Publisher and Cataloguer, and the interfaces that control.Provider names.
type Provider interface {
	control.Provider
	// Mounts lists where the port serves the provider. The list has the same order in every world; only the handlers
	// differ.
	Mounts() []Mount
	// CallCredentials lists the values that calls for this world carry. No two worlds may have one in common.
	CallCredentials() []Credential
	// State saves and restores the provider. It is nil if a snapshot keeps nothing of it.
	State() State
	// Close ends what the provider does by itself, such as notifies and pushes. It can be called more than once.
	Close()
}

// Publisher is a provider with changes that event streams report.
type Publisher interface {
	// OnChange calls publish after every change. It replaces an earlier function. publish must not call the provider.
	OnChange(publish func(control.Change))
}

// Cataloguer is a provider with values that clients look up in the catalogue, such as magic phone numbers.
type Cataloguer interface {
	// AddToCatalogue appends the provider's values.
	AddToCatalogue(c *control.Catalogue)
}

// Mount is one place of the port at which a provider is served. The handler receives a request as it came, with its
// whole path.
type Mount struct {
	// Paths are path prefixes, on any host: "/gateway" takes /gateway and /gateway/….
	Paths []string
	// Hosts are the vendor's host names without port, whatever the path. "*.inapp.localhost" takes every subdomain one
	// level deep. A host takes precedence over a path.
	Hosts []string
	// Header marks the provider's calls on any host and path, in canonical form. A vendor's SDK sends it even when it
	// is configured with another endpoint.
	Header string
	// Parameter marks the provider's calls by a parameter in the query, or in the form of the body, at any path that
	// nothing else answers: a client whose endpoint was changed sends no vendor's host. "" means none.
	Parameter string
	// Credential reads from a call which world it is for. The zero Credential, or one that no world has, means the
	// default world. It may read the body by faults.Peek. Nil means always the default world.
	Credential func(*http.Request) Credential
	// Handler serves the calls of this world.
	Handler http.Handler
}

// Credential is what a call says about the world it is for. The kind keeps equal values of different providers apart.
type Credential struct {
	Kind  string
	Value string
}

// World is the kind of a Credential that names a world by its id. If there is no such world the call is refused.
const World = "world"

var worldID = regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}[a-z0-9]$`)

// IsWorldID reports whether a text has the form of a world's id: 3 to 32 of a-z, 0-9 and -, with a letter first and no
// - last.
func IsWorldID(text string) bool { return worldID.MatchString(text) }

// State saves and restores a provider as JSON.
type State interface {
	// Save returns the present state.
	Save() json.RawMessage
	// Load fills a new provider. The error says which part of the state does not fit.
	Load(state json.RawMessage) error
}

// StateOf is the State of a provider that saves and loads values of type T. A state that does not fit T is not loaded; the
// error is a *schema.Problem.
func StateOf[T any](save func() T, load func(T) error) State { return typedState[T]{save, load} }

type typedState[T any] struct {
	save func() T
	load func(T) error
}

// Save implements State.
func (s typedState[T]) Save() json.RawMessage {
	encoded, err := json.Marshal(s.save())
	if err != nil {
		panic(err) // states consist of texts, numbers and times, which always encode
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
