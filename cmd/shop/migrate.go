package main

import (
	"context"

	"marquee/server/app"
)

type migrateCommand struct {
	GrantTo string `help:"PostgreSQL: let this role run the shop. It may change rows, but not the schema." placeholder:"ROLE"`
}

// Help explains the exit codes.
func (migrateCommand) Help() string {
	return "Reads only MARQUEE_DB. On PostgreSQL, replicas of the previous release keep serving during it, and " +
		"several processes may run it at once: one migrates, the others wait. It rejects a SQLite file that a " +
		"shop serves: a shop migrates its file itself when it starts.\n\n" + exitCodes
}

// Run applies the missing migrations to MARQUEE_DB, and grants the rights of a serving shop.
func (c migrateCommand) Run(ctx context.Context, p *process) error {
	db, err := databaseVariable()
	if err != nil {
		return err
	}
	if err := app.Migrate(ctx, db, c.GrantTo); err != nil {
		return err
	}
	return p.printf(nil, "the schema is up to date")
}
