package app_test

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

type goodsItem struct {
	ID, Img, Title, Price, Product, Fid string
	Type                                int
}

type goodsList struct {
	List  []goodsItem
	Total int
}

type specification struct {
	ID, Sku, Price string
	Stock          int
}

// firstSKU returns the first specification of the goods with the title.
func (b *buyer) firstSKU(title string) specification {
	b.T.Helper()
	all := dataOf[goodsList](b.T, b.call("/Kaquan/lists", params{"pagesize": "100"}))
	for _, g := range all.List {
		if g.Title == title {
			return dataOf[struct{ List []specification }](b.T, b.call("/Kaquan/show", params{"id": g.ID})).List[0]
		}
	}
	b.T.Fatalf("no goods called %s", title)
	return specification{}
}

type cardOrder struct {
	ID        string `json:"id"`
	State     int    `json:"state"`
	StateText string `json:"state_text"`
	Goods     struct {
		Title, Gueige, Img string
		End                int64 `json:"end_time"`
	} `json:"kaquan"`
	Type    int    `json:"type"`
	Total   string `json:"total_fee"`
	Phone   string `json:"phone"`
	Fuli    string `json:"fuli"`
	Class   int    `json:"ord_bs"`
	Refunds []struct{ Kind, State string }
}

type cardOrderPage struct {
	Order cardOrder `json:"kqorder"`
	Codes []struct{ Num, Pass string }
}

func (b *buyer) cardOrder(no string) cardOrderPage {
	b.T.Helper()
	type page struct {
		Order cardOrder                    `json:"kqorder"`
		Codes []struct{ Num, Pass string } `json:"xunika"`
	}
	p := dataOf[page](b.T, b.call("/Dyorder/kqshow", params{"id": no}))
	return cardOrderPage(p)
}

// waitForGoodsState waits until the goods order has the state, and moves business time so that simulated delays pass.
func (b *buyer) waitForGoodsState(no string, state int) cardOrderPage {
	b.T.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for {
		p := b.cardOrder(no)
		if p.Order.State == state {
			return p
		}
		if time.Now().After(deadline) {
			require.Equal(b.T, state, p.Order.State)
		}
		b.AdvanceClock(2 * time.Second)
		<-time.After(50 * time.Millisecond)
	}
}

// prepared is a goods order or a recharge whose payment in the messaging app is prepared.
type prepared struct {
	Params  struct{ Package string } `json:"jsApiParameters"`
	OrderNo string                   `json:"order_no"`
}

// buyerWithCards logs a buyer in, in a shop with demo goods. The buyer has a payment password, an identity of the
// messaging app and two cards: one of 1000 points, one of 1 point.
func buyerWithCards(t *testing.T, phone string) (b *buyer, rich, poor string) {
	t.Helper()
	h := newTestShop(t)
	require.NoError(t, h.Shop.SeedDemo(t.Context(), nil))
	h.issueCard("8010000000000001", 100_000)
	h.issueCard("8010000000000002", 100)
	b = h.newBuyer(phone).login()
	b.setPaymentPassword()
	rich, poor = b.bindCard("8010000000000001"), b.bindCard("8010000000000002")
	b.http.ProveIdentity(b.token, openID)
	return b, rich, poor
}

