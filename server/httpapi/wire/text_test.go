package wire

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWriteText_IsCompressedIfTheClientAcceptsIt(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("影院 0123456789 "), 10_000)
	text := NewText(long)
	for _, encoding := range []string{"", "gzip, deflate, br", "gzip"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		WriteText(w, r, text)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		var body io.Reader = w.Body
		if encoding != "" {
			require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
			require.Less(t, w.Body.Len(), len(long)/2)
			unpacked, err := gzip.NewReader(body)
			require.NoError(t, err)
			body = unpacked
		}
		got, err := io.ReadAll(body)
		require.NoError(t, err)
		require.True(t, bytes.Equal(long, got))
	}
}

func TestWriteText_IsNotCompressedIfItIsPrivate(t *testing.T) {
	t.Parallel()
	text, err := NewPrivateJSON(string(bytes.Repeat([]byte("secret "), 10_000)))
	require.NoError(t, err)
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header.Set("Accept-Encoding", "gzip")
	w := httptest.NewRecorder()
	WriteText(w, r, text)
	require.NotContains(t, w.Header(), "Content-Encoding")
	require.NotContains(t, w.Header(), "Vary")
	require.Equal(t, text.Plain(), w.Body.Bytes())
}
