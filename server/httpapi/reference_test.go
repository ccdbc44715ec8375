package httpapi

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const referenceFile = "../../contracts/shop.md"

// TestReference_IsTheRenderedDocument compares contracts/shop.md with contracts/shop.openapi.json:
//
//	go test ./server/httpapi -run 'TestDocument_Desc|TestReference' -update
func TestReference_IsTheRenderedDocument(t *testing.T) {
	t.Parallel()
	d := newDescriber(t)
	text, err := json.Marshal(d.document(append(routes(Config{}), pictureUpload)))
	require.NoError(t, err)
	var document documented
	require.NoError(t, json.Unmarshal(text, &document))
	made := document.reference()
	if *update {
		require.NoError(t, os.WriteFile(referenceFile, []byte(made), 0o644))
	}
	written, err := os.ReadFile(referenceFile)
	require.NoError(t, err)
	require.Equal(t, made, string(written), "run it again with -update")
}

// documented is what the reference shows of the document.
type documented struct {
	Paths      map[string]map[string]documentedCall
	Components struct{ Schemas map[string]schema }
	Errors     map[string]string `json:"x-errors"`
}

type documentedCall struct {
	Description string
	Parameters  []struct {
		Name, Description string
		Required          bool
		Schema            schema
	}
	RequestBody struct {
		Content map[string]struct{ Schema schema }
	}
	Responses map[string]struct {
		Content map[string]struct{ Schema schema }
	}
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type, Description    string
	Const                any
	Enum                 []any
	Minimum, Maximum     *int64
	Default              any
	MaxLength            int
	Properties           map[string]schema
	AdditionalProperties *schema
	Required             []string
	Items                *schema
	AnyOf, OneOf         []schema
}

// reference renders the document as Markdown.
func (d documented) reference() string {
	everywhere := d.errorsOfEveryCall()
	var b strings.Builder
	fmt.Fprint(&b, "<!-- Generated from server/httpapi: do not edit. -->\n\n# The calls of the shop\n\n"+
		"Conventions are in server/httpapi/README.md. Every call may answer with the errors "+codes(everywhere)+".\n")
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for method, call := range d.Paths[path] {
			fmt.Fprintf(&b, "\n## %s %s\n\n%s\n", strings.ToUpper(method), path, call.Description)
			call.writeForms(&b)
			success := call.Responses["200"].Content["application/json"].Schema.OneOf
			fmt.Fprintf(&b, "\nData: %s.\n", success[0].Properties["data"].kind())
			own := slices.DeleteFunc(success[1].codes(), func(c string) bool { return slices.Contains(everywhere, c) })
			if len(own) > 0 {
				fmt.Fprintf(&b, "\nErrors: %s.\n", codes(own))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", name, s.Description)
		s.writeFields(&b)
	}
	fmt.Fprint(&b, "\n## Errors\n\n| code | message |\n|---|---|\n")
	for _, code := range slices.Sorted(maps.Keys(d.Errors)) {
		fmt.Fprintf(&b, "| `%s` | %s |\n", code, d.Errors[code])
	}
	return b.String()
}

// errorsOfEveryCall returns the codes that no call lacks.
func (d documented) errorsOfEveryCall() (shared []string) {
	for code := range d.Errors {
		all := true
		for _, methods := range d.Paths {
			for _, call := range methods {
				answers := call.Responses["200"].Content["application/json"].Schema.OneOf
				all = all && slices.Contains(answers[1].codes(), code)
			}
		}
		if all {
			shared = append(shared, code)
		}
	}
	slices.Sort(shared)
	return shared
}

// codes returns the codes of the errors in the envelope of a failure.
func (s schema) codes() []string {
	return append(words(s.Properties["error"].Enum), words(s.Properties["error_code"].Enum)...)
}

func words(values []any) (list []string) {
	for _, value := range values {
		list = append(list, fmt.Sprint(value))
	}
	return list
}

func codes(list []string) string { return "`" + strings.Join(list, "`, `") + "`" }

// ofChannel are the fields that the conventions describe.
var ofChannel = []string{"channel_no", "appkey", "timestamp", "v", "sign"}

func (c documentedCall) writeForms(b *strings.Builder) {
	query := schema{Properties: map[string]schema{}}
	for _, p := range c.Parameters {
		p.Schema.Description = p.Description
		query.Properties[p.Name] = p.Schema
		if p.Required {
			query.Required = append(query.Required, p.Name)
		}
	}
	forms := []schema{query}
	for _, body := range c.RequestBody.Content {
		forms = []schema{body.Schema}
		if len(body.Schema.AnyOf) > 0 {
			forms = body.Schema.AnyOf
		}
	}
	for _, form := range forms {
		form.Properties = maps.Clone(form.Properties)
		for _, name := range ofChannel {
			delete(form.Properties, name)
		}
		form.writeFields(b)
	}
}

// writeFields writes a table of the properties.
func (s schema) writeFields(b *strings.Builder) {
	if len(s.Properties) == 0 {
		return
	}
	fmt.Fprint(b, "\n| field | type | meaning |\n|---|---|---|\n")
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		optional := "?"
		if slices.Contains(s.Required, name) {
			optional = ""
		}
		meaning := strings.ReplaceAll(s.Properties[name].Description, "|", `\|`)
		fmt.Fprintf(b, "| `%s`%s | %s | %s |\n", name, optional, s.Properties[name].kind(), meaning)
	}
}

// kind returns the type of a value in a few words.
func (s schema) kind() string {
	switch {
	case s.Ref != "":
		name := s.Ref[strings.LastIndex(s.Ref, "/")+1:]
		return fmt.Sprintf("[%s](#%s)", name, strings.ToLower(name))
	case s.Const != nil:
		return fmt.Sprintf("`%v`", s.Const)
	case s.Items != nil:
		return "list of " + s.Items.kind()
	case s.AdditionalProperties != nil:
		return "map of " + s.AdditionalProperties.kind()
	case len(s.AnyOf)+len(s.OneOf) > 0:
		var kinds []string
		for _, alternative := range append(slices.Clone(s.AnyOf), s.OneOf...) {
			kinds = append(kinds, alternative.kind())
		}
		return strings.Join(kinds, " or ")
	case len(s.Enum) > 0:
		return codes(words(s.Enum))
	case s.Minimum != nil && s.Maximum != nil && *s.Maximum < 1<<62:
		return fmt.Sprintf("%s, %d to %d", s.Type, *s.Minimum, *s.Maximum)
	}
	return s.Type
}
