// Package record compares the simulators with the real providers. A Proxy in front of a provider records calls and
// answers without their secrets. Replay signs the recorded calls again and sends them to another address, such as that
// of the simulators. Compare replays a recording and reports where the answers differ in shape: their fields and types.
// README.md has the commands.
package record

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// Error is the reason why recording, replay or comparison failed. Codes are stable.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Error returns code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// fail returns an Error with a formatted message.
func fail(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// DefaultTimeout is how long a provider may take for one answer.
const DefaultTimeout = 30 * time.Second

const (
	maxRequest = 1 << 20  // bytes of a request's body
	maxAnswer  = 32 << 20 // bytes of an answer's body
)

// Call is one call with its answer, or with the reason why it has none. Secrets in it are placeholders.
type Call struct {
	ID        int       `json:"id"`
	At        time.Time `json:"at"` // real time
	Operation string    `json:"operation"`
	Write     bool      `json:"write,omitempty"` // it may change something at the provider
	Request   Request   `json:"request"`
	Answer    *Answer   `json:"answer,omitempty"`
	Failure   string    `json:"failure,omitempty"` // why no answer came: timeout, reset, unreachable, too_big
}

// Request is a sent request. Path is relative to the provider's address.
type Request struct {
	Method  string              `json:"method"`
	Path    string              `json:"path"`
	Query   map[string][]string `json:"query,omitempty"`
	Headers map[string]string   `json:"headers,omitempty"` // only those that identify the call
	Body    Body                `json:"body"`
}

// Answer is a received answer.
type Answer struct {
	Status int   `json:"status"`
	Body   Body  `json:"body"`
	Millis int64 `json:"millis"`
}

// newAnswer decodes an answer. took is the time from the request to its end.
func newAnswer(r *http.Response, raw []byte, took time.Duration) *Answer {
	return &Answer{Status: r.StatusCode, Body: readBody(r.Header.Get("Content-Type"), raw), Millis: took.Milliseconds()}
}

// The kinds of a body. Of a body that is neither JSON nor a form, only the size is kept, because its secrets are
// unknown.
const (
	bodyEmpty = "empty"
	bodyJSON  = "json"
	bodyForm  = "form"
	bodyHTML  = "html"
	bodyOther = "other"
)

// Body is the decoded body of a request or an answer.
type Body struct {
	Kind  string              `json:"kind"`
	JSON  any                 `json:"json,omitempty"` // numbers are json.Number
	Form  map[string][]string `json:"form,omitempty"`
	Bytes int                 `json:"bytes,omitempty"`
}

// readBody decodes a body by its content rather than by its Content-Type: providers declare JSON as text.
func readBody(contentType string, raw []byte) Body {
	kind, _, _ := mime.ParseMediaType(contentType)
	b := Body{Kind: bodyOther, Bytes: len(raw)}
	text := bytes.TrimSpace(raw)
	if len(text) == 0 {
		b.Kind = bodyEmpty
		return b
	}
	if v, err := decodeJSON(raw); err == nil && (text[0] == '{' || text[0] == '[' || strings.HasSuffix(kind, "json")) {
		b.Kind, b.JSON = bodyJSON, v
		return b
	}
	if kind == "application/x-www-form-urlencoded" {
		if form, err := url.ParseQuery(string(raw)); err == nil {
			b.Kind, b.Form = bodyForm, form
		}
		return b
	}
	if kind == "text/html" || text[0] == '<' {
		b.Kind = bodyHTML
	}
	return b
}

// encode returns the body for a replay. It fails for a body whose content is not in the recording.
func (b Body) encode() ([]byte, error) {
	switch b.Kind {
	case bodyEmpty:
		return nil, nil
	case bodyForm:
		return []byte(url.Values(b.Form).Encode()), nil
	case bodyJSON:
		return encodeJSON(b.JSON)
	}
	return nil, fmt.Errorf("a body of kind %s is not in the recording", b.Kind)
}

// decodeJSON decodes exactly one value and keeps numbers as they are written.
func decodeJSON(raw []byte) (v any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("more than one JSON value")
	}
	return v, nil
}

// encodeJSON does not escape <, > and &, so that files are readable and bodies are unchanged.
func encodeJSON(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// rewriteJSON returns decoded JSON with each scalar replaced by the result of f. name is the name of the field that
// contains the scalar; for an element of an array it is the name of the array.
func rewriteJSON(name string, v any, f func(name string, scalar any) any) any {
	switch v := v.(type) {
	case map[string]any:
		rewritten := map[string]any{}
		for key, inner := range v {
			rewritten[key] = rewriteJSON(key, inner, f)
		}
		return rewritten
	case []any:
		rewritten := make([]any, len(v))
		for i, inner := range v {
			rewritten[i] = rewriteJSON(name, inner, f)
		}
		return rewritten
	}
	return f(name, v)
}

// rewriteForm returns a form or query with each value replaced.
func rewriteForm(form map[string][]string, f func(name, value string) string) map[string][]string {
	if form == nil {
		return nil
	}
	rewritten := map[string][]string{}
	for name, values := range form {
		for _, value := range values {
			rewritten[name] = append(rewritten[name], f(name, value))
		}
	}
	return rewritten
}
