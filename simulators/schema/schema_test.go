package schema_test

import (
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/schema"
)

type color string

func (color) Values() []string { return []string{"red", "blue"} }

type part struct {
	Name  string    `json:"name"`
	Until time.Time `json:"until,omitzero"`
}

type sample struct {
	ID     string                     `json:"id" only:"answer"`
	Count  int                        `json:"count,omitempty" min:"1" max:"9" code:"bad_count"`
	Chance float64                    `json:"chance,omitempty" above:"0" max:"1"`
	Seed   uint64                     `json:"seed,omitempty"`
	Color  color                      `json:"color" code:"bad_color,missing"`
	Home   *string                    `json:"home,omitempty" format:"address"`
	Ports  []int                      `json:"ports,omitempty" min:"1" maxItems:"2"`
	Parts  []part                     `json:"parts,omitempty"`
	Labels map[string]string          `json:"labels,omitempty"`
	Others map[string]json.RawMessage `json:"-" rest:"true"`
}

// strict is a sample without additional fields.
type strict struct {
	Color color `json:"color"`
	Part  part  `json:"part,omitzero"`
}

func TestDecode_FillsTheValue(t *testing.T) {
	t.Parallel()
	var s sample
	require.NoError(t, schema.Decode([]byte(`{"id":"1","count":3,"chance":0.5,"seed":18446744073709551615,"color":"red",
		"home":"","ports":[1,2],"parts":[{"name":"a","until":"2030-06-01T09:00:00+08:00"}],"labels":{"a":"b"},
		"more":{"x":1}}`), &s))
	assert.Equal(t, "1", s.ID)
	assert.Equal(t, 3, s.Count)
	assert.Equal(t, uint64(18446744073709551615), s.Seed)
	assert.Empty(t, *s.Home)
	assert.Equal(t, []int{1, 2}, s.Ports)
	assert.Equal(t, 2030, s.Parts[0].Until.Year())
	assert.Equal(t, map[string]string{"a": "b"}, s.Labels)
	assert.JSONEq(t, `{"x":1}`, string(s.Others["more"]))

	kept := strict{Color: "blue"}
	require.NoError(t, schema.Decode([]byte(`{"color":"red","part":null}`), &kept), "null counts as missing")
	require.NoError(t, schema.Decode([]byte("\ufeff"+`{"color":"red"}`), &kept), "a byte order mark is not content")
}

func TestDecode_ReportsThePathOfAProblem(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]schema.Problem{
		`{"color":"red"`:                  {Kind: schema.Syntax, Text: "ends before its JSON object does"},
		`{"color":"red"} 1`:               {Kind: schema.Syntax, Text: "continues after its JSON object"},
		"{\"color\":\"\xff\"}":            {Kind: schema.Syntax, Text: "is not UTF-8"},
		`{"color":"red","color":"red"}`:   {Kind: schema.Syntax, Path: "color", Text: "occurs more than once"},
		`[]`:                              {Kind: schema.Type, Text: "must be a JSON object", Want: "a JSON object"},
		`{}`:                              {Kind: schema.Missing, Path: "color", Text: "is missing", Code: "bad_color"},
		`{"color":null}`:                  {Kind: schema.Null, Path: "color", Text: "is missing", Code: "bad_color"},
		`{"color":""}`:                    {Kind: schema.Value, Path: "color", Text: `is ""; valid: red, blue`, Code: "bad_color"},
		`{"color":"red","count":0}`:       {Kind: schema.Value, Path: "count", Text: "must be from 1 to 9", Code: "bad_count"},
		`{"color":"red","count":1.5}`:     {Kind: schema.Type, Path: "count", Text: "must be a whole number", Want: "a whole number"},
		`{"color":"red","chance":0}`:      {Kind: schema.Value, Path: "chance", Text: "must be above 0 and at most 1"},
		`{"color":"red","seed":-1}`:       {Kind: schema.Type, Path: "seed", Text: "must be a whole number of at least 0", Want: "a whole number of at least 0"},
		`{"color":"red","home":"x"}`:      {Kind: schema.Value, Path: "home", Text: `is "x" and must be an address like http://127.0.0.1:8080, or empty`, Code: "bad_address"},
		`{"color":"red","ports":[1,0]}`:   {Kind: schema.Value, Path: "ports[1]", Text: "must be at least 1"},
		`{"color":"red","ports":[1,2,3]}`: {Kind: schema.Value, Path: "ports", Text: "must have at most 2 items"},
		`{"color":"red","ports":{}}`:      {Kind: schema.Type, Path: "ports", Text: "must be a list", Want: "a list"},
		`{"color":"red","parts":[{}]}`:    {Kind: schema.Missing, Path: "parts[0].name", Text: "is missing"},
		`{"color":"red","parts":[null]}`:  {Kind: schema.Type, Path: "parts[0]", Text: "must be a JSON object", Want: "a JSON object"},
		`{"color":"red","parts":[{"name":"a","until":"noon"}]}`: {Kind: schema.Time, Path: "parts[0].until",
			Text: `is "noon" and must be like 2026-01-02T15:04:05+08:00`},
		`{"color":"red","parts":[{"name":"a","size":1}]}`: {Kind: schema.Unknown, Path: "parts[0].size", Text: "is not a field"},
		`{"color":"red","labels":{"a":1}}`:                {Kind: schema.Type, Path: "labels.a", Text: "must be a text", Want: "a text"},
	} {
		var s sample
		var p *schema.Problem
		if assert.ErrorAs(t, schema.DecodeRequest([]byte(text), &s), &p, text) {
			assert.Equal(t, want, *p, text)
		}
	}
}

func TestDecodeRequest_HasNoFieldsOfAnswers(t *testing.T) {
	t.Parallel()
	type answer struct {
		ID string `json:"id" only:"answer"`
	}
	var p *schema.Problem
	require.ErrorAs(t, schema.DecodeRequest([]byte(`{"id":"1"}`), &answer{}), &p)
	assert.Equal(t, schema.Unknown, p.Kind)
	require.NoError(t, schema.DecodeRequest([]byte(`{}`), &answer{}))
	require.ErrorAs(t, schema.Decode([]byte(`{}`), &answer{}), &p)
	assert.Equal(t, schema.Missing, p.Kind)
}

func TestDecodeQuery_HasDefaultsAndCodes(t *testing.T) {
	t.Parallel()
	type query struct {
		Limit int    `query:"limit" min:"1" max:"9" default:"5"`
		Color color  `query:"color"`
		Name  string `query:"name"`
		Phone string `query:"phone" format:"phone"`
	}
	var q query
	require.NoError(t, schema.DecodeQuery(url.Values{"name": {"a"}, "limit": {""}}, &q))
	assert.Equal(t, query{Limit: 5, Name: "a"}, q)
	for text, code := range map[string]string{
		"limit=0": "bad_limit", "limit=1e3": "bad_limit", "color=green": "unknown_color", "phone=139": "bad_phone",
	} {
		values, err := url.ParseQuery(text)
		require.NoError(t, err)
		var p *schema.Problem
		require.ErrorAs(t, schema.DecodeQuery(values, &query{}), &p, text)
		assert.Equal(t, code, p.Code)
	}
}

func TestCheck_ZeroMeansThatAFieldIsNotSet(t *testing.T) {
	t.Parallel()
	require.Nil(t, schema.Check(strict{}))
	require.EqualError(t, schema.Check(strict{Color: "green"}), `color is "green"; valid: red, blue`)
	require.EqualError(t, schema.Check(sample{Count: 10}), "count must be from 1 to 9")
}
