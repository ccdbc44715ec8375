package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"marquee/server/app"
)

// runReset deletes the database and the clock of earlier runs. A database that is being served is refused.
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
	files, clock := db, clockFile(db)
	if db == ownPostgres {
		db, remove = filepath.Dir(defaultDB), removePostgres
		files = filepath.Join(db, "postgres")
	}
	_, missing := os.Stat(files)
	if err := remove(db); err != nil {
		return err
	}
	if err := os.Remove(clock); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("delete the clock: %w", err)
	}
	text := "deleted the database in %s\n"
	if errors.Is(missing, fs.ErrNotExist) {
		text = "there is no database in %s: nothing was deleted\n"
	}
	_, err := fmt.Fprintf(stdout, text, files)
	return err
}
