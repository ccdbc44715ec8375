package cards_test

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/cards"
	"marquee/server/durations"
	"marquee/server/money"
)

// ofShop treats the URLs of one host as those of the shop.
func ofShop(u *url.URL) bool { return u.Host == "shop.example" }

func TestReadScan_WhatCodesCarry(t *testing.T) {
	t.Parallel()
	const number = "8010000012345678"
	for content, want := range map[string]cards.Scanned{
		number + ":5678":                                    {Number: number, Password: "5678"},
		number + "：5678":                                    {Number: number, Password: "5678"},
		" 8010 0000 1234 5678 : 5678 ":                      {Number: number, Password: "5678"},
		"８０１００００01２345678:\u200b５678":                       {Number: number, Password: "5678"},
		"CODE_128,ABCDEFGHJKLM":                             {Coupon: "ABCDEFGHJKLM"},
		"QR_CODE,abcd-efgh-jklm":                            {Coupon: "ABCDEFGHJKLM"},
		"ABCDEFGHJKLM":                                      {Coupon: "ABCDEFGHJKLM"},
		"https://shop.example/?code=abcd12345":              {Coupon: "ABCD12345"},
		"http://any.example/b?kahao=" + number + "&pass=12": {Number: number, Password: "12"},
		"abcdefgh2345:ABCDEFGH2345":                         {Number: "ABCDEFGH2345", Password: "ABCDEFGH2345"},
	} {
		got, err := cards.ReadScan(content, ofShop)
		require.NoError(t, err, content)
		assert.Equal(t, want, got, content)
	}
	for _, content := range []string{
		"", ":", "8000:", ":12", "http://x/?kahao=8000", "https://x/", "short", "有中文的内容啊啊", "http://%zz", strings.Repeat("A", 65),
		strings.Repeat("1", 100) + ":" + strings.Repeat("2", 100),
		"6901234567892", "EAN_13,6901234567892", "12345678", "012345678905", "UPC_A,012345678905", number,
		"https://u.wechat.example/MAbCdEfGh123", "https://other.example/?code=ABCD12345", "https://shop.example.evil/?code=ABCD12345",
		"weixin://wxpay/bizpayurl?code=ABCD12345", "WIFI:S:home;T:WPA;P:secret;;", "tel:13800000000", "6901234567892:1234",
		"https://other.example/?kahao=6901234567892&pass=1234",
	} {
		_, err := cards.ReadScan(content, ofShop)
		assert.ErrorIs(t, err, cards.ErrScanUnreadable, content)
	}
}

// Input is normalized before it is compared, and a malformed number does not count as a try.
func TestBind_ReadsWhatIsTyped(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	c := f.issue(t, 1, cards.SuperCard, 100, year)
	require.NoError(t, f.Issue(t.Context(), []cards.NewCard{{PID: cards.MovieVoucher, Number: "9071000000000001",
		Password: "7WHUGT7LVJ7K", Coupon: "7WHUGT7LVJ7K", Points: 100, ExpiresAt: noon.Add(year)}}, "admin:1"))
	bind := func(number, password string) error { _, err := f.Bind(t.Context(), 7, number, password); return err }
	for range 2 * cards.MaxTries {
		for _, number := range []string{"", "6901234567892", "801000000000000", "80100000000000012", "https://x/?code=ABCD1234",
			"ABC1234", "卡"} {
			require.ErrorIs(t, bind(number, "right"), cards.ErrCardNotFound, number)
		}
		_, err := f.BindScanned(t.Context(), 7, "https://other.example/?code=ABCD12345", ofShop)
		require.ErrorIs(t, err, cards.ErrScanUnreadable)
		_, err = f.BindCoupon(t.Context(), 7, "1234567890123")
		require.ErrorIs(t, err, cards.ErrCardNotFound)
	}
	for _, number := range []string{
		c.Number, " 8000 0000 0000 0001", "8000-0000-0000-0001", "８０００００００００００００01", "\u202d8000000000000001\u202c",
	} {
		require.NoError(t, bind(number, " right\u200b"), number)
	}
	require.ErrorIs(t, bind(c.Number, "RIGHT"), cards.ErrCardNotFound, "the password of a card counts with its case")
	for _, code := range []string{"7whugt7lvj7k", "7Whu-Gt7l-Vj7k", "７ＷＨＵＧＴ７ＬＶＪ７Ｋ"} {
		require.NoError(t, bind(code, code), code)
		require.NoError(t, bind("9071000000000001", code), "its number and, as the password, its code: %s", code)
		_, err := f.BindCoupon(t.Context(), 7, code)
		require.NoError(t, err, code)
		_, err = f.BindScanned(t.Context(), 7, "https://shop.example/couponCode?code="+url.QueryEscape(code), ofShop)
		require.NoError(t, err, code)
	}
}

