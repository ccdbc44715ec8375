package record

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// redacted replaces a secret. A phone or a person is replaced by a placeholder with a number, such as {phone:2}, so
// that the same phone can be recognized in different calls. Numbers are given in the order of appearance.
const redacted = "{redacted}"

// secretAnywhere are fields, in lower case, whose values never enter a recording of any provider.
var secretAnywhere = []string{
	"sign", "signature", "paysign", "authorization", "secret", "appsecret", "app_secret", "accesskeysecret",
	"secretkey", "accesskeyid",
	"secretid", "appkey", "entid", "access_token", "refresh_token", "token", "ticket", "session_key", "password",
	"pass", "pwd", "paypass",
	"cardpass", "cardno", "kahao",
}

// redactor replaces what a recording must not contain.
type redactor struct {
	secret  map[string]bool   // fields, in lower case
	persons map[string]string // fields that hold a person's id, in lower case, each with the word of its placeholder
	inText  *regexp.Regexp    // name=value within a longer text

	mu     sync.Mutex
	number map[string]int // the numbers of placeholders, by word and value
	last   map[string]int // the last number, by word
}

// newRedactor returns the redactor of a recording of a provider.
func newRedactor(p *provider) *redactor {
	r := &redactor{secret: map[string]bool{}, persons: p.persons, number: map[string]int{}, last: map[string]int{}}
	patterns := []string{}
	for _, names := range [][]string{secretAnywhere, p.secrets} {
		for _, name := range names {
			r.secret[name] = true
			patterns = append(patterns, regexp.QuoteMeta(name))
		}
	}
	// Vendors quote a call in their errors: as a query, as JSON, or with the separators escaped.
	r.inText = regexp.MustCompile(`(?i)\b(` + strings.Join(patterns, "|") + `)(\\?"?\s*(?:=|:|%3D)\s*\\?"?)[^&\s",;]+`)
	return r
}

// call redacts a call in place.
func (r *redactor) call(c *Call) {
	c.Operation, c.Request.Path = r.path(c.Operation), r.path(c.Request.Path)
	c.Request.Query = rewriteForm(c.Request.Query, r.formValue)
	r.body(&c.Request.Body)
	if c.Answer != nil {
		r.body(&c.Answer.Body)
	}
}

// body redacts a body in place.
func (r *redactor) body(b *Body) {
	b.Form, b.JSON = rewriteForm(b.Form, r.formValue), r.value("", b.JSON)
}

// formValue redacts one value of a form or query.
func (r *redactor) formValue(name, value string) string {
	text, _ := r.value(name, value).(string)
	return text
}

// value redacts the value of a field and keeps its type, because types are compared. A secret field that holds an
// object or an array is redacted in all its parts.
func (r *redactor) value(name string, v any) any {
	name = strings.ToLower(name)
	if r.secret[name] {
		return rewriteJSON("", v, func(_ string, scalar any) any { return blank(scalar) })
	}
	switch v := v.(type) {
	case map[string]any:
		clean := map[string]any{}
		for key, inner := range v {
			clean[r.text(key)] = r.value(key, inner)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = r.value(name, inner)
		}
		return clean
	case string:
		if word := r.persons[name]; word != "" && v != "" {
			return r.placeholder(word, v)
		}
		return r.nested(v)
	case json.Number:
		if r.text(v.String()) != v.String() {
			return json.Number("0")
		}
	}
	return v
}

// blank replaces a secret scalar: a text by redacted, a number by 0.
func blank(scalar any) any {
	switch v := scalar.(type) {
	case string:
		if v != "" {
			return redacted
		}
	case json.Number:
		return json.Number("0")
	}
	return scalar
}

// nested redacts a text. If the text itself is JSON, it redacts the fields of that JSON.
func (r *redactor) nested(text string) string {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		if inner, err := decodeJSON([]byte(text)); err == nil {
			if encoded, err := encodeJSON(r.value("", inner)); err == nil {
				return string(encoded)
			}
		}
	}
	return r.text(text)
}

// phone matches a mainland mobile number that is not a part of a longer number, with its neighbors.
var phone = regexp.MustCompile(`(^|[^0-9])((?:00)?86)?(1[3-9][0-9]{9})($|[^0-9])`)

// text redacts phones, and secrets of the form name=value, in a text. The separator between two phones belongs to the
// match of the first, so that the second is found only in another round.
func (r *redactor) text(text string) string {
	text = r.inText.ReplaceAllString(text, "${1}${2}"+redacted)
	for {
		next := phone.ReplaceAllStringFunc(text, func(found string) string {
			parts := phone.FindStringSubmatch(found)
			return parts[1] + parts[2] + r.placeholder("phone", parts[3]) + parts[4]
		})
		if next == text {
			return text
		}
		text = next
	}
}

// path redacts each segment of a path, which may be escaped.
func (r *redactor) path(path string) string {
	segments := strings.Split(path, "/")
	for i, segment := range segments {
		if plain, err := url.PathUnescape(segment); err == nil {
			if clean := r.text(plain); clean != plain {
				segments[i] = clean
			}
		}
	}
	return strings.Join(segments, "/")
}

// placeholder replaces a phone or a person: the same value has the same number throughout the recording.
func (r *redactor) placeholder(word, value string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := word + "\x00" + value
	if r.number[key] == 0 {
		r.last[word]++
		r.number[key] = r.last[word]
	}
	return fmt.Sprintf("{%s:%d}", word, r.number[key])
}