func TestGoods_ShelvesAndDetail(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	require.NoError(t, h.Shop.SeedDemo(t.Context(), nil))
	require.NoError(t, h.Shop.SeedDemo(t.Context(), nil), "a second seed must change nothing")
	b := h.newBuyer("")
	home := dataOf[struct {
		Classify            []struct{ ID, Name, Img string }
		Lbt                 []struct{ Img string }
		Yinyue, Yuedu, Qita []goodsItem
	}](t, b.call("/Kaquan/index", nil))
	require.Len(t, home.Classify, 7)
	require.NotEmpty(t, home.Lbt, "the banner")
	require.NotEmpty(t, home.Yinyue)
	require.NotEmpty(t, home.Yuedu)
	require.NotEmpty(t, home.Qita, "the other goods")
	for _, other := range home.Qita {
		require.NotContains(t, append(home.Yinyue, home.Yuedu...), other)
	}
	for _, picture := range []string{home.Classify[0].Img, home.Lbt[0].Img, home.Yinyue[0].Img} {
		resp, err := http.Get(b.URL + picture)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, http.StatusOK, resp.StatusCode, picture)
	}
	list := func(path string, fields params) goodsList {
		return dataOf[goodsList](t, b.call(path, fields))
	}
	all := list("/Kaquan/lists", params{"pagesize": "1000000"})
	require.Equal(t, len(all.List), all.Total)
	members, recharges := list("/Kaquan/lists", params{"flag": "1", "pagesize": "100"}), list("/Kaquan/lists",
		params{"flag": "2", "pagesize": "100"})
	require.Equal(t, all.Total, members.Total+recharges.Total)
	require.NotZero(t, recharges.Total)
	ofCategory := list("/Kaquan/lists", params{"fid": home.Classify[1].ID}).List
	require.NotEmpty(t, ofCategory)
	for _, g := range ofCategory {
		require.Equal(t, home.Classify[1].ID, g.Fid)
	}
	require.Len(t, list("/Kaquan/lists", params{"fid": home.Classify[0].ID}).List, 4)
	require.Equal(t, all.List[3:6], list("/Kaquan/lists", params{"pagesize": "3", "pageno": "2"}).List)
	require.Empty(t, list("/Kaquan/lists", params{"pageno": "99"}).List)
	require.Len(t, list("/Kaquan/music", params{"pagesize": "100"}).List, 4)
	reading, tools := list("/Kaquan/read", params{"flag": "1", "pagesize": "500"}), list("/Kaquan/read",
		params{"flag": "2", "pagesize": "500"})
	require.Equal(t, list("/Kaquan/read", nil).Total, reading.Total+tools.Total)
	require.Len(t, dataOf[struct{ List []any }](t, b.call("/Kaquan/classify", nil)).List, 7)
	shown := dataOf[struct {
		Show struct {
			goodsItem
			Gueige, Content, Zxkf string
		}
		List []specification
	}](t, b.call("/Kaquan/show", params{"id": home.Yinyue[1].ID}))
	require.Equal(t, home.Yinyue[1], shown.Show.goodsItem)
	require.Contains(t, shown.Show.Content, "<h3>")
	require.NotEmpty(t, shown.Show.Zxkf, "the link to customer service")
	require.Len(t, shown.List, 3)
	requireFault(t, b.call("/Kaquan/show", params{"id": "99999"}), "goods_not_found")
	requireFault(t, b.call("/Kaquan/show", params{"id": "x"}), "invalid_input")
	requireFault(t, b.call("/Kaquan/read", params{"flag": "3"}), "invalid_input")
	h.Verify()
}

