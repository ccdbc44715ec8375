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

func TestCompare_ASilentTargetIsNotAskedAThousandTimes(t *testing.T) {
	t.Parallel()
	rec := recordGateway(t, startSims(t, 7), true).recording()
	keys := startSims(t, 8).Default().Credentials()
	for name, row := range map[string]struct {
		answers, calls    int64
		timeout, patience time.Duration
	}{
		"never answers": {0, 1, time.Hour, 50 * time.Millisecond},
		"falls silent":  {2, 4, 100 * time.Millisecond, 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at, calls := silentAfter(t, row.answers)
			_, err := record.Compare(t.Context(), rec, record.ReplayOptions{
				Target: at, Credentials: keys, WithWrites: true, Timeout: row.timeout, MaxSilence: row.patience,
			})
			require.Equal(t, "target_timeout", code(t, err))
			require.ErrorContains(t, err, "has been silent")
			require.Equal(t, row.calls, calls.Load())
		})
	}
}
