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

// Place is a page that shows banners.
type Place string

const (
	Home    Place = "home"
	Cinemas Place = "cinemas"
	Members Place = "members" // above the goods of the members' page
)

// Row is one of the two rows of voucher tiles.
type Row string

const (
	FirstRow  Row = "first"
	SecondRow Row = "second"
)

// Key identifies a text.
type Key string

const (
	Privacy       Key = "privacy"
	UsageRules    Key = "usage_rules"
	BuyingGuide   Key = "buying_guide"
	ViewingGuide  Key = "viewing_guide"
	TicketWarning Key = "ticket_warning" // shown with a ticket order
	BindingGuide  Key = "binding_guide"  // on the page where a buyer binds a card
)

// Text is HTML with a title. SetText has removed scripts and everything else that could run.
type Text struct{ Title, HTML string }

// maxTitle is the maximum length of a title in characters.
const maxTitle = 100

// Faults of reading and writing content.
var (
	ErrTextNotFound = fault.New(fault.NotFound, "text_not_found", "暂无数据").WithExplanation(
		"no page shows this text")
	errPlaceUnknown = fault.New(fault.NotFound, "place_unknown", "展示位置不存在").WithExplanation(
		"no page shows this place or row")
	ErrAddress = fault.New(fault.Invalid, "address_invalid", "链接地址有误").WithExplanation(
		"an address is a page of the shop, or begins with http:// or https://")
	errTextInvalid = fault.New(fault.Invalid, "text_invalid", "文字须为UTF-8编码").WithExplanation(
		"a text is UTF-8, without NUL: save the file with this encoding")
	errTitle = fault.New(fault.Invalid, "title_invalid", fmt.Sprintf("标题须为%d字以内的文字", maxTitle)).WithExplanation(
		fmt.Sprintf("a title is at most %d printable characters", maxTitle))
)

// Store keeps the content. Lists are in the order in which they are shown.
type Store interface {
	// Banners returns the banners of a place, or an empty list if none were ever saved.
	Banners(ctx context.Context, place Place) ([]Banner, error)
	// Tiles returns the tiles of a row, or an empty list if none were ever saved.
	Tiles(ctx context.Context, row Row) ([]Tile, error)
	// Text returns a text. It returns ErrTextNotFound if the text was never saved.
	Text(ctx context.Context, key Key) (Text, error)
	// SetBanners, SetTiles and SetText replace the present content, and write the note to the audit log in the same
	// transaction. A note without an actor is not written.
	SetBanners(ctx context.Context, place Place, list []Banner, n Note) error
	SetTiles(ctx context.Context, row Row, list []Tile, n Note) error
	SetText(ctx context.Context, key Key, t Text, n Note) error
}

// Editor is the operator who changes content, and the time of the change. The zero value means the shop itself, whose
// changes are not recorded in the audit log.
type Editor struct {
	Actor string // "admin:…"
	At    time.Time
}

// Note is an entry of the audit log: After is the number of banners or tiles, or of bytes of a text.
type Note struct {
	Editor
	What, Subject, After string // the action, such as "banners.set"
}

func (e Editor) note(what, subject string, size int) Note {
	return Note{Editor: e, What: what, Subject: subject, After: strconv.Itoa(size)}
}

// Service reads and writes content.
type Service struct {
	store  Store
	policy *bluemonday.Policy
}

// New makes a Service.
func New(store Store) *Service {
	return &Service{store: store, policy: bluemonday.UGCPolicy()}
}

// Banners returns the banners of a place.
func (s *Service) Banners(ctx context.Context, place Place) ([]Banner, error) {
	return s.store.Banners(ctx, place)
}

// Tiles returns the tiles of a row.
func (s *Service) Tiles(ctx context.Context, row Row) ([]Tile, error) { return s.store.Tiles(ctx, row) }

