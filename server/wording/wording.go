// Package wording checks the short texts that the back office writes and people read: reasons, names, titles.
package wording

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Check tells, for whoever wrote it, what keeps a text from being shown; nil when nothing does. most is in characters.
func Check(text string, most int) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) { // what a reader puts for lost bytes
		return errors.New("it is no UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Errorf("it has %d characters, at most %d are possible", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) { // line ends and marks that turn the direction of what follows, too
			return fmt.Errorf("it holds %U, which cannot be shown", r)
		}
	}
	return nil
}
