package app_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/simulators/wechat"
)

// TestForeignIDs calls every path with the id of another buyer's order. The answer must equal the answer for an id that
// does not exist, and nothing may change.
func TestForeignIDs(t *testing.T) {
	t.Parallel()
	alice, card := buyerWithCard(t, "13811110003")
	alice.http.ProveIdentity(alice.token, openID)
	no := lockLegacy(alice, 0)

	mallory := alice.newBuyer("13811110004").login()
	mallory.setPaymentPassword()
	type call struct {
		path   string
		fields params // "ID" stands for the id
	}
	oid := params{"oid": "ID"}
	calls := []call{
		{"/movie/route/Movie/unorder", oid},
		{"/Film/unlockseat", oid},
		{"/newmovie/seat/cancel", oid},
		{"/newmovie/seat/ticketToken", oid},
		{"/Dyorder/show", params{"id": "ID"}},
	}
	for _, base := range []string{"/movie/route/Movie/", "/Film/"} {
		calls = append(calls,
			call{base + "jsordershow", oid},
			call{base + "pay_date", oid},
			call{base + "flkpay", params{"oid": "ID", "ka_ids": card, "pass": password}},
			call{base + "wxpay", params{"oid": "ID", "openid": openID, "pass": password}},
			call{base + "pay_success", params{"order_no": "ID"}})
	}
	for _, c := range calls {
		var texts []string
		for _, id := range []string{no, "260101000000" + "00000001", "' OR 1=1 --"} {
			fields := params{}
			for k, v := range c.fields {
				if v == "ID" {
					v = id
				}
				fields[k] = v
			}
			a := mallory.call(c.path, fields)
			requireFault(t, a, "order_not_found")
			texts = append(texts, a.Msg)
		}
		require.Equal(t, texts[0], texts[1], "%s: another buyer's order must look like a missing one", c.path)
		require.Equal(t, texts[0], texts[2], c.path)
	}

	own := lockLegacy(mallory, 4)
	requireFault(t, mallory.call("/movie/route/Movie/pay_date", params{"oid": own, "fulika": card}), "card_unusable")
	requireFault(t, mallory.call("/movie/route/Movie/flkpay", params{"oid": own, "ka_ids": card, "pass": password}),
		"card_unusable")
	requireFault(t, mallory.call("/movie/route/Movie/wxpay",
		params{"oid": own, "ka_ids": card, "pass": password, "openid": openID}), "openid_unproven")
	requireFault(t, mallory.call("/movie/route/Movie/wxpay", params{"oid": own, "openid": openID}), "openid_unproven")
	requireFault(t, mallory.call("/api/api.php/Card/addbinding",
		params{"kahao": "8010000000000001", "pass": "12345678"}), "card_bound")
	require.Empty(t, dataOf[struct {
		List []any `json:"card_list"`
	}](t, mallory.call("/api/api.php/Card/lists", nil)).List)
	require.EqualValues(t, 1, dataOf[struct{ Total int }](t, mallory.call("/Dyorder/order", nil)).Total)

	o := alice.order(no)
	require.Equal(t, "N", o.Status, "no rejected call may change anything")
	require.Equal(t, own, orderNo(t, mallory.call("/Film/unpayorder", nil)))
	alice.Verify()
}

