package faults

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStub_PlaceholdersPatternsTimesAndExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 6, 1, 9, 0, 0, 0, time.UTC)
	call := func(body string) *stubCall {
		r := httptest.NewRequest(http.MethodPost, "/v3/x?state=open&injected={{path}}", strings.NewReader(body))
		r.Header.Set("X-Name", "值")
		return &stubCall{r, []byte(body), now}
	}
	for text, want := range map[string]string{
		"":                    "",
		"plain 中文 {}":         "plain 中文 {}",
		`{{json a.1.b}}`:      "two",
		`{{ json  n }}`:       "12",
		`{{json a.9.b}}|`:     "|",
		`{{json none.b}}|`:    "|",
		`{{json t}}`:          `<"&>`,
		`{{quote json t}}`:    `"<\"&>"`,
		`{{quote json n}}`:    `"12"`,
		`{"a":{"b":{{unix}}}`: `{"a":{"b":` + strconv.FormatInt(time.Now().Unix(), 10)[:5],
		`{{query state}} {{header x-name}} {{method}} {{path}}`: "open 值 POST /v3/x",
		`{{now}}`:            "2030-06-01T09:00:00Z",
		`{{query injected}}`: "{{path}}",
	} {
		require.NoError(t, checkBody(text), text)
		got, err := fillBody(text, call(`{"a":[{"b":"one"},{"b":"two"}],"n":12,"t":"<\"&>"}`))
		require.NoError(t, err, text)
		if strings.Contains(text, "unix") {
			got = got[:len(want)]
		}
		assert.Equal(t, want, got, text)
	}
	got, err := fillBody(`{{form a}}`, call("a=1+2&b=3"))
	require.NoError(t, err)
	assert.Equal(t, "1 2", got)

	for _, text := range []string{
		"{{", "{{}}", "{{nothing}}", "{{json}}", "{{path x}}", "{{quote}}", `{{range 9}}x{{end}}`, "a {{json {b} }}",
	} {
		var wrong *Invalid
		require.ErrorAs(t, checkBody(text), &wrong, text)
		assert.ErrorContains(t, wrong, "{{json a.b.0}}", "it names the valid ones")
	}
	_, err = fillBody(strings.Repeat("{{form a}}", 11), call("a="+strings.Repeat("x", 100_000)))
	require.ErrorContains(t, err, "longer than 1 MiB")

	stubs := &Stubs{changed: func() {}}
	takes := func(s Stub, r *http.Request, body string) bool {
		s.Provider = "p"
		added, err := stubs.Add(s)
		require.NoError(t, err)
		defer stubs.Remove(added.ID)
		return stubs.take("p", r, []byte(body)) != nil
	}
	r := httptest.NewRequest(http.MethodPost, "/v3/a.b/c?x=1&y=", nil)
	r.Header.Set("X-Kind", "blue sky")
	for _, s := range []Stub{
		{Path: "/v3/a.b/c"}, {Path: "/v3/*"}, {Path: "*/c"}, {Path: "*", Method: "POST"},
		{Body: "*needle*"}, {Body: "a\nneedle b"},
		{Headers: map[string]string{"x-kind": "blue*"}}, {Path: "*", Query: map[string]string{"x": "1", "y": ""}},
	} {
		assert.True(t, takes(s, r, "a\nneedle b"), "%+v", s)
	}
	for _, s := range []Stub{
		{Path: "/v3/a?b/c"}, {Path: "/v3/aXb/c"}, {Path: "/v3"}, {Path: "*", Method: "GET"}, {Body: "needle"},
		{Headers: map[string]string{"X-Kind": "red"}},
		{Headers: map[string]string{"X-Missing": "*"}}, {Path: "*", Query: map[string]string{"z": "*"}},
	} {
		assert.False(t, takes(s, r, "a\nneedle b"), "%+v", s)
	}

	for says, s := range map[string]Stub{
		"method is not an HTTP method":  {Path: "*", Method: "GET POST"},
		"headers: Two Words is not the": {Headers: map[string]string{"Two Words": "*"}},
		"headers:  is not the":          {Headers: map[string]string{"": "*"}},
		"an answer of status 204 has":   {Path: "*", Answer: StubAnswer{Status: 204, Body: "lost"}},
		"an answer of status 304 has":   {Path: "*", Answer: StubAnswer{Status: 304, Body: "lost"}},
	} {
		_, err := stubs.Add(s)
		require.ErrorContains(t, err, says, "such a stub would never answer, or without its body")
	}
	_, err = stubs.Add(Stub{Provider: "p", Path: "*", Times: 2})
	require.NoError(t, err)
	for _, fits := range []bool{true, true, false} {
		assert.Equal(t, fits, stubs.take("p", r, nil) != nil)
	}
	assert.Nil(t, stubs.take("q", r, nil), "another provider")
	stubs.Remove("")
	added, err := stubs.Add(Stub{Provider: "p", Path: "*", ExpiresIn: 60})
	require.NoError(t, err)
	assert.WithinDuration(t, time.Now().Add(time.Minute), *added.ExpiresAt, 10*time.Second)
	saved := stubs.Save()
	past := time.Now().Add(-time.Second)
	saved.Stubs[0].ExpiresAt = &past
	require.NoError(t, stubs.Load(saved))
	assert.Nil(t, stubs.take("p", r, nil), "its time is over")
	assert.Empty(t, stubs.List())
	for range maxStubs {
		_, err = stubs.Add(Stub{Provider: "p", Path: "*"})
		require.NoError(t, err)
	}
	_, err = stubs.Add(Stub{Provider: "p", Path: "*"})
	require.ErrorContains(t, err, "200 stubs already")
}

// The test is not parallel, because it measures what the process allocates.
func TestStub_ABodyThatIsTooLongIsNotBuilt(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/v3/x", nil)
	r.Header.Set("X-Value", strings.Repeat("x", 64<<10))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := fillBody(strings.Repeat("{{header x-value}}", 1000), &stubCall{request: r})
	runtime.ReadMemStats(&after)
	require.ErrorIs(t, err, errTooLong)
	assert.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(8<<20), "1,000 values of 64 KiB")
}
