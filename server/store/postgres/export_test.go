package postgres

import (
	"context"
	"io/fs"
)

// Apply applies the migrations in files, for tests.
func (db *DB) Apply(ctx context.Context, files fs.FS) error {
	_, err := apply(ctx, db.pool, files)
	return err
}
