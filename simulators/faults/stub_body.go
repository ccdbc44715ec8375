package faults

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
)

// maxStubBody limits the size of a body after its placeholders are replaced, in bytes.
const maxStubBody = 1 << 20

// placeholder matches a placeholder in the body of a stub's answer: a name and its argument, as in {{json a.b.0}}. With
// the word quote before the name, the value is written as a JSON string, with quotation marks and escapes.
var placeholder = regexp.MustCompile(`\{\{\s*(quote\s+)?(\w*)(?:\s+([^{}]*?))?\s*\}\}`)

// stubCall is a call that a stub answers.
type stubCall struct {
	request *http.Request
	body    []byte
	now     time.Time // business time
}

// placeholders maps the name of a placeholder to the function that reads its value from a call. A missing value is "".
var placeholders = map[string]func(c *stubCall, argument string) string{
	"method": func(c *stubCall, _ string) string { return c.request.Method },
	"path":   func(c *stubCall, _ string) string { return c.request.URL.Path },
	"query":  func(c *stubCall, name string) string { return c.request.URL.Query().Get(name) },
	"header": func(c *stubCall, name string) string { return c.request.Header.Get(name) },
	"form": func(c *stubCall, name string) string {
		form, _ := url.ParseQuery(string(c.body)) // a body that is not a form has no fields
		return form.Get(name)
	},
	"json": func(c *stubCall, path string) string { return textAt(c.body, path) },
	"now":  func(c *stubCall, _ string) string { return c.now.Format(time.RFC3339) }, // business time
	"unix": func(*stubCall, string) string { return strconv.FormatInt(time.Now().Unix(), 10) },
	"uuid": func(*stubCall, string) string { return uuid.NewString() },
}

// takesArgument are the placeholders that require an argument. The others must not have one.
var takesArgument = map[string]bool{"query": true, "header": true, "form": true, "json": true}

// checkBody returns an *Invalid if a {{ in a body does not begin a placeholder.
func checkBody(text string) error {
	for _, found := range placeholder.FindAllStringSubmatch(text, -1) {
		if _, known := placeholders[found[2]]; !known || takesArgument[found[2]] != (found[3] != "") {
			return invalid("answer.body: %s is not a placeholder; valid: %s", found[0], validPlaceholders)
		}
	}
	if strings.Contains(placeholder.ReplaceAllString(text, ""), "{{") {
		return invalid("answer.body: {{ begins a placeholder; valid: %s", validPlaceholders)
	}
	return nil
}

const validPlaceholders = "{{json a.b.0}}, {{form name}}, {{query name}}, {{header Name}}, {{path}}, {{method}}, " +
	"{{now}}, {{unix}}, {{uuid}}, each with quote before its name for a JSON text"

var errTooLong = errors.New("the body is longer than 1 MiB")

// fillBody returns a body for a call, with each placeholder replaced by its value. It fails with errTooLong before it
// builds a result that is too long.
func fillBody(text string, call *stubCall) (string, error) {
	var filled strings.Builder
	end := 0 // of the text that is already in filled
	for _, at := range placeholder.FindAllStringIndex(text, -1) {
		part := placeholder.FindStringSubmatch(text[at[0]:at[1]])
		value := placeholders[part[2]](call, part[3])
		if part[1] != "" {
			value = quote(value)
		}
		before := text[end:at[0]]
		if filled.Len()+len(before)+len(value) > maxStubBody {
			return "", errTooLong
		}
		filled.WriteString(before)
		filled.WriteString(value)
		end = at[1]
	}
	if filled.Len()+len(text)-end > maxStubBody {
		return "", errTooLong
	}
	filled.WriteString(text[end:])
	return filled.String(), nil
}

// quote returns a text as JSON. It does not escape <, > and &.
func quote(value string) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(value) // cannot fail for a string
	return strings.TrimSuffix(text.String(), "\n")
}

// textAt returns the value at a path of names and indices, such as "list.0.id": a string without quotation marks, other
// values as JSON.
func textAt(body []byte, path string) string {
	value := json.RawMessage(body)
	for name := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(value, &object) == nil {
			value = object[name]
		} else if i, err := strconv.Atoi(name); err == nil && json.Unmarshal(value, &list) == nil && i >= 0 &&
			i < len(list) {
			value = list[i]
		} else {
			return ""
		}
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}
