package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"marquee/server/store"
)

//go:embed migrations/*.sql
var migrations embed.FS

// latestSchema is the version of the last migration of this release. minimumSchema is the oldest version of the schema
// on which this release runs: it must run before its migrations are applied, too, so that replicas can be replaced one
// by one.
const (
	latestSchema  = 3
	minimumSchema = 1
)

// A migration waits less for a lock than a request waits for a free connection, because every request that needs the
// table waits behind it. It is tried a few times, so that a short transaction does not make it fail.
const (
	migrationLock  = "500ms"
	migrationTries = 5
	migrationPause = time.Second
)

// Applied returns the names of the migrations that Open has applied.
func (db *DB) Applied() []string { return db.applied }

// Migrate applies the missing migrations to the database, and returns their names. Several processes may call it at the
// same time: one migrates, the others wait. It fails with store.NewerSchema if a later release has migrated the
// database, and with store.TookTooLong if other transactions hold the lock of a table; it can then be called again.
func Migrate(ctx context.Context, url string) (applied []string, err error) {
	db, err := Open(ctx, url, Migrating(), Connections(2))
	if err != nil {
		return nil, err
	}
	return db.Applied(), db.Close()
}

// migrate applies the missing migrations of this release, and returns their names.
func migrate(ctx context.Context, pool *pgxpool.Pool) ([]string, error) {
	version, err := schemaVersion(ctx, pool)
	if err != nil || version > latestSchema {
		return nil, err // for a later version, checkSchema decides whether this release runs on it
	}
	if err := mustBeShop(ctx, pool, version); err != nil {
		return nil, err
	}
	if err := checkMigrations(ctx, pool); err != nil {
		return nil, err
	}
	files, err := ownMigrations()
	if err != nil {
		return nil, err
	}
	return apply(ctx, pool, files)
}

// ownMigrations returns the files of the migrations of this build.
func ownMigrations() (fs.FS, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, fmt.Errorf("postgres: migrations: %w", err)
	}
	return files, nil
}

// checkMigrations fails with store.OtherSchema if the applied migrations are not those of this build, by their
// checksums.
func checkMigrations(ctx context.Context, pool *pgxpool.Pool) error {
	files, err := ownMigrations()
	if err != nil {
		return err
	}
	own, err := store.ReadMigrations(files)
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	version, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	var found bool
	if err := pool.QueryRow(ctx, `SELECT to_regclass($1) IS NOT NULL`, store.ChecksumTable).Scan(&found); err != nil {
		return failure(err)
	}
	recorded := map[int64]string{}
	if found {
		rows, err := pool.Query(ctx, store.ListChecksums)
		if err != nil {
			return failure(err)
		}
		var of int64
		var sum string
		if _, err := pgx.ForEachRow(rows, []any{&of, &sum}, func() error {
			recorded[of] = sum
			return nil
		}); err != nil {
			return failure(err)
		}
	}
	return own.Check(version, recorded)
}

// apply applies the migrations in files that the database does not have, under a lock of the database. It returns their
// names.
func apply(ctx context.Context, pool *pgxpool.Pool, files fs.FS) (applied []string, err error) {
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, fmt.Errorf("postgres: migrations: %w", err)
	}
	// A migration of a large table may take longer than a purchase: only the waits for its locks are limited.
	cfg := pool.Config().ConnConfig
	cfg.RuntimeParams["lock_timeout"] = migrationLock
	db := stdlib.OpenDB(*cfg)
	defer func() { err = errors.Join(err, db.Close()) }()
	given, err := store.ReadMigrations(files)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	versions, err := given.Record(goose.DialectPostgres)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	p, err := goose.NewProvider(goose.DialectCustom, db, files, goose.WithDisableGlobalRegistry(true),
		goose.WithSessionLocker(locker), goose.WithStore(versions))
	if err != nil {
		return nil, fmt.Errorf("postgres: migrations: %w", err)
	}
	for try := 1; ; try++ {
		results, err := p.Up(ctx)
		applied = append(applied, store.Applied(results, err)...)
		if err == nil {
			return applied, nil
		}
		if s := state(err); try == migrationTries || s != lockNotAvailable && s != deadlockDetected {
			return nil, fmt.Errorf("postgres: migrate: %w", migrationFailure(err))
		}
		if err := pause(ctx, migrationPause); err != nil {
			return nil, err
		}
	}
}

// migrationFailure wraps an error of a migration in a failure of package store. If the database itself failed, such as
// by a full disk, it has the code of that failure. Any other error, such as a file that cannot be parsed or a statement
// that the server rejects, gets the code store.BadMigration.
func migrationFailure(err error) error {
	switch {
	case errors.Is(err, context.Canceled):
		return err
	case state(err) == "" && !connectionLost(err):
		return store.Fail(store.BadMigration, err)
	}
	return store.Fail(store.BadMigration, failure(err)) // keeps the code of failure
}

// MigrationsHash identifies the migrations of this release. Package pgtest names its template database after it.
func MigrationsHash() string {
	sum := fnv.New128a()
	_ = fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := migrations.ReadFile(path)
		_, _ = sum.Write(text)
		return err
	})
	return fmt.Sprintf("%x", sum.Sum(nil))
}

// markEmpty creates store.TransferMark in a database without a schema.
func markEmpty(ctx context.Context, pool *pgxpool.Pool) error {
	if version, err := schemaVersion(ctx, pool); err != nil || version > 0 {
		return err
	}
	_, err := pool.Exec(ctx, store.MarkTransfer)
	return failure(err)
}

// schemaVersion returns the version of the schema, or 0 for an empty database.
func schemaVersion(ctx context.Context, pool *pgxpool.Pool) (version int64, err error) {
	var migrated bool
	err = pool.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&migrated)
	if err != nil || !migrated {
		return 0, failure(err)
	}
	err = pool.QueryRow(ctx, `SELECT coalesce(max(version_id), 0) FROM goose_db_version
		WHERE is_applied`).Scan(&version)
	return version, failure(err)
}

// mustBeShop returns store.ErrNotAShop if the database has migrations up to the given version, but those of another
// program.
func mustBeShop(ctx context.Context, pool *pgxpool.Pool, version int64) error {
	var shop bool
	err := pool.QueryRow(ctx, `SELECT to_regclass('schema_support') IS NOT NULL`).Scan(&shop)
	if err == nil && version > 0 && !shop {
		return fmt.Errorf("postgres: %w: it has version %d of the schema of another program", store.ErrNotAShop,
			version)
	}
	return failure(err)
}

// checkSchema fails with store.OlderSchema or store.NewerSchema if this release does not run on the schema, and with
// store.ErrNotAShop if the schema is of another program.
func checkSchema(ctx context.Context, pool *pgxpool.Pool) error {
	version, err := schemaVersion(ctx, pool)
	if err != nil {
		return err
	}
	if version < minimumSchema {
		return store.Fail(store.OlderSchema, fmt.Errorf("its version is %d, this release needs %d", version,
			minimumSchema))
	}
	if err := mustBeShop(ctx, pool, version); err != nil {
		return err
	}
	if version <= latestSchema {
		return nil
	}
	var oldest int64
	if err := pool.QueryRow(ctx, `SELECT oldest FROM schema_support`).Scan(&oldest); err != nil {
		return failure(err)
	}
	if oldest > latestSchema {
		return store.Fail(store.NewerSchema, fmt.Errorf(
			"its version is %d, which needs a release for version %d or later; this release is for version %d",
			version, oldest, latestSchema))
	}
	return nil
}
