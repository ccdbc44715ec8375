package simulators_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
)

// document is the API's description as the port serves it.
func document(t *testing.T, s interface{ URL() string }) *openapi3.T {
	t.Helper()
	status, text := get(t, s.URL()+"/sim/v1/openapi.json")
	require.Equal(t, http.StatusOK, status)
	doc, err := openapi3.NewLoader().LoadFromData([]byte(text))
	require.NoError(t, err)
	return doc
}

// operations are the document's, by "GET /sim/v1/clock".
func operations(doc *openapi3.T) map[string]*openapi3.Operation {
	found := map[string]*openapi3.Operation{}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			found[method+" "+path] = operation
		}
	}
	return found
}

func TestOpenAPI_EveryCallStandsInTheDocumentAndViceVersa(t *testing.T) {
	t.Parallel()
	described := operations(document(t, start(t, simulators.Options{})))
	routes := controlapi.Routes()
	assert.GreaterOrEqual(t, len(routes), 30)
	for _, route := range routes {
		if described[route] == nil {
			method, path, _ := strings.Cut(route, " ")
			t.Errorf("%s is served and not described: add paths[%q].%s to simulators/control/openapi.json, with its parameters, "+
				"answers and the example of every error code, and a call of it to calledInEveryWay in simulators/openapicalls_test.go",
				route, path, strings.ToLower(method))
		}
	}
	for route := range described {
		if !slices.Contains(routes, route) {
			t.Errorf("%s is described in simulators/control/openapi.json and not served: take it out, or add it to calls in simulators/control/api.go", route)
		}
	}
}

func TestOpenAPI_TheDocumentIsSoundAndItsExamplesFit(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	doc := document(t, s)
	require.NoError(t, doc.Validate(t.Context(), openapi3.EnableExamplesValidation()))

	known, used := doc.Components.Schemas["Error"].Value.Properties["error"].Value.Properties["code"].Value.Enum, map[string]bool{"not_found": true, "method_not_allowed": true}
	ids := map[string]string{}
	for route, operation := range operations(doc) {
		assert.NotEmpty(t, operation.Summary, route)
		assert.Empty(t, ids[operation.OperationID], "%s has the operationId of another", route)
		ids[operation.OperationID] = route
		for status, codes := range documented(operation) {
			for _, code := range codes {
				used[code] = true
				example := doc.Components.Examples[code]
				require.NotNil(t, example, "%s %d %s: the code has no example in components.examples", route, status, code)
				assert.Contains(t, fmt.Sprint(example.Value.Value), code)
			}
		}
	}
	for _, code := range known {
		assert.True(t, used[code.(string)], "the code %s of components.schemas.Error is no call's", code)
	}
	assert.Len(t, used, len(known), "every code stands in components.schemas.Error: %v", slices.Sorted(maps.Keys(used)))
	text, err := doc.MarshalJSON()
	require.NoError(t, err)
	for kind, names := range map[string][]string{
		"schemas": slices.Collect(maps.Keys(doc.Components.Schemas)), "parameters": slices.Collect(maps.Keys(doc.Components.Parameters)),
	} {
		for _, name := range names {
			assert.Contains(t, string(text), `"#/components/`+kind+"/"+name+`"`, "nothing uses it")
		}
	}
}

// documented are the error codes of an operation by status: the names of the answers' examples.
func documented(operation *openapi3.Operation) map[int][]string {
	codes := map[int][]string{}
	for status, response := range operation.Responses.Map() {
		if n, _ := strconv.Atoi(status); n >= http.StatusBadRequest {
			codes[n] = slices.Sorted(maps.Keys(response.Value.Content["application/json"].Examples))
		}
	}
	return codes
}

// judge holds real answers against the document and remembers what it has seen.
type judge struct {
	*testing.T
	operations map[string]*openapi3.Operation

	mu   sync.Mutex
	seen map[string]map[string]bool // by route: "200", "404 world_unknown"
}

func newJudge(t *testing.T, s *simulators.Simulators) *judge {
	t.Helper()
	return &judge{T: t, operations: operations(document(t, s)), seen: map[string]map[string]bool{}}
}

