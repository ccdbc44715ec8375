package transport

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// replacement is what decoders of JSON substitute for invalid UTF-8.
const replacement = "\uFFFD"

// escapedNUL and escapedReplacement are NUL and replacement as JSON escapes, without the backslash.
const escapedNUL, escapedReplacement = `u0000`, `ufffd`

// Text returns a text from another party as valid UTF-8 without NUL, which is all that the databases of the shop can
// store: a call must not fail because of the sender's mistake. NUL and invalid bytes become U+FFFD.
func Text(sent string) string {
	if utf8.ValidString(sent) && strings.IndexByte(sent, 0) < 0 {
		return sent
	}
	return strings.ReplaceAll(strings.ToValidUTF8(sent, replacement), "\x00", replacement)
}

// JSON does what Text does, for a JSON document: it also replaces the escape of NUL. Signatures must be checked over
// the original document. Exchange returns answers in this form.
func JSON(sent []byte) []byte {
	if !utf8.Valid(sent) || bytes.IndexByte(sent, 0) >= 0 {
		sent = []byte(Text(string(sent)))
	}
	if !bytes.Contains(sent, []byte(`\`+escapedNUL)) {
		return sent
	}
	out := bytes.Clone(sent)
	for i := 0; i < len(out)-1; i++ {
		if out[i] != '\\' {
			continue
		}
		i++ // to the escaped character, which may be a backslash itself
		if bytes.HasPrefix(out[i:], []byte(escapedNUL)) {
			copy(out[i:], escapedReplacement)
		}
	}
	return out
}
