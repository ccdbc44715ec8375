// Package upkeep implements the commands with which operators maintain a shop: backup, restore and move of its
// database, the checks of its environment, and the support bundle.
package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"filippo.io/age"

	"marquee/server/app"
	"marquee/server/backoffice"
	"marquee/server/ops"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/sqlite"
)

// CopyOptions are the options of Backup, RecordBackup, Restore and Move. Now returns the business time.
type CopyOptions struct {
	Release  string
	Now      func() time.Time
	Progress store.Progress // may be nil
	Repaired store.Repaired // may be nil

	Recipients []age.Recipient // the keys that can decrypt a new backup; nil: it is not encrypted
	Identities []age.Identity  // private keys that decrypt an existing backup
	Unrecorded bool            // Backup does not record the backup; call RecordBackup later
}

// opened is a database that a command works on.
type opened struct {
	*store.Stores
	sqlite   *sqlite.DB   // nil: PostgreSQL
	postgres *postgres.DB // nil: SQLite
}

// commandName is the application_name with which commands connect to PostgreSQL. It distinguishes them from shops that
// serve buyers.
const commandName = "marquee-command"

// openForCommand opens a database that holds a shop. It does not migrate the schema while a shop serves the database.
// It switches off the time limits that PostgreSQL has for purchases, because a copy takes longer.
func openForCommand(ctx context.Context, db string, options ...postgres.Option) (*opened, error) {
	if !app.IsPostgres(db) {
		if _, err := app.MustHoldShop(ctx, db); err != nil {
			return nil, err
		}
		file, err := sqlite.Open(db, sqlite.NotServing())
		if err != nil {
			return nil, fmt.Errorf("upkeep: open %s: %w", db, err)
		}
		return &opened{Stores: file.Stores, sqlite: file}, nil
	}
	server, err := postgres.Open(ctx, withoutLimits(db), append(options, postgres.Connections(3))...)
	if err != nil {
		return nil, fmt.Errorf("upkeep: open MARQUEE_DB: %w", err)
	}
	return &opened{Stores: server.Stores, postgres: server}, nil
}

// withoutLimits returns the URL of a PostgreSQL database with the time limits for statements and transactions switched
// off. An invalid URL is returned unchanged, so that the engine reports it.
func withoutLimits(db string) string {
	u, err := url.Parse(db)
	if err != nil {
		return db
	}
	query := u.Query()
	for _, limit := range []string{"statement_timeout", "transaction_timeout", "idle_in_transaction_session_timeout"} {
		if !query.Has(limit) {
			query.Set(limit, "0")
		}
	}
	query.Set("application_name", commandName)
	u.RawQuery = query.Encode()
	return u.String()
}

