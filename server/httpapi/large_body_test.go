package httpapi

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// sender is a client as phones have it: it sends all of its body, and only then reads what the shop said.
func (r *rig) sender(t *testing.T, head string) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", r.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(conn, head)
	require.NoError(t, err)
	return conn
}

func TestLargeBody_ItsSenderHearsWhy(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	const size = 16 << 20
	const form = "Content-Type: application/x-www-form-urlencoded\r\n"
	told := fmt.Sprintf("Content-Length: %d\r\n", size)
	for name, c := range map[string]struct{ path, head, want string }{
		"a form":                  {"/Login/sendcode", form + told, "body_too_large"},
		"a form, length not told": {"/Login/sendcode", form + "Transfer-Encoding: chunked\r\n", "body_too_large"},
		"a picture":               {"/Member/uploadimg", "Content-Type: multipart/form-data; boundary=x\r\n" + told, "body_too_large"},
		"of another type":         {"/Login/sendcode", "Content-Type: image/jpeg\r\n" + told, "unsupported_media_type"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := r.sender(t, "POST "+c.path+" HTTP/1.1\r\nHost: shop.example\r\n"+c.head+"\r\n")
			body := bytes.Repeat([]byte("1"), size)
			if strings.Contains(c.head, "chunked") {
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

func TestLargeBody_IsNotReadWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	conn := r.sender(t, "POST /Login/sendcode HTTP/1.1\r\nHost: shop.example\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 1099511627776\r\n\r\n")
	sent, chunk := 0, make([]byte, 1<<20)
	for sent < 1<<30 {
		n, err := conn.Write(chunk)
		sent += n
		if err != nil {
			break
		}
	}
	require.Less(t, sent, 64<<20, "twice what wire.Fail reads, for what the sockets hold")
}

// Who asks before sending is answered before sending.
func TestLargeBody_ThatWaitsForLeaveIsNotAskedFor(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	conn := r.sender(t, "POST /Login/sendcode HTTP/1.1\r\nHost: shop.example\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10485760\r\n\r\n")
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode, "not 100")
}
