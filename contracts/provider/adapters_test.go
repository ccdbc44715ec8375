// Package provider_test verifies the providers of the contracts. This file needs no pact library: it runs the shop's
// clients against the simulators on real sockets, with failures that a pact cannot express.
package provider_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
	"marquee/server/order"
	"marquee/server/providers/legacygateway"
	"marquee/server/providers/newmovie"
	"marquee/server/providers/transport"
	"marquee/simulators"
	"marquee/simulators/faults"
)

// patience bounds waits and calls that are not meant to time out. A loaded machine may take many times as long as an
// idle one.
const patience = time.Minute

// failing plans a fault for the next call of an operation.
func failing(t *testing.T, s *simulators.Simulators, provider, operation, do string) {
	t.Helper()
	_, err := s.Default().Faults().Add(faults.Fault{Provider: provider, Operation: operation, Do: do, Times: 1})
	require.NoError(t, err)
}

// source is a ticketing source and a way to find a free pair of seats in it.
type source struct {
	order.TicketSource
	name, lock, issue string // of the provider and its operations in faults
	shows             func(*testing.T) []catalog.Show
}

func sourcesOf(t *testing.T, s *simulators.Simulators, timeout time.Duration) []source {
	t.Helper()
	k := s.Default().Credentials()
	old, err := legacygateway.New(
		legacygateway.Config{
			BaseURL:    s.URL() + "/gateway",
			AppKey:     k.Gateway.AppKey,
			Secret:     k.Gateway.Secret,
			Operations: transport.Operations{Limit: timeout},
		},
	)
	require.NoError(t, err)
	newer, err := newmovie.New(newmovie.Config{
		BaseURL: s.URL() + "/newmovie", EntID: k.NewMovie.EntID, AppSecret: k.NewMovie.AppSecret,
		Now: s.Default().Clock().Now, Operations: transport.Operations{Limit: timeout}, Poll: 10 * time.Millisecond,
	})
	require.NoError(t, err)
	return []source{
		{old, "gateway", "seat.lock", "order.create", func(t *testing.T) []catalog.Show {
			list, err := old.Cinemas(t.Context(), "310100", "")
			require.NoError(t, err)
			shows, err := old.Showings(t.Context(), list.Cinemas[0].ID, "", "")
			require.NoError(t, err)
			return shows.Shows
		}},
		{newer, "newmovie", "order/lock", "order/submit", func(t *testing.T) (all []catalog.Show) {
			cities, err := newer.Cities(t.Context())
			require.NoError(t, err)
			for _, c := range cities {
				if c.ID != "310100" {
					continue
				}
				list, err := newer.Cinemas(t.Context(), c.NewMovieID, "")
				require.NoError(t, err)
				shows, err := newer.CinemaShows(t.Context(), list.Cinemas[0].ID, "")
				require.NoError(t, err)
				for _, f := range shows.Films {
					all = append(all, f.Shows...)
				}
			}
			return all
		}},
	}
}

// pair is a request for two free single seats of one area, of a showing that starts in a day or later.
func (s source) pair(t *testing.T, no string) order.LockRequest {
	t.Helper()
	for _, show := range s.shows(t) {
		if time.Until(show.Starts) < 24*time.Hour {
			continue
		}
		m, err := s.SeatMap(t.Context(), show.ID)
		require.NoError(t, err)
		var seats []catalog.Seat
		for _, seat := range m.Seats {
			if seat.Available && seat.Pair == catalog.Single && (len(seats) == 0 || seats[0].AreaID == seat.AreaID) {
				seats = append(seats, seat)
			}
			if len(seats) == 2 {
				return order.LockRequest{OrderNo: no, Show: m.Show, Seats: seats, Mobile: "13900000001"}
			}
		}
	}
	require.Fail(t, "no free pair")
	return order.LockRequest{}
}

