package catalog_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/catalog"
	"marquee/server/fault"
)

func TestFilms_AreKeptForAMinute(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	read := func() error {
		_, err := s.Films(t.Context(), "310100")
		return err
	}
	require.NoError(t, read())
	require.NoError(t, read())
	require.EqualValues(t, 1, src.reads.Load())
	src.clock.Advance(time.Minute)
	require.NoError(t, read())
	require.Eventually(t, func() bool { return src.reads.Load() == 2 }, time.Minute, time.Millisecond,
		"the old answer is returned while one read replaces it")
	src.clock.Advance(-time.Hour)
	require.NoError(t, read())
	require.EqualValues(t, 3, src.reads.Load(), "an answer with a later time is not used")
}

func TestFilms_StaleOnesAreBetterThanNone(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	_, err := s.Films(t.Context(), "310100")
	require.NoError(t, err)
	for i, silent := range []error{fault.ErrUnavailable, fault.ErrBadAnswer, fault.ErrUnknown} {
		src.clock.Advance(10 * time.Minute)
		src.fail("newmovie", silent)
		for range 3 {
			films, err := s.Films(t.Context(), "310100")
			require.NoError(t, err, silent)
			require.Len(t, films, 1)
		}
		require.EqualValues(t, 2+i, src.reads.Load(), "a read that failed is not repeated at once")
	}
	src.clock.Advance(10 * time.Minute)
	src.fail("newmovie", catalog.ErrCityNotFound)
	_, err = s.Films(t.Context(), "310100")
	require.ErrorIs(t, err, catalog.ErrCityNotFound, "a definite answer counts")
	src.fail("newmovie", fault.ErrUnavailable)
	src.clock.Advance(21 * time.Minute)
	_, err = s.Films(t.Context(), "310100")
	require.ErrorIs(t, err, fault.ErrUnavailable, "too old")
}

func TestFilms_ReadersShareOneCallAndOneLeavingFailsNoOther(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	src.entered, src.gate = make(chan struct{}, 16), make(chan struct{})
	impatient, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	go func() {
		_, err := s.Films(impatient, "310100")
		left <- err
	}()
	<-src.entered
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
	results := make(chan error, 8)
	for range 8 {
		go func() {
			_, err := s.Films(t.Context(), "310100")
			results <- err
		}()
	}
	close(src.gate)
	for range 8 {
		require.NoError(t, <-results)
	}
	require.LessOrEqual(t, src.reads.Load(), int32(2))
}

func TestFilms_OfACityThatOnlyTheOtherSourceServes(t *testing.T) {
	t.Parallel()
	s, _ := newService(t)
	films, err := s.Films(t.Context(), "500000")
	require.NoError(t, err)
	require.Equal(t, []string{"f1", "legacy7"}, filmIDs(films), "coming films are not showing")
	coming, err := s.ComingFilms(t.Context(), "500000")
	require.NoError(t, err)
	require.Equal(t, []string{"f9"}, filmIDs(coming))
	_, err = s.Films(t.Context(), "nowhere")
	require.True(t, errors.Is(err, catalog.ErrCityNotFound))
}

func filmIDs(films []catalog.Film) (list []string) {
	for _, f := range films {
		list = append(list, f.ID)
	}
	return list
}

// Newmovie lists films on pre-sale among those that it sells; the shop lists them among the coming ones.
func TestFilms_ThoseOnPreSaleAreComing(t *testing.T) {
	t.Parallel()
	s, src := newService(t)
	films, err := s.Films(t.Context(), "310100")
	require.NoError(t, err)
	require.Equal(t, []string{"f1"}, filmIDs(films))
	coming, err := s.ComingFilms(t.Context(), "310100")
	require.NoError(t, err)
	require.Equal(t, []string{"f4", "f2", "f3"}, filmIDs(coming), "each once, by the days of their openings")
	src.fail("newmovie", fault.ErrUnavailable)
	coming, err = s.ComingFilms(t.Context(), "330100")
	require.NoError(t, err)
	require.Equal(t, []string{"f4", "f3"}, filmIDs(coming), "half of them is better than none")
}
