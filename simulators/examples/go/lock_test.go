// Package lock shows a test of a client of the legacy gateway: an isolated world for the test, signed calls, a fault
// planned for one of them, and the journal to verify it. Copy the test next to your client, and call your client
// instead of the function call.
package lock_test

import (
	"crypto/md5"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
)

func TestALockWhoseAnswerIsLostIsFoundByItsNumber(t *testing.T) {
	t.Parallel()
	w := simulators.NewWorld(t) // only this test uses its seats, clock, faults and journal

	show, seat := freeSeat(t, w)
	_, err := w.Faults().Add(faults.Fault{Provider: "gateway", Operation: "seat.lock", Do: faults.ActThenReset,
		Times: 1})
	require.NoError(t, err)

	err = call(w, "seat.lock", url.Values{"orderno": {"A1"}, "opiid": {show}, "seatids": {seat},
		"mobile": {"13900000007"}}, nil)
	require.Error(t, err, "the gateway locked the seat, and the connection was reset before it said so")

	var order struct{ State string }
	require.NoError(t, call(w, "order.query", url.Values{"orderno": {"A1"}}, &order))
	require.Equal(t, "LOCKED", order.State, "so a client must ask before it tries again")

	w.Clock().Advance(15 * time.Minute) // business time; the test does not wait
	require.NoError(t, call(w, "order.query", url.Values{"orderno": {"A1"}}, &order))
	require.Equal(t, "EXPIRED", order.State)

	faulted := w.Journal().Entries(journal.Filter{Operation: "seat.lock", Verdict: journal.Faulted})
	require.Len(t, faulted, 1)
	require.Contains(t, faulted[0].Request, "orderno=A1")
	require.Equal(t, 2, w.Journal().Count(journal.Filter{Operation: "order.query"}))
}

// freeSeat finds a showing with a single seat that is for sale.
func freeSeat(t *testing.T, w *simulators.World) (show, seat string) {
	t.Helper()
	var cinemas struct{ CinemaList []struct{ CinemaID string } }
	require.NoError(t, call(w, "cinema.list", url.Values{"cityid": {"310100"}}, &cinemas))
	var shows struct{ OpiList []struct{ OpiID string } }
	require.NoError(t, call(w, "opi.list.v2", url.Values{"cinemaid": {cinemas.CinemaList[0].CinemaID}}, &shows))
	for _, s := range slices.Backward(shows.OpiList) { // the latest ones have the most seats left
		var hall struct {
			SeatList []struct {
				SeatID       string
				Status, Flag int
			}
		}
		require.NoError(t, call(w, "opi.seat", url.Values{"opiid": {s.OpiID}}, &hall))
		for _, c := range hall.SeatList {
			if c.Status == 1 && c.Flag == 0 {
				return s.OpiID, c.SeatID
			}
		}
	}
	t.Fatal("everything is sold")
	return "", ""
}

// call is a minimal client of the gateway: it signs and sends one call, and decodes the data of the answer into into.
func call(w *simulators.World, method string, form url.Values, into any) error {
	keys := w.Credentials().Gateway
	form.Set("method", method)
	form.Set("appkey", keys.AppKey)
	form.Set("v", "2.0")
	form.Set("timestamp", time.Now().In(time.FixedZone("CST", 8*60*60)).Format(time.DateTime))
	text := keys.Secret
	for _, name := range slices.Sorted(maps.Keys(form)) {
		text += name + form.Get(name)
	}
	sum := md5.Sum([]byte(text + keys.Secret)) // the digest of the protocol
	form.Set("sign", strings.ToUpper(hex.EncodeToString(sum[:])))

	response, err := http.PostForm(w.URL()+"/gateway", form)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer := struct {
		Data  any
		Error *struct{ Code, Msg string }
	}{Data: into}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Error != nil {
		return fmt.Errorf("%s: %s %s", method, answer.Error.Code, answer.Error.Msg)
	}
	return nil
}
