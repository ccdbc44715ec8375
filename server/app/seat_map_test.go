package app_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/app"
	"marquee/server/httpapi"
	"marquee/server/store/postgres/pgtest"
)

// A seat that is locked through the shop is taken in the next seat map that any replica returns, and in the buyer's own
// map it stays free.
func TestSeatMap_ALockShowsAtTheNextPollOfEveryReplica(t *testing.T) {
	t.Parallel()
	var config app.Config
	h := &testShop{harness.New(t, harness.Options{
		DB: pgtest.Shop(t), Begin: harness.Morning(t), Configure: func(cfg *app.Config) { config = *cfg },
	})}
	second, err := app.New(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { assert.NoError(t, second.Close()) })
	b := h.newBuyer("13811110091").login()
	other := h.newBuyer("13811110092").login()
	opiid, seats := b.legacyShowingTomorrow()

	poll := func(replica http.Handler, token string) map[string]int {
		form := harness.Signed(h.Channel(), url.Values{
			"channel_no": {h.Channel().ChannelNo}, "method": {"opi.seat"}, "opiid": {opiid}, "token": {token},
		})
		r := httptest.NewRequest(http.MethodPost, "/movie/route", strings.NewReader(form.Encode()))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		replica.ServeHTTP(w, r)
		var answer struct{ Data httpapi.ShowingSeats }
		require.NoError(t, json.Unmarshal(w.Body.Bytes(), &answer))
		states := map[string]int{}
		for _, seat := range answer.Data.Seats {
			states[seat.ID] = seat.Status
		}
		return states
	}
	replicas := []http.Handler{h.Shop.Handler(), second.Handler()}
	locked := 0
	for _, seat := range seats {
		if seat.Status != 1 || seat.Flag != 0 || locked == 5 {
			continue
		}
		locked++
		for _, replica := range replicas {
			require.Equal(t, 1, poll(replica, "")[seat.ID], "before the lock")
		}
		no := orderNo(t, b.call("/Film/lockseat", b.legacyLockForm(opiid, seat.ID)))
		for i, replica := range replicas {
			require.Equal(t, 0, poll(replica, "")[seat.ID], "a visitor of replica %d", i)
			require.Equal(t, 0, poll(replica, other.token)[seat.ID], "another buyer of replica %d", i)
			require.Equal(t, 1, poll(replica, b.token)[seat.ID], "the buyer of replica %d", i)
		}
		b.call("/Film/unlockseat", params{"oid": no})
	}
	require.Equal(t, 5, locked)
}
