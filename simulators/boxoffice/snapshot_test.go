package boxoffice_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

func TestOfficeState_ALoadedOfficeIsTheSavedOne(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	clock.Freeze()
	w := dataset.NewCountry(3, clock)
	office := boxoffice.New(w, dataset.Gateway)
	city, _ := w.City("310100")
	shows := w.Shows(w.Cinemas(dataset.Gateway, city)[0], "")
	for i, show := range shows[len(shows)-5:] {
		for j, seat := range show.Hall.Layout.Seats[20:60] {
			if seat.Pair != 0 {
				continue
			}
			no := show.ID + "-" + seat.ID
			if _, err := office.Hold(boxoffice.HoldRequest{No: no, ShowID: show.ID, SeatIDs: []string{seat.ID},
				Mobile: "13900000001", Life: time.Duration(j+1) * time.Minute}); err != nil {
				continue
			}
			order, err := office.Order(no)
			require.NoError(t, err)
			if j%3 == i%3 {
				_, err = office.Confirm(no, order.Amount, j%2 == 0)
				assert.Equal(t, j%2 == 0, err != nil)
				_, _, _ = office.Issue(no, time.Duration(j)*time.Minute, "")
			}
		}
		// if it is free
		_ = office.SellToOthers(show.ID, []string{show.Hall.Layout.Seats[70%len(show.Hall.Layout.Seats)].ID})
	}
	clock.Advance(20 * time.Minute)
	saved := office.Save()
	require.NotEmpty(t, saved.Orders)
	text, err := json.Marshal(saved)
	require.NoError(t, err)
	var read boxoffice.Snapshot
	require.NoError(t, json.Unmarshal(text, &read))
	loaded := boxoffice.New(dataset.NewCountryAsOf(3, clock, w.Founded()), dataset.Gateway)
	require.NoError(t, loaded.Load(read))
	for range 5 {
		one, err := json.Marshal(office.Save())
		require.NoError(t, err)
		other, err := json.Marshal(loaded.Save())
		require.NoError(t, err)
		require.JSONEq(t, string(one), string(other), "now and later")
		clock.Advance(7 * time.Minute)
	}
	read.Orders[0].SeatIDs = []string{"none"}
	require.ErrorContains(t, boxoffice.New(w, dataset.Gateway).Load(read), "none")
	read.Seats[0].Seats = "x" + read.Seats[0].Seats[1:]
	require.ErrorContains(t, boxoffice.New(w, dataset.Gateway).Load(read), "state")
}

func TestOfficeState_OrdersThatContradictOneAnotherAreRejected(t *testing.T) {
	t.Parallel()
	clock := testclock.New()
	clock.Freeze()
	country := dataset.NewCountry(3, clock)
	office := boxoffice.New(country, dataset.Gateway)
	city, _ := country.City("310100")
	shows := country.Shows(country.Cinemas(dataset.Gateway, city)[0], "")
	show := shows[len(shows)-1]
	var orders []string
	for _, seat := range show.Hall.Layout.Seats {
		_, err := office.Hold(boxoffice.HoldRequest{No: "N" + seat.ID, ShowID: show.ID, SeatIDs: []string{seat.ID},
			Mobile: "13900000001", Life: time.Hour})
		if err == nil {
			orders = append(orders, "N"+seat.ID)
		}
		if len(orders) == 2 {
			break
		}
	}
	require.Len(t, orders, 2)
	for says, damage := range map[string]func(s *boxoffice.Snapshot){
		"appears twice":            func(s *boxoffice.Snapshot) { s.Orders[1].No = s.Orders[0].No },
		"is that of another order": func(s *boxoffice.Snapshot) { s.Orders[1].ID = s.Orders[0].ID },
		"has no number":            func(s *boxoffice.Snapshot) { s.Orders[1].No = "" },
		"a seat is not in the map": func(s *boxoffice.Snapshot) { s.Orders[1].SeatIDs = nil },
		"seats A,A":                func(s *boxoffice.Snapshot) { s.Orders[1].SeatIDs = []string{"A", "A"} },
		"also belongs to order":    func(s *boxoffice.Snapshot) { s.Orders[1].SeatIDs = s.Orders[0].SeatIDs },
		"is not held or sold": func(s *boxoffice.Snapshot) {
			s.Seats[0].Seats = strings.ReplaceAll(s.Seats[0].Seats, "h", "f")
		},
		"held, but does not belong to an order": func(s *boxoffice.Snapshot) { s.Orders = s.Orders[:1] },
	} {
		saved := office.Save()
		damage(&saved)
		require.ErrorContains(t, boxoffice.New(country, dataset.Gateway).Load(saved), says)
	}
	require.NoError(t, boxoffice.New(country, dataset.Gateway).Load(office.Save()))
}
