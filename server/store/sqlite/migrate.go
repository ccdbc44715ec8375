package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations/*.sql
var migrations embed.FS

// ErrNewerSchema means that a later release has written the database.
var ErrNewerSchema = errors.New("sqlite: the database is of a newer release")

// migrate brings the schema up to date. With beside it changes nothing while another process serves the database, because
// the statements of that process are those of the present schema: it then fails with ErrClaimed.
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
		return fmt.Errorf("sqlite: read the schema's version: %w", err)
	}
	if is > wanted {
		return fmt.Errorf("%w: its schema is %d, this one knows %d", ErrNewerSchema, is, wanted)
	}
	if beside && is < wanted {
		claim, err := TakeClaim(path, "bringing the schema up to date")
		if err != nil {
			return fmt.Errorf("sqlite: the schema is %d, this release needs %d: %w", is, wanted, err)
		}
		defer func() { err = errors.Join(err, claim.Release()) }()
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("sqlite: migrate: %w", err)
	}
	return nil
}
