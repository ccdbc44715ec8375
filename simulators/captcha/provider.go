package captcha

import (
	"net/http"
	"strconv"

	"marquee/simulators/faults"
	"marquee/simulators/provider"
	"marquee/simulators/tc3"
)

var _ provider.Provider = (*Simulator)(nil)

// Name identifies the provider in faults, in the journal and in snapshots.
func (s *Simulator) Name() string { return Name }

// Mounts serves the API at the vendor's host. The script and the challenge are served at ScriptHost, and on every host
// at paths that begin with Path. The id of the API key, or the number of the application, in a call selects the world.
func (s *Simulator) Mounts() []provider.Mount {
	return []provider.Mount{
		{
			Hosts: []string{Host}, Handler: s.APIHandler(),
			Credential: func(r *http.Request) provider.Credential { return secretID(tc3.SecretIDOf(r, faults.Peek(r))) },
		},
		{
			Hosts: []string{ScriptHost}, Paths: []string{Path}, Handler: s.PageHandler(),
			Credential: func(r *http.Request) provider.Credential { return appID(r.URL.Query().Get("aid")) },
		},
	}
}

// CallCredentials are the id of the API key and the number of the application.
func (s *Simulator) CallCredentials() []provider.Credential {
	return []provider.Credential{
		secretID(s.Credentials.SecretID), appID(strconv.FormatUint(s.Credentials.AppID, 10)),
	}
}

func secretID(id string) provider.Credential {
	return provider.Credential{Kind: "captcha secret id", Value: id}
}

func appID(id string) provider.Credential {
	return provider.Credential{Kind: "captcha application", Value: id}
}

// State is nil: a snapshot has no challenges and tickets, which expire after minutes.
func (s *Simulator) State() provider.State { return nil }

// Close does nothing: the provider makes no calls by itself.
func (s *Simulator) Close() {}