func TestGoods_BoughtByPointsByTheAppAndByBoth(t *testing.T) {
	t.Parallel()
	b, rich, poor := buyerWithCards(t, "13811110040")
	k := b.firstSKU("青鸟音乐豪华会员")
	form := func(more ...string) params {
		f := params{"ggid": k.ID, "number": "1", "position": "1", "phone": "", "pass": password}
		for i := 0; i < len(more); i += 2 {
			f[more[i]] = more[i+1]
		}
		return f
	}
	type paid struct {
		OrderNo string `json:"order_no"`
		State   int    `json:"state"`
	}
	with := dataOf[struct {
		Cards       []struct{ ID string } `json:"card_list"`
		HasPassword bool                  `json:"has_password"`
		OpenID      string                `json:"openid"`
	}](t, b.call("/Film/card", params{"ggid": k.ID}))
	require.Len(t, with.Cards, 2)
	require.True(t, with.HasPassword)
	require.Equal(t, openID, with.OpenID)
	points := dataOf[paid](t, b.call("/Kaquan/flkpay", form("ka_ids", rich)))
	require.Equal(t, 4, points.State)
	p := b.cardOrder(points.OrderNo)
	require.Len(t, p.Codes, 1)
	require.NotEmpty(t, p.Codes[0].Num)
	require.Equal(t, 2, p.Order.Class)
	require.Equal(t, "15.00", p.Order.Total)
	var fuli []struct{ ID, Price string }
	require.NoError(t, json.Unmarshal([]byte(p.Order.Fuli), &fuli))
	require.Equal(t, []struct{ ID, Price string }{{rich, "15.00"}}, fuli)

	app := dataOf[prepared](t, b.call("/Film/wxpay", form("openid", openID)))
	require.Empty(t, b.cardOrder(app.OrderNo).Codes, "an unpaid order must show no code")
	b.PayInApp(app.Params.Package, "pay")
	require.Len(t, b.waitForGoodsState(app.OrderNo, 4).Codes, 1)

	q := dataOf[struct {
		Cards string `json:"dkprice"`
		App   string `json:"wxprice"`
		IDs   string `json:"ka_ids"`
	}](t, b.call("/Kaquan/pay_date", form("fulika", poor)))
	require.Equal(t, "1.00 14.00", q.Cards+" "+q.App)
	both := dataOf[prepared](t, b.call("/Kaquan/wxpay", form("openid", openID, "ka_ids", q.IDs, "wxprice", q.App)))
	b.PayInApp(both.Params.Package, "pay")
	done := dataOf[struct {
		State int
		Order cardOrder
	}](t, b.call("/Kaquan/pay_success", params{"order_no": both.OrderNo}))
	require.Equal(t, 4, done.State)
	require.Contains(t, done.Order.Fuli, `"id":"wx"`)
	numbers := map[string]bool{}
	for _, no := range []string{points.OrderNo, app.OrderNo, both.OrderNo} {
		numbers[b.cardOrder(no).Codes[0].Num] = true
	}
	require.Len(t, numbers, 3, "each order must have a different code")
	// Delivered codes are in the tab of unused orders until they expire.
	for tab, n := range map[string]int{"0": 3, "1": 0, "2": 3, "3": 0} {
		page := dataOf[struct {
			List   []cardOrder
			Counts struct {
				ToUse int `json:"to_use"`
			}
		}](t, b.call("/Dyorder/order", params{"type": tab}))
		require.Len(t, page.List, n, "tab %s", tab)
		require.Equal(t, 3, page.Counts.ToUse)
	}
	b.Verify()
}

func TestGoods_RechargeByAccountRefundedWhenImpossible(t *testing.T) {
	t.Parallel()
	b, rich, poor := buyerWithCards(t, "13811110041")
	k := b.firstSKU("手机话费直充")
	form := params{"ggid": k.ID, "number": "1", "position": "1", "phone": "13900001111", "pass": password,
		"ka_ids": rich}
	good := dataOf[struct {
		OrderNo string `json:"order_no"`
	}](t, b.call("/Film/flkpay", form)).OrderNo
	p := b.waitForGoodsState(good, 4)
	require.Equal(t, "13900001111", p.Order.Phone)
	require.Empty(t, p.Codes)
	form["phone"], form["ka_ids"], form["openid"] = "13900000000", poor, openID
	bad := dataOf[prepared](t, b.call("/Kaquan/wxpay", form))
	b.PayInApp(bad.Params.Package, "pay")
	p = b.waitForGoodsState(bad.OrderNo, 7)
	deadline := time.Now().Add(15 * time.Second)
	for p.Order.StateText != "已退款" && time.Now().Before(deadline) {
		b.AdvanceClock(5 * time.Second)
		<-time.After(50 * time.Millisecond)
		p = b.cardOrder(bad.OrderNo)
	}
	require.Equal(t, "已退款", p.Order.StateText)
	require.Len(t, p.Order.Refunds, 2)
	requireFault(t, b.call("/Dyorder/show", params{"id": good}), "order_not_found")
	b.Verify()
}

