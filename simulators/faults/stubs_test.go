package faults

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStub_TemplatesPatternsTimesAndExpiry(t *testing.T) {
	t.Parallel()
	now := time.Date(2030, 6, 1, 9, 0, 0, 0, time.UTC)
	call := func(body string) *stubCall {
		r := httptest.NewRequest(http.MethodPost, "/v3/x?state=open", strings.NewReader(body))
		r.Header.Set("X-Name", "值")
		return &stubCall{r, []byte(body), now}
	}
	for text, want := range map[string]string{
		"":                     "",
		"plain 中文":             "plain 中文",
		`{{json "a.1.b"}}`:     "two",
		`{{json "n"}}`:         "12",
		`{{json "a.9.b"}}|`:    "|",
		`{{json "none.b"}}|`:   "|",
		`{{quote (json "t")}}`: `"<\"&>"`,
		`{{query "state"}} {{header "x-name"}} {{method}} {{path}}`: "open 值 POST /v3/x",
		`{{now ""}} {{now "20060102"}}`:                             "2030-06-01T09:00:00Z 20300601",
		`{{if eq (json "n") "12"}}yes{{else}}no{{end}}`:             "yes",
		`{{with json "t"}}{{.}}{{end}}`:                             `<"&>`,
	} {
		parsed, err := parseBody(text)
		require.NoError(t, err, text)
		got, err := parsed.fill(call(`{"a":[{"b":"one"},{"b":"two"}],"n":12,"t":"<\"&>"}`))
		require.NoError(t, err, text)
		assert.Equal(t, want, got, text)
	}
	form, err := parseBody(`{{form "a"}}`)
	require.NoError(t, err)
	got, err := form.fill(call("a=1+2&b=3"))
	require.NoError(t, err)
	assert.Equal(t, "1 2", got)

	for _, text := range []string{
		"{{range 1000000000}}x{{end}}", `{{if 1}}{{range 9}}{{end}}{{end}}`,
		`{{with 1}}{{else}}{{range 9}}{{end}}{{end}}`,
		`{{define "a"}}{{template "a"}}{{end}}{{template "a"}}`, `{{block "a" .}}{{end}}`, `{{template "body"}}`,
		"{{", "{{nothing}}", "{{.X.Y}", `{{json}}{{`,
	} {
		_, err := parseBody(text)
		var wrong *Invalid
		require.ErrorAs(t, err, &wrong, text)
	}
	for text, want := range map[string]string{
		strings.Repeat(`{{printf "%999d" 1}}`, 1100):                          "longer than 1 MiB",
		`{{$a := path}}` + strings.Repeat(`{{$a = print $a $a}}`, 60):         "longer than 1 MiB",
		`{{$a := path}}` + strings.Repeat(`{{$a = printf "%s%s" $a $a}}`, 60): "longer than 1 MiB",
		`{{$a := "<"}}` + strings.Repeat(`{{$a = js (html $a)}}`, 60):         "longer than 1 MiB",
		`{{$a := quote path}}` + strings.Repeat(`{{$a = quote $a}}`, 24):      "longer than 1 MiB",
		`{{.Name}}`: "no entry", `{{with path}}{{.Name}}{{end}}`: "can't evaluate field Name",
		`{{printf "%1000d" 1}}`:      "at most three digits",
		`{{printf "%-+.5000f" 1.5}}`: "at most three digits",
		`{{printf "%*d" 5000000 1}}`: "at most three digits",
	} {
		parsed, err := parseBody(text)
		require.NoError(t, err)
		_, err = parsed.fill(call(""))
		require.ErrorContains(t, err, want)
	}

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
		"method is no HTTP method":    {Path: "*", Method: "GET POST"},
		"headers: Two Words is no":    {Headers: map[string]string{"Two Words": "*"}},
		"headers:  is no":             {Headers: map[string]string{"": "*"}},
		"an answer of status 204 has": {Path: "*", Answer: StubAnswer{Status: 204, Body: "lost"}},
		"an answer of status 304 has": {Path: "*", Answer: StubAnswer{Status: 304, Body: "lost"}},
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
