package main

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestStart_LinksNoKnownSlowPackage checks that neither program links one of the two packages whose initialization was
// found to take 10 ms and more at every process start. GODEBUG=inittrace=1 prints what each package takes.
func TestStart_LinksNoKnownSlowPackage(t *testing.T) {
	t.Parallel()
	linked, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "marquee/cmd/sim",
		"marquee/cmd/shop").Output()
	require.NoError(t, err)
	packages := strings.Fields(string(linked))
	require.Contains(t, packages, "marquee/simulators")
	require.NotContains(t, packages, "github.com/mozillazg/go-pinyin", "see server/catalog/pinyin.go")
	require.NotContains(t, packages, "github.com/santhosh-tekuri/jsonschema/v6",
		"see simulators/README.md, Control API")
}
