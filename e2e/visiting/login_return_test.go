package visiting

import (
	"testing"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
)

// If the session ends while a form is filled in, the login returns to the form with its input, so that the buyer only
// submits it again. Passwords and codes are not restored.
func TestLogin_KeepsTheFilledForm(t *testing.T) {
	t.Parallel()
	for _, form := range []struct {
		name string
		open pages.Opener // the forms are tested in the two browsers alternately
		// fill opens the form, fills it in, and returns the function that sends it.
		fill func(s *harness.Stack, v *pages.Visit, b *harness.Buyer) (send func())
		// goOn completes and sends the form after the login.
		goOn func(s *harness.Stack, v *pages.Visit, b *harness.Buyer)
	}{
		{
			"the number of a card", pages.PlainFor, func(s *harness.Stack, v *pages.Visit, b *harness.Buyer) func() {
				v.Open("/index")
				v.Home().TabBar("我的")
				v.Me().Open("绑定福利卡")
				page := v.BindCard()
				return func() { page.Submit(b.Cards[2]) }
			}, func(s *harness.Stack, v *pages.Visit, b *harness.Buyer) {
				page := v.BindCard()
				page.HasField("卡号", b.Cards[2].Number)
				page.HasField("密码", "")
				page.Submit(b.Cards[2])
				v.SeesToast("绑定成功")
				v.Me() // one page back, as before the login
			},
		},
		{
			"a coupon code without a password", pages.InAppFor, func(s *harness.Stack, v *pages.Visit, _ *harness.Buyer) func() {
				v.Open("/couponCode")
				return func() { v.CouponCode().SubmitOnlyCode(s.Backoffice.Coupons()[2].Password) }
			}, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) {
				v.CouponCode().SubmitAgain()
				v.SeesToast("绑定成功")
			},
		},
		{
			"the account to be recharged", pages.PlainFor, func(s *harness.Stack, v *pages.Visit, _ *harness.Buyer) func() {
				goods := v.OpenGoods("手机话费直充")
				goods.Buy()
				goods.Specification("100 元")
				goods.Account("13800138000")
				return goods.ToPayment
			}, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) {
				v.Goods("手机话费直充").HasField("充值账号", "13800138000")
				pay := v.Goods("手机话费直充").Pay()
				pay.SeesText("100 元")
				pay.SeesText("138 0013 8000")
			},
		},
		{
			"the cards to be merged", pages.InAppFor, func(s *harness.Stack, v *pages.Visit, b *harness.Buyer) func() {
				v.Open("/securitycards?active=2")
				cards := v.WelfareCards()
				cards.Pick(b.Cards[0], b.Cards[1])
				return cards.AskMerge
			}, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) {
				cards := v.WelfareCards()
				cards.Picked("2")
				cards.AskMerge()
				cards.Preview("30.00 点")
			},
		},
		{
			"a new phone", pages.PlainFor, func(s *harness.Stack, v *pages.Visit, _ *harness.Buyer) func() {
				v.Open("/changePhone")
				page := v.AccountSecurity()
				page.Type("验证码", "000000")
				page.Type("新手机号", "13899990000")
				page.Type("新验证码", "000000")
				return func() { page.Press("更换手机号") }
			}, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) {
				v.AccountSecurity().HasField("新手机号", "13899990000")
			},
		},
		{
			"the chosen seats", pages.InAppFor, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) func() {
				hall := v.HallOf(harness.NewMovie)
				hall.Pick(hall.Free(2)...)
				hall.OpenNotice()
				return hall.AgreeIfAsked
			}, func(_ *harness.Stack, v *pages.Visit, _ *harness.Buyer) {
				hall := v.SeatMap()
				seats := hall.PickedBefore()
				require.Len(hall.T, seats, 2)
				pay := hall.Lock()
				for _, seat := range seats {
					pay.SeesText(seat)
				}
			},
		},
		{
			"the cards that pay an order", pages.PlainFor, func(s *harness.Stack, v *pages.Visit, b *harness.Buyer) func() {
				pay := v.PayFor(b.LockSomeSeats(harness.NewMovie, 1))
				pay.UseCards(b.Cards[1])
				return v.Reload
			}, func(_ *harness.Stack, v *pages.Visit, b *harness.Buyer) {
				v.Payment().SeesText("超级卡（尾号" + b.Cards[1].Number[12:] + "）")
			},
		},
	} {
		t.Run(form.name, func(t *testing.T) {
			t.Parallel()
			s := pages.NewStack(t)
			buyer := s.NewBuyer(
				harness.WithCard(20_00), harness.WithCard(10_00), harness.WithIdentity(harness.BoundOpenID),
			)
			buyer.Cards = append(buyer.Cards, s.Backoffice.NewCard(66_00)) // not bound yet
			visit := form.open(s, buyer)
			send := form.fill(s, visit, buyer)
			// Calls of the page that are still in progress would fail after the logout and redirect to the login.
			require.NoError(t, visit.Phone.AwaitAnswers())
			buyer.Post("/Login/logout", nil, nil)
			send()
			visit.SeesToast("请先登录")
			visit.PassLogin(buyer)
			form.goOn(s, visit, buyer)
		})
	}
}
