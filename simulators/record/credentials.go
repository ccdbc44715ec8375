package record

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// ReadCredentials reads the account that signs a replay from a file. Flags would not be safe, because other users of a
// machine can read its command lines. The file is JSON in the form of the control API's `credentials`; only the
// provider's part is required. The error is an *Error.
func ReadCredentials(file, provider string) (dataset.Credentials, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return dataset.Credentials{}, fail("bad_credentials", "the credentials cannot be read: %s", err)
	}
	var content struct {
		dataset.Credentials
		Inner *dataset.Credentials `json:"credentials"` // set if the file is a complete answer of the control API
	}
	if err := json.Unmarshal(raw, &content); err != nil {
		// err might quote the credentials.
		return dataset.Credentials{}, fail("bad_credentials", "%s is not JSON of credentials", file)
	}
	keys := content.Credentials
	if content.Inner != nil {
		keys = *content.Inner
	}
	p, err := providerOf(provider)
	if err != nil {
		return keys, err
	}
	for name, value := range p.account(keys) {
		if value == "" {
			return keys, fail("bad_credentials", "%s has no %s", file, name)
		}
	}
	return keys, nil
}

// catalogueTimeout is how long simulators may take to return their credentials.
const catalogueTimeout = 10 * time.Second

// AtSimulators returns the options of a replay against running simulators. It fetches the credentials of the world with
// worldID from them; "" is the default world. The error is an *Error.
func AtSimulators(ctx context.Context, address, worldID, provider string) (ReplayOptions, error) {
	p, err := providerOf(provider)
	if err != nil {
		return ReplayOptions{}, err
	}
	target, err := parseTarget(address)
	if err != nil {
		return ReplayOptions{}, err
	}
	base := strings.TrimSuffix(plainTarget(target), "/")
	r, err := http.NewRequestWithContext(ctx, http.MethodGet,
		base+"/sim/v1/catalogue?world="+url.QueryEscape(worldID), nil)
	if err != nil {
		return ReplayOptions{}, fail("bad_target", "%s is not an address", base)
	}
	answer, raw, failure := receive(newClient(catalogueTimeout), r)
	if failure != "" {
		return ReplayOptions{}, fail("target_"+failure, "%s: %s", base, failures[failure])
	}
	var keys dataset.Credentials
	if err := json.Unmarshal(raw, &keys); err != nil || answer.StatusCode != http.StatusOK {
		return ReplayOptions{}, fail("not_simulators",
			"%s has no catalogue for world %q (HTTP %d); a provider needs -credentials",
			base, worldID, answer.StatusCode)
	}
	return ReplayOptions{Target: base + p.mount, Credentials: keys}, nil
}