func (f *fixture) coupon(t *testing.T, n int, code string) cards.NewCard {
	t.Helper()
	c := cards.NewCard{PID: cards.MovieVoucher, Number: "900000000000000" + string(rune('0'+n)), Password: "right", Coupon: code,
		Points: 100, ExpiresAt: noon.Add(year)}
	require.NoError(t, f.Issue(t.Context(), []cards.NewCard{c}, "admin:1"))
	return c
}

func TestCoupon_BindsByItselfAndAsANumber(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.coupon(t, 1, "COUPONCODE01")
	f.coupon(t, 2, "COUPONCODE02")
	first, err := f.BindScanned(t.Context(), 7, "COUPONCODE01", ofShop)
	require.NoError(t, err)
	again, err := f.BindCoupon(t.Context(), 7, "COUPONCODE01")
	require.NoError(t, err)
	assert.Equal(t, first, again)
	_, err = f.BindCoupon(t.Context(), 8, "COUPONCODE01")
	assert.ErrorIs(t, err, cards.ErrCardBound)
	_, err = f.Bind(t.Context(), 8, "COUPONCODE02", "wrong")
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
	_, err = f.Bind(t.Context(), 8, "COUPONCODE02", "right")
	assert.NoError(t, err)
	err = f.Issue(t.Context(), []cards.NewCard{{PID: 7, Number: "1", Password: "p", Coupon: "COUPONCODE01", Points: 1,
		ExpiresAt: noon.Add(year)}}, "admin:1")
	assert.ErrorIs(t, err, cards.ErrCardExists, "one code, one card")
	for range cards.MaxTries - 1 {
		_, err = f.BindCoupon(t.Context(), 9, "NOSUCHCODE00")
		assert.ErrorIs(t, err, cards.ErrCardNotFound)
	}
	_, err = f.BindCoupon(t.Context(), 9, "NOSUCHCODE00")
	assert.ErrorIs(t, err, cards.ErrCardLocked, "codes are not guessed")
}

func TestCoupon_RedeemedTwiceAtOnceHasOneWinner(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.coupon(t, 1, "COUPONCODE01")
	var won atomic.Int64
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			_, err := f.BindCoupon(context.Background(), int64(100+i), "COUPONCODE01")
			switch {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, cards.ErrCardBound):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	assert.EqualValues(t, 1, won.Load())
}

func TestCode_IsShortLivedAndNotForged(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	code := f.Code(42)
	id, err := f.CardOfCode(code)
	require.NoError(t, err)
	assert.EqualValues(t, 42, id)
	assert.Regexp(t, `^(\d\d){14,17}$`, code, "pairs of digits, which a bar code packs")
	last := strconv.Itoa(9 - int(code[len(code)-1]-'0'))
	for _, bad := range []string{"", "A", "7", "-" + code, "-" + code[1:], code[:len(code)-1],
		code[:len(code)-1] + last, "00" + code,
		code + code, strings.Repeat("9", 1_000_000)} {
		_, err = f.CardOfCode(bad)
		assert.ErrorIs(t, err, cards.ErrCardNotFound, bad[:min(len(bad), 80)])
	}
	f.advance(durations.CardCode)
	_, err = f.CardOfCode(code)
	assert.NoError(t, err)
	f.advance(time.Second)
	_, err = f.CardOfCode(code)
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
}

func TestDelete_OnlyAnEmptyCardOfTheBuyer(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	full := f.bound(t, 1, cards.SuperCard, 100, year)
	old := f.bound(t, 2, cards.SuperCard, 100, time.Hour)
	assert.ErrorIs(t, f.Delete(t.Context(), 7, full), cards.ErrCardHasBalance)
	assert.ErrorIs(t, f.Delete(t.Context(), 8, full), cards.ErrCardNotFound)
	assert.ErrorIs(t, f.Delete(t.Context(), 7, 999), cards.ErrCardNotFound)
	f.advance(time.Hour) // what expired does not keep a card
	require.NoError(t, f.Delete(t.Context(), 7, old))
	assert.ErrorIs(t, f.Delete(t.Context(), 7, old), cards.ErrCardNotFound)
	gone, err := f.Unusable(t.Context(), 7)
	require.NoError(t, err)
	assert.Empty(t, gone)
}

