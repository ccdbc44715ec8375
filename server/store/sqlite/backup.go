package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"marquee/server/store"
)

// BackupInto writes a consistent and compact copy of the database to a new file, while the database is in use. During
// the copy the write-ahead log cannot be checkpointed and grows.
func (db *DB) BackupInto(ctx context.Context, file string) error {
	abs, err := filepath.Abs(file)
	if err != nil {
		return fmt.Errorf("sqlite: path %s: %w", file, err)
	}
	// A separate connection: those of the pool are read-only, and the writer must not wait.
	from, err := sql.Open("sqlite", dsn(db.path, false))
	if err != nil {
		return fmt.Errorf("sqlite: open %s: %w", db.path, err)
	}
	if _, err = from.ExecContext(ctx, `VACUUM INTO ?`, abs); err != nil {
		err = failure(fmt.Errorf("sqlite: copy %s to %s: %w", db.path, abs, err))
	}
	return errors.Join(err, from.Close())
}

// CheckFile returns the schema version of a database that no process has open, and checks the entire file: its pages,
// indexes and constraints.
func CheckFile(ctx context.Context, file string) (version int64, err error) {
	abs, err := filepath.Abs(file)
	if err != nil {
		return 0, fmt.Errorf("sqlite: path %s: %w", file, err)
	}
	db, err := sql.Open("sqlite", "file:"+abs+"?mode=ro&immutable=1")
	if err != nil {
		return 0, fmt.Errorf("sqlite: open %s: %w", file, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var found string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found); err != nil {
		return 0, failure(fmt.Errorf("sqlite: check %s: %w", file, err))
	}
	if found != "ok" {
		return 0, store.Fail(store.Damaged, fmt.Errorf("%s: %s", file, found))
	}
	return schemaVersion(ctx, db)
}

func schemaVersion(ctx context.Context, db *sql.DB) (version int64, err error) {
	err = db.QueryRowContext(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version
		WHERE is_applied`).Scan(&version)
	if err != nil {
		return 0, fmt.Errorf("sqlite: read the schema version: %w", err)
	}
	return version, nil
}

// LatestSchema is the version of the last migration of this release.
func LatestSchema() (latest int64, err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return 0, fmt.Errorf("sqlite: migrations: %w", err)
	}
	own, err := store.ReadMigrations(files)
	if err != nil {
		return 0, fmt.Errorf("sqlite: %w", err)
	}
	return own.Latest(), nil
}
