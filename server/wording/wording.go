// Package wording checks the short texts that operators write: reasons, names, titles.
package wording

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Check returns an error if a text is not UTF-8, has more than most characters, or has a character that cannot be
// shown. The error is a sentence for the operator, with "it" for the text.
func Check(text string, most int) error {
	if !utf8.ValidString(text) || strings.ContainsRune(text, utf8.RuneError) { // decoders replace invalid bytes by it
		return errors.New("it is not UTF-8")
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Errorf("it has %d characters, at most %d are possible", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) { // also line ends, and marks that reverse the direction of the text
			return fmt.Errorf("it holds %U, which cannot be shown", r)
		}
	}
	return nil
}