// Text returns the text of a key, or the built-in one if no operator has written it. It returns ErrTextNotFound for an
// unknown key.
func (s *Service) Text(ctx context.Context, key Key) (Text, error) {
	t, err := s.store.Text(ctx, key)
	if errors.Is(err, ErrTextNotFound) {
		if text, ok := builtIn[key]; ok {
			return text, nil
		}
	}
	return t, err
}

// SetText replaces a text. It removes scripts, event handlers, frames and unsafe links from its HTML. It returns
// ErrTextNotFound for an unknown key, errTitle if the title is empty or not allowed, and errTextInvalid with the number
// of the line that is not UTF-8.
func (s *Service) SetText(ctx context.Context, key Key, t Text, by Editor) error {
	if _, known := builtIn[key]; !known {
		return fmt.Errorf("text %q: %w", key, ErrTextNotFound)
	}
	if strings.TrimSpace(t.Title) == "" {
		return fmt.Errorf("the title: it is empty: %w", errTitle)
	}
	if err := CheckTitle(t.Title); err != nil {
		return err
	}
	html, err := wording.Document(t.HTML)
	if err != nil {
		return fmt.Errorf("text %q: %w: %w", key, err, errTextInvalid)
	}
	t.HTML = s.policy.Sanitize(html)
	return s.store.SetText(ctx, key, t, by.note("text.set", string(key), len(t.HTML)))
}

// Seed is the first content of a new shop.
type Seed struct {
	HomeBanners, CinemaBanners, MemberBanners []Banner
	FirstTiles, SecondTiles                   []Tile
}

// Seed saves the content of the places and rows that are empty. It does not change what operators have saved.
func (s *Service) Seed(ctx context.Context, seed Seed) error {
	banners := map[Place][]Banner{Home: seed.HomeBanners, Cinemas: seed.CinemaBanners, Members: seed.MemberBanners}
	for place, list := range banners {
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

// CheckAddress returns ErrAddress unless address is a path of the shop or an absolute http or https URL. Browsers read
// a backslash as a slash, so `/\evil.example` would lead to another host than the one that url.Parse reports. Control
// characters could have a similar effect.
func CheckAddress(address string) error {
	rejected := fmt.Errorf("address %q: %w", address, ErrAddress)
	misread := func(r rune) bool { return r == '\\' || !unicode.IsGraphic(r) }
	if !utf8.ValidString(address) || strings.ContainsFunc(address, misread) {
		return rejected
	}
	u, err := url.Parse(address)
	if err != nil {
		return rejected
	}
	ownPath := u.Scheme == "" && u.Host == "" && strings.HasPrefix(u.Path, "/") && !strings.HasPrefix(address, "//")
	absolute := (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
	if !ownPath && !absolute {
		return rejected
	}
	return nil
}

// CheckTitle returns errTitle if a title has more than maxTitle characters or a character that cannot be shown. An
// empty title passes.
func CheckTitle(title string) error {
	if err := wording.Check(title, maxTitle); err != nil {
		return fmt.Errorf("the title: %w: %w", err, errTitle)
	}
	return nil
}

// SetBanners replaces the banners of a place. It returns errPlaceUnknown.
func (s *Service) SetBanners(ctx context.Context, place Place, list []Banner, by Editor) error {
	switch place {
	case Home, Cinemas, Members:
		return s.store.SetBanners(ctx, place, list, by.note("banners.set", string(place), len(list)))
	}
	return fmt.Errorf("banners of %q: %w", place, errPlaceUnknown)
}

// SetTiles replaces the tiles of a row. It returns errPlaceUnknown.
func (s *Service) SetTiles(ctx context.Context, row Row, list []Tile, by Editor) error {
	switch row {
	case FirstRow, SecondRow:
		return s.store.SetTiles(ctx, row, list, by.note("tiles.set", string(row), len(list)))
	}
	return fmt.Errorf("tiles of %q: %w", row, errPlaceUnknown)
}
