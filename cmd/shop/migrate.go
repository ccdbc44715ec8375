package main

import (
	"context"
	"os"

	"marquee/server/app"
)

type migrateCommand struct{}

// Help explains the exit codes.
func (migrateCommand) Help() string {
	return "Reads only MARQUEE_DB. On PostgreSQL, replicas of the previous release keep serving during it, and " +
		"several processes may run it at once: one migrates, the others wait. It rejects a SQLite file that a " +
		"shop serves: a shop migrates its file itself when it starts.\n\n" + exitCodes
}

// Run applies the missing migrations to MARQUEE_DB.
func (migrateCommand) Run(ctx context.Context, p *process) error {
	cfg, err := app.FromEnvironment(map[string]string{"MARQUEE_DB": os.Getenv("MARQUEE_DB")})
	if err != nil {
		return err
	}
	if err := app.Migrate(ctx, cfg.DB); err != nil {
		return err
	}
	return p.printf(nil, "the schema is up to date")
}
