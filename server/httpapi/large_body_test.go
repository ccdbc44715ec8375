package httpapi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// dial opens a connection and sends the head of a POST of a form with some more header lines. Phones then send the
// entire body before they read the answer.
func (r *harness) dial(t *testing.T, path string, header ...string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", r.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	lines := append([]string{"POST " + path + " HTTP/1.1", "Host: shop.example"}, header...)
	_, err = io.WriteString(conn, strings.Join(lines, "\r\n")+"\r\n\r\n")
	require.NoError(t, err)
	return conn
}

func TestLargeBody_ItsSenderHearsWhy(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	const size = 16 << 20
	const chunked = "Transfer-Encoding: chunked"
	length := fmt.Sprintf("Content-Length: %d", size)
	for name, c := range map[string]struct{ path, kind, length, want string }{
		"a form":                 {"/Login/sendcode", formType, length, "body_too_large"},
		"a form, unknown length": {"/Login/sendcode", formType, chunked, "body_too_large"},
		"a picture":              {"/Member/uploadimg", "multipart/form-data; boundary=x", length, "body_too_large"},
		"of another type":        {"/Login/sendcode", "image/jpeg", length, "unsupported_media_type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := r.dial(t, c.path, "Content-Type: "+c.kind, c.length)
			body := bytes.Repeat([]byte("1"), size)
			if c.length == chunked {
				body = fmt.Appendf(fmt.Appendf(nil, "%x\r\n%s\r\n", size, body), "0\r\n\r\n")
			}
			_, err := conn.Write(body)
			require.NoError(t, err)
			resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
			require.NoError(t, err)
			defer resp.Body.Close()
			answer, err := io.ReadAll(resp.Body)
			require.NoError(t, err)
			require.Contains(t, string(answer), c.want)
		})
	}
}

// countedBody counts what the shop reads of a body. What the sockets hold is not read.
type countedBody struct {
	io.ReadCloser
	read *atomic.Int64
}

func (b countedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.read.Add(int64(n))
	return n, err
}

func TestLargeBody_IsNotReadWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	shop, read := r.Config.Handler, new(atomic.Int64)
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, hr *http.Request) {
		hr.Body = countedBody{hr.Body, read}
		shop.ServeHTTP(w, hr)
	}))
	t.Cleanup(r.Close)
	conn := r.dial(t, "/Login/sendcode", "Content-Type: "+formType, "Content-Length: 1099511627776")
	sent, chunk := 0, make([]byte, 1<<20)
	for sent < 1<<30 {
		n, err := conn.Write(chunk)
		sent += n
		if err != nil {
			break
		}
	}
	require.Less(t, sent, 1<<30, "the shop closes the connection")
	require.InDelta(t, 32<<20, read.Load(), 1<<20, "what wire.Fail reads")
}

// A client that sends "Expect: 100-continue" is answered before it sends the body.
func TestLargeBody_ThatWaitsForLeaveIsNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	conn := r.dial(t, "/Login/sendcode", "Expect: 100-continue", "Content-Type: "+formType, "Content-Length: 10485760")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode, "not 100")
}
