package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"

	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/database"
)

// ChecksumTable is the table with the checksum of each migration that was applied. Its columns are version and
// checksum.
const ChecksumTable = "schema_checksums"

// ListChecksums selects the recorded checksums.
const ListChecksums = `SELECT version, checksum FROM ` + ChecksumTable

// Migrations are the checksums of the migrations of one build, by version: the SHA-256 of each file in hexadecimal.
type Migrations map[int64]string

// ReadMigrations reads the migrations in the root of files. Their names begin with the version.
func ReadMigrations(files fs.FS) (Migrations, error) {
	names, err := fs.Glob(files, "*.sql")
	if err != nil {
		return nil, fmt.Errorf("list migrations: %w", err)
	}
	m := Migrations{}
	for _, name := range names {
		var version int64
		if _, err := fmt.Sscanf(name, "%d_", &version); err != nil {
			return nil, fmt.Errorf("migration %s has no number: %w", name, err)
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("read migration: %w", err)
		}
		sum := sha256.Sum256(text)
		m[version] = hex.EncodeToString(sum[:])
	}
	return m, nil
}

// Latest returns the version of the last migration, or 0 if there is none.
func (m Migrations) Latest() int64 { return slices.Max(append(slices.Collect(maps.Keys(m)), 0)) }

// Check returns a failure with OtherSchema if a migration of this build was applied with another text, or if its
// checksum was not recorded. version is that of the schema, recorded are the checksums in the database. Migrations of
// later releases are not checked.
func (m Migrations) Check(version int64, recorded map[int64]string) error {
	for _, v := range slices.Sorted(maps.Keys(m)) {
		switch sum, found := recorded[v]; {
		case v > version || sum == m[v]:
		case !found:
			return Fail(OtherSchema, fmt.Errorf("the checksum of migration %d is not recorded", v))
		default:
			return Fail(OtherSchema, fmt.Errorf("its migration %d has the checksum %.12s, that of this build has %.12s",
				v, sum, m[v]))
		}
	}
	return nil
}

// Record returns the store in which goose records the applied versions, extended so that it also records the checksum
// of each migration, in the transaction of the migration.
func (m Migrations) Record(dialect database.Dialect) (database.Store, error) {
	versions, err := database.NewStore(dialect, "goose_db_version")
	if err != nil {
		return nil, fmt.Errorf("store of migrations: %w", err)
	}
	return checksumStore{versions, m}, nil
}

// Applied returns the file names of the migrations that a call of goose has applied, possibly before an error.
func Applied(results []*goose.MigrationResult, err error) (names []string) {
	if partial := new(goose.PartialError); errors.As(err, &partial) {
		results = partial.Applied
	}
	for _, r := range results {
		names = append(names, path.Base(r.Source.Path))
	}
	return names
}

// checksumStore records the checksums of migrations, in addition to their versions.
type checksumStore struct {
	database.Store
	sums Migrations
}

// TableExists implements database.StoreExtender. It calls the store of the dialect.
func (s checksumStore) TableExists(ctx context.Context, db database.DBTxConn) (bool, error) {
	if store, ok := s.Store.(database.StoreExtender); ok {
		return store.TableExists(ctx, db)
	}
	return false, errors.ErrUnsupported
}

// Insert records that a migration was applied. A migration that does not run in a transaction may be applied again
// after an interruption.
func (s checksumStore) Insert(ctx context.Context, db database.DBTxConn, req database.InsertRequest) error {
	if sum, found := s.sums[req.Version]; found {
		if _, err := db.ExecContext(ctx, `INSERT INTO `+ChecksumTable+` (version, checksum) VALUES ($1, $2)
			ON CONFLICT (version) DO UPDATE SET checksum = excluded.checksum`, req.Version, sum); err != nil {
			return fmt.Errorf("record the checksum of migration %d: %w", req.Version, err)
		}
	}
	return s.Store.Insert(ctx, db, req)
}
