package ops_test

import (
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/ops"
)

// The end of a certificate is known also if the certificate is not valid, and no redirect is followed.
func TestCertificateEnd(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.RedirectHandler("http://127.0.0.1:1/", http.StatusFound))
	defer server.Close()
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	end, err := ops.CertificateEnd(t.Context(), server.URL)
	require.NoError(t, err)
	assert.Equal(t, server.Certificate().NotAfter, end)
	_, err = ops.CertificateEnd(t.Context(), "https://127.0.0.1:1")
	require.ErrorContains(t, err, "https://127.0.0.1:1")
}