// A call that changes something and whose answer is lost has an unknown outcome. The query reports that it took effect,
// and a repetition has no second effect.
func TestAdapters_LostAnswersAreUnknownAndThenFound(t *testing.T) {
	t.Parallel()
	for _, do := range []string{"act-then-reset", "act-then-hang", "truncate", "malformed"} {
		t.Run(do, func(t *testing.T) {
			t.Parallel()
			sims := simulators.StartForTest(t)
			for _, s := range sourcesOf(t, sims, 2*time.Second) {
				no := "adapters" + s.name
				req := s.pair(t, no)
				failing(t, sims, s.name, s.lock, do)
				_, err := s.Lock(t.Context(), req)
				require.Equal(t, fault.Unknown, fault.KindOf(err), "%s: %v", s.name, err)
				sims.Default().Clock().Advance(10 * time.Second) // the lock at newmovie may still be in the state DOING
				known, err := s.Query(t.Context(), no)
				require.NoError(t, err, s.name)
				require.Equal(t, order.ProviderLocked, known.State, s.name)
				lock, err := s.Lock(t.Context(), req)
				require.NoError(t, err, s.name)
				require.Equal(t, known.ProviderNo, lock.ProviderNo, s.name)

				failing(t, sims, s.name, s.issue, do)
				issue := order.IssueRequest{OrderNo: no, Amount: lock.Total, Mobile: "13900000001"}
				require.Equal(t, fault.Unknown, fault.KindOf(s.Issue(t.Context(), issue)), s.name)
				require.NoError(t, s.Issue(t.Context(), issue), s.name)
				sims.Default().Clock().Advance(10 * time.Second)
				require.NoError(t, s.Issue(t.Context(), issue), "%s: again, after the tickets came", s.name)
				known, err = s.Query(t.Context(), no)
				require.NoError(t, err, s.name)
				require.Equal(t, order.ProviderIssued, known.State, s.name)
				require.NotEmpty(t, known.Tickets, s.name)
			}
		})
	}
}

func TestAdapters_NewMovie_LateLocksAndStaleTokens(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	s := sourcesOf(t, sims, patience)[1]
	req := s.pair(t, "late1")
	failing(t, sims, "newmovie", s.lock, "doing-late")
	stop := make(chan struct{})
	go func() { // business time passes while the adapter polls
		for {
			select {
			case <-stop:
				return
			case <-time.After(5 * time.Millisecond):
				sims.Default().Clock().Advance(5 * time.Second)
			}
		}
	}()
	_, err := s.Lock(t.Context(), req)
	close(stop)
	require.NoError(t, err)

	failing(t, sims, "newmovie", s.lock, "doing-never")
	req = s.pair(t, "late2")
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second) // the lock must have been sent by then
	defer cancel()
	_, err = s.Lock(ctx, req)
	require.Equal(t, fault.Unknown, fault.KindOf(err))

	failing(t, sims, "newmovie", "order/query", "token-expired")
	_, err = s.Query(t.Context(), "late1")
	require.NoError(t, err, "the token was renewed")
}

// newInbox receives what a provider pushes. The channel has the result of parse for each push.
func newInbox(t *testing.T, parse func(*http.Request) error) (box *httptest.Server, outcomes chan error) {
	t.Helper()
	outcomes = make(chan error, 16)
	box = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		err := parse(r)
		outcomes <- err
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = w.Write([]byte("success"))
	}))
	t.Cleanup(box.Close)
	return box, outcomes
}

func next(t *testing.T, outcomes chan error) error {
	t.Helper()
	select {
	case err := <-outcomes:
		return err
	case <-time.After(patience):
		require.Fail(t, "nothing came")
		return nil
	}
}

func TestAdapters_LegacyGateway_Pushes(t *testing.T) {
	t.Parallel()
	sims := simulators.StartForTest(t)
	s := sourcesOf(t, sims, patience)[0]
	gateway := s.TicketSource.(*legacygateway.Client)
	var got order.ProviderOrder
	var last url.Values
	box, outcomes := newInbox(t, func(r *http.Request) (err error) {
		if err = r.ParseForm(); err != nil {
			return err
		}
		last = r.PostForm
		got, err = gateway.VerifyPush(r.PostForm)
		return err
	})
	sims.Default().SetPush(box.URL)
	buy := func(no string) {
		lock, err := s.Lock(t.Context(), s.pair(t, no))
		require.NoError(t, err)
		require.NoError(
			t,
			s.Issue(t.Context(), order.IssueRequest{OrderNo: no, Amount: lock.Total, Mobile: "13900000001"}),
		)
		sims.Default().Clock().Advance(5 * time.Second)
	}
	buy("push1")
	require.NoError(t, next(t, outcomes))
	assert.Equal(t, "push1", got.OrderNo)
	assert.Equal(t, order.ProviderIssued, got.State)
	assert.NotEmpty(t, got.Tickets)

	failing(t, sims, "gateway", "ticket.push", "push-bad-signature")
	buy("push2")
	require.ErrorIs(t, next(t, outcomes), legacygateway.ErrPushRejected)
	sims.Default().Clock().Advance(20 * time.Second)
	require.NoError(t, next(t, outcomes), "the gateway tries again, properly signed")
	last.Set("state", "FAILED")
	_, err := gateway.VerifyPush(last)
	require.ErrorIs(t, err, legacygateway.ErrPushRejected)
}
