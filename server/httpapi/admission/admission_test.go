package admission

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGate_ShedsBrowsingThenStartingAndNeverPaying(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 2, Starting: 3, Wait: time.Second}, nil)
		admitted := func(c Class) bool { return g.enter(t.Context(), c) }
		require.True(t, admitted(Paying))
		require.True(t, admitted(Browsing))
		require.False(t, admitted(Browsing), "payments count")
		require.True(t, admitted(Starting))
		require.False(t, admitted(Starting))
		for range 100 {
			require.True(t, admitted(Paying))
		}
		require.False(t, admitted(Starting))
	})
}

func TestGate_ARequestWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 1, Starting: 1, Wait: time.Second}, nil)
		require.True(t, g.enter(t.Context(), Paying))
		var mu sync.Mutex
		var order []Class
		enter := func(c Class) {
			if g.enter(t.Context(), c) {
				mu.Lock()
				defer mu.Unlock()
				order = append(order, c)
			}
		}
		go enter(Browsing)
		synctest.Wait()
		go enter(Starting)
		synctest.Wait()
		require.False(t, g.enter(t.Context(), Browsing), "the queue is full")
		time.Sleep(999 * time.Millisecond)
		g.leave()
		synctest.Wait()
		require.Equal(t, []Class{Starting}, order, "the higher class first")
		time.Sleep(2 * time.Millisecond)
		g.leave()
		synctest.Wait()
		require.Equal(t, []Class{Starting}, order, "the other one has waited for too long")
		require.True(t, g.enter(t.Context(), Browsing), "and its place is free again")
	})
}

func TestGate_ARequestWhoseClientIsGoneLeavesTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		g := New(Limits{Browsing: 1, Starting: 1, Wait: time.Second}, nil)
		require.True(t, g.enter(t.Context(), Browsing))
		ctx, cancel := context.WithCancel(t.Context())
		gone := make(chan bool)
		go func() { gone <- g.enter(ctx, Browsing) }()
		synctest.Wait()
		cancel()
		require.False(t, <-gone)
		next := make(chan bool)
		go func() { next <- g.enter(t.Context(), Browsing) }()
		synctest.Wait()
		g.leave()
		require.True(t, <-next)
	})
}

// However requests come and go, no place is lost or given twice.
func TestGate_KeepsItsCount(t *testing.T) {
	t.Parallel()
	g := New(Limits{Browsing: 4, Starting: 8, Wait: time.Millisecond}, nil)
	var requests sync.WaitGroup
	for i := range 64 {
		requests.Go(func() {
			for range 200 {
				if g.enter(t.Context(), Class(i%3)) {
					g.leave()
				}
			}
		})
	}
	requests.Wait()
	require.Zero(t, g.busy)
	require.Empty(t, g.waiting[Browsing])
	require.Empty(t, g.waiting[Starting])
}

// serve handles a request whose body has no announced length, and returns the status.
func serve(t *testing.T, h http.Handler, body io.Reader) int {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body))
	return w.Code
}

func rejected(w http.ResponseWriter, _ *http.Request, _ time.Duration) {
	w.WriteHeader(http.StatusServiceUnavailable)
}

func TestHandler_AClientThatReadsSlowlyHoldsNoPlace(t *testing.T) {
	t.Parallel()
	g := New(Limits{Browsing: 1, Starting: 1}, nil)
	begun, end := make(chan struct{}), make(chan struct{})
	slow := g.Handler(Browsing, rejected, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "the answer begins")
		close(begun)
		<-end
	}))
	var running sync.WaitGroup
	running.Go(func() { serve(t, slow, nil) })
	<-begun
	next := g.Handler(Browsing, rejected, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	require.Equal(t, http.StatusOK, serve(t, next, nil))
	close(end)
	running.Wait()
	require.Zero(t, g.busy)
}

func TestHandler_KeepsTheBody(t *testing.T) {
	t.Parallel()
	for _, size := range []int{0, 1, longestForm - 1, longestForm, longestForm + 1, 1 << 20} {
		g := New(Limits{Browsing: 1, Starting: 1}, nil)
		body := strings.Repeat("x", size)
		read := g.Handler(Browsing, rejected, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got, err := io.ReadAll(r.Body)
			require.NoError(t, err)
			require.Equal(t, body, string(got))
		}))
		require.Equal(t, http.StatusOK, serve(t, read, strings.NewReader(body)))
		require.Equal(t, http.StatusOK, serve(t, read, struct{ io.Reader }{strings.NewReader(body)}), "of unknown length")
	}
	failure := errors.New("the client is gone")
	failed := New(Limits{Browsing: 1, Starting: 1}, nil).Handler(Browsing, rejected,
		http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			got, err := io.ReadAll(r.Body)
			require.ErrorIs(t, err, failure)
			require.Equal(t, "begin", string(got))
		}))
	serve(t, failed, io.MultiReader(strings.NewReader("begin"), iotest.ErrReader(failure)))
}
