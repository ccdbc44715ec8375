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

// Texts that were compressed separately are one gzip stream, without a member or a reference between them.
func TestWriteTexts_AreOneStream(t *testing.T) {
	t.Parallel()
	long := bytes.Repeat([]byte("影院 0123456789 "), 10_000)
	texts := []*Text{
		NewShortText([]byte("<html>")), NewText(long), NewShortText(nil), NewText(nil), NewText([]byte("</html>")),
		NewShortText(long), NewText(long),
	}
	var want []byte
	for _, text := range texts {
		want = append(want, text.Plain()...)
	}
	for _, encoding := range []string{"", "gzip, deflate, br"} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		WriteTexts(w, r, texts...)
		require.Equal(t, "Accept-Encoding", w.Header().Get("Vary"))
		var body io.Reader = w.Body
		if encoding != "" {
			require.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
			require.Less(t, w.Body.Len(), len(want)/2, "the long texts are compressed")
			unpacked, err := gzip.NewReader(body)
			require.NoError(t, err)
			unpacked.Multistream(false) // a browser ignores what follows the first member
			body = unpacked
		}
		got, err := io.ReadAll(body)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, got))
	}
}
