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

// readConfig reads the process's environment, filled up with what running simulators publish when it names some.
func readConfig(ctx context.Context, build string, log *slog.Logger) (addr string, cfg app.Config, err error) {
	variables := env.ToMap(os.Environ())
	addr = cmp.Or(variables["MARQUEE_ADDR"], app.DefaultAddr)
	if err := app.CheckEnv(variables["MARQUEE_ENV"]); err != nil {
		return "", cfg, err
	}
	if variables["MARQUEE_ENV"] != app.Production {
		if variables["MARQUEE_PUBLIC_URL"] == "" {
			variables["MARQUEE_PUBLIC_URL"] = "http://" + addr
		}
		if url := variables["MARQUEE_SIMULATOR_URL"]; url != "" {
			published, err := askSimulators(ctx, url)
			if err != nil {
				return "", cfg, err
			}
			for name, value := range published {
				variables[name] = cmp.Or(variables[name], value)
			}
		}
	}
	if cfg, err = app.FromEnvironment(variables); err != nil {
		return "", cfg, err
	}
	cfg.Build, cfg.Web, cfg.Logger = build, web.Dist(), log
	return addr, cfg, nil
}
