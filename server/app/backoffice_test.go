package app_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/server/backoffice"
	"marquee/server/goods"
	"marquee/server/order"
	"marquee/server/store"
	"marquee/server/store/postgres"
	"marquee/server/store/sqlite"
)

// countAudit counts the audit rows of an actor and an action.
func countAudit(t *testing.T, db, actor, what string) (n int) {
	t.Helper()
	const query = `SELECT count(*) FROM audit WHERE actor = $1 AND what = $2`
	require.NoError(t, openSQL(t, db).QueryRow(query, actor, what).Scan(&n))
	return n
}

func TestBackOffice_EverythingIsAudited(t *testing.T) {
	t.Parallel()
	db := harness.NewDatabase(t)
	h := startTestShop(t, db)
	_, err := h.Shop.BackOffice(" ")
	require.Error(t, err)
	office, err := h.Shop.BackOffice("alice")
	require.NoError(t, err)
	ctx := t.Context()
	require.NoError(t, office.Goods.PutCategory(ctx, goods.Category{Code: "music", Name: "音乐"}))
	require.NoError(t, office.Goods.Put(ctx, "music", goods.Goods{Code: "m", Title: "会员", Type: 2, Shelf: "music",
		Scope: "any", OnSale: true, HTML: `<p>好</p><img src=x onerror="steal()"><script>steal()</script>`}))
	require.NoError(t, office.Goods.PutSKU(ctx, "m", goods.SKU{Code: "m-1", Name: "月卡", OnSale: true}, "9.90"))
	require.NoError(t, office.Goods.Put(ctx, "music", goods.Goods{Code: "phone", Title: "话费", Type: 1,
		Account: goods.PhoneAccount, Shelf: "recharge", Scope: "any", OnSale: true}))
	require.NoError(t, office.Goods.PutSKU(ctx, "phone", goods.SKU{Code: "phone-1", Name: "30 元", OnSale: true},
		"29.85"))
	left, err := office.Goods.CountStock(ctx, "phone-1", 3)
	require.NoError(t, err)
	require.Equal(t, 3, left)
	_, err = office.Goods.AddCodes(ctx, "m-1", strings.NewReader("A,1\nB,2\n"))
	require.NoError(t, err)
	require.NoError(t, office.Goods.WithdrawCode(ctx, "A", "1", "作废"))
	require.NoError(t, office.Content.SetBanners(ctx, "members", strings.NewReader("/a.svg,/musicmember,音乐\n")))
	require.NoError(t, office.Content.SetTiles(ctx, "second", strings.NewReader("/a.svg,券,1.00,/couponsDetail?id=1\n")))
	require.NoError(t, office.Content.SetText(ctx, "binding_guide", "须知", "<p>新</p><script>x</script>"))
	require.Error(t, office.Content.SetBanners(ctx, "nowhere", strings.NewReader("/a.svg,/musicmember,音乐\n")))
	require.Error(t, office.Content.SetText(ctx, "nothing", "须知", "<p>新</p>"))
	require.Equal(t, 1, countAudit(t, db, "admin:alice", "banners.set"), "a rejected change must not be audited")
	require.Equal(t, 1, countAudit(t, db, "admin:alice", "text.set"))
	require.NoError(t, office.Cards.SetPackages(ctx, strings.NewReader("100,98\n")))
	require.NoError(t, office.Cards.Issue(ctx, backoffice.Batch{PID: 1, Count: 2, Points: "10", Days: 30,
		Out: filepath.Join(t.TempDir(), "b.csv")}))
	h.issueCard("8010000000000001", 10_000)
	_, err = office.Cards.Recharge(ctx, backoffice.Adjustment{Number: "8010000000000001", Points: "5", Days: 30,
		Reason: "补偿", Key: "k"})
	require.NoError(t, err)
	require.NoError(t, office.Cards.Freeze(ctx, "8010000000000001", "挂失"))
	require.NoError(t, office.Cards.Unfreeze(ctx, "8010000000000001", "找回"))

	b := h.newBuyer("13811110050").login()
	b.setPaymentPassword()
	card := b.bindCard("8010000000000001")
	code := dataOf[struct{ Card struct{ Code string } }](t,
		b.call("/api/api.php/Card/show", params{"khid": card})).Card.Code
	number, err := office.Cards.NumberOfCode(ctx, code)
	require.NoError(t, err)
	require.Equal(t, "8010000000000001", number)
	all := dataOf[goodsList](t, b.call("/Kaquan/lists", nil))
	require.Len(t, all.List, 2)
	shown := dataOf[struct {
		Show struct{ Content string }
		List []specification
	}](t, b.call("/Kaquan/show", params{"id": all.List[0].ID}))
	require.NotContains(t, shown.Show.Content, "steal")
	require.Contains(t, shown.Show.Content, "<p>好</p>")
	buy := params{"ggid": shown.List[0].ID, "number": "1", "ka_ids": card, "pass": password}
	dataOf[any](t, b.call("/Kaquan/flkpay", buy))
	requireFault(t, b.call("/Kaquan/flkpay", buy), "sold_out")
	text := dataOf[struct{ Single struct{ Content string } }](t, b.call("/api/api.php/Card/bindingcard", nil))
	require.Equal(t, "<p>新</p>", text.Single.Content)
	require.ErrorContains(t, office.Orders.Refund(ctx, "1", "x", false), "order_not_found")
	h.AdvanceClock(time.Second)
	h.Verify()
	h.close()
	for what, n := range map[string]int{
		"category.put": 1, "goods.put": 2, "sku.put": 2, "sku.stock": 1, "codes.added": 1, "code.withdrawn": 1,
		"banners.set": 1, "tiles.set": 1, "text.set": 1, "packages.set": 1,
		"card.issued": 2, "card.adjusted": 1, "card.frozen": 1, "card.active": 1,
	} {
		require.Equal(t, n, countAudit(t, db, "admin:alice", what), what)
	}
}

