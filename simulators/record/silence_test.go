package record_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/record"
)

// silentAfter is a target that answers its first calls only. It counts all calls.
func silentAfter(t *testing.T, answers int64) (string, *atomic.Int64) {
	t.Helper()
	calls, over := &atomic.Int64{}, make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) > answers {
			select {
			case <-over:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"success":true,"data":{}}`))
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(over) })
	return server.URL, calls
}

func TestCompare_ATargetThatFallsSilentIsGivenUp(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	at, calls := silentAfter(t, 2)
	_, err := record.Compare(t.Context(), rec, record.ReplayOptions{
		Target: at, Credentials: startSims(t, 8).Default().Credentials(), WithWrites: true,
		Timeout: 200 * time.Millisecond,
	})
	require.Equal(t, "target_timeout", code(t, err))
	require.ErrorContains(t, err, "3 calls in a row without an answer")
	require.LessOrEqual(t, calls.Load(), int64(5), "and not each of the recording's calls")
}
