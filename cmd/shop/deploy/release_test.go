//go:build linux

package deploy_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// releaseOf makes the release v1.0.0 of the last commit in a new clone, for the platform of this machine, and returns
// its folder.
func releaseOf(t *testing.T, clone string) string {
	t.Helper()
	repository, err := filepath.Abs("../../..")
	require.NoError(t, err)
	command(t, "git", "clone", "--quiet", repository, clone)
	require.NoError(t, os.Symlink(filepath.Join(repository, "node_modules"), filepath.Join(clone, "node_modules")))
	for _, step := range [][]string{
		{"npm", "run", "--silent", "build"},
		{"go", "run", "./cmd/shop/deploy/release", "-version", "v1.0.0", "-platforms", "linux/" + runtime.GOARCH},
	} {
		cmd := exec.CommandContext(t.Context(), step[0], step[1:]...)
		cmd.Dir = clone
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
	return filepath.Join(clone, "dist")
}

func TestRelease_IsTheSameFromTwoClones(t *testing.T) {
	t.Parallel()
	first := releaseOf(t, filepath.Join(t.TempDir(), "a"))
	second := releaseOf(t, filepath.Join(t.TempDir(), "another", "longer", "path"))
	sums, err := os.ReadFile(filepath.Join(first, "checksums.txt"))
	require.NoError(t, err)
	others, err := os.ReadFile(filepath.Join(second, "checksums.txt"))
	require.NoError(t, err)
	assert.Equal(t, string(sums), string(others))

	check := exec.CommandContext(t.Context(), "sha256sum", "--check", "--quiet", "checksums.txt")
	check.Dir = first
	out, err := check.CombinedOutput()
	require.NoError(t, err, "%s", out)
	notes, err := os.ReadFile(filepath.Join(first, "notes.md"))
	require.NoError(t, err)
	assert.Contains(t, string(notes), "The first release.")

	name := "shop_v1.0.0_linux_" + runtime.GOARCH
	archive, err := os.Open(filepath.Join(first, name+".tar.gz"))
	require.NoError(t, err)
	defer archive.Close()
	unpacked, err := gzip.NewReader(archive)
	require.NoError(t, err)
	var files []string
	for r := tar.NewReader(unpacked); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		files = append(files, h.Name)
	}
	for _, file := range []string{"shop", "README.md", "STAGING.md", "maintenance.html", "sbom.cdx.json",
		"THIRD_PARTY_NOTICES.txt", "systemd/marquee.service", "compose/compose.yaml", "kubernetes/marquee.yaml"} {
		assert.Contains(t, files, name+"/"+file)
	}
}
