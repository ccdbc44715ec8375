package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"marquee/server/app"
)

// runReset deletes the database of earlier runs. A database that is being served is refused.
func runReset(_ context.Context, args []string, stdout, _ io.Writer) error {
	flags := newFlags("reset")
	var db string
	dbFlag(flags, &db)
	if err := parse(flags, stdout, args, "db"); err != nil {
		return err
	}
	if err := refuseProduction(os.Getenv, 1); err != nil {
		return err
	}
	remove := app.Remove
	if db == ownPostgres {
		db, remove = filepath.Dir(defaultDB), removePostgres
	}
	if err := remove(db); err != nil {
		return err
	}
	_, err := fmt.Fprintf(stdout, "deleted the database in %s\n", db)
	return err
}
