package app_test

import (
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/demo"
	"marquee/server/money"
)

func TestCards_OverHTTP(t *testing.T) {
	t.Parallel()
	b, rich, poor := buyerWithCards(t, "13811110045")
	type shown struct {
		Num  string `json:"card_num"`
		Card struct {
			ID, Price, Code string
			EndTime         int64 `json:"end_time"`
		}
	}
	card := dataOf[shown](t, b.call("/api/api.php/Card/show", params{"khid": rich}))
	require.Equal(t, "8010000000000001", card.Num)
	require.Equal(t, "1000.00", card.Card.Price)
	issuedUntil := b.Now().Add(400 * 24 * time.Hour).Unix()
	require.InDelta(t, issuedUntil, card.Card.EndTime, time.Hour.Seconds(), "unix seconds")
	id, err := b.Shop.Cards().CardOfCode(card.Card.Code)
	require.NoError(t, err)
	require.Equal(t, rich, strconv.FormatInt(id, 10))

	guide := dataOf[struct {
		Single    struct{ Title, Content string }
		Signature string
	}](t, b.call("/api/api.php/Card/bindingcard", params{"url": b.URL + "/bindingCard"}))
	require.Equal(t, "绑定须知", guide.Single.Title)
	require.NotEmpty(t, guide.Signature)
	requireFault(t, b.call("/api/api.php/Card/bindingcard", params{"url": "https://evil.example/"}), "url_not_allowed")

	b.issueCard("8010000000000003", 100)
	scanned := dataOf[struct{ ID string }](t,
		b.call("/api/api.php/Card/scanbinding", params{"content": "8010000000000003:12345678"})).ID
	require.Equal(t, "8010000000000003",
		dataOf[shown](t, b.call("/api/api.php/Card/show", params{"khid": scanned})).Num)
	requireFault(t, b.call("/api/api.php/Card/scanbinding", params{"content": "?"}), "scan_unreadable")

	offer := dataOf[struct {
		Taocan []struct{ ID, Num, Price, Danjia string }
	}](t, b.call("/api/api.php/Card/chongzhi", params{"khid": poor}))
	require.Len(t, offer.Taocan, 5)
	pack := offer.Taocan[1]
	for _, f := range []params{
		{"num": pack.Num, "price": pack.Price, "card_id": poor, "openid": openID, "taocan": pack.ID},
		{"num": pack.Num, "price": pack.Price, "card_id": poor, "openid": openID}, // the specification's fields
		{"num": "12.34", "price": "12.34", "card_id": poor, "openid": openID},
	} {
		o := dataOf[prepared](t, b.call("/api/api.php/Card/czwxpay", f))
		b.PayInApp(o.Params.Package, "pay")
		done := dataOf[struct{ State int }](t, b.call("/api/api.php/Card/cxpay_success", params{"order_no": o.OrderNo}))
		require.Equal(t, 4, done.State)
		requireFault(t, b.call("/Kaquan/pay_success", params{"order_no": o.OrderNo}), "order_not_found")
	}
	for _, num := range []string{"0", "0.99", "10000", "-5", "1.001", "1e3", "", "9999.01"} {
		form := params{"num": num, "card_id": poor, "openid": openID}
		requireFault(t, b.call("/api/api.php/Card/czwxpay", form), "recharge_points_invalid")
	}
	requireFault(t, b.call("/api/api.php/Card/czwxpay",
		params{"num": "5", "price": "4", "card_id": poor, "openid": openID}), "amount_mismatch")
	requireFault(t, b.call("/api/api.php/Card/czwxpay", params{"num": "5", "card_id": "99999", "openid": openID}),
		"card_not_found")
	require.Equal(t, "213.34", dataOf[shown](t, b.call("/api/api.php/Card/show", params{"khid": poor})).Card.Price)
	records := dataOf[struct {
		List []struct {
			Flag  int
			Price string
		}
		Total int
	}](t, b.call("/api/api.php/Card/recharge", params{"khid": poor, "pageno": "1", "pagesize": "10000"}))
	require.Equal(t, 3, records.Total)
	require.Equal(t, 2, records.List[0].Flag)
	require.Equal(t, "12.34", records.List[0].Price)
	require.Zero(t, dataOf[struct{ Total int }](t, b.call("/api/api.php/Card/consume", params{"khid": poor})).Total)
	require.Zero(t, dataOf[struct{ Total int }](t, b.call("/api/api.php/Card/recharge", params{"khid": rich})).Total,
		"the records are those of the other card")
	requireFault(t, b.call("/api/api.php/Card/delcard", params{"kid": poor}), "card_has_balance")

	check := dataOf[struct {
		Gone  string `json:"del_ka_str"`
		Kept  string `json:"hb_ka_str"`
		Sum   string `json:"hb_ka_price"`
		Moves string `json:"del_ka_price"`
		Code  string
	}](t, b.call("/api/api.php/Card/checkmergecards", params{"fulika": rich + "," + poor, "pid": "1"}))
	require.Equal(t, "8010000000000002 8010000000000001 213.34 1213.34",
		check.Gone+" "+check.Kept+" "+check.Moves+" "+check.Sum)
	merge := params{"fulika": rich + "," + poor, "pid": "1", "code": check.Code}
	mallory := b.newBuyer("13811110046").login()
	requireFault(t, mallory.call("/api/api.php/Card/checkmergecards", merge), "card_unusable")
	requireFault(t, mallory.call("/api/api.php/Card/show", params{"khid": rich}), "card_not_found")
	requireFault(t, mallory.call("/api/api.php/Card/delcard", params{"kid": rich}), "card_not_found")
	requireFault(t, mallory.call("/api/api.php/Card/recharge", params{"khid": rich}), "card_not_found")
	require.Equal(t, rich, dataOf[struct{ ID string }](t, b.call("/api/api.php/Card/mergecards", merge)).ID)
	require.Equal(t, "1213.34", dataOf[shown](t, b.call("/api/api.php/Card/show", params{"khid": rich})).Card.Price)
	requireFault(t, b.call("/api/api.php/Card/show", params{"khid": poor}), "card_not_found")
	require.Equal(t, "1.00", dataOf[shown](t, b.call("/api/api.php/Card/show", params{"khid": scanned})).Card.Price)
	requireFault(t, b.call("/api/api.php/Card/mergecards", merge), "merge_code_invalid")
	requireFault(t, b.call("/api/api.php/Card/checkmergecards", params{"fulika": rich, "pid": "1"}), "merge_too_few")
	requireFault(t, b.call("/api/api.php/Card/checkmergecards", params{"fulika": rich + "," + poor, "pid": "3"}),
		"merge_mixed_types")
	b.Verify()
}

