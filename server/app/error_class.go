package app

import (
	"errors"
	"io/fs"

	"marquee/server/ops"
	"marquee/server/store"
	"marquee/server/store/sqlite"
)

// ErrorClass is what an error means to the operator of a command.
type ErrorClass int

// The classes.
const (
	OtherError       ErrorClass = iota
	InUse                       // a shop serves the database
	TargetRefused               // of a restore or a move: it exists, is not empty, or differs
	BackupRefused               // it is damaged, or of a newer release
	DatabaseUnusable            // it does not exist, cannot be reached, or its schema does not fit
)

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
	case is(ops.ErrInUse, sqlite.ErrClaimed) && !is(ops.ErrSchemaOlder):
		return InUse
	case is(ops.ErrBackupExists, ops.ErrTargetExists, store.ErrTargetNotEmpty, store.ErrContentsDiffer):
		return TargetRefused
	case is(ops.ErrBackupDamaged, ops.ErrBackupNewer):
		return BackupRefused
	case is(ops.ErrSchemaOlder, store.ErrSchemaDiffers, store.ErrTransferUnfinished, store.ErrNotAShop,
		sqlite.ErrNewerSchema, errNoDatabase, fs.ErrPermission):
		return DatabaseUnusable
	}
	if DatabaseFault(err) != "" {
		return DatabaseUnusable
	}
	return OtherError
}
