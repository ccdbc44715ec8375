package balancer

import (
	"bufio"
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeReplica answers with its name, and with 503 to /readyz while it drains.
type fakeReplica struct {
	*httptest.Server

	name     string
	draining atomic.Bool
	served   atomic.Int64
	handle   http.HandlerFunc // nil: answers with the name
}

func newReplica(t *testing.T, name string, handle http.HandlerFunc) *fakeReplica {
	t.Helper()
	r := &fakeReplica{name: name, handle: handle}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if req.URL.Path == "/readyz" {
			if r.draining.Load() {
				w.WriteHeader(http.StatusServiceUnavailable)
			}
			return
		}
		r.served.Add(1)
		if r.handle != nil {
			r.handle(w, req)
			return
		}
		_, _ = io.WriteString(w, r.name)
	}))
	t.Cleanup(r.Close)
	return r
}

// serve runs a balancer over the replicas until the test ends, and returns it when so many replicas are ready.
func serve(t *testing.T, ready int, replicas ...*fakeReplica) (*Balancer, string) {
	t.Helper()
	var addresses []string
	for _, r := range replicas {
		addresses = append(addresses, r.URL)
	}
	b, err := New(addresses, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { b.Run(ctx); close(done) }()
	t.Cleanup(func() { stop(); <-done })
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	require.Eventually(t, func() bool { return b.Ready() == ready }, 10*time.Second, time.Millisecond)
	return b, server.URL
}

func ask(t *testing.T, method, url string) (status int, body string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader("oid=1"))
	require.NoError(t, err)
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(text)
}

func TestBalancer_SpreadsRequestsAndNamesTheClient(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 1)
	a := newReplica(t, "a", nil)
	b := newReplica(t, "b", nil)
	a.handle = func(w http.ResponseWriter, r *http.Request) {
		select {
		case seen <- r:
		default:
		}
	}
	_, url := serve(t, 2, a, b)
	for range 20 {
		status, _ := ask(t, http.MethodPost, url+"/pay?x=1")
		require.Equal(t, http.StatusOK, status)
	}
	require.Positive(t, a.served.Load())
	require.Positive(t, b.served.Load())
	r := <-seen
	require.Equal(t, strings.TrimPrefix(url, "http://"), r.Host, "the replica sees the address that the buyer opened")
	require.True(t, netip.MustParseAddr(r.Header.Get("X-Forwarded-For")).IsLoopback())
	require.Equal(t, "/pay?x=1", r.RequestURI)
}

func TestBalancer_AReplicaThatDrainsFinishesWhatItHas(t *testing.T) {
	t.Parallel()
	arrived, finish := make(chan struct{}), make(chan struct{})
	a := newReplica(t, "a", func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-finish
		_, _ = io.WriteString(w, "finished")
	})
	b := newReplica(t, "b", nil)
	b.draining.Store(true)
	balancer, url := serve(t, 1, a, b)
	answer := make(chan string, 1)
	go func() {
		_, body := ask(t, http.MethodPost, url+"/pay")
		answer <- body
	}()
	<-arrived
	b.draining.Store(false)
	a.draining.Store(true)
	require.Eventually(t, func() bool { return balancer.replicas[1].ready.Load() && balancer.Ready() == 1 },
		10*time.Second, time.Millisecond)
	for range 5 {
		_, body := ask(t, http.MethodPost, url+"/pay")
		require.Equal(t, "b", body)
	}
	close(finish)
	require.Equal(t, "finished", <-answer)
}

func TestBalancer_RepeatsOnlyWhatMayBeRepeated(t *testing.T) {
	t.Parallel()
	var lost atomic.Int64
	a := newReplica(t, "a", nil)
	a.handle = func(w http.ResponseWriter, _ *http.Request) { // reads the request, then ends without an answer
		lost.Add(1)
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	}
	_, url := serve(t, 1, a)
	status, _ := ask(t, http.MethodPost, url+"/Film/flkpay")
	require.Equal(t, http.StatusBadGateway, status)
	require.EqualValues(t, 1, lost.Load(), "a payment that was sent is not sent again")
	status, _ = ask(t, http.MethodGet, url+"/index")
	require.Equal(t, http.StatusBadGateway, status, "a page is not requested endlessly")

	b := newReplica(t, "b", nil)
	_, url = serve(t, 2, a, b)
	for range 10 {
		status, body := ask(t, http.MethodGet, url+"/index")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "b", body, "a page is requested again")
	}
}

func TestBalancer_ADeadReplicaLosesNoRequest(t *testing.T) {
	t.Parallel()
	a, b := newReplica(t, "a", nil), newReplica(t, "b", nil)
	_, url := serve(t, 2, a, b)
	for range 4 {
		ask(t, http.MethodPost, url+"/pay") // leaves idle connections to both
	}
	a.Listener.Close()
	a.CloseClientConnections()
	for range 20 {
		status, body := ask(t, http.MethodPost, url+"/pay")
		require.Equal(t, http.StatusOK, status)
		require.Equal(t, "b", body)
	}
}

func TestBalancer_CutsOffHalfAnAnswer(t *testing.T) {
	t.Parallel()
	for name, length := range map[string]string{"of known length": "100", "of unknown length": ""} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newReplica(t, "a", func(w http.ResponseWriter, _ *http.Request) {
				if length != "" {
					w.Header().Set("Content-Length", length)
				}
				_, _ = io.WriteString(w, `{"code":200,`)
				_ = http.NewResponseController(w).Flush()
				panic(http.ErrAbortHandler)
			})
			_, url := serve(t, 1, a)
			resp, err := http.Post(url+"/Dyorder/show", "", nil)
			if err == nil {
				defer resp.Body.Close()
				_, err = io.ReadAll(resp.Body)
			}
			require.Error(t, err)
		})
	}
}

func TestBalancer_RequestsWaitForAReplica(t *testing.T) {
	t.Parallel()
	a := newReplica(t, "a", nil)
	a.draining.Store(true)
	_, url := serve(t, 0, a)
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET /index HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(300*time.Millisecond)))
	answer := bufio.NewReader(conn)
	_, err = answer.ReadByte()
	var timeout net.Error
	require.ErrorAs(t, err, &timeout)
	require.True(t, timeout.Timeout(), "the request waits")
	a.draining.Store(false)
	require.NoError(t, conn.SetReadDeadline(time.Now().Add(10*time.Second)))
	resp, err := http.ReadResponse(answer, nil)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusOK, resp.StatusCode)
}

func TestNew_RejectsWhatIsNotAnAddress(t *testing.T) {
	t.Parallel()
	_, err := New([]string{"127.0.0.1:8080"}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "127.0.0.1:8080")
}
