package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"marquee/server/app"
)

type resetCommand struct {
	DB string `name:"db" default:"${db}" help:"${dbHelp}"`
}

// Help implements kong.HelpProvider.
func (resetCommand) Help() string {
	return "Exit status: 0 if the data is deleted, 1 if a process serves the database, 2 if a flag is wrong."
}

// Run deletes the database and the clock of earlier runs, unless a process serves the database.
func (c resetCommand) Run(p *process) error {
	db := c.DB
	if err := checkNotProduction(os.Getenv, 1); err != nil {
		return err
	}
	remove := app.Remove
	files, clock := db, clockFile(db)
	if db == managedPostgres {
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
		text = "there is no database in %s\n"
	}
	_, err := fmt.Fprintf(p.stdout, text, files)
	return err
}
