package pepper_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/server/pepper"
)

var first, second = []byte("the first pepper"), []byte("the second pepper")

func ring(t *testing.T, current, other []byte) pepper.Ring {
	t.Helper()
	r, err := pepper.New(current, other)
	require.NoError(t, err)
	return r
}

func TestNew_RejectsAShortPepperAndTwoEqualOnes(t *testing.T) {
	t.Parallel()
	_, err := pepper.New([]byte("fifteen bytes.."), nil)
	require.ErrorContains(t, err, "at least 16 bytes, has 15")
	_, err = pepper.New(first, []byte("short"))
	require.ErrorContains(t, err, "at least 16 bytes, has 5")
	_, err = pepper.New(first, first)
	require.ErrorContains(t, err, "equal")
}

func TestVerify_AcceptsBothKeysAndNamesTheStaleOne(t *testing.T) {
	t.Parallel()
	before, during, after := ring(t, first, nil), ring(t, second, first), ring(t, second, nil)
	stored := before.Hash("code 123456")

	right, stale := during.Verify(stored, "code 123456")
	require.True(t, right)
	require.True(t, stale, "made with the previous key")
	right, stale = during.Verify(during.Hash("code 123456"), "code 123456")
	require.True(t, right)
	require.False(t, stale)
	right, _ = during.Verify(stored, "code 123457")
	require.False(t, right)
	right, _ = after.Verify(stored, "code 123456")
	require.False(t, right, "the previous key is no longer accepted")
	for _, broken := range [][]byte{nil, {1, 2}, stored[:4], stored[:20]} {
		right, _ = during.Verify(broken, "code 123456")
		require.False(t, right)
	}
	require.Contains(t, during.Hashes("code 123456"), stored)
}

func TestServersWithTheirKeysInOppositeOrderUnderstandEachOther(t *testing.T) {
	t.Parallel()
	old, updated := ring(t, first, second), ring(t, second, first)
	for _, pair := range [][2]pepper.Ring{{old, updated}, {updated, old}} {
		right, stale := pair[1].Verify(pair[0].Hash("x"), "x")
		require.True(t, right)
		require.True(t, stale)
	}
}
