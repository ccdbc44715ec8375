package art

import "marquee/simulators/provider"

var _ provider.Provider = (*Artist)(nil)

// Name identifies the pictures among the providers. They have no faults and no journal.
func (a *Artist) Name() string { return "art" }

// Mounts serves the pictures at /art. Requests for pictures contain no credential. In worlds other than the default
// one, the paths of pictures begin with /worlds/{id}.
func (a *Artist) Mounts() []provider.Mount {
	return []provider.Mount{{Paths: []string{"/art"}, Handler: a.Handler()}}
}

// CallCredentials is empty.
func (a *Artist) CallCredentials() []provider.Credential { return nil }

// State is nil, because pictures are derived from the seed.
func (a *Artist) State() provider.State { return nil }

// Close does nothing.
func (a *Artist) Close() {}