// The CSV of a batch must have the last day that buyers see, which is in Beijing time.
func TestBackOffice_ABatchNamesTheDayThatBuyersSee(t *testing.T) {
	t.Parallel()
	h := newTestShop(t)
	office, err := h.Shop.BackOffice("alice")
	require.NoError(t, err)
	now := h.Now().UTC()
	// 17:00 UTC is 1:00 of the next day in Beijing time.
	afterMidnight := time.Date(now.Year(), now.Month(), now.Day(), 17, 0, 0, 0, time.UTC)
	if !afterMidnight.After(now) {
		afterMidnight = afterMidnight.AddDate(0, 0, 1)
	}
	h.AdvanceClock(afterMidnight.Sub(now))
	out := filepath.Join(t.TempDir(), "batch.csv")
	require.NoError(t, office.Cards.Issue(t.Context(), backoffice.Batch{PID: 1, Count: 1, Points: "10", Days: 30,
		Out: out}))
	batch, err := os.ReadFile(out)
	require.NoError(t, err)
	require.Contains(t, string(batch), `,"=""`+afterMidnight.AddDate(0, 0, 31).Format(time.DateOnly)+"\"\"\"\n",
		"30 days from the current day in Beijing time")
}

// ordersIn opens the orders of a database of either engine, next to the shop that it belongs to.
func ordersIn(t *testing.T, db string) *store.Orders {
	t.Helper()
	if isPostgres(db) {
		d, err := postgres.Open(t.Context(), db, postgres.Connections(1))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, d.Close()) })
		return d.Orders()
	}
	d, err := sqlite.Open(db, sqlite.NotServing())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d.Orders()
}

func TestBackOffice_WhatIsLeftToAPersonWaitsForOne(t *testing.T) {
	t.Parallel()
	db := harness.NewDatabase(t)
	h := startTestShop(t, db)
	office, err := h.Shop.BackOffice("alice")
	require.NoError(t, err)
	ctx := t.Context()
	now := h.Now()
	require.NoError(t, ordersIn(t, db).Update(ctx, func(tx order.Tx) error {
		for no, state := range map[string]order.PaymentState{"1": order.PaymentDisputed, "2": order.PaymentClosed} {
			o := order.Order{No: no, Kind: order.Recharge, State: order.Pending, Version: 1, UserID: 7, Total: 100,
				CreatedAt: now, UpdatedAt: now}
			p := order.Payment{OrderNo: no, Attempt: 1, State: state, Total: 100, CreatedAt: now,
				Legs: []order.Leg{{Kind: order.ByApp, Amount: 100, OutTradeNo: no + "-1", OpenID: "o-1"}}}
			if err := errors.Join(tx.Orders.Insert(&o), o.MarkExpired(now), tx.Orders.Save(&o),
				tx.Payments.Insert(&p)); err != nil {
				return err
			}
		}
		return nil
	}))
	waiting, err := office.Orders.ToReview(ctx, 100)
	require.NoError(t, err)
	require.Len(t, waiting, 1)
	require.Contains(t, waiting[0].String(), "1 recharge EXPIRED\n  payment_disputed: ")
	require.NoError(t, office.Orders.MarkSettled(ctx, "1", "转账退回", false))
	waiting, err = office.Orders.ToReview(ctx, 100)
	require.NoError(t, err)
	require.Empty(t, waiting)
	require.Equal(t, 1, countAudit(t, db, "admin:alice", "payment.settled"))
}
