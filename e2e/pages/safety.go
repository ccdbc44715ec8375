package pages

import "github.com/mxschmitt/playwright-go"

// Safety is the page of account and security, or one that it leads to.
type Safety struct{ *Visit }

// Safety returns the page that is open.
func (v accountPages) Safety() Safety { return Safety{v.Visit} }

// Open goes where a line of the page leads: 手机号, 微信, 注销账号, …
func (s Safety) Open(line string) { s.must(s.role("button", startsWith(line)).Click()) }

// Press presses a button.
func (s Safety) Press(name string) { s.press(name) }

// EnterCode has a code sent to the own phone and types it.
func (s Safety) EnterCode(phone string) {
	s.press("获取验证码")
	s.SeesToast("验证码已发送")
	s.fill("验证码", s.Stack.Code(phone))
}

// GiveUp ticks that what is left on the account is lost.
func (s Safety) GiveUp() {
	s.must(s.Phone.GetByText("我自愿放弃以上权益").Click(
		playwright.LocatorClickOptions{Position: &playwright.Position{X: 4, Y: 4}}))
	s.must(expect.Locator(s.Phone.GetByRole("checkbox")).ToBeChecked())
}
