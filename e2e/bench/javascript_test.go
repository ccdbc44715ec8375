package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The home page works only after all JavaScript of the first route is loaded, which takes long on a slow network.
func TestFirstRoute_StaysSmall(t *testing.T) {
	t.Parallel()
	total, files, err := firstRouteSize()
	require.NoError(t, err)
	require.Greater(t, files, 3, "the chunks of the first route were not found")
	require.LessOrEqual(t, total, firstRouteLimit)
}
