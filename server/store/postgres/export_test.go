package postgres

import (
	"context"
	"io/fs"
)

// Apply applies the migrations in files, for tests.
func (db *DB) Apply(ctx context.Context, files fs.FS) error { return apply(ctx, db.pool, files) }
