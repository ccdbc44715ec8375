package transport_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/providers/transport"
)

func TestText(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"": "", "影院\U0001F3AC\n": "影院\U0001F3AC\n",
		"影院\x00故障": "影院\uFFFD故障", "a\xff\xfeb": "a\uFFFDb", "\xed\xa0\x80": "\uFFFD",
	} {
		assert.Equal(t, want, transport.Text(sent), "%q", sent)
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{"a":"影院\u0000故障"}`: "影院\uFFFD故障", `{"a":"\u0000"}`: "\uFFFD", `{"a":"\\u0000"}`: `\u0000`,
		`{"a":"\\\u0000\\"}`: "\\\uFFFD\\", `{"a":"\"\u0000\n"}`: "\"\uFFFD\n", "{\"a\":\"x\xffy\"}": "x\uFFFDy",
		"{\"a\":\"x\x00y\"}": "x\uFFFDy", `{"a":"\ud800"}`: "\uFFFD", `{"a":"\u00000"}`: "\uFFFD0", `{"a":"\u5f71"}`: "影",
	} {
		var got struct{ A string }
		require.NoError(t, json.Unmarshal(transport.JSON([]byte(sent)), &got), sent)
		assert.Equal(t, want, got.A, sent)
	}
	for _, sent := range []string{"", `\`, `"\u000`, `"\u0000`} {
		assert.Len(t, transport.JSON([]byte(sent)), len(sent))
	}
}
