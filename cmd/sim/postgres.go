package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"marquee/server/app"
	"marquee/server/store/postgres/pgserver"
)

// managedPostgres is the value of -db with which the program starts a PostgreSQL server for the shop.
const managedPostgres = "postgres"

// startPostgres starts a PostgreSQL server whose data are in a folder, and returns the address of the shop's database.
// If another process uses the folder, the error contains its id. A server that is killed is started again. The caller
// must call stop.
func startPostgres(
	ctx context.Context, dir, holder string, log *slog.Logger,
) (url string, stop func() error, err error) {
	claim, err := app.ClaimFolder(filepath.Join(dir, "postgres"), holder)
	if err != nil {
		return "", nil, err
	}
	server, err := pgserver.Supervise(ctx, pgserver.Options{Dir: filepath.Join(dir, "postgres"), Durable: true}, log)
	if err != nil {
		return "", nil, errors.Join(err, claim.Release())
	}
	stop = func() error { return errors.Join(server.Stop(), claim.Release()) }
	if url, err = server.Server().Database(ctx, "marquee"); err != nil {
		return "", nil, errors.Join(err, stop())
	}
	return url, stop, nil
}

// removePostgres deletes the data of the server that startPostgres starts in the folder. While the server runs, it
// returns an error with the server's process id.
func removePostgres(dir string) error {
	data := filepath.Join(dir, "postgres")
	if _, err := os.Stat(data); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	claim, err := app.ClaimFolder(data, "its removal")
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(data), claim.Release())
}
