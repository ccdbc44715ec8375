package ops_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/ops"
)

// fakeShop answers as the database and the job runner of a shop.
type fakeShop struct {
	lost  error
	free  uint64
	stat  error
	round time.Time
}

func (s *fakeShop) Ping(context.Context) error { return s.lost }

func (s *fakeShop) FreeSpace() (uint64, error) { return s.free, s.stat }

func (s *fakeShop) LastRound() time.Time { return s.round }

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
