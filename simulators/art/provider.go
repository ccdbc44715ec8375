package art

import "marquee/simulators/provider"

var _ provider.Provider = (*Artist)(nil)

// Name identifies the pictures among the providers. They have no faults and no journal.
func (a *Artist) Name() string { return "art" }

// Mounts serves the pictures at /art. Their calls carry no credential: a path with the world's id chooses another world
// than the default one.
func (a *Artist) Mounts() []provider.Mount {
	return []provider.Mount{{Paths: []string{"/art"}, Handler: a.Handler()}}
}

// CallCredentials is empty.
func (a *Artist) CallCredentials() []provider.Credential { return nil }

// State is nil: a picture follows from the seed.
func (a *Artist) State() provider.State { return nil }

// Close does nothing.
func (a *Artist) Close() {}
