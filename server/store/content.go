package store

import (
	"context"

	"marquee/server/content"
)

// Contents implements content.Store. Each method is one transaction.
type Contents struct{ db *Stores }

// Contents returns the content store.
func (s *Stores) Contents() *Contents { return &Contents{s} }

// Banners returns the banners of a place in their order.
func (c *Contents) Banners(ctx context.Context, place content.Place) ([]content.Banner, error) {
	return queryAll(ctx, c.db, func(row scanner) (b content.Banner, err error) {
		err = row.Scan(&b.ID, &b.ImageURL, &b.LinkURL, &b.Title)
		return b, err
	}, `SELECT id, image_url, link_url, title FROM banners WHERE place = $1 ORDER BY position, id`, place)
}

// Tiles returns the tiles of a row in their order.
func (c *Contents) Tiles(ctx context.Context, row content.Row) ([]content.Tile, error) {
	return queryAll(ctx, c.db, func(row scanner) (t content.Tile, err error) {
		err = row.Scan(&t.ID, &t.ImageURL, &t.Title, &t.Price, &t.URL)
		return t, err
	}, `SELECT id, image_url, title, price, url FROM tiles WHERE place = $1 ORDER BY position, id`, row)
}

// Text returns a text, or content.ErrTextNotFound if it was never set.
func (c *Contents) Text(ctx context.Context, key content.Key) (content.Text, error) {
	return queryOne(ctx, c.db, func(row scanner) (t content.Text, err error) {
		err = row.Scan(&t.Title, &t.HTML)
		return t, err
	}, content.ErrTextNotFound, `SELECT title, html FROM texts WHERE key = $1`, key)
}

// change runs write in a transaction, and adds the note to the audit log if the note has an actor.
func (c *Contents) change(ctx context.Context, n content.Note, write func(w *writeTx) error) error {
	return c.db.write(ctx, func(w *writeTx) error {
		if err := w.lock("contents"); err != nil {
			return err
		}
		if err := write(w); err != nil || n.Actor == "" {
			return err
		}
		return auditRepo{w}.Record(n.At, n.Actor, n.What, n.Subject, "", n.After)
	})
}

// SetBanners replaces the banners of a place.
func (c *Contents) SetBanners(ctx context.Context, place content.Place, list []content.Banner, n content.Note) error {
	return c.change(ctx, n, func(w *writeTx) error {
		if _, err := w.exec(`DELETE FROM banners WHERE place = $1`, place); err != nil {
			return err
		}
		for i, b := range list {
			_, err := w.exec(`INSERT INTO banners
				(place, position, image_url, link_url, title) VALUES ($1, $2, $3, $4, $5)`,
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
	return c.change(ctx, n, func(w *writeTx) error {
		if _, err := w.exec(`DELETE FROM tiles WHERE place = $1`, row); err != nil {
			return err
		}
		for i, t := range list {
			_, err := w.exec(`INSERT INTO tiles
				(place, position, image_url, title, price, url) VALUES ($1, $2, $3, $4, $5, $6)`,
				row, i, t.ImageURL, t.Title, t.Price, t.URL)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// SetText inserts or replaces a text.
func (c *Contents) SetText(ctx context.Context, key content.Key, t content.Text, n content.Note) error {
	return c.change(ctx, n, func(w *writeTx) error {
		_, err := w.exec(`INSERT INTO texts (key, title, html) VALUES ($1, $2, $3)
			ON CONFLICT (key) DO UPDATE SET title = excluded.title, html = excluded.html`, key, t.Title, t.HTML)
		return err
	})
}
