package input_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/input"
)

var update = flag.Bool("update", false, "write the rules for the web app")

// fields are the rules that the web app shares, by their names there.
var fields = map[string]input.Field{
	"phone": input.Phone, "code": input.Code, "card": input.Card, "cardPassword": input.CardPassword,
	"points": input.Points, "rechargePhone": input.RechargePhone, "rechargeQQ": input.RechargeQQ,
	"rechargeMember": input.RechargeMember, "rechargeMail": input.RechargeMail,
}

// rule is a field in the file of the web app.
type rule struct {
	Strip       string `json:"strip"`
	Upper       bool   `json:"upper,omitempty"`
	Replace     string `json:"replace,omitempty"`
	With        string `json:"with,omitempty"`
	Pattern     string `json:"pattern"`
	Shortest    int    `json:"shortest"`
	Longest     int    `json:"longest"`
	Lead        string `json:"lead,omitempty"`
	LongestLead int    `json:"longestLead,omitempty"`
}

// ascii returns a JSON text with escapes in place of characters that cannot be seen.
func ascii(text string) string {
	quoted := strconv.QuoteToASCII(text)
	return strings.NewReplacer(`\n`, "\n", `\"`, `"`, `\\`, `\`).Replace(quoted[1 : len(quoted)-1])
}

// script returns a pattern as JavaScript writes it.
func script(pattern *regexp.Regexp) string {
	if pattern == nil {
		return ""
	}
	return strings.ReplaceAll(pattern.String(), `\p{Han}`, `\p{Script=Han}`)
}

// The rules of the web app are those of the shop. Write them with: go test ./server/input -update
func TestWebApp_HasTheSameRules(t *testing.T) {
	t.Parallel()
	rules := map[string]rule{}
	for name, f := range fields {
		rules[name] = rule{
			script(f.Strip), f.Upper, script(f.Replace), f.With, script(f.Pattern), f.Shortest, f.Longest,
			script(f.Lead), f.LongestLead,
		}
	}
	var want bytes.Buffer
	out := json.NewEncoder(&want)
	out.SetEscapeHTML(false)
	out.SetIndent("", "  ")
	require.NoError(t, out.Encode(rules))
	const file = "../../web/src/shop/input.json"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(ascii(want.String())), 0o644))
	}
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, ascii(want.String()), string(got))
}

// The web app reads the same examples.
func TestRead_Examples(t *testing.T) {
	t.Parallel()
	file, err := os.ReadFile("../../web/test/input-examples.json")
	require.NoError(t, err)
	var examples map[string]struct {
		Valid   map[string]string `json:"valid"`   // what is read of what is typed
		Invalid []string          `json:"invalid"` // what is typed
	}
	require.NoError(t, json.Unmarshal(file, &examples))
	for name, f := range fields {
		require.NotEmpty(t, examples[name].Valid, name)
		require.NotEmpty(t, examples[name].Invalid, name)
		for typed, want := range examples[name].Valid {
			got := f.Read(typed)
			assert.Equal(t, want, got, "%s of %q", name, typed)
			assert.True(t, f.Valid(got), "%s of %q", name, typed)
			assert.Equal(t, got, f.Read(got), "%s of %q: what is read stays as it is", name, typed)
		}
		for _, typed := range examples[name].Invalid {
			assert.False(t, f.Valid(f.Read(typed)), "%s of %q", name, typed)
		}
	}
}
