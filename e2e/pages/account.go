package pages

import (
	"regexp"
	"time"

	"github.com/mxschmitt/playwright-go"

	"marquee/e2e/harness"
)

// accountPages opens the pages of the buyer's account: login, password and personal data.
type accountPages struct{ *Visit }

// PayPassword is the page to set the payment password.
type PayPassword struct{ *Visit }

// PayPassword waits until the page to set the payment password is shown, and returns it.
func (v accountPages) PayPassword() PayPassword {
	v.At("/payPassword")
	v.sees(v.field("确认密码"))
	return PayPassword{v.Visit}
}

// Set sets the password with the code that comes by SMS.
func (p PayPassword) Set(password string, b *harness.Buyer) {
	p.press("获取验证码")
	p.SeesToast("验证码已发送")
	p.Submit(password, password, p.Stack.Code(b.Phone))
	p.SeesToast("修改成功")
}

// Fill fills the form in.
func (p PayPassword) Fill(password, again, code string) {
	p.fill("支付密码", password)
	p.fill("确认密码", again)
	p.fill("验证码", code)
}

// Submit fills the form in and sends it.
func (p PayPassword) Submit(password, again, code string) {
	p.Fill(password, again, code)
	p.press("确定")
}

// Login is the page to log in with phone and code.
type Login struct{ *Visit }

// Login waits until the login page is shown, and returns it.
func (v accountPages) Login() Login {
	v.At("/login")
	v.sees(v.Phone.GetByLabel("手机号", playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)})) // not 新手机号
	return Login{v.Visit}
}

// AskCode requests a code for the phone.
func (l Login) AskCode(phone string) {
	l.fill("手机号", phone)
	l.press("获取验证码")
	l.SeesToast("验证码已发送")
}

// Agree checks the box that the rules and the policy were read.
func (l Login) Agree() {
	l.clickCorner(l.Phone.GetByText("我已阅读并同意"))
	l.must(expect.Locator(l.Phone.GetByRole("checkbox")).ToBeChecked())
}

// LogIn logs in with the phone and the code that is sent to it.
func (l Login) LogIn(phone string) {
	l.AskCode(phone)
	l.fill("验证码", l.Stack.Code(phone))
	l.Agree()
	l.Submit()
}

// PassLogin logs in a buyer after a page has redirected to the login: with phone and code in an ordinary browser.
// Inside the messaging app the page logs in by itself, by the identity.
func (v *Visit) PassLogin(b *harness.Buyer) {
	if !v.inApp {
		v.Stack.AdvanceClock(time.Minute) // until the next code may be sent
		v.Login().LogIn(b.Phone)
	}
	v.SeesToast("登录成功")
}

// TypeCode types a code.
func (l Login) TypeCode(code string) { l.fill("验证码", code) }

// TypePhone types a phone number.
func (l Login) TypePhone(number string) { l.fill("手机号", number) }

// Submit sends the form: 登录, or 绑定并登录 where an identity is bound.
func (l Login) Submit() {
	l.click(l.button("登录").Or(l.button("绑定并登录")))
}

// PressSendCode presses the button for a code without a valid phone number.
func (l Login) PressSendCode() { l.press("获取验证码") }

// Challenge is the challenge of the captcha vendor, in a frame over the page.
type Challenge struct{ *Visit }

// AskCodeWithChallenge asks for a code and waits for the challenge.
func (l Login) AskCodeWithChallenge(phone string) Challenge {
	l.fill("手机号", phone)
	l.press("获取验证码")
	c := l.Challenge()
	c.IsShown()
	return c
}

// Challenge returns the challenge that may be shown before a code is sent.
func (l Login) Challenge() Challenge { return Challenge{l.Visit} }

// IsShown waits until the challenge can be answered.
func (c Challenge) IsShown() { c.must(expect.Locator(c.question()).ToBeVisible()) }

// IsHidden waits until the document of the challenge is loaded but still hidden, because its script has not been
// loaded.
func (c Challenge) IsHidden() {
	c.must(expect.Locator(c.question()).ToBeAttached())
	c.must(expect.Locator(c.question()).ToBeHidden())
}

func (c Challenge) frame() playwright.FrameLocator {
	return c.Phone.FrameLocator(`iframe[title="安全验证"]`)
}

func (c Challenge) question() playwright.Locator { return c.frame().Locator("h1 b") }

// Solve chooses the word that the challenge asks for.
func (c Challenge) Solve() {
	word, err := c.question().TextContent()
	c.must(err)
	c.choose(word)
}

// Fail chooses another word, and waits for the next challenge.
func (c Challenge) Fail() {
	word, err := c.question().TextContent()
	c.must(err)
	for _, other := range []string{"影", "票"} {
		if other != word {
			c.choose(other)
			break
		}
	}
	c.SeesToast("验证失败，请重试") // for less than a second
	c.must(expect.Locator(c.frame().GetByText("验证失败，请重试")).ToBeHidden())
}

// Close closes the challenge.
func (c Challenge) Close() { c.choose("关闭") }

func (c Challenge) choose(name string) {
	exact := playwright.FrameLocatorGetByRoleOptions{Name: name, Exact: new(true)}
	c.click(c.frame().GetByRole("button", exact))
}

// SeesResendCountdown waits until the button shows the time until the next code.
func (l Login) SeesResendCountdown() {
	wait := l.role("button", regexp.MustCompile(`^\d+s后重新获取$`))
	l.must(expect.Locator(wait).ToBeDisabled())
}
