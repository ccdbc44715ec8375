package upkeep

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	"marquee/server/app"
	"marquee/server/ops"
	"marquee/server/store"
	"marquee/server/store/sqlite"
)

// Move copies a shop from one database to another and compares the contents. No shop may serve either of them. The
// schema of the source must be that of this release. The target is created if it does not exist. Otherwise it must be
// empty, or contain the beginning of an interrupted move, which Move continues. Finally the source is marked as moved,
// so that no shop serves it. Move returns the number of rows by table.
func Move(ctx context.Context, from, to string, o CopyOptions) (rows map[string]int64, err error) {
	if !app.IsPostgres(from) {
		if _, err := app.MustHoldShop(ctx, from); err != nil {
			return nil, err
		}
		release, err := claimForMove(from)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, release()) }()
	}
	source, err := openForCommand(ctx, from)
	if errors.Is(err, sqlite.ErrClaimed) { // the file is claimed, so its older schema is not migrated
		return nil, store.Fail(store.OlderSchema, err)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, source.Close()) }()
	if source.postgres != nil {
		if served, err := source.postgres.ServedBy(ctx); err != nil || served > 0 {
			return nil, errors.Join(err, fmt.Errorf("%w: %d connections of a shop", ops.ErrInUse, served))
		}
	}
	var target *opened
	if app.IsPostgres(to) {
		if target, err = openUnserved(ctx, to); err != nil {
			return nil, err
		}
	} else {
		release, err := claimForMove(to)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, release()) }()
		file, err := sqlite.Open(to, sqlite.Receiving())
		if err != nil {
			return nil, err
		}
		target = &opened{Stores: file.Stores, sqlite: file}
	}
	defer func() { err = errors.Join(err, target.Close()) }()
	if rows, err = store.Copy(ctx, source.Stores, target.Stores, o.Progress, o.Repaired); err != nil {
		return nil, err
	}
	place, err := placeOf(to)
	if err != nil {
		return nil, err
	}
	if err := source.MoveAway(ctx, place); err != nil {
		return nil, fmt.Errorf("%w: %w", ops.ErrNotMarked, err)
	}
	return rows, endOfServing(ctx, source)
}

// endOfServing returns an error if a shop has started to serve a PostgreSQL database while it was moved: what that shop
// sells is missing in the target. It then removes the mark from the source again.
func endOfServing(ctx context.Context, source *opened) error {
	if source.postgres == nil { // no shop can serve a SQLite file, which is claimed until it is marked
		return nil
	}
	served, err := source.postgres.ServedBy(ctx)
	if err != nil || served == 0 {
		return err
	}
	return errors.Join(fmt.Errorf("%w: a shop was started during the move; empty the target and move again",
		ops.ErrInUse), source.TakeBack(ctx))
}

// placeOf returns the path of a database, or its URL without the password, for messages to operators.
func placeOf(db string) (string, error) {
	if !app.IsPostgres(db) {
		return filepath.Abs(db)
	}
	u, err := url.Parse(db)
	if err != nil {
		return "", store.Fail(store.BadURL, nil) // the error of the parser holds the password
	}
	query := u.Query()
	query.Del("password")
	query.Del("sslpassword")
	u.RawQuery, u.User = query.Encode(), url.User(u.User.Username())
	return u.String(), nil
}

// TakeBack removes the mark of a database that was moved away, so that a shop can serve it again.
func TakeBack(ctx context.Context, db string) error {
	moved, err := openForCommand(ctx, db)
	if err != nil {
		return err
	}
	return errors.Join(moved.TakeBack(ctx), moved.Close())
}

// claimForMove claims a SQLite database and returns the function that ends the claim. It returns ops.ErrInUse if a
// process serves the database.
func claimForMove(db string) (release func() error, err error) {
	claim, err := app.TakeClaim(db, "its move")
	if errors.Is(err, sqlite.ErrClaimed) {
		err = fmt.Errorf("%w: %w", ops.ErrInUse, err)
	}
	if err != nil {
		return nil, err
	}
	return claim.Release, nil
}