// TestForeignIDs_GoodsCardsAndRecharges does the same with another buyer's goods orders, cards and recharges.
func TestForeignIDs_GoodsCardsAndRecharges(t *testing.T) {
	t.Parallel()
	alice, rich, poor := buyerWithCards(t, "13811110060")
	alice.http.ProveIdentity(alice.token, openID)
	cake := alice.firstSKU("麦香蛋糕 2 磅兑换券")
	type prepared struct {
		No string `json:"order_no"`
	}
	goodsOrder := dataOf[prepared](t, alice.call("/Kaquan/wxpay",
		params{"ggid": cake.ID, "number": "1", "openid": openID})).No
	recharge := dataOf[prepared](t, alice.call("/api/api.php/Card/czwxpay",
		params{"num": "5", "card_id": poor, "openid": openID})).No
	before := alice.call("/api/api.php/Card/lists", nil).Data

	mallory := alice.newBuyer("13811110061").login()
	mallory.setPaymentPassword()
	mallory.issueCard("8010000000000009", 100)
	own := mallory.bindCard("8010000000000009")
	mallory.http.ProveIdentity(mallory.token, wechat.UnboundOpenID)
	buy := params{"ggid": cake.ID, "number": "1", "pass": password, "ka_ids": "ID", "fulika": "ID", "openid": openID}
	const noOrder, noCard, noUse = "order_not_found", "card_not_found", "card_unusable"
	for _, c := range []struct {
		path   string
		fields params // "ID" stands for the id
		id     string
		want   string
	}{
		{"/Dyorder/kqshow", params{"id": "ID"}, goodsOrder, noOrder},
		{"/Dyorder/show", params{"id": "ID"}, goodsOrder, noOrder},
		{"/Film/pay_date", params{"oid": "ID"}, goodsOrder, noOrder},
		{"/Film/flkpay", params{"oid": "ID", "ka_ids": own, "pass": password}, goodsOrder, noOrder},
		{"/Film/wxpay", params{"oid": "ID", "openid": openID}, goodsOrder, noOrder},
		{"/Film/unlockseat", params{"oid": "ID"}, goodsOrder, noOrder},
		{"/movie/route/Movie/unorder", params{"oid": "ID"}, goodsOrder, noOrder},
		{"/Kaquan/pay_success", params{"order_no": "ID"}, goodsOrder, noOrder},
		{"/api/api.php/Card/cxpay_success", params{"order_no": "ID"}, recharge, noOrder},
		{"/Kaquan/pay_success", params{"order_no": "ID"}, recharge, noOrder},
		{"/Film/unlockseat", params{"oid": "ID"}, recharge, noOrder},
		{"/Kaquan/pay_date", buy, rich, noUse},
		{"/Kaquan/flkpay", buy, rich, noUse},
		{"/api/api.php/Card/show", params{"khid": "ID"}, rich, noCard},
		{"/api/api.php/Card/consume", params{"khid": "ID"}, rich, noCard},
		{"/api/api.php/Card/recharge", params{"khid": "ID"}, rich, noCard},
		{"/api/api.php/Card/chongzhi", params{"khid": "ID"}, rich, noCard},
		{"/api/api.php/Card/delcard", params{"kid": "ID"}, rich, noCard},
		{"/api/api.php/Card/checkmergecards", params{"fulika": "ID," + own, "pid": "1"}, rich, noUse},
		{"/api/api.php/Card/mergecards", params{"fulika": "ID," + own, "pid": "1", "code": "x"}, rich,
			"merge_code_invalid"},
		{"/api/api.php/Card/czwxpay", params{"num": "5", "card_id": "ID", "openid": wechat.UnboundOpenID}, rich,
			noCard},
	} {
		none := "99999"
		if c.want == noOrder {
			none = "26010100000000000001"
		}
		var texts []string
		for _, id := range []string{c.id, none} {
			fields := params{}
			for k, v := range c.fields {
				fields[k] = strings.ReplaceAll(v, "ID", id)
			}
			a := mallory.call(c.path, fields)
			requireFault(t, a, c.want)
			texts = append(texts, a.Msg)
		}
		require.Equal(t, texts[0], texts[1], "%s: another buyer's id must look like a missing one", c.path)
	}
	require.Equal(t, string(before), string(alice.call("/api/api.php/Card/lists", nil).Data),
		"no rejected call may change anything")
	require.Equal(t, 0, alice.cardOrder(goodsOrder).Order.State)
	alice.Verify()
}

func TestSessions_AnotherBuyersAndOldTokens(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110005").login()
	h.newBuyer("13811110025").login()
	info := dataOf[struct {
		Phone string `json:"phone"`
		All   string `json:"all_phone"`
	}](t, b.call("/newmovie/seat/userinfo", nil))
	require.Equal(t, "138****0005", info.Phone)
	require.Equal(t, "13811110005", info.All)

	h.AdvanceClock(30*24*time.Hour + time.Second)
	requireFault(t, b.call("/newmovie/seat/userinfo", nil), "login_required")
	b.login()
	dataOf[any](t, b.call("/newmovie/seat/userinfo", nil))
	dataOf[any](t, b.call("/Login/logout", nil))
	requireFault(t, b.call("/newmovie/seat/userinfo", nil), "login_required")
}

