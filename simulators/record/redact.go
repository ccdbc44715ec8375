package record

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"sync"
)

// redacted stands for a secret. Phones and persons have a number beside it, so that two calls about the same one can be
// told; the numbers follow from the order of appearance alone.
const redacted = "{redacted}"

// secretAnywhere are fields whose values never enter a recording, whoever the provider is.
var secretAnywhere = []string{
	"sign", "signature", "paysign", "authorization", "secret", "appsecret", "app_secret", "accesskeysecret", "secretkey", "accesskeyid", "secretid",
	"appkey", "entid", "access_token", "refresh_token", "token", "ticket", "session_key", "password", "pass", "pwd", "paypass", "cardpass", "cardno", "kahao",
}

// redactor takes out of calls what must not be kept.
type redactor struct {
	secret  map[string]bool   // lower-case names
	persons map[string]string // lower-case names of fields that hold a person's id, and the placeholder's word
	inText  *regexp.Regexp    // name=value within a longer text

	mu   sync.Mutex
	seen map[string]int // by word and value
	last map[string]int // by word
}

func newRedactor(p *provider) *redactor {
	r := &redactor{secret: map[string]bool{}, persons: p.persons, seen: map[string]int{}, last: map[string]int{}}
	names := append(append([]string{}, secretAnywhere...), p.secrets...)
	for i, name := range names {
		names[i] = regexp.QuoteMeta(strings.ToLower(name))
		r.secret[strings.ToLower(name)] = true
	}
	// Vendors quote a call in their refusals: as a query, as JSON, or with the separators escaped.
	joined := strings.Join(names, "|")
	r.inText = regexp.MustCompile(`(?i)\b(` + joined + `)(\\?"?\s*(?:=|:|%3D)\s*\\?"?)[^&\s",;]+`)
	return r
}

// call redacts a whole call in place.
func (r *redactor) call(c *Call) {
	c.Operation, c.Request.Path = r.path(c.Operation), r.path(c.Request.Path)
	c.Request.Query, c.Request.Body.Form = r.form(c.Request.Query), r.form(c.Request.Body.Form)
	c.Request.Body.JSON = r.value("", c.Request.Body.JSON)
	if c.Answer != nil {
		c.Answer.Body.JSON, c.Answer.Body.Form = r.value("", c.Answer.Body.JSON), r.form(c.Answer.Body.Form)
	}
}

func (r *redactor) form(form map[string][]string) map[string][]string {
	if form == nil {
		return nil
	}
	clean := map[string][]string{}
	for name, values := range form {
		for _, value := range values {
			text, _ := r.value(name, value).(string)
			clean[name] = append(clean[name], text)
		}
	}
	return clean
}

// value redacts what stands in a field. Types stay, because they are what is compared.
func (r *redactor) value(name string, v any) any {
	name = strings.ToLower(name)
	if r.secret[name] {
		return blank(v)
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

// nested redacts a text, and what JSON it may hold.
func (r *redactor) nested(text string) string {
	trimmed := strings.TrimSpace(text)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		var inner any
		if decodeJSON([]byte(text), &inner) == nil {
			if encoded, err := encodeJSON(r.value("", inner)); err == nil {
				return string(encoded)
			}
		}
	}
	return r.text(text)
}

var phone = regexp.MustCompile(`(^|[^0-9])((?:00)?86)?(1[3-9][0-9]{9})($|[^0-9])`)

// text redacts phones and quoted secrets in a text.
func (r *redactor) text(text string) string {
	text = r.inText.ReplaceAllString(text, "${1}${2}"+redacted)
	for { // a separator belongs to one match only, so that neighbours need another turn
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

func (r *redactor) placeholder(word, value string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := word + "\x00" + value
	if r.seen[key] == 0 {
		r.last[word]++
		r.seen[key] = r.last[word]
	}
	return fmt.Sprintf("{%s:%d}", word, r.seen[key])
}

// blank is a secret value without its content.
func blank(v any) any {
	switch v := v.(type) {
	case map[string]any:
		clean := map[string]any{}
		for key, inner := range v {
			clean[key] = blank(inner)
		}
		return clean
	case []any:
		clean := make([]any, len(v))
		for i, inner := range v {
			clean[i] = blank(inner)
		}
		return clean
	case string:
		if v != "" {
			return redacted
		}
	case json.Number:
		return json.Number("0")
	}
	return v
}
