package visiting

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
)

func TestCloseAccount_ListsWhatIsLostAndStartsAgain(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(88_00))
	order := buyer.LockSomeSeats(harness.Legacy, 1)
	visit.Open("/personCenter")
	visit.Me().Open("账号与安全")
	visit.At("/accountSecurity")
	visit.AccountSecurity().Open("注销账号")
	visit.SeesText("以下订单完成后才能注销账号")
	visit.SeesText("待付款，请支付或取消")

	buyer.Cancel(order)
	visit.Reload()
	visit.SeesText("福利卡 1 张")
	visit.SeesText("88.00 点")
	safety := visit.AccountSecurity()
	safety.CannotPress("注销账号")
	s.AdvanceClock(time.Minute)
	safety.EnterCode(buyer.Phone)
	safety.WaiveRemainingBenefits()
	safety.Press("注销账号")
	visit.Confirm("确定注销账号？", "确定")
	visit.SeesToast("账号已注销")
	visit.Home()
	s.Verify()

	s.AdvanceClock(time.Minute)
	visit.Open("/personCenter")
	visit.Login().LogIn(buyer.Phone)
	me := visit.Me()
	me.ShowsPhone(buyer.Phone)
	visit.SeesText("绑定后可用点数抵扣票款")
	visit.SeesText("未设置")
}

// confirmUnbinding enters a new code on the page and unbinds.
func confirmUnbinding(s *harness.Stack, visit *pages.Visit, buyer *harness.Buyer) {
	s.AdvanceClock(time.Minute)
	visit.AccountSecurity().EnterCode(buyer.Phone)
	visit.AccountSecurity().Press("确认解绑")
	visit.SeesToast("解绑成功")
}

func TestUnbind_WechatThenAnotherAccountCanHaveIt(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
	visit := pages.InApp(s, harness.BoundOpenID, phone.Options{}).As(buyer)
	visit.Open("/accountSecurity")
	visit.SeesText("已绑定")
	visit.AccountSecurity().Open("微信")
	visit.SeesText("解绑后不能再用微信快捷登录")
	confirmUnbinding(s, visit, buyer)
	visit.At("/accountSecurity")
	s.NewBuyer(harness.WithIdentity(harness.BoundOpenID))
}

func TestUnbind_PhoneFreesTheNumber(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(5_00))
	visit := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	visit.Open("/changePhone")
	s.AdvanceClock(time.Minute)
	visit.Login().LogIn(buyer.Phone) // the code confirms the identity, which will be the only way into the account
	visit.SeesText("更换后请用新手机号登录")
	visit.Open("/unbind?what=phone")
	confirmUnbinding(s, visit, buyer)
	visit.SeesText("未绑定")

	// The number now belongs to another person, and the account still exists in the messaging app.
	s.AdvanceClock(time.Minute)
	next := pages.Plain(s, phone.Options{Lean: true})
	next.Open("/personCenter")
	next.Login().LogIn(buyer.Phone)
	next.Me()
	next.SeesText("绑定后可用点数抵扣票款")
	again := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	again.Open("/personCenter")
	again.SeesToast("登录成功")
	again.Me()
	again.SeesText("1 张")
}

// After months without a code, a correct code logs in. Points, cards and codes stay hidden until the owner gives
// another proof, because the number may have a new owner. Buying with the messaging app still works.
func TestDormantAccount_ShowsNothingBeforeAFurtherProof(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer(harness.WithCard(5_00), harness.WithPassword())
	s.AdvanceClock(100 * 24 * time.Hour)
	visit := pages.Plain(s, phone.Options{Lean: true})
	visit.Open("/personCenter")
	visit.Login().LogIn(buyer.Phone)
	visit.SeesToast("登录成功")
	visit.Me().ShowsPhone(buyer.Phone)
	visit.SeesText("账号归属待确认，福利卡、点数和券码暂不显示")
	for _, path := range []string{"/securitycards", "/payPassword", "/changePhone", "/exportData"} {
		visit.Open(path)
		visit.SeesText("号码可能已更换机主")
	}
	visit.AccountSecurity().Type("支付密码", harness.PaymentPassword)
	visit.AccountSecurity().Press("是我的账号")
	visit.SeesToast("账号已确认")
	visit.SeesText("获取副本")
	visit.Open("/personCenter")
	visit.Me()
	visit.SeesText("1 张")
}

func TestExport_IsShownAndCanBeSaved(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s, harness.WithCard(5_00))
	visit.Open("/exportData")
	s.AdvanceClock(time.Minute)
	visit.AccountSecurity().EnterCode(buyer.Phone)
	visit.AccountSecurity().Press("获取副本")
	visit.SeesText("福利卡 1 张")
	visit.SeesText("验证码登录")
	href, err := visit.Phone.GetByText("下载完整副本").GetAttribute("href")
	require.NoError(t, err)
	require.Contains(t, href, buyer.Phone)
}
