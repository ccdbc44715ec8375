package record_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators/record"
)

const (
	goodHeader = `{"format":"marquee-recording","version":1,"provider":"gateway","target":"https://x","began":"2030-01-01T00:00:00Z"}` + "\n"
	goodCall   = `{"id":1,"at":"2030-01-01T00:00:00Z","operation":"city.list","request":{"method":"POST","path":"/","body":{"kind":"empty"}},"answer":{"status":200,"body":{"kind":"json","json":{"n":1}},"millis":1}}` + "\n"
)

func TestRead_BrokenFiles(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct{ text, code, says string }{
		"empty":          {"", "bad_recording", "empty"},
		"no JSON":        {"PK\x03\x04\n", "bad_recording", "line 1"},
		"another format": {`{"format":"har"}` + "\n", "bad_recording", `"har"`},
		"another version": {strings.Replace(goodHeader, `"version":1`, `"version":2`, 1), "recording_version",
			"version 2"},
		"unknown provider": {strings.Replace(goodHeader, `"gateway"`, `"bank"`, 1), "unknown_provider", "bank"},
		"an empty line":    {goodHeader + "\n" + goodCall, "bad_recording", "line 2"},
		"a line cut short": {goodHeader + goodCall + goodCall[:90], "bad_recording",
			"line 3 is incomplete: delete it to use the 1 calls"},
		"a line changed": {goodHeader + goodCall[1:], "bad_recording", "line 2"},
		"an unknown field": {goodHeader + strings.Replace(goodCall, `"operation"`, `"op"`, 1), "bad_recording",
			`"op"`},
		"ids out of order": {goodHeader + goodCall + goodCall, "bad_recording", "line 3 has id 1; 2 was expected"},
		"no path": {goodHeader + strings.Replace(goodCall, `"path":"/"`, `"path":""`, 1), "bad_recording",
			"line 2 has no request"},
		"neither answer": {goodHeader + goodCall[:strings.Index(goodCall, `,"answer"`)] + "}\n", "bad_recording",
			"either an answer or a failure"},
		"answer not JSON": {goodHeader + strings.Replace(goodCall, `{"n":1}`, `{n:1}`, 1), "bad_recording", "line 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := record.Read(strings.NewReader(row.text))
			require.Equal(t, row.code, code(t, err))
			require.ErrorContains(t, err, row.says)
		})
	}
	rec, err := record.Read(strings.NewReader(goodHeader + goodCall))
	require.NoError(t, err)
	require.Len(t, rec.Calls, 1)
	_, err = record.ReadFile(t.TempDir() + "/none")
	require.Equal(t, "bad_recording", code(t, err))
}
