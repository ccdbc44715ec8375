package legacygateway_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/simulators/dataset"
	"marquee/simulators/faults"
	"marquee/simulators/journal"
	"marquee/simulators/legacygateway"
)

func TestSignature_TheTimestampHasOneForm(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	now := time.Now().In(time.FixedZone("", 8*60*60))
	for _, layout := range []string{"2006-01-02 15:04:05.0", "2006-01-02T15:04:05", "2006-01-02 15:04:05 ",
		time.RFC3339, "20060102150405"} {
		form := r.form("city.list")
		form.Set("timestamp", now.Format(layout))
		code, _ := r.send(r.sign(form))
		assert.Equal(t, "1006", code, layout)
	}
	form := r.form("city.list")
	form.Set("timestamp", now.Format(time.DateTime))
	code, _ := r.send(r.sign(form))
	assert.Empty(t, code)
}

func TestLock_AFaultWaitsForAFirstRequest(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	show := r.Show(dataset.Gateway, "激光")
	seats := r.free(show)
	lock := func(no, seat string) string {
		code, _ := r.call("seat.lock", "orderno", no, "opiid", show.ID, "seatids", seat, "mobile", "13812345678")
		return code
	}
	assert.Empty(t, lock("first", seats[0]))
	r.Fault(legacygateway.Name, faults.Fault{Operation: "seat.lock", Do: "seat-taken", Times: 1})
	assert.Empty(t, lock("first", seats[0]), "the same lock again is the same order")
	assert.Equal(t, "3001", lock("second", seats[1]), "the fault was not spent on a repetition")
}

func TestPush_ARedirectIsNotAnAnswer(t *testing.T) {
	t.Parallel()
	r := startGateway(t, legacygateway.Dialect{})
	var followed atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.URL.Path == "/push" {
			http.Redirect(w, q, "/elsewhere", http.StatusFound)
			return
		}
		followed.Store(true)
		_, _ = w.Write([]byte("success"))
	}))
	t.Cleanup(server.Close)
	r.pushURL = server.URL + "/push"
	r.issued("P1")
	assert.False(t, followed.Load(), "a signed push does not follow a redirect")
	failed := r.Journal.Entries(journal.Filter{Operation: "ticket.push", Verdict: journal.Failed})
	require.NotEmpty(t, failed)
	assert.Contains(t, failed[0].Reason, "302")
}
