package visiting

import (
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/harness"
	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/server/durations"
)

func TestMain(m *testing.M) { os.Exit(phone.Run(m)) }

// visiting returns a buyer in a plain browser.
func visiting(s *harness.Stack, traits ...harness.Trait) (*harness.Buyer, *pages.Visit) {
	buyer := s.NewBuyer(traits...)
	return buyer, pages.PlainFor(s, buyer)
}

func TestLogin_BySMS(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{})
	number := s.NewPhone()
	// A page that needs a login redirects to it, and opens afterwards.
	visit.Open("/personCenter")
	visit.Login().LogIn(number)
	visit.SeesToast("登录成功")
	visit.Me().ShowsPhone(number)
}

func TestLogin_WrongCode(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true})
	number := s.NewPhone()
	visit.Open("/login")
	login := visit.Login()
	login.AskCode(number)
	right := s.Code(number)
	login.Agree()
	login.TypeCode(otherThan(right))
	login.Submit()
	visit.SeesFieldMessage("验证码", "验证码错误或已过期，还可尝试 4 次")
	visit.At("/login")
	login.TypeCode(right)
	login.Submit()
	visit.SeesToast("登录成功")
	visit.Home()
}

func TestLogin_WhatIsMissing(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true})
	visit.Open("/login")
	login := visit.Login()
	login.PressSendCode()
	visit.SeesToastClearOf("获取验证码", "请输入正确手机号")
	login.TypePhone("1381111")
	login.RejectsIncompleteForm("登录", "请输入正确的手机号")
	number := s.NewPhone()
	login.TypePhone(number)
	login.RejectsIncompleteForm("登录", "请输入验证码")
	login.TypeCode("000000")
	login.RejectsIncompleteForm("登录", "请阅读并勾选用户协议")
	login.AskCode(number)
	login.SeesResendCountdown()
}

func TestLogin_TokenInTheAddress(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, other := s.NewBuyer(), s.NewBuyer()
	link := "/personCenter?token=" + buyer.Token
	visit := pages.Plain(s, phone.Options{Lean: true})
	visit.Open(link)
	visit.SeesText("已通过链接登录账号 " + masked(buyer.Phone))
	visit.Me().ShowsPhone(buyer.Phone)
	require.NotContains(t, visit.Phone.URL(), "token")
	visit.Open(link) // of the same account: nothing is asked
	visit.Me().ShowsPhone(buyer.Phone)

	// A link does not replace a session without asking.
	visit.Open("/personCenter?token=" + other.Token)
	visit.SeesText("链接要登录的账号是 " + masked(other.Phone))
	visit.Confirm("切换账号？", "不切换")
	visit.Me().ShowsPhone(buyer.Phone)
	visit.Open("/personCenter?token=" + other.Token)
	visit.Confirm("切换账号？", "切换")
	visit.SeesText("已通过链接登录账号 " + masked(other.Phone))
	visit.Me().ShowsPhone(other.Phone)
	visit.AccountSecurity().Press("不是我，退出")
	visit.SeesToast("退出登录成功")
	visit.Open("/personCenter")
	visit.Login()

	again := pages.Plain(s, phone.Options{Lean: true})
	again.Open("/personCenter?token=" + buyer.Token[:42] + "-")
	again.SeesToast("登录链接已失效，请重新登录")
	again.Login()
}

// In a session by a link, no card can be bound before a code to the account's phone was entered.
func TestLogin_ALinkBindsNoCardBeforeACode(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer := s.NewBuyer()
	visit := pages.Plain(s, phone.Options{Lean: true})
	visit.Open("/bindingCard?token=" + buyer.Token)
	visit.SeesText("绑定福利卡或微信、修改手机号前，请先验证手机号")
	s.AdvanceClock(time.Minute)
	visit.AccountSecurity().EnterCode(buyer.Phone)
	visit.AccountSecurity().Press("确认")
	visit.SeesToast("账号已确认")
	visit.SeesText("券码绑定")
}

// A link of another person opens that person's account, but does not bind the visitor's own identity to it.
func TestLogin_ALinkDoesNotBindTheIdentity(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	attacker, victim := s.NewBuyer(), s.NewPhone()
	order := attacker.LockSomeSeats(harness.Legacy, 1)
	visit := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	visit.Open("/paymentpage?order=" + order + "&token=" + attacker.Token)
	visit.SeesText("已通过链接登录账号 " + masked(attacker.Phone))
	visit.Payment().Pay()
	visit.SeesToast("请验证手机号，确认要绑定的账号")
	visit.Login().LogIn(victim)
	visit.SeesToast("登录成功")

	again := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	again.Open("/personCenter")
	again.SeesToast("登录成功")
	again.Me().ShowsPhone(victim)
}