func TestQuickLogin_ThroughTheMessagingApp(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110006")
	proof := b.http.ProveIdentity(b.token, openID)
	first := dataOf[struct {
		Token string `json:"token"`
		Proof string `json:"yz_code"`
	}](t, b.call("/newmovie/seat/quicklogin", params{"openid": openID, "yz_code": proof}))
	require.Empty(t, first.Token)
	require.Equal(t, proof, first.Proof, "it stays valid for the binding")
	requireFault(t, b.call("/newmovie/seat/quicklogin", params{"openid": openID}), "openid_unproven")

	dataOf[any](t, b.call("/Login/sendcode", params{"phone": b.phone}))
	bound := dataOf[struct{ Token string }](t, b.call("/Login/wxbindingPhone", params{
		"phone": b.phone, "code": b.Code(b.phone), "openid": openID, "yz_code": first.Proof,
	}))
	require.NotEmpty(t, bound.Token)
	again := dataOf[struct{ Token, UID string }](t, b.call("/newmovie/seat/quicklogin", params{
		"openid": openID, "yz_code": b.http.ProveIdentity(b.token, openID),
	}))
	b.token = again.Token
	require.Equal(t, "13811110006", dataOf[struct {
		Phone string `json:"all_phone"`
	}](t, b.call("/newmovie/seat/userinfo", nil)).Phone)
	page := dataOf[struct{ AppID, Signature, NonceStr string }](t,
		b.call("/movie/route/Movie/getLocation", params{"url": b.URL + "/multiplex"}))
	require.Len(t, page.Signature, 40)
	requireFault(t, b.call("/movie/route/Movie/getLocation", params{"url": "https://evil.example/"}), "url_not_allowed")
}

// quickLogin logs in by the stored openid, which proves nothing by itself, and uses the new session from then on.
func (b *buyer) quickLogin(openID string) {
	b.T.Helper()
	got := dataOf[struct{ Token, UID, OpenID string }](b.T,
		b.call("/newmovie/seat/quicklogin", params{"openid": openID}))
	require.NotEmpty(b.T, got.Token)
	require.NotEqual(b.T, b.token, got.Token)
	require.Equal(b.T, openID, got.OpenID)
	b.token = got.Token
	require.Equal(b.T, b.phone, dataOf[struct {
		Phone string `json:"all_phone"`
	}](b.T, b.call("/newmovie/seat/userinfo", nil)).Phone)
}

func TestQuickLogin_ByTheStoredOpenIDOnTheKnownDevice(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	b := h.newBuyer("13811110016").loginInApp()
	b.quickLogin(openID)
	h.AdvanceClock(31 * 24 * time.Hour)
	requireFault(t, b.call("/Member/index", nil), "login_required")
	b.quickLogin(openID) // the session has expired, the device is still known
	requireUnproven := func(b *buyer, why string) {
		t.Helper()
		require.Equal(t, "openid_unproven", b.call("/newmovie/seat/quicklogin", params{"openid": openID}).Error, why)
	}
	requireUnproven(h.newBuyer(b.phone), "another browser")
	requireUnproven(h.newBuyer("13811110017").login(), "the known device of another buyer")

	expired := b.token
	dataOf[any](t, b.call("/Login/logout", nil))
	requireUnproven(b, "logged out")
	b.login()
	b.quickLogin(openID)
	live := b.token
	b.token = expired
	dataOf[any](t, b.call("/Login/logout", nil))
	requireUnproven(b, "logged out with a token that is not live any more")
	b.token = live

	h.AdvanceClock(time.Minute)
	b.login()
	b.quickLogin(openID)
	dataOf[any](t, b.call("/Member/unbindwechat", params{"code": b.ownCode("safety")}))
	requireUnproven(b, "unbound")
	b.http.ProveIdentity(b.token, openID)
	requireUnproven(b, "bound again, without a login since")

	h.AdvanceClock(time.Minute)
	b.login()
	b.quickLogin(openID)
	other := h.newBuyer("13811110018")
	other.http = b.http
	other.login()
	requireUnproven(b, "another buyer has logged in on the device since")
}
