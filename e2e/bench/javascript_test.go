package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A phone on a slow network waits for all of this before the home page works.
func TestFirstRoute_StaysSmall(t *testing.T) {
	t.Parallel()
	total, files, err := firstRouteSize()
	require.NoError(t, err)
	require.Greater(t, files, 3, "the chunks of the first route were not found")
	require.LessOrEqual(t, total, firstRouteLimit)
}
