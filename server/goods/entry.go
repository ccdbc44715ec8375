package goods

import (
	"fmt"
	"strings"

	"marquee/server/wording"
)

// The bounds of what the back office writes about goods: a text in characters, and a hundred years.
const (
	longestText = 100
	mostDays    = 36_500
)

// entry is what every category, goods and specification is known by, and the lines that buyers read of it.
type entry struct {
	code, title string
	lines       []string
}

// check fails with ErrGoodsInvalid, saying why.
func (e entry) check() error {
	if !named(e.code) {
		return fmt.Errorf("a code has 1 to 64 small letters, digits, - and _: %w", ErrGoodsInvalid)
	}
	if strings.TrimSpace(e.title) == "" {
		return fmt.Errorf("it has no name or title: %w", ErrGoodsInvalid)
	}
	for _, text := range append([]string{e.title}, e.lines...) {
		if err := wording.Check(text, longestText); err != nil {
			return fmt.Errorf("the text %q: %w: %w", text, err, ErrGoodsInvalid)
		}
	}
	return nil
}

// named reports whether the code can serve as a name in files and on the command line.
func named(code string) bool {
	return code != "" && len(code) <= 64 && !strings.ContainsFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}
