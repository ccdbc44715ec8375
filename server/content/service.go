package content

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"

	"marquee/server/fault"
	"marquee/server/wording"
)

// Place is where banners are shown.
type Place string

const (
	Home    Place = "home"
	Cinemas Place = "cinemas"
	Members Place = "members" // above the goods
)

// Row is one of the two rows of voucher tiles.
type Row string

const (
	FirstRow  Row = "first"
	SecondRow Row = "second"
)

// Key names a text.
type Key string

const (
	Privacy       Key = "privacy"
	UsageRules    Key = "usage_rules"
	BuyingGuide   Key = "buying_guide"
	ViewingGuide  Key = "viewing_guide"
	TicketWarning Key = "ticket_warning" // shown beside a ticket order
	BindingGuide  Key = "binding_guide"  // shown where a card is bound
)

// Text is a titled piece of HTML, made safe when it was written.
type Text struct{ Title, HTML string }

// ErrTextNotFound reports a text that nobody wrote.
var ErrTextNotFound = fault.New(fault.NotFound, "text_not_found", "暂无数据").WithExplanation(
	"there is no page that shows this text")

// Store keeps what is shown.
type Store interface {
	Banners(ctx context.Context, place Place) ([]Banner, error)
	Tiles(ctx context.Context, row Row) ([]Tile, error)
	Text(ctx context.Context, key Key) (Text, error)
	// The setters write the note with the change, both or none.
	SetBanners(ctx context.Context, place Place, list []Banner, n Note) error
	SetTiles(ctx context.Context, row Row, list []Tile, n Note) error
	SetText(ctx context.Context, key Key, t Text, n Note) error
}

// Editor is who changes what is shown, and when. Nobody is the shop itself, which notes nothing.
type Editor struct {
	Actor string // "admin:…"
	At    time.Time
}

// Note is a line of the audit.
type Note struct {
	Editor
	What, Subject, After string
}

func (e Editor) note(what, subject string, size int) Note {
	return Note{Editor: e, What: what, Subject: subject, After: strconv.Itoa(size)}
}

// Service reads and writes what is shown around the goods.
type Service struct {
	store  Store
	policy *bluemonday.Policy
}

// New makes a Service.
func New(store Store) *Service {
	return &Service{store: store, policy: bluemonday.UGCPolicy()}
}

// Banners are those of a place.
func (s *Service) Banners(ctx context.Context, place Place) ([]Banner, error) {
	return s.store.Banners(ctx, place)
}

// Tiles are those of a row.
func (s *Service) Tiles(ctx context.Context, row Row) ([]Tile, error) { return s.store.Tiles(ctx, row) }

// Text is the text written for key; before anyone wrote one, the one the shop comes with.
func (s *Service) Text(ctx context.Context, key Key) (Text, error) {
	t, err := s.store.Text(ctx, key)
	if errors.Is(err, ErrTextNotFound) {
		if given, ok := given[key]; ok {
			return given, nil
		}
	}
	return t, err
}

// SetText keeps a text, with everything taken out of its HTML that could run or reach out.
func (s *Service) SetText(ctx context.Context, key Key, t Text, by Editor) error {
	if _, known := given[key]; !known {
		return fmt.Errorf("text %q: %w", key, ErrTextNotFound)
	}
	if err := CheckTitle(t.Title); err != nil {
		return err
	}
	t.HTML = s.policy.Sanitize(t.HTML)
	return s.store.SetText(ctx, key, t, by.note("text.set", string(key), len(t.HTML)))
}

// Seed is what a new shop shows.
type Seed struct {
	HomeBanners, CinemaBanners, MemberBanners []Banner
	FirstTiles, SecondTiles                   []Tile
}

// Seed fills the places that are still empty, so that starting again keeps what was changed since.
func (s *Service) Seed(ctx context.Context, seed Seed) error {
	for place, list := range map[Place][]Banner{Home: seed.HomeBanners, Cinemas: seed.CinemaBanners, Members: seed.MemberBanners} {
		have, err := s.store.Banners(ctx, place)
		if err != nil {
			return fmt.Errorf("read banners of %s: %w", place, err)
		}
		if len(have) > 0 || len(list) == 0 {
			continue
		}
		if err := s.store.SetBanners(ctx, place, list, Note{}); err != nil {
			return fmt.Errorf("seed banners of %s: %w", place, err)
		}
	}
	for row, list := range map[Row][]Tile{FirstRow: seed.FirstTiles, SecondRow: seed.SecondTiles} {
		have, err := s.store.Tiles(ctx, row)
		if err != nil {
			return fmt.Errorf("read tiles of the %s row: %w", row, err)
		}
		if len(have) > 0 || len(list) == 0 {
			continue
		}
		if err := s.store.SetTiles(ctx, row, list, Note{}); err != nil {
			return fmt.Errorf("seed tiles of the %s row: %w", row, err)
		}
	}
	return nil
}

// ErrPlaceUnknown reports a place or row that no page shows.
var ErrPlaceUnknown = fault.New(fault.NotFound, "place_unknown", "展示位置不存在").WithExplanation(
	"there is no page that shows this place or row")

// ErrAddress reports an address that a page must not carry.
var ErrAddress = fault.New(fault.Invalid, "address_invalid", "链接地址有误").WithExplanation(
	"an address is a page of the shop, or begins with http:// or https://")

// CheckAddress lets through pages of the shop's own and http addresses: what else an address could do (run a
// script, say) is none of a banner's business. Browsers read a backslash as a slash, so that `/\evil.example` leads to
// another host than url.Parse says; what cannot be seen may hide as much.
func CheckAddress(address string) error {
	if !utf8.ValidString(address) || strings.ContainsFunc(address, func(r rune) bool { return r == '\\' || !unicode.IsGraphic(r) }) {
		return fmt.Errorf("address %q: %w", address, ErrAddress)
	}
	u, err := url.Parse(address)
	own := err == nil && u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(address, "//")
	if err != nil || (!own && u.Scheme != "http" && u.Scheme != "https") || (!own && u.Host == "") {
		return fmt.Errorf("address %q: %w", address, ErrAddress)
	}
	return nil
}

// ErrTitle reports a title that nobody could read.
var ErrTitle = fault.New(fault.Invalid, "title_invalid", "标题须为100字以内的文字").WithExplanation(
	"a title is at most 100 printable characters")

// CheckTitle refuses a title that is too long, or holds what cannot be shown; none at all is fine.
func CheckTitle(title string) error {
	if err := wording.Check(title, 100); err != nil {
		return fmt.Errorf("the title: %w: %w", err, ErrTitle)
	}
	return nil
}

// SetBanners replaces the banners of a place.
func (s *Service) SetBanners(ctx context.Context, place Place, list []Banner, by Editor) error {
	switch place {
	case Home, Cinemas, Members:
		return s.store.SetBanners(ctx, place, list, by.note("banners.set", string(place), len(list)))
	}
	return fmt.Errorf("banners of %q: %w", place, ErrPlaceUnknown)
}

// SetTiles replaces the tiles of a row.
func (s *Service) SetTiles(ctx context.Context, row Row, list []Tile, by Editor) error {
	switch row {
	case FirstRow, SecondRow:
		return s.store.SetTiles(ctx, row, list, by.note("tiles.set", string(row), len(list)))
	}
	return fmt.Errorf("tiles of %q: %w", row, ErrPlaceUnknown)
}