func TestRecords_ShowWhatABuyerMayKnow(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 1000, year)
	require.NoError(t, f.update(func(tx cards.Tx) error {
		spend := cards.Spend{LegID: 1, CardID: id, Actor: "test", At: noon}
		if err := errors.Join(cards.Reserve(tx, spend, 40), cards.Commit(tx, spend)); err != nil {
			return err
		}
		other := cards.Spend{LegID: 2, CardID: id, Actor: "test", At: noon}
		return errors.Join(cards.Reserve(tx, other, 30), cards.Release(tx, other), cards.Refund(tx, spend, 1, "退款"),
			cards.Recharge(tx, cards.Credit{Key: "r", CardID: id, Points: 500, Paid: 400, At: noon}))
	}))
	_, err := f.Adjust(t.Context(), cards.Adjustment{Key: "a", CardID: id, Points: -7, Reason: "更正", Actor: "admin:1"})
	require.NoError(t, err)
	lines := func(events []cards.Event, page, size int) (flags []int, points []money.Points, total int) {
		list, total, err := f.Records(t.Context(), 7, id, events, page, size)
		require.NoError(t, err)
		for _, r := range list {
			flags, points = append(flags, r.Event.RecordFlag()), append(points, r.Points)
		}
		return flags, points, total
	}
	flags, points, total := lines(cards.Consumption, 1, 10)
	assert.Equal(t, []int{4, 1}, flags)
	assert.Equal(t, []money.Points{-7, -40}, points)
	assert.Equal(t, 2, total)
	flags, points, _ = lines(cards.Recharges, 1, 10)
	assert.Equal(t, []int{2, 3}, flags)
	assert.Equal(t, []money.Points{500, 40}, points)
	flags, _, total = lines(cards.Recharges, 2, 1)
	assert.Equal(t, []int{3}, flags)
	assert.Equal(t, 2, total)
	flags, _, _ = lines(cards.Recharges, 9, 10)
	assert.Empty(t, flags)
	_, _, err = f.Records(t.Context(), 8, id, cards.Recharges, 1, 10)
	assert.ErrorIs(t, err, cards.ErrCardNotFound)
	require.NoError(t, f.update(func(tx cards.Tx) (err error) {
		for i := range 100 {
			credit := cards.Credit{Key: fmt.Sprint("more", i), CardID: id, Points: 5, Paid: 4, At: noon}
			err = errors.Join(err, cards.Recharge(tx, credit))
		}
		return err
	}))
	flags, _, total = lines(cards.Recharges, 1, 1_000_000)
	assert.Len(t, flags, 100, "the largest page")
	assert.Equal(t, 102, total)
}

func TestPriced_PackagesAndCustomPoints(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	assert.ErrorIs(t, f.SetPackages(t.Context(), []cards.Package{{Points: 1}}, "admin:1"), cards.ErrCardInvalid)
	require.NoError(t, f.SetPackages(t.Context(), []cards.Package{{Points: 100_00, Price: 98_00},
		{Points: 3_00, Price: 1_00}}, "admin:1"))
	list, err := f.Packages(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 2)
	assert.Equal(t, "0.98元/点", list[0].UnitPrice())
	assert.Equal(t, "0.33元/点", list[1].UnitPrice())
	for _, c := range []struct {
		points money.Points
		pack   int64
		shown  money.Fen // 0: not sent
		want   money.Fen
		fault  error
	}{
		{1_00, 0, 0, 1_00, nil}, {9999_00, 0, 0, 9999_00, nil}, {12_34, 0, 0, 12_34, nil},
		{99, 0, 0, 0, cards.ErrRechargePoints}, {9999_01, 0, 0, 0, cards.ErrRechargePoints},
		{0, 0, 0, 0, cards.ErrRechargePoints},
		{100_00, list[0].ID, 0, 98_00, nil}, {99_00, list[0].ID, 0, 0, cards.ErrPackageNotFound},
		{100_00, 99, 0, 0, cards.ErrPackageNotFound},
		{100_00, 0, 98_00, 98_00, nil}, {100_00, 0, 100_00, 100_00, nil}, {100_00, 0, 97_00, 100_00, nil},
		{99_00, 0, 98_00, 99_00, nil}, {99, 0, 98_00, 0, cards.ErrRechargePoints},
	} {
		q := cards.PriceQuery{Points: c.points, PackageID: c.pack}
		if c.shown != 0 {
			q.Shown = &c.shown
		}
		got, err := f.Priced(t.Context(), q)
		assert.ErrorIs(t, err, c.fault)
		assert.Equal(t, c.want, got)
	}
}

func TestRefund_ToALotThatExpiredInTheSameSecond(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	id := f.bound(t, 1, cards.SuperCard, 100, time.Hour)
	spend := func(leg int64) cards.Spend { return cards.Spend{LegID: leg, CardID: id, Actor: "test", At: f.clock()} }
	require.NoError(t, f.update(func(tx cards.Tx) error {
		return errors.Join(cards.Reserve(tx, spend(1), 40), cards.Reserve(tx, spend(2), 30), cards.Commit(tx, spend(2)))
	}))
	f.advance(time.Hour)
	_, err := f.ExpireLots(t.Context())
	require.NoError(t, err)
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Release(tx, spend(1)) }))
	require.NoError(t, f.update(func(tx cards.Tx) error { return cards.Refund(tx, spend(2), 1, "退款") }))
	card, err := f.Card(t.Context(), 7, id)
	require.NoError(t, err)
	assert.Equal(t, money.Points(70), card.Balance)
}
