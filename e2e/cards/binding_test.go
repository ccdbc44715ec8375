package cards

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/server/beijing"
	"marquee/simulators/faults"
)

// If the page to bind a card was opened from 我的, it returns there after the card is bound.
func TestBind_ReturnsToMine(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	_, visit := plain(s)
	visit.Open("/index")
	visit.Home()
	visit.TabBar("我的")
	visit.Me().Open("绑定福利卡")
	visit.BindCard().Submit(s.Backoffice.NewCard(66_00))
	visit.SeesToast("绑定成功")
	visit.Me()
}

func TestBind_ByNumberAndCouponCode(t *testing.T) {
	t.Parallel()
	pages.BothBrowsers(t, func(t *testing.T, open pages.Opener) {
		s := pages.NewStack(t)
		buyer := s.NewBuyer()
		visit := open(s, buyer)
		card, coupon := s.Backoffice.NewCard(66_00), s.Backoffice.Coupons()[0]
		visit.Open("/personCenter")
		visit.Me().Open("我的福利卡")
		visit.WelfareCards().Bind()
		visit.BindCard().Submit(card)
		visit.SeesToast("绑定成功")
		// Two pages back.
		visit.Me().Open("绑定福利卡")
		form := visit.BindCard().Coupon()
		form.RejectsIncompleteForm("立即绑定", "请输入卡号")
		form.Fill(coupon.Number, "")
		form.RejectsIncompleteForm("立即绑定", "请输入密码")
		form.Submit(coupon.Number, "NOTTHECODE12")
		visit.SeesFieldMessage("密码", "卡号或密码错误，还可尝试 4 次")
		form.Submit(coupon.Number, coupon.Password)
		visit.SeesToast("绑定成功")
		visit.Me().Open("我的福利卡")
		visit.WelfareCards().Shows(card)
		visit.WelfareCards().Shows(coupon)
		require.Equal(t, "50.00", buyer.CardOf(coupon).Points)
	})
}

// The error for a wrong password shows how many tries are left. The error for the last try shows when binding is
// unlocked, by the shop's clock.
func TestBind_ShowsTheTriesThatAreLeftAndTheEndOfTheLock(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	_, visit := plain(s)
	s.FreezeClock()
	s.AdvanceClock(5 * time.Hour) // the phone's clock is now behind the shop's
	card := s.Backoffice.NewCard(66_00)
	visit.Open("/couponCode")
	page := visit.CouponCode()
	for left := 4; left > 0; left-- {
		page.Submit(card.Number, fmt.Sprintf("wrong%d", left))
		visit.SeesFieldMessage("密码", fmt.Sprintf("卡号或密码错误，还可尝试 %d 次", left))
	}
	now := s.Now().In(beijing.Time)
	end := now.Add(30*time.Minute + 59*time.Second).Truncate(time.Minute)
	day := "今天"
	if end.Day() != now.Day() {
		day = "明天"
	}
	locked := end.Format("密码错误次数过多，请30分钟后再试（" + day + " 15:04 解锁）")
	page.Submit(card.Number, "wrong0")
	visit.SeesFieldMessage("密码", locked)
	page.Submit(card.Number, card.Password)
	visit.SeesFieldMessage("密码", locked)
}

// A coupon that has only a code is bound if the code is entered as the number and as the password.
func TestBind_ByCouponCodeOnly(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := plain(s)
	code := s.Backoffice.Coupons()[2].Password
	visit.Open("/couponCode")
	visit.CouponCode().Submit(code, code)
	visit.SeesToast("绑定成功")
	require.True(t, buyer.HasCard(s.Backoffice.Coupons()[2]))
}

func TestBind_ByScanningInTheApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := inApp(s)
	first, second, third := s.Backoffice.NewCard(10_00), s.Backoffice.NewCard(20_00), s.Backoffice.Coupons()[1]
	// The page is opened from another page, because on iOS the signature covers the address of the first loaded page.
	visit.Open("/personCenter")
	for _, row := range []struct {
		card    harness.Card
		content string
	}{
		{first, first.Number + ":" + first.Password},
		{second, "https://shop.example/bind?kahao=" + second.Number + "&pass=" + second.Password},
		{third, "CODE_128," + third.Password},
	} {
		visit.Me().Open("我的福利卡")
		visit.WelfareCards().Bind()
		page := visit.BindCard()
		page.Scan()
		page.ScanCode(row.content)
		visit.SeesToast("绑定成功")
		visit.Me()
		require.True(t, buyer.HasCard(row.card), row.content)
	}
}

func TestBind_ScanningThatComesToNothing(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := inApp(s)
	card := s.Backoffice.NewCard(10_00)
	visit.Open("/bindingCard")
	page := visit.BindCard()
	page.Scan()
	page.CloseScanner()
	page.Scan()
	page.ScanCode("?")
	visit.SeesToast("无法识别该二维码")
	page.Scan()
	page.ScanCode(card.Number + ":00000000")
	visit.SeesToast("卡号或密码错误，还可尝试 4 次")
	visit.At("/bindingCard")
	require.False(t, buyer.HasCard(card))
}

func TestBind_NoScannerOutsideTheApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	_, visit := plain(s)
	visit.Open("/bindingCard")
	visit.BindCard().Scan()
	visit.SeesToast("抱歉，当前客户端版本不支持扫一扫")
}

// To use the scanner, a page needs a signature that the shop makes with a ticket of the messaging app. If the shop gets
// no such ticket, cards can still be bound by number and password.
func TestBind_TheAppDoesNotSign(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	s.PlanFaults(faults.Fault{Provider: "wechat", Operation: "ticket", Do: faults.Status, Status: 500})
	visit := pages.InApp(s, buyer.OpenID, phone.Options{}).As(buyer)
	visit.Open("/bindingCard")
	visit.BindCard().Scan()
	visit.SeesToast("抱歉，当前客户端版本不支持扫一扫")
	card := s.Backoffice.NewCard(10_00)
	visit.BindCard().Submit(card)
	visit.SeesToast("绑定成功")
	require.True(t, buyer.HasCard(card))
}
