package boxoffice_test

import (
	"errors"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

// open opens a box office, and selects one of its showings in a hall of a kind.
func open(t *testing.T, source dataset.Source, kind string) (*testclock.Clock, *boxoffice.Office, dataset.Show) {
	t.Helper()
	clock := testclock.New()
	country := dataset.NewCountry(1, clock)
	return clock, boxoffice.New(country, source), showingIn(t, country, source, kind)
}

// showingIn finds a showing in Shanghai that starts in more than six hours, in a hall of a kind.
func showingIn(t *testing.T, w *dataset.Country, source dataset.Source, kind string) dataset.Show {
	t.Helper()
	city, ok := w.City("310100")
	require.True(t, ok)
	for _, c := range w.Cinemas(source, city) {
		for _, s := range w.Shows(c, "") {
			if s.Hall.Layout.Kind == kind && s.Starts.Sub(w.Now()) > 6*time.Hour && !s.Blocked {
				return s
			}
		}
	}
	t.Fatalf("no screening in a hall %s", kind)
	return dataset.Show{}
}

// states reads the seats of a showing.
func states(t *testing.T, o *boxoffice.Office, show string) map[string]boxoffice.SeatState {
	t.Helper()
	m := map[string]boxoffice.SeatState{}
	_, err := o.Map(show, func(v boxoffice.View) []byte {
		for _, s := range v.Show.Hall.Layout.Seats {
			m[s.ID] = v.Seat(s.Index)
		}
		return nil
	})
	require.NoError(t, err)
	return m
}

// freeSeats finds n free single seats of a showing.
func freeSeats(t *testing.T, o *boxoffice.Office, show dataset.Show, n int) []string {
	t.Helper()
	m := states(t, o, show.ID)
	var ids []string
	for _, s := range show.Hall.Layout.Seats {
		if m[s.ID] == boxoffice.SeatFree && s.Pair == dataset.Single && len(ids) < n {
			ids = append(ids, s.ID)
		}
	}
	require.Len(t, ids, n)
	return ids
}

func TestHold_LocksExpiresAndSells(t *testing.T) {
	t.Parallel()
	clock, office, show := open(t, dataset.Gateway, "激光")
	ids := freeSeats(t, office, show, 2)
	request := boxoffice.HoldRequest{No: "A", ShowID: show.ID, SeatIDs: ids, Life: 15 * time.Minute}

	held, err := office.Hold(request)
	require.NoError(t, err)
	assert.Equal(t, boxoffice.Held, held.State)
	assert.Equal(t, boxoffice.SeatHeld, states(t, office, show.ID)[ids[0]])
	assert.Equal(t, 2*show.Price, held.Amount)

	again, err := office.Hold(request)
	require.NoError(t, err, "the same number and seats again")
	assert.Equal(t, held.ID, again.ID)
	_, err = office.Hold(boxoffice.HoldRequest{No: "B", ShowID: show.ID, SeatIDs: ids[:1], Life: time.Minute})
	require.ErrorIs(t, err, boxoffice.ErrSeatTaken)
	_, err = office.Hold(boxoffice.HoldRequest{No: "A", ShowID: show.ID, SeatIDs: ids[:1], Life: time.Minute})
	require.ErrorIs(t, err, boxoffice.ErrOtherSeats)

	clock.Advance(15*time.Minute + time.Second)
	assert.NotEqual(t, boxoffice.SeatHeld, states(t, office, show.ID)[ids[0]], "the hold ran out")
	order, err := office.Order("A")
	require.NoError(t, err)
	assert.Equal(t, boxoffice.Expired, order.State)
	_, err = office.Confirm("A", held.Amount, false)
	require.ErrorIs(t, err, boxoffice.ErrState)

	ids = freeSeats(t, office, show, 2)
	held, err = office.Hold(boxoffice.HoldRequest{No: "C", ShowID: show.ID, SeatIDs: ids, Life: 15 * time.Minute})
	require.NoError(t, err)
	_, err = office.Confirm("C", held.Amount+1, false)
	require.ErrorIs(t, err, boxoffice.ErrOtherAmount)
	for range 2 {
		sold, err := office.Confirm("C", held.Amount, false)
		require.NoError(t, err)
		assert.Equal(t, boxoffice.Sold, sold.State)
	}
	clock.Advance(time.Hour)
	assert.Equal(t, boxoffice.SeatSold, states(t, office, show.ID)[ids[0]], "sold seats do not expire")
	_, err = office.Release("C")
	require.ErrorIs(t, err, boxoffice.ErrState)

	issuing, first, err := office.Issue("C", 3*time.Second, "")
	require.NoError(t, err)
	assert.True(t, first)
	assert.Equal(t, boxoffice.Issuing, issuing.State)
	clock.Advance(3 * time.Second)
	issued, err := office.Order("C")
	require.NoError(t, err)
	assert.Equal(t, boxoffice.Issued, issued.State)
	assert.Len(t, issued.Tickets, 2)
	assert.NotEmpty(t, issued.SMS)
}

// The time at which an order stopped being Doing must not be taken for the time at which its tickets are issued.
func TestIssue_NeverAfterALockThatWasUndecided(t *testing.T) {
	t.Parallel()
	clock, office, show := open(t, dataset.NewMovie, "激光")
	held, err := office.Hold(boxoffice.HoldRequest{No: "A", ShowID: show.ID, SeatIDs: freeSeats(t, office, show, 1),
		Life: 15 * time.Minute, Doing: time.Second})
	require.NoError(t, err)
	require.Equal(t, boxoffice.Doing, held.State)
	clock.Advance(time.Second)
	_, err = office.Confirm("A", held.Amount, false)
	require.NoError(t, err)
	issuing, _, err := office.Issue("A", -1, "")
	require.NoError(t, err)
	assert.Equal(t, boxoffice.Issuing, issuing.State)
	clock.Advance(time.Hour)
	order, err := office.Order("A")
	require.NoError(t, err)
	assert.Equal(t, boxoffice.Issuing, order.State)
	assert.Empty(t, order.Tickets)
}

func TestHold_RejectsWhatTheHallDoesNotAllow(t *testing.T) {
	t.Parallel()
	_, office, sofa := open(t, dataset.NewMovie, "VIP沙发")
	var left, sofaPair, plain string
	m := states(t, office, sofa.ID)
	for i, s := range sofa.Hall.Layout.Seats {
		if s.Pair == dataset.LeftHalf && m[s.ID] == boxoffice.SeatFree && left == "" {
			left, sofaPair = s.ID, sofa.Hall.Layout.Seats[i+1].ID
		}
		if s.Pair == dataset.Single && m[s.ID] == boxoffice.SeatFree {
			plain = s.ID
		}
	}
	for name, row := range map[string]struct {
		seats []string
		err   error
	}{
		"half a couple": {[]string{left}, boxoffice.ErrHalfPair},
		"two areas":     {[]string{left, sofaPair, plain}, boxoffice.ErrTwoAreas},
		"not a seat":    {[]string{"9999"}, boxoffice.ErrNoSeat},
		"twice":         {[]string{plain, plain}, boxoffice.ErrNoSeat},
		"none":          {nil, boxoffice.ErrNoSeat},
		"five":          {[]string{"1", "2", "3", "4", "5"}, boxoffice.ErrTooMany},
	} {
		_, err := office.Hold(boxoffice.HoldRequest{No: name, ShowID: sofa.ID, SeatIDs: row.seats, OneArea: true,
			Life: time.Minute})
		require.ErrorIs(t, err, row.err, name)
	}
	_, err := office.Hold(boxoffice.HoldRequest{No: "pair", ShowID: sofa.ID, SeatIDs: []string{sofaPair, left},
		OneArea: true, Life: time.Minute})
	require.NoError(t, err)
	_, err = office.Hold(boxoffice.HoldRequest{No: "no show", ShowID: "1", SeatIDs: []string{left}})
	require.ErrorIs(t, err, boxoffice.ErrNoShow)
}

func TestCrowd_OtherPeopleBuyAsTimePasses(t *testing.T) {
	t.Parallel()
	clock, office, show := open(t, dataset.Gateway, "激光")
	sold := func() (n int) {
		for _, s := range states(t, office, show.ID) {
			if s == boxoffice.SeatSold {
				n++
			}
		}
		return n
	}
	before := sold()
	clock.Advance(show.Starts.Sub(clock.Now()))
	assert.Greater(t, sold(), before)
	other := boxoffice.New(dataset.NewCountry(1, clock), dataset.Gateway)
	assert.Equal(t, states(t, office, show.ID), states(t, other, show.ID), "the others follow from the seed alone")
}

func TestHold_RejectedOnceTheProviderStoppedSelling(t *testing.T) {
	t.Parallel()
	clock, office, show := open(t, dataset.Gateway, "激光")
	clock.Advance(show.Starts.Sub(clock.Now()) - 9*time.Minute)
	_, err := office.Hold(boxoffice.HoldRequest{No: "late", ShowID: show.ID, SeatIDs: freeSeats(t, office, show, 1),
		Life: time.Minute})
	require.ErrorIs(t, err, boxoffice.ErrClosed)
}

func TestOffice_MemoryIsBoundedAndSoldSeatsAreNotForgotten(t *testing.T) {
	t.Parallel()
	clock, office, kept := open(t, dataset.Gateway, "激光")
	ids := freeSeats(t, office, kept, 2)
	order, err := office.Hold(boxoffice.HoldRequest{No: "kept", ShowID: kept.ID, SeatIDs: ids, Life: 15 * time.Minute})
	require.NoError(t, err)
	_, err = office.Confirm("kept", order.Amount, false)
	require.NoError(t, err)
	w := dataset.NewCountry(1, clock)
	city, _ := w.City("110100")
	asked := 0
	for _, c := range w.Cinemas(dataset.Gateway, city) {
		for _, s := range w.Shows(c, "") {
			states(t, office, s.ID)
			asked++
		}
		if asked > 1000 {
			break
		}
	}
	shows, maps := office.Remembered()
	assert.Less(t, shows, 300)
	assert.LessOrEqual(t, maps, 24)
	assert.Equal(t, boxoffice.SeatSold, states(t, office, kept.ID)[ids[0]])
}

func TestOffice_OrdersAreBoundedAndThoseUnderWayAreKept(t *testing.T) {
	t.Parallel()
	clock, office, show := open(t, dataset.Gateway, "激光")
	clock.Freeze()
	office.Keep(20)
	ids := freeSeats(t, office, show, 24)
	hold := func(no, seat string) error {
		_, err := office.Hold(boxoffice.HoldRequest{No: no, ShowID: show.ID, SeatIDs: []string{seat},
			Life: 15 * time.Minute})
		return err
	}
	require.NoError(t, hold("issued", ids[0]))
	bought, err := office.Order("issued")
	require.NoError(t, err)
	_, err = office.Confirm("issued", bought.Amount, false)
	require.NoError(t, err)
	_, _, err = office.Issue("issued", 0, "")
	require.NoError(t, err)
	require.NoError(t, hold("held", ids[1]))
	for i := range 500 {
		no := strconv.Itoa(i)
		require.NoError(t, hold(no, ids[2]))
		_, err := office.Release(no)
		require.NoError(t, err)
		require.LessOrEqual(t, len(office.Orders()), 20)
		clock.Advance(time.Second)
	}
	for _, no := range []string{"issued", "held", "499"} {
		_, err := office.Order(no)
		require.NoError(t, err, no)
	}
	_, err = office.Order("0")
	require.ErrorIs(t, err, boxoffice.ErrNoOrder, "what came to nothing goes first")

	for i, seat := range ids[2:20] {
		require.NoError(t, hold("live"+strconv.Itoa(i), seat))
	}
	require.ErrorIs(t, hold("one too many", ids[21]), boxoffice.ErrFull, "tickets for a showing to come are kept")
	assert.Equal(t, boxoffice.SeatFree, states(t, office, show.ID)[ids[21]])
	clock.Advance(15 * time.Minute)
	require.NoError(t, hold("one too many", ids[21]), "holds that ran out make room")
	_, err = office.Order("issued")
	require.NoError(t, err)

	// Tickets of a showing that has started are evicted if there are no other finished orders. Their seats stay sold.
	country := dataset.NewCountry(1, clock)
	clock.Advance(show.Starts.Sub(clock.Now()))
	later := showingIn(t, country, dataset.Gateway, "激光")
	for i, seat := range freeSeats(t, office, later, 20) {
		_, err := office.Hold(boxoffice.HoldRequest{No: "later" + strconv.Itoa(i), ShowID: later.ID,
			SeatIDs: []string{seat}, Life: 15 * time.Minute})
		require.NoError(t, err)
	}
	_, err = office.Order("issued")
	require.ErrorIs(t, err, boxoffice.ErrNoOrder)
	assert.Equal(t, boxoffice.SeatSold, states(t, office, show.ID)[ids[0]])
}

func TestHold_OfManyBuyersOneWins(t *testing.T) {
	t.Parallel()
	_, office, show := open(t, dataset.Gateway, "激光")
	seat := freeSeats(t, office, show, 1)
	var won, taken atomic.Int64
	var buyers sync.WaitGroup
	for i := range 64 {
		buyers.Go(func() {
			_, err := office.Hold(boxoffice.HoldRequest{No: strconv.Itoa(i), ShowID: show.ID, SeatIDs: seat,
				Life: time.Minute})
			switch {
			case err == nil:
				won.Add(1)
			case errors.Is(err, boxoffice.ErrSeatTaken):
				taken.Add(1)
			}
		})
	}
	buyers.Wait()
	assert.Equal(t, int64(1), won.Load())
	assert.Equal(t, int64(63), taken.Load())
}

func TestMap_OfAShowingThatChangesOftenIsNeverEmpty(t *testing.T) {
	t.Parallel()
	_, office, show := open(t, dataset.Gateway, "激光")
	seat := freeSeats(t, office, show, 1)
	for i := range 60 {
		no := "26010100000000" + strconv.Itoa(100+i)
		_, err := office.Hold(boxoffice.HoldRequest{No: no, ShowID: show.ID, SeatIDs: seat, Mobile: "13800000001",
			Life: time.Minute})
		require.NoError(t, err)
		_, err = office.Release(no)
		require.NoError(t, err)
		encoded, err := office.Map(show.ID, func(boxoffice.View) []byte { return []byte("map") })
		require.NoError(t, err)
		require.Equal(t, "map", string(encoded), "after %d changes", 2*i+2)
	}
}