func TestGoods_UnpaidOneIsPaidAgainOrCancelled(t *testing.T) {
	t.Parallel()
	b, rich, _ := buyerWithCards(t, "13811110042")
	k := b.firstSKU("晨光咖啡中杯券")
	form := params{"ggid": k.ID, "number": "1", "position": "1", "openid": openID}
	first, second := dataOf[prepared](t, b.call("/Kaquan/wxpay", form)), dataOf[prepared](t,
		b.call("/Kaquan/wxpay", form))
	dataOf[any](t, b.call("/Film/unlockseat", params{"oid": first.OrderNo}))
	require.Equal(t, 2, b.cardOrder(first.OrderNo).Order.State)
	require.Equal(t, k.Stock-1, b.firstSKU("晨光咖啡中杯券").Stock)
	again := dataOf[struct{ State int }](t, b.call("/Film/flkpay",
		params{"oid": second.OrderNo, "ka_ids": rich, "pass": password}))
	require.Equal(t, 4, again.State)
	third := dataOf[prepared](t, b.call("/Kaquan/wxpay", form))
	b.AdvanceClock(16 * time.Minute)
	b.waitForGoodsState(third.OrderNo, 8)
	require.Equal(t, k.Stock-1, b.firstSKU("晨光咖啡中杯券").Stock)
	b.Verify()
}

func TestGoods_BadInput(t *testing.T) {
	t.Parallel()
	b, rich, _ := buyerWithCards(t, "13811110043")
	music, phone, cake := b.firstSKU("青鸟音乐豪华会员"), b.firstSKU("手机话费直充"), b.firstSKU("麦香蛋糕 2 磅兑换券")
	base := params{"ggid": music.ID, "number": "1", "position": "1", "ka_ids": rich, "pass": password, "openid": openID}
	for name, c := range map[string]struct {
		change params
		want   string
	}{
		"unknown":           {params{"ggid": "99999"}, "goods_not_found"},
		"no id":             {params{"ggid": "-1"}, "invalid_input"},
		"two pieces":        {params{"number": "2"}, "quantity_invalid"},
		"no piece":          {params{"number": "0"}, "quantity_invalid"},
		"minus one":         {params{"number": "-1"}, "invalid_input"},
		"another position":  {params{"position": "2"}, "invalid_input"},
		"position zero":     {params{"position": "0"}, "invalid_input"},
		"no account":        {params{"ggid": phone.ID, "phone": "--"}, "recharge_account_required"},
		"unknown card":      {params{"ka_ids": "99999"}, "card_unusable"},
		"malformed card id": {params{"ka_ids": "x"}, "invalid_input"},
		"wrong password":    {params{"pass": "000000"}, "payment_password_wrong"},
		"wrong price":       {params{"wxprice": "0.01"}, "amount_mismatch"},
	} {
		f := params{}
		for k, v := range base {
			f[k] = v
		}
		for k, v := range c.change {
			f[k] = v
		}
		for _, path := range []string{"/Kaquan/flkpay", "/Kaquan/wxpay", "/Film/wxpay"} {
			if name == "wrong price" && path == "/Kaquan/flkpay" {
				continue
			}
			want := c.want
			if name == "wrong password" && path != "/Kaquan/flkpay" {
				want = "app_not_needed" // the points cover the price, which is checked before the password
			}
			a := b.call(path, f)
			requireFault(t, a, want)
			require.NotEmpty(t, a.Msg)
			if want == "payment_password_wrong" {
				require.JSONEq(t, `{"tries_left":4}`, string(a.Data))
			}
		}
	}
	requireFault(t, b.call("/Kaquan/wxpay", params{"ggid": music.ID, "number": "1", "openid": "another"}),
		"openid_unproven")
	mallory := b.newBuyer("13811110044").login()
	mallory.setPaymentPassword()
	requireFault(t, mallory.call("/Kaquan/flkpay", base), "card_unusable")
	own := dataOf[prepared](t, b.call("/Kaquan/wxpay",
		params{"ggid": cake.ID, "number": "1", "openid": openID})).OrderNo
	for path, field := range map[string]string{"/Dyorder/kqshow": "id", "/Kaquan/pay_success": "order_no",
		"/Film/unlockseat": "oid", "/Film/pay_date": "oid"} {
		requireFault(t, mallory.call(path, params{field: own}), "order_not_found")
	}
	require.EqualValues(t, 1, dataOf[struct{ Total int }](t, b.call("/Dyorder/order", nil)).Total,
		"a rejected call must not create an order")
	b.Verify()
}
