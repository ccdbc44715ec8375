package app_test

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
)

// siteFiles makes a folder of files.
func siteFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	return folder
}

func TestSiteFiles_AreServedAtTheirPublicPaths(t *testing.T) {
	t.Parallel()
	folder := siteFiles(t, map[string]string{
		"MP_verify_AbCd1234EfGh5678.txt": "AbCd1234EfGh5678", "security.txt": "Contact: mailto:security@example.com\n",
		".hidden": "x",
	})
	s := harness.New(t, harness.Options{Configure: func(c *app.Config) { c.SiteFiles = folder }})
	for path, want := range map[string]string{
		"/MP_verify_AbCd1234EfGh5678.txt": "AbCd1234EfGh5678",
		"/.well-known/security.txt":       "Contact: mailto:security@example.com\n",
	} {
		resp, err := http.Get(s.URL + path)
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusOK, resp.StatusCode, path)
		assert.Equal(t, "text/plain; charset=utf-8", resp.Header.Get("Content-Type"), path)
		assert.Equal(t, want, string(text), path)
	}
	for _, path := range []string{"/MP_verify_another.txt", "/.hidden", "/security.txt"} {
		resp, err := http.Get(s.URL + path)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		assert.Equal(t, http.StatusNotFound, resp.StatusCode, path)
	}
}

func TestSiteFiles_OfOtherNamesAreRejected(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"mp_verify_a.txt": "a", "MP_verify_a.html": "a", "MP_verify_a.txt": "", "security.txt": "\xff",
		"MP_verify_b.txt": strings.Repeat("b", 17<<10),
	} {
		variables := realEnvironment(t)
		variables["MARQUEE_SITE_FILES"] = siteFiles(t, map[string]string{name: text})
		err := startShop(t, variables)
		require.ErrorContains(t, err, "MARQUEE_SITE_FILES", name)
		require.ErrorContains(t, err, name)
	}
	variables := realEnvironment(t)
	variables["MARQUEE_SITE_FILES"] = "missing"
	require.ErrorContains(t, startShop(t, variables), "MARQUEE_SITE_FILES")
}
