package transport

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// replacement takes the place of what is not a character, as decoders of JSON put it.
const replacement = "\uFFFD"

// escapedNUL and escapedReplacement are the same characters as escapes of JSON.
const escapedNUL, escapedReplacement = `u0000`, `ufffd`

// Text returns a text that another party sent as valid UTF-8 without NUL: no database of the shop stores other texts,
// and a fault of the sender must not cost the call. What is not a character becomes U+FFFD.
func Text(sent string) string {
	if utf8.ValidString(sent) && strings.IndexByte(sent, 0) < 0 {
		return sent
	}
	return strings.ReplaceAll(strings.ToValidUTF8(sent, replacement), "\x00", replacement)
}

// JSON is Text for a JSON document: NUL is replaced as an escape, too. Check a signature over the document as it was
// sent. Exchange returns answers in this form.
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
		i++ // to the character that is escaped: a backslash may be one
		if bytes.HasPrefix(out[i:], []byte(escapedNUL)) {
			copy(out[i:], escapedReplacement)
		}
	}
	return out
}
