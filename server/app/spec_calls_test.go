package app_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The calls below have exactly the fields that the specification lists for them.

func TestSpecCalls_PayDateAndPaySuccessOfGoods(t *testing.T) {
	t.Parallel()
	b, rich, _ := buyerWithCards(t, "13811110040")
	sku := b.firstSKU("青鸟音乐豪华会员")
	quoted := params{"fulika": rich, "ggid": sku.ID, "number": "1", "position": "1"}
	for _, path := range []string{"/Film/pay_date", "/Kaquan/pay_date"} {
		quote := dataOf[map[string]string](t, b.call(path, quoted))
		require.Equal(t, sku.Price, quote["dkprice"], path)
		require.Equal(t, "0.00", quote["wxprice"], path)
		require.Equal(t, rich, quote["ka_ids"], path)
	}
	no := dataOf[prepared](t, b.call("/Kaquan/wxpay", params{
		"ka_ids": "", "openid": openID, "ggid": sku.ID, "number": "1", "phone": "", "position": "1",
	}))
	ended := func() (state int) {
		t.Helper()
		return dataOf[struct{ State int }](t, b.call("/Kaquan/pay_success", params{"order_no": no.OrderNo})).State
	}
	require.Equal(t, 0, ended())
	b.PayInApp(no.Params.Package, "pay")
	require.Eventually(t, func() bool { return ended() == 4 }, 20*time.Second, 20*time.Millisecond,
		"calls within a second share a query")
	b.Verify()
}

func TestSpecCalls_PaySuccessOfAFilm(t *testing.T) {
	t.Parallel()
	b, card := buyerWithCard(t, "13811110041")
	no := lockLegacy(b, 0)
	ended := func() string {
		t.Helper()
		return dataOf[struct{ Orderstatus string }](t, b.call("/Film/pay_success", params{"order_no": no})).Orderstatus
	}
	require.Equal(t, "N", ended())
	dataOf[any](t, b.call("/Film/flkpay", params{"oid": no, "ka_ids": card, "pass": password}))
	b.waitForStatus(no, "S")
	require.Equal(t, "S", ended())
}

// Reads of the new provider accept a bearer token and answer the same without one and with one that is not live.
func TestSpecCalls_NewMovieReadsWithABearer(t *testing.T) {
	t.Parallel()
	b := newTestShop(t).newBuyer("13811110042").login()
	path := "/newmovie/api/movie/cinema_shows?cinemaId=" + b.cinemaOf(2).ID2
	plain := b.get(path)
	require.Empty(t, plain.Error)
	for _, token := range []string{b.token, "not-live"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL+path, nil)
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		var answer struct {
			Code any
			Data json.RawMessage
		}
		require.NoError(t, json.NewDecoder(resp.Body).Decode(&answer))
		require.NoError(t, resp.Body.Close())
		require.EqualValues(t, 0, answer.Code)
		require.JSONEq(t, string(plain.Data), string(answer.Data))
	}
}
