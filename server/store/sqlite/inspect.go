package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"

	sqlite3 "modernc.org/sqlite/lib"

	"marquee/server/store"
)

// Contents describes the contents of a file.
type Contents struct {
	Shop       bool  // it has the tables of the shop; false: the file is missing or empty
	Schema     int64 // version of the schema
	Unfinished bool  // a copy into the database is unfinished
}

// magic is the beginning of every SQLite file that is not empty.
const magic = "SQLite format 3\x00"

// Inspect returns what a file contains, and changes nothing. It returns store.ErrNotAShop for a file that is not an
// SQLite database, and for a database with tables of another program. It fails with a code of package store if the file
// cannot be read.
func Inspect(ctx context.Context, file string) (c Contents, err error) {
	defer func() { err = failure(err) }()
	if real, err := filepath.EvalSymlinks(file); err == nil {
		file = real // SQLite keeps the write-ahead log next to it
	}
	abs, err := filepath.Abs(file)
	if err != nil {
		return c, fmt.Errorf("sqlite: path %s: %w", file, err)
	}
	if empty, err := isEmpty(abs); empty || err != nil {
		return c, err
	}
	// A database without a write-ahead log is complete, and no process has it open. With the parameter "immutable",
	// SQLite creates no files next to it.
	query := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(10000)"}}
	if _, err := os.Stat(abs + "-wal"); errors.Is(err, fs.ErrNotExist) {
		query.Set("immutable", "1")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: abs, RawQuery: query.Encode()}).String())
	if err != nil {
		return c, fmt.Errorf("sqlite: open %s: %w", abs, err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var versioned, others bool
	if err := db.QueryRowContext(ctx, `SELECT count(*) FILTER (WHERE name = 'ledger_txs') > 0,
			count(*) FILTER (WHERE name = 'goose_db_version') > 0, count(*) FILTER (WHERE name = $1) > 0,
			count(*) FILTER (WHERE name NOT IN ('goose_db_version', $1)) > 0
		FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\_%' ESCAPE '\'`, store.TransferMark).
		Scan(&c.Shop, &versioned, &c.Unfinished, &others); err != nil {
		if code(err)&0xff == sqlite3.SQLITE_NOTADB {
			return c, fmt.Errorf("%w: %s: %w", store.ErrNotAShop, abs, err)
		}
		return c, fmt.Errorf("sqlite: read %s: %w", abs, err)
	}
	if c.Shop = c.Shop && versioned; others && !c.Shop {
		return c, fmt.Errorf("%w: %s has tables of another program", store.ErrNotAShop, abs)
	}
	if c.Shop {
		c.Schema, err = schemaVersion(ctx, db)
	}
	return c, err
}

// isEmpty reports whether a file does not exist or has no bytes. It returns store.ErrNotAShop for anything that is
// neither empty nor begins like an SQLite database.
func isEmpty(file string) (empty bool, err error) {
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("sqlite: read %s: %w", file, err)
	}
	if !info.Mode().IsRegular() {
		return false, fmt.Errorf("%w: %s is not a file", store.ErrNotAShop, file)
	}
	if info.Size() == 0 {
		return true, nil
	}
	opened, err := os.Open(file)
	if err != nil {
		return false, fmt.Errorf("sqlite: read %s: %w", file, err)
	}
	defer opened.Close()
	start := make([]byte, len(magic))
	if n, err := io.ReadFull(opened, start); err != nil || string(start) != magic {
		return false, fmt.Errorf("%w: %s does not begin like an SQLite database (%d bytes read)", store.ErrNotAShop,
			file, n)
	}
	return false, nil
}
