package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// askSimulators fetches the environment that running simulators publish, so that `bin/sim -providers-only` and
// `bin/shop` need nothing but an address to find each other.
func askSimulators(ctx context.Context, url string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/sim/v1/catalogue", nil)
	if err != nil {
		return nil, fmt.Errorf("MARQUEE_SIMULATOR_URL: %w", err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the simulators at MARQUEE_SIMULATOR_URL: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask the simulators at MARQUEE_SIMULATOR_URL: %s", resp.Status)
	}
	var catalogue struct {
		Environment map[string]string `json:"environment"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 4<<20)).Decode(&catalogue); err != nil {
		return nil, fmt.Errorf("read what the simulators publish: %w", err)
	}
	return catalogue.Environment, nil
}
