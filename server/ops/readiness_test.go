package ops_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/ops"
)

// fakeShop answers as the database and the job runner of a shop.
type fakeShop struct {
	lost  error
	free  uint64
	stat  error
	round time.Time
	pings atomic.Int64
}

func (s *fakeShop) Ping(ctx context.Context) error {
	s.pings.Add(1)
	return errors.Join(ctx.Err(), s.lost)
}

func (s *fakeShop) FreeSpace() (uint64, error) { return s.free, s.stat }

func (s *fakeShop) LastRound() time.Time { return s.round }

// However often the public address is requested, the database is checked once a second. A drain is reported at once.
func TestRecent_ChecksOnceInASecond(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	s := &fakeShop{free: 1 << 40, round: now}
	probe := ops.NewProbe(s, s, func() time.Time { return now })
	p := probe.Recent()
	var asking sync.WaitGroup
	for range 50 {
		asking.Go(func() { assert.NoError(t, p.Ping(t.Context())) })
	}
	asking.Wait()
	require.EqualValues(t, 1, s.pings.Load())
	s.lost = errors.New("gone")
	now = now.Add(time.Second - 1)
	require.NoError(t, p.Ping(t.Context()))
	now = now.Add(1)
	gone, leave := context.WithCancel(t.Context())
	leave()
	require.EqualError(t, p.Ping(gone), "database: gone", "other callers use the answer: it does not end with a client")
	require.EqualValues(t, 2, s.pings.Load())
	s.lost = nil
	now = now.Add(time.Second)
	require.NoError(t, p.Ping(t.Context()))
	probe.Drain()
	require.ErrorContains(t, p.Ping(t.Context()), "draining")
}

func TestProbe_NamesEachReason(t *testing.T) {
	t.Parallel()
	now := time.Unix(1000, 0)
	for name, c := range map[string]struct {
		change func(s *fakeShop, p *ops.Probe)
		want   string // "": ready
	}{
		"ready":           {func(*fakeShop, *ops.Probe) {}, ""},
		"draining":        {func(_ *fakeShop, p *ops.Probe) { p.Drain() }, "draining: the shop is about to stop\n"},
		"a lost database": {func(s *fakeShop, _ *ops.Probe) { s.lost = errors.New("gone") }, "database: gone\n"},
		"a full disk": {func(s *fakeShop, _ *ops.Probe) { s.free = 127 << 20 },
			"disk: 127 MiB are free, 128 MiB are needed\n"},
		"an unknown disk": {func(s *fakeShop, _ *ops.Probe) { s.stat = errors.New("no such file") },
			"disk: no such file\n"},
		"a dead job loop": {func(s *fakeShop, _ *ops.Probe) { s.round = now.Add(-31 * time.Second) },
			"jobs: no look for due tasks for 31s\n"},
		"a slow job loop": {func(s *fakeShop, _ *ops.Probe) { s.round = now.Add(-29 * time.Second) }, ""},
		"several at a time": {func(s *fakeShop, p *ops.Probe) { s.lost = errors.New("gone"); p.Drain() },
			"draining: the shop is about to stop\ndatabase: gone\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &fakeShop{free: 1 << 40, round: now}
			p := ops.NewProbe(s, s, func() time.Time { return now })
			c.change(s, p)
			w := httptest.NewRecorder()
			ops.NewAdmin(ops.AdminConfig{Metrics: ops.NewMetrics("test"), Readiness: p}).
				ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
			if c.want == "" {
				require.Equal(t, http.StatusOK, w.Code, w.Body.String())
				return
			}
			require.Equal(t, http.StatusServiceUnavailable, w.Code)
			require.Equal(t, c.want, w.Body.String())
		})
	}
}
