package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"

	"marquee/server/content"
)

// Contents keeps banners, tiles and texts.
type Contents struct{ db *DB }

// Contents is the content store.
func (db *DB) Contents() *Contents { return &Contents{db: db} }

// Banners are those of a place, in their order.
func (c *Contents) Banners(ctx context.Context, place content.Place) ([]content.Banner, error) {
	rows, err := c.db.Read().QueryContext(ctx,
		`SELECT id, image_url, link_url, title FROM banners WHERE place = ? ORDER BY position, id`, place)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []content.Banner{}
	for rows.Next() {
		var b content.Banner
		var id int64
		if err := rows.Scan(&id, &b.ImageURL, &b.LinkURL, &b.Title); err != nil {
			return nil, err
		}
		b.ID = strconv.FormatInt(id, 10)
		list = append(list, b)
	}
	return list, rows.Err()
}

// Tiles are those of a row, in their order.
func (c *Contents) Tiles(ctx context.Context, row content.Row) ([]content.Tile, error) {
	rows, err := c.db.Read().QueryContext(ctx,
		`SELECT id, image_url, title, price, url FROM tiles WHERE place = ? ORDER BY position, id`, row)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	list := []content.Tile{}
	for rows.Next() {
		var t content.Tile
		var id int64
		if err := rows.Scan(&id, &t.ImageURL, &t.Title, &t.Price, &t.URL); err != nil {
			return nil, err
		}
		t.ID = strconv.FormatInt(id, 10)
		list = append(list, t)
	}
	return list, rows.Err()
}

// Text reads a text; content.ErrTextNotFound when there is none.
func (c *Contents) Text(ctx context.Context, key content.Key) (content.Text, error) {
	var t content.Text
	err := c.db.Read().QueryRowContext(ctx, `SELECT title, html FROM texts WHERE key = ?`, key).Scan(&t.Title, &t.HTML)
	if errors.Is(err, sql.ErrNoRows) {
		return t, content.ErrTextNotFound
	}
	return t, err
}

// change writes what is shown together with the note about it.
func (c *Contents) change(ctx context.Context, n content.Note, write func(tx *sql.Tx) error) error {
	return c.db.write(ctx, func(w *writeTx) error {
		if err := write(w.tx); err != nil || n.Actor == "" {
			return err
		}
		return auditRepo{w}.Record(n.At, n.Actor, n.What, n.Subject, "", n.After)
	})
}

// SetBanners replaces the banners of a place.
func (c *Contents) SetBanners(ctx context.Context, place content.Place, list []content.Banner, n content.Note) error {
	return c.change(ctx, n, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM banners WHERE place = ?`, place); err != nil {
			return err
		}
		for i, b := range list {
			_, err := tx.Exec(`INSERT INTO banners (place, position, image_url, link_url, title) VALUES (?, ?, ?, ?, ?)`,
				place, i, b.ImageURL, b.LinkURL, b.Title)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SetTiles replaces the tiles of a row.
func (c *Contents) SetTiles(ctx context.Context, row content.Row, list []content.Tile, n content.Note) error {
	return c.change(ctx, n, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM tiles WHERE place = ?`, row); err != nil {
			return err
		}
		for i, t := range list {
			_, err := tx.Exec(`INSERT INTO tiles (place, position, image_url, title, price, url) VALUES (?, ?, ?, ?, ?, ?)`,
				row, i, t.ImageURL, t.Title, t.Price, t.URL)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SetText keeps a text in place of an earlier one.
func (c *Contents) SetText(ctx context.Context, key content.Key, t content.Text, n content.Note) error {
	return c.change(ctx, n, func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO texts (key, title, html) VALUES (?, ?, ?)
			ON CONFLICT (key) DO UPDATE SET title = excluded.title, html = excluded.html`, key, t.Title, t.HTML)
		return err
	})
}
