package fault

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuote_CutsWhatAStrangerSent(t *testing.T) {
	t.Parallel()
	longest, longer := strings.Repeat("a", 64), strings.Repeat("a", 65)
	require.Equal(t, `"`+longest+`"`, Quote(longest))
	require.Equal(t, `"`+longest+`"… (65 bytes)`, Quote(longer))
	require.Equal(t, `""`, Quote(""))
	require.Equal(t, `"a\nb\x00"`, Quote("a\nb\x00"))
	require.LessOrEqual(t, len(Quote(strings.Repeat("\x01", 60_000))), 64*4+20)
	require.NotPanics(t, func() { Quote(strings.Repeat("影", 30)) }, "a character may be cut")
}