// call makes a call of a route and holds its answer against the document. wanted is "200" or "404 world_unknown".
func (j *judge) call(base, route, target, body, wanted string, header ...string) map[string]any {
	j.Helper()
	method, template, _ := strings.Cut(route, " ")
	if target == "" || strings.HasPrefix(target, "?") {
		target = template + target
	}
	request, err := http.NewRequest(method, base+target, strings.NewReader(body))
	require.NoError(j, err)
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	request.Host = request.Header.Get("Host") // "" is the address's own
	response, err := http.DefaultClient.Do(request)
	require.NoError(j, err)
	return j.hold(route, response, wanted)
}

// hold holds one answer against the document.
func (j *judge) hold(route string, response *http.Response, wanted string) map[string]any {
	j.Helper()
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	require.NoError(j, err)
	status := strconv.Itoa(response.StatusCode)
	operation := j.operations[route]
	if operation == nil {
		j.Errorf("%s is not in simulators/control/openapi.json", route)
		return nil
	}
	described := operation.Responses.Value(status)
	if described == nil {
		j.Errorf("%s answered %s %s: add responses[%q] to it in simulators/control/openapi.json", route, status, text, status)
		return nil
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	content := described.Value.Content[kind]
	if content == nil {
		j.Errorf("%s answered %s as %q: add it to the content of responses[%q] in simulators/control/openapi.json", route, status, kind, status)
		return nil
	}
	var answer any
	require.NoError(j, json.Unmarshal(text, &answer), "%s: %s", route, text)
	err = content.Schema.Value.VisitJSON(answer, openapi3.VisitAsResponse(), openapi3.EnableFormatValidation(), openapi3.DisableSchemaErrorDetails())
	if wrong := (*openapi3.SchemaError)(nil); errors.As(err, &wrong) {
		j.Errorf("%s answered %s what its schema in simulators/control/openapi.json does not say: at /%s: %s\n%.200s", route, status, strings.Join(wrong.JSONPointer(), "/"), wrong.Reason, text)
	} else {
		require.NoError(j, err)
	}
	object, _ := answer.(map[string]any)
	got := status
	if response.StatusCode >= http.StatusBadRequest {
		refused, _ := object["error"].(map[string]any)
		code := fmt.Sprint(refused["code"])
		got += " " + code
		assert.Contains(j, documented(operation)[response.StatusCode], code, "%s answered the code %s: add the example %s to responses[%q] in simulators/control/openapi.json", route, code, code, status)
		assert.NotEmpty(j, refused["message"])
	}
	assert.Equal(j, wanted, got, "%s: %s", route, text)
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.seen[route] == nil {
		j.seen[route] = map[string]bool{}
	}
	j.seen[route][got] = true
	return object
}

func TestOpenAPI_OtherPathsAndMethodsSayWhatThereIs(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	wrongMethods(newJudge(t, s), document(t, s), s.URL())
}

func TestOpenAPI_EveryDocumentedAnswerIsGivenAndFitsItsSchema(t *testing.T) {
	t.Parallel()
	s := start(t, simulators.Options{})
	j := newJudge(t, s)
	calledWrongly(j, s.URL())
	calledInEveryWay(j, s)
	paidInEveryWay(j, s)
	lookedAtInEveryWay(j, s)
	watchedInEveryWay(j, s)
	waitedInVain(j, s)
	for route, operation := range j.operations {
		for status := range operation.Responses.Map() {
			if n, _ := strconv.Atoi(status); n < http.StatusBadRequest {
				assert.True(t, j.seen[route][status], "%s is documented to answer %s, which nothing here makes it do: add a call to calledInEveryWay in simulators/openapicalls_test.go", route, status)
			}
		}
		for status, codes := range documented(operation) {
			for _, code := range codes {
				assert.True(t, j.seen[route][fmt.Sprint(status, " ", code)], "%s is documented to answer %d %s, which nothing here makes it do: add a call to calledInEveryWay in simulators/openapicalls_test.go, or take the example out", route, status, code)
			}
		}
	}
}
