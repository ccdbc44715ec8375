package app

import (
	"errors"

	"marquee/server/ops"
	"marquee/server/store"
	"marquee/server/store/sqlite"
)

// ErrorClass classifies the errors of commands for operators.
type ErrorClass int

// The classes.
const (
	OtherError       ErrorClass = iota
	InUse                       // a shop serves the database
	TargetUnusable              // the target of a restore or move exists, is not empty, or differs from the source
	BackupUnusable              // the backup is damaged, encrypted, or made by a newer release or another build
	DatabaseUnusable            // the database does not exist, cannot be reached, or has another schema
	NotConfigured               // a variable is missing or invalid
	FileUnusable                // a file other than the database: a backup, a bundle, a list
)

// IsDatabaseFailure reports whether an error is a failure of the database that has a code and an explanation in package
// store.
func IsDatabaseFailure(err error) bool { return store.CodeOf(err) != "" }

// ClassOf returns the class of an error.
func ClassOf(err error) ErrorClass {
	is := func(targets ...error) bool {
		for _, target := range targets {
			if errors.Is(err, target) {
				return true
			}
		}
		return false
	}
	switch {
	case is(ops.ErrInUse, sqlite.ErrClaimed) && store.CodeOf(err) != store.OlderSchema:
		return InUse
	case is(ops.ErrBackupExists, ops.ErrTargetExists, store.ErrTargetNotEmpty, store.ErrContentsDiffer):
		return TargetUnusable
	case is(errConfiguration, errNoRoles):
		return NotConfigured
	case is(ops.ErrBackupNoSpace):
		return FileUnusable
	case is(ops.ErrBackupDamaged, ops.ErrBackupNewer, ops.ErrBackupOtherBuild, ops.ErrBackupLocked):
		return BackupUnusable
	case is(store.ErrSchemaDiffers, store.ErrTransferUnfinished, store.ErrMovedAway, store.ErrNotAShop),
		store.CodeOf(err) != "":
		return DatabaseUnusable
	}
	return OtherError
}
