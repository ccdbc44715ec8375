package faults

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"text/template/parse"
	"time"

	"github.com/google/uuid"
)

// maxStubBody bounds the bytes of a filled body.
const maxStubBody = 1 << 20

// bodyTemplate is the body of a stub's answer: a Go template without range, template, block and define, so that it ends
// soon. Beside Go's functions it has
//
//	method, path             of the call
//	query "name"             a parameter of the query
//	header "Name"            a header
//	form "name"              a field of a form
//	json "a.b.0"             a value of a JSON body, as text
//	quote value              a value as JSON, with quotation marks and escapes
//	now "layout"             business time in Go's layout; "" is RFC 3339
//	unix                     real time in seconds
//	uuid                     a random id
//
// A parameter, header, field or value of the call that is missing is "". A field such as .Name, which no value has,
// fails when the body is filled.
type bodyTemplate struct{ parsed *template.Template }

// stubCall is the call that a template is filled from.
type stubCall struct {
	request *http.Request
	body    []byte
	now     time.Time // business time
}

// parseBody reads a template. The error is an *Invalid.
func parseBody(text string) (*bodyTemplate, error) {
	parsed, err := template.New("body").Option("missingkey=error").Funcs((&stubCall{}).functions()).Parse(text)
	if err != nil {
		return nil, invalid("answer.body: %s", strings.TrimPrefix(err.Error(), "template: "))
	}
	if len(parsed.Templates()) > 1 {
		return nil, invalid("answer.body: define and block are not possible")
	}
	if parsed.Tree != nil {
		if name := forbidden(parsed.Root); name != "" {
			return nil, invalid("answer.body: %s is not possible", name)
		}
	}
	return &bodyTemplate{parsed}, nil
}

// forbidden names an action of a template that may not end; "" if there is none.
func forbidden(node parse.Node) string {
	lists := []*parse.ListNode{}
	switch n := node.(type) {
	case *parse.RangeNode:
		return "range"
	case *parse.TemplateNode:
		return "template"
	case *parse.ListNode:
		for _, child := range n.Nodes {
			if name := forbidden(child); name != "" {
				return name
			}
		}
	case *parse.IfNode:
		lists = append(lists, n.List, n.ElseList)
	case *parse.WithNode:
		lists = append(lists, n.List, n.ElseList)
	}
	for _, list := range lists {
		if list != nil {
			if name := forbidden(list); name != "" {
				return name
			}
		}
	}
	return ""
}

// fill returns the body for a call. It fails if the template cannot be filled or its result is too long.
func (b *bodyTemplate) fill(call *stubCall) (string, error) {
	filled, err := b.parsed.Clone()
	if err != nil {
		return "", fmt.Errorf("copy the template: %w", err)
	}
	out := &boundedText{}
	if err := filled.Funcs(call.functions()).Execute(out, nil); err != nil {
		return "", fmt.Errorf("fill the template: %w", err)
	}
	return out.String(), nil
}

var errTooLong = errors.New("the body is longer than 1 MiB")

// boundedText is a text of at most maxStubBody bytes.
type boundedText struct{ strings.Builder }

// Write fails with errTooLong beyond the limit, and writes nothing then.
func (b *boundedText) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxStubBody {
		return 0, errTooLong
	}
	return b.Builder.Write(p)
}

// functions are those of the template.
func (c *stubCall) functions() template.FuncMap {
	return template.FuncMap{
		"method": func() string { return c.request.Method },
		"path":   func() string { return c.request.URL.Path },
		"query":  func(name string) string { return c.request.URL.Query().Get(name) },
		"header": func(name string) string { return c.request.Header.Get(name) },
		"form": func(name string) string {
			form, err := url.ParseQuery(string(c.body))
			if err != nil {
				return ""
			}
			return form.Get(name)
		},
		"json":  func(path string) string { return textAt(c.body, path) },
		"quote": quote,
		"now": func(layout string) string {
			if layout == "" {
				layout = time.RFC3339
			}
			return c.now.Format(layout)
		},
		"print":    bounded(fmt.Sprint),
		"println":  bounded(fmt.Sprintln),
		"html":     bounded(template.HTMLEscaper),
		"js":       bounded(template.JSEscaper),
		"urlquery": bounded(template.URLQueryEscaper),
		"printf": func(format string, args ...any) (string, error) {
			if wideVerb.MatchString(format) {
				return "", errors.New("a width or precision has at most three digits")
			}
			return bounded(func(args ...any) string { return fmt.Sprintf(format, args...) })(args...)
		},
		"unix": func() int64 { return time.Now().Unix() },
		"uuid": uuid.NewString,
	}
}

// wideVerb is a verb of printf that could fill much memory.
var wideVerb = regexp.MustCompile(`%[^a-zA-Z%]*(\*|[0-9]{4})`)

// bounded makes one of Go's functions fail where its arguments are longer than a body may be. A template without loops
// could otherwise double a text with each line.
func bounded(join func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		length := 0
		for _, arg := range args {
			if text, ok := arg.(string); ok {
				length += len(text)
			}
		}
		if length > maxStubBody {
			return "", errTooLong
		}
		return join(args...), nil
	}
}

// quote returns a value as JSON. It leaves <, > and & as they are.
func quote(value any) (string, error) {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return "", err
	}
	if text.Len() > maxStubBody {
		return "", errTooLong
	}
	return strings.TrimSuffix(text.String(), "\n"), nil
}

// textAt returns the value at a path of names and indices, such as "list.0.id": a text as it is, other values as JSON.
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
