package main

import (
	"cmp"
	"context"
	"log/slog"
	"os"

	"github.com/caarlos0/env/v11"

	"marquee/server/app"
	"marquee/web"
)

// readConfig reads the environment of the process. Beside simulators, variables that are not set have the values that
// the simulators publish.
func readConfig(ctx context.Context, build string, log *slog.Logger) (app.Config, error) {
	variables := env.ToMap(os.Environ())
	if err := app.CheckEnv(variables["MARQUEE_ENV"]); err != nil {
		return app.Config{}, err
	}
	if url := variables["MARQUEE_SIMULATOR_URL"]; url != "" && variables["MARQUEE_ENV"] != app.Production {
		published, err := askSimulators(ctx, url)
		if err != nil {
			return app.Config{}, err
		}
		for name, value := range published {
			variables[name] = cmp.Or(variables[name], value)
		}
	}
	cfg, err := app.FromEnvironment(variables)
	cfg.Build, cfg.Web, cfg.Logger = build, web.Dist(), log
	return cfg, err
}
