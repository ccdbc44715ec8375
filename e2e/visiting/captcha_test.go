package visiting

import (
	"testing"

	"github.com/mxschmitt/playwright-go"
	"github.com/stretchr/testify/require"

	"marquee/e2e/pages"
	"marquee/e2e/phone"
	"marquee/simulators/faults"
)

// An unknown visitor closes the challenge, fails it, has a correct answer rejected, and passes it. The content security
// policy allows the vendor's script and frame: the browser reports no violation.
func TestCaptcha_CodeAfterTheChallenge(t *testing.T) {
	t.Parallel()
	s := pages.NewCaptchaStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true})
	number := s.NewPhone()
	visit.Open("/login")
	login := visit.Login()

	login.AskCodeWithChallenge(number).Close()
	visit.SeesFieldMessage("验证码", "请先完成安全验证")
	require.Empty(t, s.Calls("sms", "send"))

	s.PlanFault("captcha", "check", "refuse-ticket")
	login.AskCodeWithChallenge(number).Solve()
	visit.SeesFieldMessage("验证码", "安全验证未通过，请重试")
	require.Empty(t, s.Calls("sms", "send"))

	challenge := login.AskCodeWithChallenge(number)
	challenge.Fail()
	challenge.Solve()
	visit.SeesToast("验证码已发送")
	login.TypeCode(s.Code(number))
	login.Agree()
	login.Submit()
	visit.SeesToast("登录成功")
}

// The challenge is hidden until its script has loaded, because a tap before that would be lost.
func TestCaptcha_ChallengeIsShownOnceItCanBeAnswered(t *testing.T) {
	t.Parallel()
	s := pages.NewCaptchaStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true})
	arrive := make(chan struct{})
	require.NoError(t, visit.Phone.Context.Route("**/challenge.js", func(r playwright.Route) {
		go func() {
			<-arrive
			_ = r.Continue() // an error means that the browser has closed
		}()
	}))
	visit.Open("/login")
	login := visit.Login()
	login.TypePhone(s.NewPhone())
	login.PressSendCode()
	challenge := login.Challenge()
	challenge.IsHidden()
	close(arrive)
	challenge.IsShown()
	challenge.Close()
	visit.SeesFieldMessage("验证码", "请先完成安全验证")
}

// If the vendor is down, codes are sent. If only the buyer cannot reach it, the page says so.
func TestCaptcha_VendorDown(t *testing.T) {
	t.Parallel()
	s := pages.NewCaptchaStack(t)
	visit := pages.Plain(s, phone.Options{Lean: true,
		Tolerate: []string{"/captcha/TJCaptcha.js", "Failed to load resource"}})
	visit.Open("/login")
	login := visit.Login()
	number := s.NewPhone()
	s.PlanFaults(faults.Fault{Provider: "captcha", Operation: "script", Do: faults.Reset})
	login.TypePhone(number)
	login.PressSendCode()
	visit.SeesFieldMessage("验证码", "安全验证加载失败，请检查网络后重试")
	require.Empty(t, s.Calls("sms", "send"))

	s.PlanFaults(faults.Fault{Provider: "captcha", Operation: "check", Do: faults.Reset})
	login.LogIn(number)
	visit.SeesToast("登录成功")
}
