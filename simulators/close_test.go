package simulators_test

import (
	"errors"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
)

// Close ends waiting calls: a stream after its last event, a long poll with an answer, a hanging call by closing its
// connection. It waits only briefly for them.
func TestClose_EndsStreamsAndLongPolls(t *testing.T) {
	t.Parallel()
	s, err := simulators.Start(simulators.Options{})
	require.NoError(t, err)
	control(t, s, http.MethodPost, "/faults", `{"provider":"gateway","operation":"*","do":"hang"}`)
	type end struct {
		status int
		text   string
		err    error
	}
	begin := func(method, target, body string) <-chan end {
		ended := make(chan end, 1)
		go func() {
			request, err := http.NewRequest(method, s.URL()+target, strings.NewReader(body))
			if err != nil {
				ended <- end{err: err}
				return
			}
			request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				ended <- end{err: err}
				return
			}
			text, err := io.ReadAll(answer.Body)
			ended <- end{answer.StatusCode, string(text), errors.Join(err, answer.Body.Close())}
		}()
		return ended
	}
	stream := begin(http.MethodGet, "/sim/v1/events", "")
	entries := begin(http.MethodGet, "/sim/v1/journal/wait?operation=seat.lock&timeout=60", "")
	message := begin(http.MethodGet, "/sim/v1/sms/messages/next?phone=13900000001&timeout=60", "")
	hanging := begin(http.MethodPost, "/gateway", "method=city.list")
	for limit := time.Now().Add(20 * time.Second); s.Serving() < 4; runtime.Gosched() {
		require.Less(t, time.Now(), limit, "%d calls are under way", s.Serving())
	}

	start := time.Now()
	require.NoError(t, s.Close())
	require.Less(t, time.Since(start), 10*time.Second)
	got := <-stream
	require.NoError(t, got.err, "the stream is complete")
	require.Contains(t, got.text, "event: end\n")
	for _, poll := range []<-chan end{entries, message} {
		got := <-poll
		require.NoError(t, got.err)
		require.Equal(t, http.StatusNotFound, got.status)
		require.Contains(t, got.text, `"world_gone"`)
	}
	require.Error(t, (<-hanging).err)
	_, err = http.Get(s.URL())
	require.Error(t, err)
	require.NoError(t, s.Close(), "again")
}
