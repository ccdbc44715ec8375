package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/goods"
	"marquee/server/order"
)

// A call is rejected for a session that has less access than its route requires, whatever else the form contains.
func TestCalls_WithLimitedAccessOrByLink(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	for _, rt := range buyerRoutes(t) {
		fields := map[string]string{"token": goodToken}
		r.accounts.access = account.LimitedAccess
		require.Equal(t, !rt.traits.has(anyAccess), r.form(t, rt.path, fields).Error == "access_limited", rt.path)
		r.accounts.access = account.LinkAccess
		byLink := rt.traits.has(trusted) || rt.path == "/Member/changephone" // its handler checks the access
		require.Equal(t, byLink, r.form(t, rt.path, fields).Error == "link_unconfirmed", rt.path)
	}
}

func TestLimitedAccess_PaysWithoutCards(t *testing.T) {
	t.Parallel()
	r := newHarness(t, nil)
	r.accounts.access = account.LimitedAccess
	for path, fields := range map[string]map[string]string{
		"/Film/pay_date":             {"oid": "1", "fulika": "7"},
		"/Film/wxpay":                {"oid": "1", "ka_ids": "7", "pass": "246810", "openid": "o", "wxprice": "1"},
		"/movie/route/Movie/wxpay":   {"oid": "1", "ka_ids": "7", "pass": "246810", "openid": "o"},
		"/Kaquan/wxpay":              {"ggid": "1", "ka_ids": "7", "pass": "246810", "openid": "o"},
		"/Kaquan/pay_date":           {"ggid": "1", "fulika": "7"},
		"/Member/securitycode":       {"purpose": "safety"},
		"/movie/route/Movie/flkpay":  {"oid": "1", "ka_ids": "7", "pass": "246810"},
		"/api/api.php/Card/czwxpay":  {"card_id": "7", "num": "100", "openid": "o"},
		"/api/api.php/Card/lists":    {},
		"/api/api.php/Card/nucard":   {},
		"/api/api.php/Card/show":     {"khid": "7"},
		"/api/api.php/Card/chongzhi": {"khid": "7"},
		"/Member/getsendcode":        {},
		"/Member/editpassword":       {"code": "123456", "password": "246810"},
	} {
		fields["token"] = goodToken
		require.Equal(t, "access_limited", r.form(t, path, fields).Error, path)
	}
	cards := r.form(t, "/Film/card", map[string]string{"token": goodToken})
	require.JSONEq(t, `{"card_list":[]}`, string(cards.Data))
}

// With limited access, the codes and the account of an order are hidden, unless the order was made with limited access
// by the same holder of the phone.
func TestLimitedAccess_HidesWhatWasDelivered(t *testing.T) {
	t.Parallel()
	since := time.Unix(1_700_000_000, 0)
	session := account.Session{
		User: account.User{ID: 1, UnprovenSince: since}, Access: account.LimitedAccess, OpenID: "of-the-session",
	}
	r := &request{Request: (&http.Request{}).WithContext(t.Context()), session: session, user: session.User}
	shown := func(limited bool, at time.Time) (ticket, voucher string) {
		snapshot := order.Snapshot{LimitedAccess: limited, Goods: &order.BoughtGoods{Account: "13900000009"}}
		o := order.Order{
			No: "1", State: order.Issued, CreatedAt: at, Snapshot: snapshot, SMS: "票码123456", ProviderNo: "P123456",
			Tickets: []order.TicketCode{{Name: "取票码", Code: "123456"}},
		}
		d := order.Details{
			Order: o, Legs: []order.Leg{{Kind: order.ByCard, CardID: 7, Title: "超级卡（尾号0001）"}},
			Refunds: []order.Refund{{Kind: order.ByCard, Title: "超级卡（尾号0001）"}},
		}
		text := func(v any) string {
			b, err := json.Marshal(v)
			require.NoError(t, err)
			return string(b)
		}
		legs := text(newLegs(r, d.Legs)) + text(newRefunds(r, d.Refunds))
		return text(newTicketOrder(r, o)) + legs, text(newGoodsOrder(r, d)) + legs
	}
	for _, hidden := range []struct {
		limited bool
		at      time.Time
	}{{false, since.Add(time.Hour)}, {true, since.Add(-time.Second)}, {false, since.Add(-time.Hour)}} {
		ticket, voucher := shown(hidden.limited, hidden.at)
		for _, text := range []string{ticket, voucher} {
			require.Contains(t, text, `"hidden":true`)
			require.NotContains(t, text, "123456")
			require.NotContains(t, text, "13900000009")
			require.NotContains(t, text, "0001")
		}
	}
	ticket, voucher := shown(true, since)
	require.Contains(t, ticket, "123456")
	require.Contains(t, voucher, "13900000009")
	require.NotContains(t, ticket+voucher, `"hidden":true`)

	r.session.Access = account.FullAccess
	ticket, voucher = shown(false, since.Add(-time.Hour))
	require.Contains(t, ticket, "123456")
	require.Contains(t, ticket, "尾号0001")
	require.Contains(t, voucher, "13900000009")
}

// fakeLimited has one order of each kind, with everything that limited access must not show.
type fakeLimited struct {
	OrderReader
	goods bool
}

func (f fakeLimited) Order(context.Context, int64, string) (order.Details, error) {
	o := order.Order{No: "1", Kind: order.Ticket, State: order.Issued, Source: 2}
	if f.goods {
		o.Kind, o.Snapshot.Goods = order.Goods, &order.BoughtGoods{Type: goods.VirtualCode}
	}
	return order.Details{Order: o}, nil
}

func TestLimitedAccess_ShowsNeitherVouchersNorTicketPages(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.Orders = fakeLimited{goods: true} })
	r.accounts.access = account.LimitedAccess
	voucher := r.form(t, "/Dyorder/kqshow", map[string]string{"token": goodToken, "id": "1"})
	require.Contains(t, voucher.Body, `"hidden":true`)
	require.Contains(t, voucher.Body, `"xunika":[]`, "the store of the codes is not asked: it would panic")
	require.Contains(t, voucher.Body, `"openid":"of-the-session"`)

	r = newHarness(t, func(c *Config) { c.Orders = fakeLimited{} })
	r.accounts.access = account.LimitedAccess
	page := r.form(t, "/newmovie/seat/ticketToken", map[string]string{"token": goodToken, "oid": "1"})
	require.Equal(t, "access_limited", page.Error)
}

func TestMember_ReportsWhatTheSessionMayDo(t *testing.T) {
	t.Parallel()
	r := newHarness(t, func(c *Config) { c.CardCounter = counted(3) })
	member := func(access account.Access) string {
		r.accounts.access = access
		return r.form(t, "/newmovie/seat/userinfo", map[string]string{"token": goodToken}).Body
	}
	for _, access := range []account.Access{account.FullAccess, account.LinkAccess} {
		require.Contains(t, member(access), `"card_num":3`)
		require.Contains(t, member(access), "/avatars/own.jpg")
	}
	require.NotContains(t, member(account.FullAccess), "access")
	require.Contains(t, member(account.LinkAccess), `"access":"link"`)
	limited := member(account.LimitedAccess)
	require.Contains(t, limited, `"card_num":0`)
	require.NotContains(t, limited, "own.jpg")
	require.Contains(t, limited, `"access":"limited"`)
	require.True(t, strings.Contains(limited, buyerPhone))
}

// counted is a number of cards.
type counted int

func (c counted) Count(context.Context, int64) (int, error) { return int(c), nil }