func masked(phone string) string { return phone[:3] + "****" + phone[7:] }

func TestQuickLogin_BindsAPhoneOnce(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	number := s.NewPhone()
	visit := pages.InApp(s, harness.UnboundOpenID, phone.Options{})
	visit.Open("/personCenter")
	login := visit.Login()
	visit.SeesText("将绑定微信 " + maskedIdentity(harness.UnboundOpenID))
	require.NotContains(t, visit.Phone.URL(), "openid", "the proof is held in memory only")
	login.LogIn(number)
	visit.SeesToast("登录成功")
	visit.Me().ShowsPhone(number)

	// From now on the messaging app is sufficient to log in, also on a new phone.
	again := pages.InApp(s, harness.UnboundOpenID, phone.Options{})
	again.Open("/personCenter")
	again.SeesToast("登录成功")
	again.Me().ShowsPhone(number)
	require.NotContains(t, again.Phone.URL(), "code")
}

// An identity in an address is not bound, because it may be another person's. A plain browser logs in without an
// identity. In the messaging app, the visitor's own identity is fetched by OAuth.
func TestQuickLogin_AnIdentityInALinkIsNotBound(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	number, sender := s.NewPhone(), s.NewClient()
	link := "/login?isphone=1&openid=" + harness.PoorOpenID + "&yz_code=" + sender.ProveIdentity("", harness.PoorOpenID)

	plain := pages.Plain(s, phone.Options{Lean: true})
	plain.Open(link)
	login := plain.Login()
	plain.SeesText("将绑定微信 " + maskedIdentity(harness.PoorOpenID))
	require.True(t, strings.HasSuffix(plain.Phone.URL(), "/login?isphone=1"), plain.Phone.URL())
	login.LogIn(number)
	plain.SeesToast("微信授权只在原浏览器有效，请在此重新授权")
	login.Submit()
	plain.SeesToast("登录成功")

	inApp := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	inApp.Open(link)
	s.AdvanceClock(durations.ResendCode)
	inApp.Login().LogIn(number)
	inApp.SeesText("将绑定微信 " + maskedIdentity(harness.UnboundOpenID))

	var quick struct{ Token string }
	require.NoError(t, sender.Post("", "/newmovie/seat/quicklogin", map[string]string{
		"openid": harness.PoorOpenID, "yz_code": sender.ProveIdentity("", harness.PoorOpenID),
	}).Decode(&quick))
	require.Empty(t, quick.Token, "the identity of the sender has no account")
}

func maskedIdentity(openID string) string { return openID[:4] + "****" + openID[len(openID)-4:] }

// After the session has ended, the browser's cookie and its stored identity are sufficient to log in, without OAuth.
func TestQuickLogin_ByTheStoredIdentityOnAKnownDevice(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	number := s.NewPhone()
	visit := pages.InApp(s, harness.UnboundOpenID, phone.Options{Lean: true})
	var authorizations atomic.Int32
	visit.Phone.Page.OnRequest(func(r playwright.Request) {
		if strings.HasSuffix(r.URL(), "/Login/wxlogin") {
			authorizations.Add(1)
		}
	})
	visit.Open("/personCenter")
	visit.Login().LogIn(number)
	visit.SeesToast("登录成功")
	require.Equal(t, int32(1), authorizations.Load())

	s.AdvanceClock(durations.Session)
	visit.Open("/personCenter")
	visit.SeesToast("登录成功")
	visit.Me().ShowsPhone(number)
	require.Equal(t, int32(1), authorizations.Load(), "no second authorization")
}

func TestQuickLogin_OutsideTheMessagingApp(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true})
	visit.Open("/quickLogin")
	visit.SeesText("请在微信中打开，或使用手机号登录")
}

func TestLogOut(t *testing.T) {
	t.Parallel()
	s := pages.NewStack(t)
	buyer, visit := visiting(s)
	visit.Open("/personCenter")
	visit.Me().LogOut()
	visit.Home().TabBar("我的")
	visit.Login()
	// The session has also ended at the shop, not only on this phone.
	visit.As(buyer).Open("/personCenter")
	visit.SeesToast("请先登录")
	visit.Login()
}

func otherThan(code string) string {
	if code == "135246" {
		return "246135"
	}
	return "135246"
}