func TestSeed_TheWorldsCouponsBindByTheirCode(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	var coupons []demo.Card
	for _, c := range h.Sims.Default().Credentials().Coupons {
		coupons = append(coupons, demo.Card(c))
	}
	require.NoError(t, h.Shop.SeedDemo(t.Context(), coupons))
	b := h.newBuyer("13811110047").login()
	first, second := h.Sims.Default().Credentials().Coupons[0], h.Sims.Default().Credentials().Coupons[1]
	dataOf[any](t, b.call("/api/api.php/Card/scanbinding", params{"content": first.Pass}))
	dataOf[any](t, b.call("/api/api.php/Card/addbinding", params{"kahao": second.Pass, "pass": second.Pass}))
	n, err := h.Shop.Cards().Count(t.Context(), 1)
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestCards_RecordsOfALongHistory(t *testing.T) {
	t.Parallel()
	b, id := buyerWithCard(t, "13811110096")
	card, err := strconv.ParseInt(id, 10, 64)
	require.NoError(t, err)
	const recharges = 12
	for i := range recharges {
		_, err := b.Shop.CardIssuer().Adjust(t.Context(), cards.Adjustment{
			Key: strconv.Itoa(i), CardID: card, Points: money.Points(100 * (i + 1)), Life: 24 * time.Hour, Reason: "补偿",
			Actor: "test",
		})
		require.NoError(t, err)
	}
	type record struct {
		Flag  int
		Price string
	}
	type list struct {
		List  []record
		Total int
	}
	all := dataOf[list](t, b.call("/api/api.php/Card/recharge", params{"khid": id, "pageno": "1", "pagesize": "10000"}))
	require.Equal(t, recharges, all.Total)
	require.Len(t, all.List, recharges, "the specification's page size holds the entire history")
	require.Equal(t, record{3, "12.00"}, all.List[0], "newest first")
	for page, want := range map[string][]record{"1": all.List[:10], "2": {{3, "2.00"}, {3, "1.00"}}, "3": {}} {
		got := dataOf[list](t, b.call("/api/api.php/Card/recharge",
			params{"khid": id, "pageno": page, "pagesize": "10"}))
		require.Equal(t, list{want, recharges}, got, "page %s", page)
	}
}

func TestCards_UnusableOverHTTP(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	h.issueCard("8010000000000012", 100)
	b := h.newBuyer("13811110095").login()
	id := b.bindCard("8010000000000012")
	type list struct {
		Cards []struct {
			ID, Num string
			PID     int
			EndTime int64 `json:"end_time"`
			Flag    int
		} `json:"card_list"`
	}
	require.Empty(t, dataOf[list](t, b.call("/api/api.php/Card/nucard", nil)).Cards)
	for range 6 { // an account that is idle for 90 days is dormant
		h.AdvanceClock(67 * 24 * time.Hour)
		b.login()
	}
	unusable := dataOf[list](t, b.call("/api/api.php/Card/nucard", nil)).Cards
	require.Len(t, unusable, 1)
	require.Equal(t, id, unusable[0].ID)
	require.Equal(t, "8010000000000012", unusable[0].Num)
	require.Equal(t, 4, unusable[0].Flag)
	require.Less(t, unusable[0].EndTime, h.Now().Unix())
	require.Empty(t, dataOf[list](t, b.call("/api/api.php/Card/lists", nil)).Cards)
}
