package ops

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"time"
)

// Bundle writes a support bundle: a zip file of texts from which secrets and phone numbers are removed.
type Bundle struct {
	zip     *zip.Writer
	secrets *strings.Replacer
	at      time.Time
}

// shortestSecret is the shortest length of a secret that is replaced in texts: a shorter one may also be a part of
// usual words.
const shortestSecret = 6

// NewBundle begins a bundle. Each of the secrets that is not shorter than shortestSecret is replaced wherever it
// appears.
func NewBundle(to io.Writer, at time.Time, secrets []string) *Bundle {
	var pairs []string
	for _, secret := range secrets {
		for _, form := range []string{secret, quoted(secret)} {
			if len(secret) >= shortestSecret {
				pairs = append(pairs, form, "[secret]")
			}
		}
	}
	return &Bundle{zip.NewWriter(to), strings.NewReplacer(pairs...), at}
}

// quoted returns a text as it appears inside JSON.
func quoted(text string) string {
	encoded, err := json.Marshal(text)
	if err != nil {
		return text
	}
	return strings.Trim(string(encoded), `"`)
}

// phone matches mainland mobile numbers, also with the country code.
var phone = regexp.MustCompile(`(^|[^0-9])((?:\+?86)?1[3-9][0-9]{9})([^0-9]|$)`)

// Redact replaces secrets and phone numbers in a text by placeholders.
func (b *Bundle) Redact(text string) string {
	text = b.secrets.Replace(text)
	return phone.ReplaceAllString(phone.ReplaceAllString(text, "${1}[phone]${3}"), "${1}[phone]${3}")
}

// AddText adds a file with a redacted text.
func (b *Bundle) AddText(name, text string) error {
	w, err := b.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: b.at})
	if err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	if _, err := io.WriteString(w, b.Redact(text)); err != nil {
		return fmt.Errorf("add %s: %w", name, err)
	}
	return nil
}

// AddJSON adds a file with a value as redacted JSON.
func (b *Bundle) AddJSON(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	if err != nil {
		return fmt.Errorf("encode %s: %w", name, err)
	}
	return b.AddText(name, string(text)+"\n")
}

// Close writes the end of the zip file.
func (b *Bundle) Close() error { return b.zip.Close() }
