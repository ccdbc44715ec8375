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

// migrate applies the migrations that are missing. With beside, it returns ErrClaimed instead if another process serves
// the database, because the statements of that process were written for the present schema. It returns a
// store.Failure with NewerSchema for a schema of a later release.
func migrate(ctx context.Context, db *sql.DB, path string, beside bool) (err error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("sqlite: migrations: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectSQLite3, db, files, goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("sqlite: migrations: %w", err)
	}
	is, wanted, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("sqlite: read the schema version: %w", err)
	}
	if is > wanted {
		return store.Fail(store.NewerSchema, fmt.Errorf("its version is %d, this release supports %d", is, wanted))
	}
	if beside && is < wanted {
		claim, err := TakeClaim(path, "migrating the schema")
		if err != nil {
			return fmt.Errorf("sqlite: the schema version is %d, this release requires %d: %w", is, wanted, err)
		}
		defer func() { err = errors.Join(err, claim.Release()) }()
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("sqlite: migrate: %w", err)
	}
	return nil
}
