package backoffice

import (
	"context"
	"errors"
	"io"
	"time"

	"marquee/server/content"
	"marquee/server/money"
)

// ContentService replaces banners, tiles and texts. Package content implements it.
type ContentService interface {
	// SetBanners replaces all banners of a place. It returns the fault place_unknown.
	SetBanners(ctx context.Context, place content.Place, list []content.Banner, by content.Editor) error
	// SetTiles replaces all tiles of a row. It returns the fault place_unknown.
	SetTiles(ctx context.Context, row content.Row, list []content.Tile, by content.Editor) error
	// SetText replaces a text, and removes HTML that could run. It returns content.ErrTextNotFound or the faults
	// title_invalid and text_invalid.
	SetText(ctx context.Context, key content.Key, t content.Text, by content.Editor) error
}

// Content changes banners, tiles and texts.
type Content struct {
	service ContentService
	now     func() time.Time
	actor   string
}

// SetBanners replaces the banners of a place by the records of a CSV with the columns image, link and title. It returns
// the fault place_unknown if no page shows the place.
func (c *Content) SetBanners(ctx context.Context, place string, file io.Reader) error {
	parse := func(r record) (content.Banner, error) {
		b := content.Banner{ImageURL: r.fields[0], LinkURL: r.fields[1], Title: r.fields[2]}
		return b, errors.Join(content.CheckAddress(b.ImageURL), content.CheckAddress(b.LinkURL),
			content.CheckTitle(b.Title))
	}
	list, err := readCSV(file, []string{"image", "link", "title"}, parse)
	if err != nil {
		return err
	}
	return c.service.SetBanners(ctx, content.Place(place), list, c.editor())
}

// SetTiles replaces a row of voucher tiles by the records of a CSV with the columns image, title, price and url. It
// returns the fault place_unknown if no page shows the row.
func (c *Content) SetTiles(ctx context.Context, row string, file io.Reader) error {
	parse := func(r record) (content.Tile, error) {
		t := content.Tile{ImageURL: r.fields[0], Title: r.fields[1], Price: r.fields[2], URL: r.fields[3]}
		_, err := money.ParseFen(t.Price)
		return t, errors.Join(err, content.CheckAddress(t.ImageURL), content.CheckAddress(t.URL),
			content.CheckTitle(t.Title))
	}
	list, err := readCSV(file, []string{"image", "title", "price", "url"}, parse)
	if err != nil {
		return err
	}
	return c.service.SetTiles(ctx, content.Row(row), list, c.editor())
}

// SetText replaces a policy or guide. HTML that could run is removed. It returns content.ErrTextNotFound if no page
// shows the text.
func (c *Content) SetText(ctx context.Context, key, title, html string) error {
	return c.service.SetText(ctx, content.Key(key), content.Text{Title: title, HTML: html}, c.editor())
}

func (c *Content) editor() content.Editor { return content.Editor{Actor: c.actor, At: c.now()} }
