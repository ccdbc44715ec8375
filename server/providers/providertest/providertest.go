// Package providertest holds what the tests of the providers' clients share: broken answers, and a test that a client
// handles them by the rules of ../README.md.
package providertest

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/transport"
)

// Call is one call of a client of type C.
type Call[C any] struct {
	Route string // at which the fake provider of the test receives it
	Kind  transport.CallKind
	Do    func(ctx context.Context, client C) error
}

// LockRequest locks two seats for order n1.
func LockRequest() order.LockRequest {
	return order.LockRequest{
		OrderNo: "n1", Show: catalog.Show{ID: "o1", CinemaCode: "cc1"}, Mobile: "13900000001",
		Seats: []catalog.Seat{{ID: "s1"}, {ID: "s2"}},
	}
}

// IssueRequest issues the tickets of order n1.
func IssueRequest() order.IssueRequest {
	return order.IssueRequest{OrderNo: "n1", Amount: 8400, Mobile: "13900000001"}
}

// TicketSourceRoutes are the routes of the calls of an order.TicketSource. The field Issue is the route of the first
// call that the method Issue makes.
type TicketSourceRoutes struct{ SeatMap, Query, Lock, Unlock, Issue string }

// TicketSourceCalls returns the calls of a ticket source by name.
func TicketSourceCalls[C order.TicketSource](routes TicketSourceRoutes) map[string]Call[C] {
	return map[string]Call[C]{
		"seat map": {routes.SeatMap, transport.Query, func(ctx context.Context, c C) error {
			_, err := c.SeatMap(ctx, "o1")
			return err
		}},
		"query": {routes.Query, transport.Query, func(ctx context.Context, c C) error {
			_, err := c.Query(ctx, "n1")
			return err
		}},
		"lock": {routes.Lock, transport.Command, func(ctx context.Context, c C) error {
			_, err := c.Lock(ctx, LockRequest())
			return err
		}},
		"unlock": {routes.Unlock, transport.Command, func(ctx context.Context, c C) error {
			return c.Unlock(ctx, "n1")
		}},
		"issue": {routes.Issue, transport.Command, func(ctx context.Context, c C) error {
			return c.Issue(ctx, IssueRequest())
		}},
	}
}

// Film is the film that the fake providers of the tests list.
func Film() catalog.Film {
	return catalog.Film{
		ID: "m1", Code: "c1", Name: "长夜", PosterURL: "/p.svg", Score: "9.1", Stars: []string{"甲", "乙"},
		Director: "导演", Categories: []string{"剧情", "爱情"},
		Version: "IMAX 3D", Wish: 7, PreSale: true, State: catalog.OnPreSale, Minutes: 121, Released: "2026-11-27",
	}
}

// FilmDetail is the film that Film returns, with what only the calls film.detail and movie_detail return: the English
// title, the synopsis and the cast.
func FilmDetail() catalog.FilmDetail {
	film := Film()
	film.EnglishName = "Long Night"
	return catalog.FilmDetail{
		Film: film, Synopsis: "故事",
		Cast: []catalog.CastMember{{AvatarURL: "/a.svg", Name: "甲", Character: "船长"}},
	}
}

// Answer returns a handler that answers with status 200 and a JSON body.
func Answer(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}
}

// Hangs is the name of the broken answer that never comes: TestBrokenAnswers ends the context of the call instead.
const Hangs = "hangs"

// BrokenAnswers returns, by name, handlers that accept a request and do not send a valid answer.
func BrokenAnswers(t *testing.T) map[string]http.HandlerFunc {
	t.Helper()
	ended := make(chan struct{})
	t.Cleanup(func() { close(ended) })
	return map[string]http.HandlerFunc{
		"reset": func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := http.NewResponseController(w).Hijack()
			if assert.NoError(t, err) {
				assert.NoError(t, conn.(*net.TCPConn).SetLinger(0))
				assert.NoError(t, conn.Close())
			}
		},
		Hangs: func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-ended:
			}
		},
		"truncated": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"success":true,"code":0,"da`)
		},
		"HTML":       Answer("<html><body>502 Bad Gateway</body></html>"),
		"status 502": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"a redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		},
		"too large": func(w http.ResponseWriter, _ *http.Request) {
			chunk := make([]byte, 1<<20)
			for range transport.MaxAnswer>>20 + 1 {
				_, _ = w.Write(chunk)
			}
		},
	}
}

// TestBrokenAnswers makes each call with each of the answers. It requires that a command is sent once and has an
// unknown outcome, that a query is unavailable, and that the error does not contain secret. connect returns a client of
// a provider that serves route with the handler.
func TestBrokenAnswers[C any](
	t *testing.T, calls map[string]Call[C], answers map[string]http.HandlerFunc, secret string,
	connect func(t *testing.T, route string, answer http.HandlerFunc) C,
) {
	t.Helper()
	for callName, call := range calls {
		for name, answer := range answers {
			t.Run(callName+" "+name, func(t *testing.T) {
				t.Parallel()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				var received atomic.Int32
				client := connect(t, call.Route, func(w http.ResponseWriter, r *http.Request) {
					received.Add(1)
					if name == Hangs {
						cancel()
					}
					answer(w, r)
				})
				err := call.Do(ctx, client)
				require.Error(t, err)
				want := fault.Unavailable
				if call.Kind == transport.Command {
					want = fault.Unknown
					assert.EqualValues(t, 1, received.Load(), "a command with an unknown outcome is not repeated")
				}
				assert.Equal(t, want, fault.KindOf(err), err.Error())
				assert.NotContains(t, err.Error(), secret)
			})
		}
	}
}

// RequireUnavailable makes each call and requires fault.Unavailable. Use it where no request can be sent, as with
// EndedContext and ClosedAddress.
func RequireUnavailable[C any](ctx context.Context, t *testing.T, calls map[string]Call[C], client C) {
	t.Helper()
	for name, call := range calls {
		require.Equal(t, fault.Unavailable, fault.KindOf(call.Do(ctx, client)), name)
	}
}

// EndedContext returns a context that has ended.
func EndedContext(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// ClosedAddress returns a host and port on which nothing listens.
func ClosedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}
