package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"marquee/server/app"
	"marquee/server/fault"
	"marquee/server/reconcile"
)

// The exit codes of all commands. They are part of the interface: a number is never reused.
const (
	exitOther    = 1  // any other error
	exitDiffers  = 3  // the check was completed and found differences
	exitNotReady = 4  // a bill or an order list of another party does not exist yet
	exitDatabase = 5  // the database cannot be used; the error holds a code such as db_read_only
	exitTarget   = 6  // the target exists, is not empty, or differs
	exitBackup   = 7  // the backup is damaged, encrypted or not for this release
	exitInUse    = 8  // a shop serves the database
	exitConfig   = 9  // an argument or a variable is missing or invalid
	exitFile     = 10 // a file that is not the database cannot be read or written
)

const exitCodes = "Exit codes: 0 done, 1 another error, 5 the database cannot be used (the message has a " +
	"code), 6 the target exists or is not empty or differs, 7 the backup is damaged, encrypted or not for this " +
	"release, 8 a shop serves the database, 9 an argument or a variable is invalid, 10 a file cannot be read or written."

// newFault declares a fault of the command line. Buyers never see one, so it has no message.
func newFault(kind fault.Kind, code, explanation string) *fault.Fault {
	return fault.New(kind, code, "").WithExplanation(explanation)
}

// Faults of the command line.
var (
	errArguments = newFault(fault.Invalid, "arguments_invalid",
		"shop -help lists commands and variables")
	errSimulators = newFault(fault.Unavailable, "simulators_unreachable",
		"start them with bin/sim, or unset MARQUEE_SIMULATOR_URL")
	errAddress = newFault(fault.Conflict, "address_unusable",
		"another process uses the address, or this user may not use it: set MARQUEE_ADDR and MARQUEE_ADMIN_ADDR")
	errContradictions = newFault(fault.Conflict, "records_contradict",
		"each line has the check, its subject and the contradiction; see RecordsContradict in server/ops/README.md")
	errNotReady = newFault(fault.Unavailable, "shop_not_ready",
		"the shop answers with each reason why it cannot serve buyers")
	errNoAnswer = newFault(fault.Unavailable, "shop_unreachable",
		"no shop answers at MARQUEE_ADMIN_ADDR, or at MARQUEE_ADDR if that is off")

	errFileMissing = newFault(fault.NotFound, "file_not_found",
		"the file or its folder does not exist")
	errFileExists = newFault(fault.Conflict, "file_exists",
		"the file exists: give another name")
	errFileAccess = newFault(fault.Forbidden, "file_no_access",
		"this user may not read or write the file or its folder")
	errFileReadOnly = newFault(fault.Forbidden, "file_read_only",
		"the file system is read-only")
	errFileSpace = newFault(fault.Conflict, "file_no_space",
		"the disk of the file is full, or a quota is used up")
	errFileOther = newFault(fault.Conflict, "file_failed",
		"the file cannot be read or written")
)

// fileFaults are the faults of files by their causes. The first cause that matches decides.
var fileFaults = []struct {
	cause error
	fault *fault.Fault
}{
	{fs.ErrNotExist, errFileMissing}, {syscall.ENOTDIR, errFileMissing}, {fs.ErrExist, errFileExists},
	{fs.ErrPermission, errFileAccess}, {syscall.EROFS, errFileReadOnly}, {syscall.ENOSPC, errFileSpace},
	{syscall.EDQUOT, errFileSpace}, {syscall.EFBIG, errFileSpace},
}

// withFileFault wraps an error of the file system in the fault of its cause. Errors of the database's files already
// have a code of package store.
func withFileFault(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	if !errors.As(err, &path) && !errors.As(err, &link) {
		return err
	}
	for _, f := range fileFaults {
		if errors.Is(err, f.cause) {
			return fmt.Errorf("%w: %w", f.fault, err)
		}
	}
	return fmt.Errorf("%w: %w", errFileOther, err)
}

// exitError is an error that ends the program with a specific exit code.
type exitError struct {
	error
	code int
}

// Unwrap returns the error without its exit code.
func (e exitError) Unwrap() error { return e.error }

// exitCode returns the code with which the program ends after an error.
func exitCode(err error) int {
	if e := (exitError{}); errors.As(err, &e) {
		return e.code
	}
	switch app.ClassOf(err) {
	case app.InUse:
		return exitInUse
	case app.TargetUnusable:
		return exitTarget
	case app.BackupUnusable:
		return exitBackup
	case app.DatabaseUnusable:
		return exitDatabase
	case app.NotConfigured:
		return exitConfig
	case app.FileUnusable:
		return exitFile
	}
	switch f := (*fault.Fault)(nil); {
	case !errors.As(err, &f):
	case errors.Is(f, errArguments), errors.Is(f, reconcile.ErrDay):
		return exitConfig
	case errors.Is(f, errContradictions):
		return exitDiffers
	case strings.HasPrefix(f.Code, "file_"):
		return exitFile
	}
	return exitOther
}
