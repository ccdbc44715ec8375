package main

import (
	"context"
	"errors"

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

// Run applies the missing migrations to MARQUEE_DB, and prints the name of each. It grants the rights of a serving shop
// to the role GrantTo, if there is one.
func (c migrateCommand) Run(ctx context.Context, p *process) error {
	db, err := databaseVariable()
	if err != nil {
		return err
	}
	applied, err := app.Migrate(ctx, db, c.GrantTo)
	if len(applied) == 0 {
		return p.printf(err, "the schema is up to date")
	}
	for _, name := range applied {
		err = errors.Join(err, p.printf(nil, "applied %s", name))
	}
	return err
}
