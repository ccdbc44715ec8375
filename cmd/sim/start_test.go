package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStart_DoesNotLinkTheDictionary holds that neither program links go-pinyin, whose dictionary is filled at every
// process start and takes 10 ms. GODEBUG=inittrace=1 prints what each package takes.
func TestStart_DoesNotLinkTheDictionary(t *testing.T) {
	t.Parallel()
	linked, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "marquee/cmd/sim", "marquee/cmd/shop").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(linked))
	require.Contains(t, packages, "marquee/simulators")
	require.NotContains(t, packages, "github.com/mozillazg/go-pinyin", "see server/catalog/pinyin.go")
}
