package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"filippo.io/age"

	"marquee/server/app"
	"marquee/server/ops"
	"marquee/server/upkeep"
)

// copyOptions returns the options of commands that copy a database. They print the progress on standard error once a
// second, and a line for each text that is repaired in the copy.
func (p *process) copyOptions() upkeep.CopyOptions {
	printed := time.Now()
	return upkeep.CopyOptions{Release: version, Now: time.Now, Progress: func(table string, rows int64) {
		if time.Since(printed) >= time.Second {
			printed = time.Now()
			fmt.Fprintf(p.stderr, "%s: %d rows\n", table, rows)
		}
	}, Repaired: func(table, key, column string) {
		fmt.Fprintf(p.stderr, "repaired: table %s, row %s, column %s held NUL or bytes that are not UTF-8\n", table, key,
			column)
	}}
}

type backupCommand struct {
	File   string `arg:"" optional:"" help:"The file to write. A folder: a file in it, named after the time."`
	Keep   *int   `help:"In a folder: remove all but the latest N backups of this command." placeholder:"N"`
	MadeBy string `help:"Only record that a backup was made by other means." placeholder:"NAME"`

	EncryptTo  []string `help:"Encrypt it for this public key of age, age1…. May be repeated." placeholder:"KEY"`
	Unrecorded bool     `help:"Do not record it yet: --made-by records it when it is in another place."`
}

// Help explains the format and the exit codes.
func (backupCommand) Help() string {
	return "Writes a snapshot of MARQUEE_DB while the shop serves it, and a manifest FILE.json with release, " +
		"schema, rows " +
		"and SHA-256. The backup of either engine is a SQLite database: MARQUEE_DB=FILE shop verify checks " +
		"it, and shop " +
		"restore puts it into either engine.\n\n" + exitCodes
}

const (
	backupPrefix = "marquee-"             // the beginning of the file names that the command chooses
	backupTime   = "20060102T150405.000Z" // the middle of these file names: the time, in UTC

	backupEnding, encryptedEnding = ".db", ".age"
)

// Run writes a backup and records it in the database. With MadeBy it only records a backup that was made by other
// means, with Unrecorded it only writes one.
func (c backupCommand) Run(ctx context.Context, p *process) error {
	folder, err := c.folder()
	if err != nil {
		return err
	}
	db, err := databaseVariable()
	if err != nil {
		return err
	}
	if c.MadeBy != "" {
		return p.printf(upkeep.RecordBackup(ctx, db, c.MadeBy, p.copyOptions()), "recorded: %s", c.MadeBy)
	}
	options := p.copyOptions()
	options.Unrecorded = c.Unrecorded
	file, ending := c.File, backupEnding
	if len(c.EncryptTo) > 0 {
		ending += encryptedEnding
		if options.Recipients, err = age.ParseRecipients(strings.NewReader(strings.Join(c.EncryptTo, "\n"))); err != nil {
			return fmt.Errorf("%w: --encrypt-to: %w", errArguments, err)
		}
	}
	if folder != "" {
		file = filepath.Join(folder, backupPrefix+time.Now().UTC().Format(backupTime)+ending)
	}
	m, err := upkeep.Backup(ctx, db, file, options)
	if err != nil && !errors.Is(err, ops.ErrBackupNotRecorded) {
		return err
	}
	err = errors.Join(err, p.printf(nil, "%s: %d bytes, %d rows, schema %d, sha256 %s", file, m.Bytes, sum(m.Rows),
		m.Schema, m.SHA256))
	if c.Keep != nil {
		err = errors.Join(err, removeOldBackups(folder, filepath.Base(file), *c.Keep))
	}
	return err
}

// folder returns the argument FILE if it is a folder, in which the command then chooses the file name of the backup. It
// returns "" if FILE is a file name, or if no backup is written. It returns an error for arguments that exclude each
// other.
func (c backupCommand) folder() (folder string, err error) {
	info, statErr := os.Stat(c.File)
	if strings.HasSuffix(c.File, "/") || statErr == nil && info.IsDir() {
		folder = c.File
	}
	switch {
	case c.MadeBy != "" && (c.File != "" || c.Keep != nil || c.EncryptTo != nil || c.Unrecorded):
		return "", fmt.Errorf("%w: --made-by writes no backup and cannot be used with FILE or another flag", errArguments)
	case c.MadeBy == "" && c.File == "":
		return "", fmt.Errorf("%w: a FILE is needed", errArguments)
	case c.Keep != nil && *c.Keep < 1:
		return "", fmt.Errorf("%w: --keep=%d: must be 1 or more", errArguments, *c.Keep)
	case c.Keep != nil && folder == "":
		return "", fmt.Errorf("%w: --keep needs a folder, and %s is not one: put a / at its end", errArguments, c.File)
	}
	return folder, nil
}

