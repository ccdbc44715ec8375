package main

import (
	"errors"

	"marquee/server/app"
)

// The exit codes of all commands. They are part of the interface: a number is never reused.
const (
	exitOther    = 1 // any other error
	exitDiffers  = 3 // the check worked and found something
	exitNotReady = 4 // a statement of another party does not exist yet
	exitDatabase = 5 // the database cannot be used; the error holds a code such as db_read_only
	exitRefused  = 6 // the target exists, is not empty, or differs
	exitBackup   = 7 // the backup is damaged or of a newer release
	exitInUse    = 8 // a shop serves the database
)

const exitCodes = "Exit codes: 0 done, 1 another error, 5 the database cannot be used (the message has a " +
	"code), 6 the target exists or is not empty or differs, 7 the backup is damaged or of a newer release, 8 a shop serves the database."

// exitError is an error that ends the program with a code of its own.
type exitError struct {
	error
	code int
}

func (e exitError) Unwrap() error { return e.error }

// exitCode returns the code with which the program ends after an error.
func exitCode(err error) int {
	if e := (exitError{}); errors.As(err, &e) {
		return e.code
	}
	switch app.ClassOf(err) {
	case app.InUse:
		return exitInUse
	case app.TargetRefused:
		return exitRefused
	case app.BackupRefused:
		return exitBackup
	case app.DatabaseUnusable:
		return exitDatabase
	}
	return exitOther
}
