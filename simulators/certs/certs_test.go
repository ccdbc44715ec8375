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
	names := []string{"api.mch.weixin.qq.com", "localhost", "sim"}
	first, err := certs.Open(file, names)
	require.NoError(t, err)
	again, err := certs.Open(file, names[1:])
	require.NoError(t, err)
	require.Equal(t, first.PEM(), again.PEM())
	info, err := os.Stat(file)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	trusted := x509.NewCertPool()
	require.True(t, trusted.AppendCertsFromPEM(first.PEM()))
	for _, host := range []string{"api.mch.weixin.qq.com", "127.0.0.1", "::1", "203.0.113.5", "localhost",
		"9000.inapp.localhost", "sim"} {
		c, err := again.For(host)
		require.NoError(t, err)
		_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: trusted, DNSName: host})
		require.NoError(t, err, host)
		same, err := again.For(host)
		require.NoError(t, err)
		require.Same(t, c, same)
	}
	require.NotContains(t, string(first.PEM()), "PRIVATE")
	for _, host := range []string{"bank.example", "qq.com", "weixin.qq.com", "evilsim", "sim.example"} {
		c, err := again.For(host)
		require.NoError(t, err)
		_, err = c.Leaf.Verify(x509.VerifyOptions{Roots: trusted, DNSName: host})
		require.ErrorContains(t, err, "not permitted", "a thief of the key cannot impersonate %s", host)
	}
}

func TestOpen_AnAuthorityThatLacksANameIsReplaced(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "authority.pem")
	first, err := certs.Open(file, []string{"localhost"})
	require.NoError(t, err)
	second, err := certs.Open(file, []string{"localhost", "sim"})
	require.NoError(t, err)
	require.NotEqual(t, first.PEM(), second.PEM())
	kept, err := certs.Open(file, []string{"sub.sim"})
	require.NoError(t, err)
	require.Equal(t, second.PEM(), kept.PEM())
}

func TestOpen_AnotherFileIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(file, []byte("notes"), 0o600))
	_, err := certs.Open(file, nil)
	require.ErrorContains(t, err, "notes.txt is not a file of these simulators")
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "notes", string(text))
}
