// Package wording checks the texts that operators enter: reasons, names and titles, and files with longer texts.
package wording

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

var errNotUTF8 = errors.New("it is not UTF-8")

// isUTF8 reports whether a text is valid UTF-8. Decoders replace invalid bytes by U+FFFD, so a text with that character
// does not count as valid.
func isUTF8(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsRune(text, utf8.RuneError)
}

// Check returns an error if a text is not UTF-8, has more characters than the maximum, most, or has a character that
// cannot be shown. The error is a sentence for the operator, in which "it" is the text.
func Check(text string, most int) error {
	if !isUTF8(text) {
		return errNotUTF8
	}
	if n := utf8.RuneCountInString(text); n > most {
		return fmt.Errorf("it has %d characters, at most %d are possible", n, most)
	}
	for _, r := range text {
		if !unicode.IsGraphic(r) { // this includes line ends, and marks that reverse the direction of text
			return fmt.Errorf("it holds %U, which cannot be shown", r)
		}
	}
	return nil
}

// Document returns the content of a text file without its byte order mark. It returns an error if the content is not
// UTF-8 (GBK, for example) or contains NUL, as UTF-16 does. The error is a sentence for the operator, in which "it" is
// the content.
func Document(text string) (string, error) {
	text = strings.TrimPrefix(text, "\ufeff")
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		return "", fmt.Errorf("%w but UTF-16", errNotUTF8)
	}
	for i, line := range strings.Split(text, "\n") {
		if !isUTF8(line) {
			return "", fmt.Errorf("line %d: %w", i+1, errNotUTF8)
		}
		if strings.Contains(line, "\x00") {
			return "", fmt.Errorf("line %d: it holds U+0000, as files in UTF-16 do", i+1)
		}
	}
	return text, nil
}

// unseen are characters that are not control characters or spaces, but draw nothing: fillers of Hangul and Braille,
// joiners and selectors.
const unseen = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"

// Invisible reports whether a character is invisible or looks like a plain space: control characters, format marks,
// fillers, variation selectors, and all spaces but U+0020.
func Invisible(r rune) bool {
	return !unicode.IsGraphic(r) || (unicode.IsSpace(r) && r != ' ') || unicode.Is(unicode.Variation_Selector, r) ||
		strings.ContainsRune(unseen, r)
}
