package goods

import (
	"fmt"
	"strings"

	"marquee/server/durations"
	"marquee/server/wording"
)

// Limits of back-office input about goods.
const (
	longestText    = 100  // characters of one line of text
	longestAddress = 1024 // characters of the URL of a picture
	maxDays        = int(durations.LongestValidity / durations.Day)
)

// entry holds the fields that categories, goods and specifications have in common: the code, the title, the URL of a
// picture, and further lines of text that buyers read.
type entry struct {
	code, title, image string
	lines              []string
}

// check returns ErrGoodsInvalid, wrapped with the cause, if a field is not allowed.
func (e entry) check() error {
	if !validCode(e.code) {
		return fmt.Errorf("a code must have 1 to 64 lowercase letters, digits, - or _: %w", ErrGoodsInvalid)
	}
	if strings.TrimSpace(e.title) == "" {
		return fmt.Errorf("the name or title is missing: %w", ErrGoodsInvalid)
	}
	if err := wording.Check(e.image, longestAddress); err != nil {
		return fmt.Errorf("the address of the picture: %w: %w", err, ErrGoodsInvalid)
	}
	for _, text := range append([]string{e.title}, e.lines...) {
		if err := wording.Check(text, longestText); err != nil {
			return fmt.Errorf("the text %q: %w: %w", text, err, ErrGoodsInvalid)
		}
	}
	return nil
}

// validCode reports whether the code can be used in file names and on the command line.
func validCode(code string) bool {
	return code != "" && len(code) <= 64 && !strings.ContainsFunc(code, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '_'
	})
}
