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
