package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"

	"marquee/server/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Applied returns the names of the migrations that Open has applied.
func (db *DB) Applied() []string { return db.applied }

// migrate applies the missing migrations and returns their names. With notServing, it returns ErrClaimed instead if
// another process serves the database, because the statements of that process were written for the current schema. It
// fails with store.NewerSchema for a schema of a later release, and with store.OtherSchema for one of another build.
func migrate(ctx context.Context, db *sql.DB, path string, notServing bool) (applied []string, err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("sqlite: migrations: %w", err)
	}
	own, err := store.ReadMigrations(files)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	versions, err := own.Record(goose.DialectSQLite3)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectCustom, db, files, goose.WithDisableGlobalRegistry(true),
		goose.WithStore(versions))
	if err != nil {
		return nil, fmt.Errorf("sqlite: migrations: %w", err)
	}
	is, wanted, err := p.GetVersions(ctx)
	if err != nil {
		return nil, fmt.Errorf("sqlite: read the schema version: %w", err)
	}
	if is > wanted {
		return nil, store.Fail(store.NewerSchema, fmt.Errorf("its version is %d, this release supports %d", is, wanted))
	}
	recorded, err := checksums(ctx, db)
	if err != nil {
		return nil, err
	}
	if err := own.Check(is, recorded); err != nil {
		return nil, err
	}
	if notServing && is < wanted {
		claim, err := TakeClaim(path, "migrating the schema")
		if err != nil {
			return nil, fmt.Errorf("sqlite: the schema version is %d, this release requires %d: %w", is, wanted, err)
		}
		defer func() { err = errors.Join(err, claim.Release()) }()
	}
	results, err := p.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("sqlite: migrate: %w", err)
	}
	return store.Applied(results, nil), nil
}

// checksums returns the recorded checksums of migrations, or none before the first one.
func checksums(ctx context.Context, db *sql.DB) (recorded map[int64]string, err error) {
	var found bool
	if err := db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = $1)`,
		store.ChecksumTable).Scan(&found); err != nil || !found {
		return nil, err
	}
	rows, err := db.QueryContext(ctx, store.ListChecksums)
	if err != nil {
		return nil, fmt.Errorf("sqlite: read the checksums of migrations: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	recorded = map[int64]string{}
	for rows.Next() {
		var version int64
		var sum string
		if err := rows.Scan(&version, &sum); err != nil {
			return nil, fmt.Errorf("sqlite: read the checksums of migrations: %w", err)
		}
		recorded[version] = sum
	}
	return recorded, rows.Err()
}
