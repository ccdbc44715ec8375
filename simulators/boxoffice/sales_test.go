package boxoffice_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/boxoffice"
	"marquee/simulators/dataset"
	"marquee/simulators/testclock"
)

func TestMap_OfAShowingThatChangesOftenIsNeverEmpty(t *testing.T) {
	t.Parallel()
	w := dataset.NewCountry(1, testclock.New())
	office := boxoffice.New(w, dataset.Gateway)
	show := hall(t, w, dataset.Gateway, "激光")
	seat := freeSeats(t, office, show, 1)
	for i := range 60 {
		no := "26010100000000" + strconv.Itoa(100+i)
		_, err := office.Hold(boxoffice.HoldRequest{No: no, ShowID: show.ID, SeatIDs: seat, Mobile: "13800000001", Life: time.Minute})
		require.NoError(t, err)
		_, err = office.Release(no)
		require.NoError(t, err)
		encoded, err := office.Map(show.ID, func(boxoffice.View) []byte { return []byte("map") })
		require.NoError(t, err)
		require.Equal(t, "map", string(encoded), "after %d changes", 2*i+2)
	}
}
