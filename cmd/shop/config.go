package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"marquee/server/app"
	"marquee/web"
)

// environment returns the environment variables of the process, and those whose values are in files
// (app.WithSecretFiles).
func environment() (map[string]string, error) { return app.WithSecretFiles(env.ToMap(os.Environ())) }

// readConfig reads the configuration from the environment. With MARQUEE_SIMULATOR_URL, except in production, variables
// that are not set get the values that the simulators publish, so that shop and simulators need only the address to
// work together.
func readConfig(ctx context.Context, log *slog.Logger) (app.Config, error) {
	variables, err := environment()
	if err != nil {
		return app.Config{}, err
	}
	if err := app.CheckEnv(variables["MARQUEE_ENV"]); err != nil {
		return app.Config{}, err
	}
	if url := variables["MARQUEE_SIMULATOR_URL"]; url != "" && variables["MARQUEE_ENV"] != app.Production {
		published, err := fetchEnvironment(ctx, url)
		if err != nil {
			return app.Config{}, fmt.Errorf("%w: MARQUEE_SIMULATOR_URL: %w", errSimulators, err)
		}
		for name, value := range published {
			variables[name] = cmp.Or(variables[name], value)
		}
	}
	cfg, err := app.FromEnvironment(variables)
	cfg.Build, cfg.Web, cfg.Logger = version, web.Dist(), log
	return cfg, err
}

// databaseVariable returns MARQUEE_DB or its default. Commands about a database check only this variable and
// MARQUEE_ENV, so that an error in another one does not prevent a backup.
func databaseVariable() (string, error) {
	variables, err := environment()
	if err != nil {
		return "", err
	}
	cfg, err := app.FromEnvironment(map[string]string{"MARQUEE_DB": variables["MARQUEE_DB"]})
	return cfg.DB, errors.Join(err, app.CheckEnv(variables["MARQUEE_ENV"]),
		app.CheckDatabase(variables["MARQUEE_ENV"], cfg.DB))
}

// fetchEnvironment fetches the environment that running simulators publish for a shop.
func fetchEnvironment(ctx context.Context, url string) (map[string]string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimSuffix(url, "/")+"/sim/v1/catalogue", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("unexpected status %s", resp.Status)
	}
	var catalogue struct {
		Environment map[string]string `json:"environment"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 4<<20)).Decode(&catalogue); err != nil {
		return nil, fmt.Errorf("decode the catalogue: %w", err)
	}
	return catalogue.Environment, nil
}
