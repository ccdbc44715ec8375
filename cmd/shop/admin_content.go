package main

import (
	"context"
	"io"

	"marquee/server/backoffice"
)

// contentCommands are the commands `shop admin content …`. The allowed places, rows and keys are those of package
// content.
type contentCommands struct {
	Banners setBanners `cmd:"" help:"Replace the banners of a place by those of a CSV (image,link,title)."`
	Tiles   setTiles   `cmd:"" help:"Replace a row of voucher tiles by those of a CSV (image,title,price,url)."`
	Text    setText    `cmd:"" help:"Replace a policy or guide by an HTML file."`
}

type setBanners struct {
	Place string `arg:"" enum:"home,cinemas,members" help:"home, cinemas or members."`
	File  string `arg:"" help:"The CSV, or - for standard input."`
}

// Run replaces all banners of the place, or none if a line of the file is invalid.
func (c setBanners) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := withFile(c.File, func(r io.Reader) error { return office.Content.SetBanners(ctx, c.Place, r) })
	return p.printf(err, "banners of %s replaced", c.Place)
}

type setTiles struct {
	Row  string `arg:"" enum:"first,second" help:"first or second."`
	File string `arg:"" help:"The CSV, or - for standard input."`
}

// Run replaces all tiles of the row, or none if a line of the file is invalid.
func (c setTiles) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := withFile(c.File, func(r io.Reader) error { return office.Content.SetTiles(ctx, c.Row, r) })
	return p.printf(err, "tiles of the %s row replaced", c.Row)
}

type setText struct {
	Key   string `arg:"" enum:"privacy,usage_rules,buying_guide,viewing_guide,ticket_warning,binding_guide" help:"Its key."`
	File  string `arg:"" help:"The HTML, or - for standard input."`
	Title string `help:"The title." required:""`
}

// Run replaces the text. It removes scripts, and everything else that a browser could execute, from the HTML.
func (c setText) Run(ctx context.Context, office *backoffice.BackOffice, p *process) error {
	err := withFile(c.File, func(r io.Reader) error {
		html, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		return office.Content.SetText(ctx, c.Key, c.Title, string(html))
	})
	return p.printf(err, "text %s replaced", c.Key)
}