// removeOldBackups removes backups from a folder until keep remain: the one with the name newest and the latest of the
// others. It considers only complete backups whose names the command has chosen, and touches no other file.
func removeOldBackups(folder, newest string, keep int) error {
	entries, err := os.ReadDir(folder) // sorted by name, which is by time
	if err != nil {
		return fmt.Errorf("list the backups: %w", err)
	}
	var others []string
	for _, e := range entries {
		// A backup has a manifest. Its name is parsed, because other files may begin with the same prefix.
		name, hasManifest := strings.CutSuffix(e.Name(), ops.ManifestOf(""))
		plain := strings.TrimSuffix(name, encryptedEnding)
		stamp := strings.TrimSuffix(strings.TrimPrefix(plain, backupPrefix), backupEnding)
		_, err := time.Parse(backupTime, stamp)
		if hasManifest && err == nil && plain == backupPrefix+stamp+backupEnding && name != newest {
			others = append(others, filepath.Join(folder, name))
		}
	}
	err = nil
	for _, old := range others[:max(0, len(others)-(keep-1))] {
		// Remove the manifest last: without it, a backup whose removal was interrupted would not be found again.
		for _, name := range []string{old, ops.ManifestOf(old)} {
			if e := os.Remove(name); !errors.Is(e, fs.ErrNotExist) {
				err = errors.Join(err, e)
			}
		}
	}
	return err
}

func sum(rows map[string]int64) (n int64) {
	for _, r := range rows {
		n += r
	}
	return n
}

type restoreCommand struct {
	File string `arg:"" help:"A backup, with its manifest in the same folder."`
	// Identity is not one of kong's types for paths, because the error of kong for a missing file has no code of the
	// shop.
	Identity string `help:"File with a private key of age, for an encrypted backup." placeholder:"FILE"`
	Replace  bool   `help:"SQLite: keep the present database under another name. PostgreSQL always needs an empty one."`
}

// Help explains the checks and the exit codes.
func (restoreCommand) Help() string {
	return "Checks size, hash, pages and row counts of the backup, and puts it into MARQUEE_DB, which must not " +
		"be served. " +
		"A backup of an older release is migrated, one of a newer schema is rejected. Run shop verify afterwards.\n\n" +
		exitCodes
}

// Run restores a backup into MARQUEE_DB. It prints the new name of what it has replaced: a database, or the write-ahead
// log of a deleted one.
func (c restoreCommand) Run(ctx context.Context, p *process) error {
	db, err := databaseVariable()
	if err != nil {
		return err
	}
	options := p.copyOptions()
	if c.Identity != "" {
		err := withFile(c.Identity, func(keys io.Reader) (err error) {
			options.Identities, err = age.ParseIdentities(keys)
			return err
		})
		if err != nil {
			return fmt.Errorf("%w: --identity: %w", errArguments, err)
		}
	}
	m, kept, err := upkeep.Restore(ctx, db, c.File, c.Replace, options)
	if kept != "" {
		err = errors.Join(err, p.printf(nil, "the present database is kept as %s", kept))
	}
	return p.printf(err, "restored %d rows of %s, release %s; run shop verify", sum(m.Rows),
		m.TakenAt.Format(time.RFC3339), m.Release)
}

type moveCommand struct {
	From     string `required:"" help:"Path or postgres:// URL of the database to copy. No shop serves it afterwards."`
	To       string `xor:"to" required:"" help:"Path or postgres:// URL of a new or empty database."`
	TakeBack bool   `xor:"to" required:"" help:"Cancel a move: let the database --from be served again."`
}

// Help explains that the command can be repeated, and the exit codes.
func (moveCommand) Help() string {
	return "Copies a shop between SQLite and PostgreSQL, and compares the contents. Neither database may be " +
		"served, and the " +
		"schema must be that of this release. Run it again after an interruption: it continues. A move that " +
		"is complete " +
		"changes nothing. No shop serves a database that was moved away, until --take-back.\n\n" + exitCodes
}

// Run copies the shop to the other database, after which the source cannot be served. With TakeBack it only makes a
// source that was moved away servable again.
func (c moveCommand) Run(ctx context.Context, p *process) error {
	for _, db := range []string{c.From, c.To} {
		if err := app.CheckDatabase(os.Getenv("MARQUEE_ENV"), db); err != nil {
			return err
		}
	}
	if c.TakeBack {
		return p.printf(upkeep.TakeBack(ctx, c.From), "the database can be served again")
	}
	rows, err := upkeep.Move(ctx, c.From, c.To, p.copyOptions())
	return p.printf(err, "%d rows in %d tables are the same in both databases", sum(rows), len(rows))
}
