package app

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"

	"marquee/server/content"
	"marquee/server/money"
)

// SetBanners replaces the banners of a place by the lines of a CSV: image, link, title.
func (b *BackOffice) SetBanners(ctx context.Context, place string, file io.Reader) error {
	list, err := readCSV(file, []string{"image", "link", "title"}, func(row []string) (content.Banner, error) {
		return content.Banner{ImageURL: row[0], LinkURL: row[1], Title: row[2]}, errors.Join(content.CheckAddress(row[0]), content.CheckAddress(row[1]), content.CheckTitle(row[2]))
	})
	if err != nil {
		return err
	}
	return b.app.content.SetBanners(ctx, content.Place(place), list, b.editor())
}

// SetTiles replaces the tiles of a row by the lines of a CSV: image, title, price, url.
func (b *BackOffice) SetTiles(ctx context.Context, row string, file io.Reader) error {
	list, err := readCSV(file, []string{"image", "title", "price", "url"}, func(r []string) (content.Tile, error) {
		_, err := money.ParseFen(r[2])
		return content.Tile{ImageURL: r[0], Title: r[1], Price: r[2], URL: r[3]}, errors.Join(err, content.CheckAddress(r[0]), content.CheckAddress(r[3]), content.CheckTitle(r[1]))
	})
	if err != nil {
		return err
	}
	return b.app.content.SetTiles(ctx, content.Row(row), list, b.editor())
}

// SetText replaces a text; its HTML is made safe.
func (b *BackOffice) SetText(ctx context.Context, key, title, html string) error {
	return b.app.content.SetText(ctx, content.Key(key), content.Text{Title: title, HTML: html}, b.editor())
}

// editor signs for a change of what is shown.
func (b *BackOffice) editor() content.Editor {
	return content.Editor{Actor: b.actor, At: b.app.cfg.Now()}
}

// readCSV reads a whole file before anything is done with it. Its first line may name the columns.
func readCSV[T any](file io.Reader, columns []string, parse func(row []string) (T, error)) ([]T, error) {
	return readLines(file, columns, func(row []string, _ int) (T, error) { return parse(row) })
}

func readLines[T any](file io.Reader, columns []string, parse func(row []string, line int) (T, error)) ([]T, error) {
	r := csv.NewReader(file)
	r.FieldsPerRecord = len(columns)
	var out []T
	for first := true; ; first = false {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("read the file: %w", err) // names the line
		}
		row[0] = strings.TrimPrefix(row[0], "\ufeff")
		if first && strings.EqualFold(strings.Join(row, ","), strings.Join(columns, ",")) {
			continue
		}
		line, _ := r.FieldPos(0)
		v, err := parse(row, line)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		out = append(out, v)
	}
	if len(out) == 0 {
		return nil, errors.New("the file has no lines")
	}
	return out, nil
}