// Backup writes a copy of a database to a file that must not exist, and its manifest. The copy has the state of one
// commit. It is a SQLite database, whatever the engine is, and is encrypted if there are recipients. A shop may serve
// the database at the same time. The database records the backup, unless o.Unrecorded is set; if recording fails, the
// backup is complete and the error is ops.ErrBackupNotRecorded.
func Backup(ctx context.Context, db, file string, o CopyOptions) (m ops.Manifest, err error) {
	if err := ops.MustNotExist(file); err != nil {
		return m, err
	}
	source, err := openForCommand(ctx, db)
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	m = ops.Manifest{Release: o.Release, Engine: "sqlite", TakenAt: o.Now().UTC()}
	work, err := ops.NewWorkFolder(filepath.Dir(file))
	if err != nil {
		return m, fmt.Errorf("upkeep: write to the folder of the backup: %w", err)
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	partial := filepath.Join(work.Path, "backup")
	if source.sqlite != nil {
		err = source.sqlite.BackupInto(ctx, partial)
	} else {
		m.Engine = "postgres"
		err = copyInto(ctx, source.Stores, partial, o)
	}
	if code := store.CodeOf(err); code == store.DiskFull || code == store.DiskFailed {
		err = fmt.Errorf("%w: %w", ops.ErrBackupNoSpace, err) // on the backup's disk: the source is only read
	}
	if err != nil {
		return m, err
	}
	if m.Schema, err = sqlite.CheckFile(ctx, partial); err != nil {
		return m, err
	}
	if m.Rows, err = countFile(ctx, partial); err != nil {
		return m, err
	}
	if len(o.Recipients) > 0 {
		plain := partial
		m.Encryption, partial = "age", partial+".age"
		if err := ops.EncryptFile(plain, partial, o.Recipients); err != nil {
			return m, err
		}
	}
	if err := m.Publish(partial, file); err != nil {
		return m, err
	}
	if o.Unrecorded {
		return m, nil
	}
	if err := source.RecordBackup(ctx, backoffice.Backup{
		At: o.Now(), Name: filepath.Base(file), Release: o.Release, Bytes: m.Bytes,
	}); err != nil {
		return m, fmt.Errorf("%w: %w", ops.ErrBackupNotRecorded, err)
	}
	return m, nil
}

// copyInto copies a database into a new SQLite file.
func copyInto(ctx context.Context, from *store.Stores, file string, o CopyOptions) error {
	target, err := sqlite.Open(file)
	if err != nil {
		return err
	}
	_, err = store.Copy(ctx, from, target.Stores, o.Progress, o.Repaired)
	return errors.Join(err, target.Close())
}

// countFile counts the rows of each table of a SQLite file that no other process uses. It first migrates an older
// schema.
func countFile(ctx context.Context, file string) (map[string]int64, error) {
	db, err := sqlite.Open(file)
	if err != nil {
		return nil, err
	}
	counts, err := db.CountRows(ctx)
	return counts, errors.Join(err, db.Close())
}

// takeBackFile removes from a SQLite file the mark with which Move prevents shops from serving it. No other process may
// use the SQLite file.
func takeBackFile(ctx context.Context, file string) error {
	db, err := sqlite.Open(file)
	if err != nil {
		return err
	}
	return errors.Join(db.TakeBack(ctx), db.Close())
}

// RecordBackup records in a database that a backup was made, for example by other means. name describes it.
func RecordBackup(ctx context.Context, db, name string, o CopyOptions) error {
	source, err := openForCommand(ctx, db)
	if err != nil {
		return err
	}
	err = source.RecordBackup(ctx, backoffice.Backup{At: o.Now(), Name: name, Release: o.Release})
	return errors.Join(err, source.Close())
}

// Restore puts the contents of a backup into a database that is not served. A SQLite file must not exist, unless
// replace is set: then it is kept under another name, which Restore returns. A write-ahead log that is left from a
// deleted file is kept in the same way. A PostgreSQL database must be empty. An older schema is migrated. If the schema
// is that of this release, Restore returns an error for a table whose number of rows differs from the manifest.
func Restore(ctx context.Context, db, file string, replace bool,
	o CopyOptions) (m ops.Manifest, kept string, err error) {
	if m, err = ops.ReadManifest(file); err != nil {
		return m, "", err
	}
	latest, err := sqlite.LatestSchema()
	if err != nil {
		return m, "", err
	}
	if m.Schema > latest {
		return m, "", fmt.Errorf("%w: schema %d of release %s, this release has %d", ops.ErrBackupNewer, m.Schema,
			m.Release, latest)
	}
	folder := os.TempDir()
	if !app.IsPostgres(db) {
		if target, err := filepath.EvalSymlinks(db); err == nil {
			db = target // keep the symbolic link; SQLite's other files are next to its target
		}
		folder = filepath.Dir(db)
		if err := app.MakeFolder(db); err != nil {
			return m, "", err
		}
	}
	// Reject an existing file here if no process has ever served it, so that no lock file is created next to it.
	if !app.IsPostgres(db) && hasFile(db) && !sqlite.WasClaimed(db) && !replace {
		return m, "", fmt.Errorf("%s: %w", db, ops.ErrTargetExists)
	}
	// The backup itself is never opened, because opening it could change it.
	work, err := ops.NewWorkFolder(folder)
	if err != nil {
		return m, "", fmt.Errorf("upkeep: prepare the restore: %w", err)
	}
	defer func() { err = errors.Join(err, work.Remove()) }()
	copied := filepath.Join(work.Path, "restored")
	if m.Encryption != "" {
		err = ops.DecryptFile(file, copied, o.Identities)
	} else {
		err = ops.CopyFile(file, copied)
	}
	if err != nil {
		return m, "", err
	}
	if _, err := sqlite.CheckFile(ctx, copied); err != nil {
		return m, "", fmt.Errorf("%w: %w", ops.ErrBackupDamaged, err)
	}
	counts, err := countFile(ctx, copied) // migrates the copy
	if store.CodeOf(err) == store.OtherSchema {
		return m, "", fmt.Errorf("%w: %w", ops.ErrBackupOtherBuild, err)
	}
	if err != nil {
		return m, "", err
	}
	for table, rows := range m.Rows {
		if counts[table] != rows && m.Schema == latest {
			return m, "", fmt.Errorf("%w: table %s has %d rows, the manifest %d", ops.ErrBackupDamaged, table,
				counts[table], rows)
		}
	}
	if app.IsPostgres(db) {
		return m, "", restoreServer(ctx, db, copied, o)
	}
	if err := takeBackFile(ctx, copied); err != nil { // the backed-up database may have been marked as moved
		return m, "", err
	}
	kept, err = restoreFile(db, copied, replace, o.Now())
	return m, kept, err
}

// CopyOfBackup returns a file that a command can open in place of db, and a function to call afterwards. If db is a
// backup, which is a SQLite file with a manifest, it returns a copy: opening the backup itself needs write permission
// and could migrate it, which would change its hash. The copy is in the same folder, or in the folder for temporary
// files if that folder cannot be written. Any other database is returned unchanged.
func CopyOfBackup(db string) (opened string, end func() error, err error) {
	end = func() error { return nil }
	// A file with a write-ahead log is in use, even if it was a backup before.
	if app.IsPostgres(db) || !hasFile(ops.ManifestOf(db)) || !hasFile(db) || hasFile(db+"-wal") {
		return db, end, nil
	}
	if ops.IsEncrypted(db) {
		return "", end, fmt.Errorf("%s: %w", db, ops.ErrBackupLocked)
	}
	work, err := ops.NewWorkFolder(filepath.Dir(db))
	if err != nil {
		work, err = ops.NewWorkFolder(os.TempDir())
	}
	if err != nil {
		return "", end, fmt.Errorf("upkeep: prepare a copy of the backup: %w", err)
	}
	opened = filepath.Join(work.Path, "copy")
	if err := ops.CopyFile(db, opened); err != nil {
		return "", end, errors.Join(err, work.Remove())
	}
	return opened, work.Remove, nil
}

// restoreServer copies a SQLite file into an empty PostgreSQL database.
func restoreServer(ctx context.Context, db, file string, o CopyOptions) (err error) {
	target, err := openUnserved(ctx, db)
	if err != nil {
		return err
	}
	source, err := sqlite.Open(file)
	if err != nil {
		return errors.Join(err, target.Close())
	}
	_, err = store.Copy(ctx, source.Stores, target.Stores, o.Progress, o.Repaired)
	return errors.Join(err, source.Close(), target.Close())
}

// openUnserved migrates and opens a PostgreSQL database that no shop serves, as the target of a copy.
func openUnserved(ctx context.Context, db string) (*opened, error) {
	target, err := openForCommand(ctx, db, postgres.Migrating(), postgres.Receiving())
	if err != nil {
		return nil, err
	}
	served, err := target.postgres.ServedBy(ctx)
	if err == nil && served > 0 {
		err = fmt.Errorf("%w: %d connections of a shop", ops.ErrInUse, served)
	}
	if err != nil {
		return nil, errors.Join(err, target.Close())
	}
	return target, nil
}

// databaseFiles are the suffixes of the files of a SQLite database: the database, its write-ahead log, the index of the
// log, and the rollback journal. SQLite applies a log or a journal to any database file of the same name, also to a
// restored one.
var databaseFiles = []string{"", "-wal", "-shm", "-journal"}

// restoreFile renames a restored file to the name of a database that no shop serves. Existing files of the database are
// kept under another name. Without replace, the database file itself must not exist; only a log or journal of a deleted
// database may.
func restoreFile(db, restored string, replace bool, now time.Time) (kept string, err error) {
	claim, err := app.ClaimFolder(db, "its restore") // also if the database is damaged: the restore replaces it
	if err != nil {
		return "", fmt.Errorf("%w: %w", ops.ErrInUse, err)
	}
	defer func() { err = errors.Join(err, claim.Release()) }()
	if hasFile(db) && !replace {
		return "", fmt.Errorf("%s: %w", db, ops.ErrTargetExists)
	}
	if kept, err = keepDatabase(db, now); err != nil {
		return kept, fmt.Errorf("upkeep: rename the existing database: %w", err)
	}
	if err := os.Rename(restored, db); err != nil {
		return kept, fmt.Errorf("upkeep: name the restored database: %w", err)
	}
	return kept, ops.SyncPath(filepath.Dir(db))
}

// keepDatabase renames the existing files of a database to an unused name, and returns that name, or "" if there are no
// files. The claim on the database prevents another process from choosing the same name.
func keepDatabase(db string, now time.Time) (kept string, err error) {
	if !slices.ContainsFunc(databaseFiles, func(ending string) bool { return hasFile(db + ending) }) {
		return "", nil
	}
	base := db + ".before-restore-" + now.UTC().Format("20060102T150405Z")
	kept = base
	for n := 2; slices.ContainsFunc(databaseFiles, func(ending string) bool { return hasFile(kept + ending) }); n++ {
		kept = fmt.Sprintf("%s-%d", base, n)
	}
	for _, ending := range databaseFiles {
		if err := os.Rename(db+ending, kept+ending); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return kept, err
		}
	}
	return kept, nil
}

// hasFile reports whether a file exists. A file that cannot be examined counts as existing.
func hasFile(name string) bool {
	_, err := os.Lstat(name)
	return !errors.Is(err, fs.ErrNotExist)
}
