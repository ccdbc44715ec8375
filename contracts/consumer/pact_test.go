//go:build pact

package consumer_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/pact-foundation/pact-go/v2/consumer"
	"github.com/pact-foundation/pact-go/v2/matchers"
	"github.com/stretchr/testify/require"

	"marquee/server/reconcile"
)

const pactDir = "../pacts"

// TestMain removes the files that this package writes. Pact merges into existing files, so interactions of deleted
// tests would stay.
func TestMain(m *testing.M) {
	old, err := filepath.Glob(filepath.Join(pactDir, "marquee-shop-*.json"))
	if err != nil {
		panic(err)
	}
	for _, file := range old {
		if err := os.Remove(file); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// fields are matchers or plain values by name.
type fields map[string]any

// exchange is one request and its answer, with the state that the provider has to be in.
type exchange struct {
	state string // a provider state; fromState refers to the values that it returns
	what  string // the description: unique within a provider

	method  string // "" is POST
	path    string
	pathAs  string // the path with ${names} of state values; "" if it is the same as path
	query   map[string]matchers.Matcher
	headers map[string]matchers.Matcher
	form    fields // sent as application/x-www-form-urlencoded
	json    any    // sent as application/json

	status        int // 0 is 200
	answerHeaders map[string]matchers.Matcher
	answer        any // JSON; nil means no body
}

// with runs do against a mock provider that expects exactly these exchanges, and records them in the pact.
func with(t *testing.T, provider string, do func(baseURL string), exchanges ...exchange) {
	t.Helper()
	pact, err := consumer.NewV4Pact(
		consumer.MockHTTPProviderConfig{
			Consumer: "marquee-shop",
			Provider: provider,
			PactDir:  pactDir,
			LogDir:   t.TempDir(),
		},
	)
	require.NoError(t, err)
	var run *consumer.V4InteractionWithResponse
	for _, x := range exchanges {
		if x.method == "" {
			x.method = "POST"
		}
		if x.status == 0 {
			x.status = 200
		}
		path := matchers.Matcher(matchers.String(x.path))
		if x.pathAs != "" {
			path = matchers.FromProviderState(x.pathAs, x.path)
		}
		run = pact.AddInteraction().Given(x.state).UponReceiving(x.what).
			WithRequestPathMatcher(consumer.Method(x.method), path, func(b *consumer.V4RequestBuilder) {
				for k, v := range x.query {
					b.Query(k, v)
				}
				for k, v := range x.headers {
					b.Header(k, v)
				}
				if x.form != nil {
					body, err := json.Marshal(x.form)
					require.NoError(t, err)
					b.Body("application/x-www-form-urlencoded", body)
				}
				if x.json != nil {
					b.JSONBody(x.json)
				}
			}).
			WillRespondWith(x.status, func(b *consumer.V4ResponseBuilder) {
				for k, v := range x.answerHeaders {
					b.Header(k, v)
				}
				if x.answer != nil {
					b.JSONBody(x.answer)
				}
			})
	}
	require.NoError(t, run.ExecuteTest(t, func(s consumer.MockServerConfig) error {
		do(fmt.Sprintf("http://%s:%d", s.Host, s.Port))
		return nil
	}))
}

// fromState refers to a value that the provider's state handler returns, such as the id of a showing that it has
// chosen; the consumer test sends the example.
func fromState(name, example string) matchers.Matcher {
	return matchers.FromProviderState("${"+name+"}", example)
}

// like matches any value of the example's type.
func like(example any) matchers.Matcher { return matchers.Like(example) }

// text matches a text by a regular expression.
func text(example, pattern string) matchers.Matcher { return matchers.Term(example, pattern) }

// some matches a list of at least one entry, each like the given one.
func some(entry any) matchers.Matcher { return matchers.EachLike(entry, 1) }

// rowsOf reads a statement of a day.
func rowsOf(t *testing.T, read reconcile.Statement) (rows []reconcile.Row) {
	t.Helper()
	require.NoError(t, read(t.Context(), "2026-11-20", func(r reconcile.Row) error {
		rows = append(rows, r)
		return nil
	}))
	return rows
}
