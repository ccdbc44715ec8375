package certs_test

import (
	"crypto/x509"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/simulators/certs"
)

func TestOpen_TheAuthorityIsKeptBetweenRunsAndOnlyForItsOwner(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "new", "authority.pem")
	first, err := certs.Open(file)
	require.NoError(t, err)
	again, err := certs.Open(file)
	require.NoError(t, err)
	require.Equal(t, first.PEM(), again.PEM())
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM(first.PEM()))
	for _, host := range []string{"api.mch.weixin.qq.com", "127.0.0.1", "::1", "sim"} {
		c, err := again.For(host)
		require.NoError(t, err)
		_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: trusted, DNSName: host})
		require.NoError(t, err, host)
		same, err := again.For(host)
		require.NoError(t, err)
		require.Same(t, c, same)
	}
	require.NotContains(t, string(first.PEM()), "PRIVATE")
}

func TestOpen_AnotherFileIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(file, []byte("notes"), 0o600))
	_, err := certs.Open(file)
	require.ErrorContains(t, err, "notes.txt is not a file of these simulators")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "notes", string(text))
}
