package transport

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
)

// Answers are decoded by the rules of encoding/json, also where those of encoding/json/v2 differ.
func TestUnmarshal_HasTheRulesOfEncodingJSON(t *testing.T) {
	t.Parallel()
	type row struct {
		ID    string          `json:"id"`
		Row   int             `json:"row"`
		Free  *bool           `json:"free"`
		Tags  []string        `json:"tags"`
		Names map[string]int  `json:"names"`
		Raw   json.RawMessage `json:"raw"`
		Any   any             `json:"any"`
	}
	for _, text := range []string{
		`{"id":"a","row":1,"free":true,"tags":["x"],"names":{"n":1},"raw":{"b": 1},"any":{"c":[1.5,null]}}`,
		`{"ID":"a","Row":2}`, `{"id":"a","id":"b"}`, `{"names":{"n":1,"n":2}}`, `{"other":1}`, `{}`, `null`,
		`{"id":null,"row":null,"free":null,"tags":null,"names":null,"raw":null}`,
		"{\"id\":\"\xff\"}", `{"id":"\ud800"}`, `{"id":"\u0000"}`,
		`{"row":"1"}`, `{"row":1.5}`, `{"row":1e2}`, `{"row":99999999999999999999}`, `{"id":1}`, `{"tags":{}}`, `[]`,
		`{"row":01}`, `{"row":+1}`, `{"id":'a'}`, `{"id":"a",}`, `{"id":"a"} x`, `{"id":"a"`, ``, ` {"id":"a"} `,
	} {
		var want, got row
		wantErr, gotErr := json.Unmarshal([]byte(text), &want), unmarshal([]byte(text), &got)
		assert.Equal(t, wantErr == nil, gotErr == nil, "%s: %v, %v", text, wantErr, gotErr)
		if wantErr == nil {
			assert.Equal(t, want, got, text)
		}
	}
}
