package wording_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/wording"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"", "补偿 10 点（客服）", strings.Repeat("字", 100)} {
		require.NoError(t, wording.Check(good, 100), good)
	}
	for bad, why := range map[string]string{
		strings.Repeat("字", 101): "101 characters, at most 100",
		"a\xffb":                 "not UTF-8",
		"a\ufffdb":               "not UTF-8",
		"a\nb":                   "U+000A",
		"a\x1b[31mb":             "U+001B",
		"a\u202eb":               "U+202E",
		"a\u2028b":               "U+2028",
	} {
		require.ErrorContains(t, wording.Check(bad, 100), why, "%q", bad)
	}
}

func TestDocument(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"": "", "\ufeff": "", "\ufeff<p>隐私</p>\r\n\t": "<p>隐私</p>\r\n\t",
		"\U0001F468\u200D\U0001F469": "\U0001F468\u200D\U0001F469",
	} {
		got, err := wording.Document(text)
		require.NoError(t, err, "%q", text)
		require.Equal(t, want, got)
	}
	for bad, why := range map[string]string{
		"<p>\n\xd2\xfe\xcb\xbd</p>": "line 2: it is not UTF-8",
		"\n\na\ufffdb":              "line 3: it is not UTF-8",
		"\xff\xfe<\x00p\x00":        "it is not UTF-8 but UTF-16",
		"\xfe\xff\x00<\x00p":        "it is not UTF-8 but UTF-16",
		"<\x00p\x00":                "line 1: it holds U+0000",
	} {
		_, err := wording.Document(bad)
		require.ErrorContains(t, err, why, "%q", bad)
	}
}

func TestInvisible(t *testing.T) {
	t.Parallel()
	for _, r := range "aZ0 -_.:/?&=影é" {
		require.False(t, wording.Invisible(r), "%U", r)
	}
	for _, r := range "\x00\t\n\u007f\u0085\u00a0\u00ad\u034f\u061c\u115f\u180e\u200b\u200e\u202d\u2060" +
		"\u2800\u3000\u3164\ufe0f\ufeff\uffa0\U000e0041\U000e0100\ue000" {
		require.True(t, wording.Invisible(r), "%U", r)
	}
}
