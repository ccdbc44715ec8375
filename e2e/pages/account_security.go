package pages

// AccountSecurity is the page of account and security, or one that it links to.
type AccountSecurity struct{ *Visit }

// AccountSecurity returns the page that is open, without waiting.
func (v accountPages) AccountSecurity() AccountSecurity { return AccountSecurity{v.Visit} }

// Open follows a line of the page: 手机号, 微信, 注销账号, …
func (s AccountSecurity) Open(line string) { s.click(s.role("button", startsWith(line))) }

// Press presses a button.
func (s AccountSecurity) Press(name string) { s.press(name) }

// CannotPress waits for a disabled button.
func (s AccountSecurity) CannotPress(name string) {
	s.must(expect.Locator(s.button(name)).ToBeDisabled())
}

// Type types into a field.
func (s AccountSecurity) Type(label, text string) { s.fill(label, text) }

// EnterCode requests a code for the account's phone and types it.
func (s AccountSecurity) EnterCode(phone string) {
	s.press("获取验证码")
	s.SeesToast("验证码已发送")
	s.fill("验证码", s.Stack.Code(phone))
}

// WaiveRemainingBenefits checks the box by which the buyer gives up everything that is left on the account.
func (s AccountSecurity) WaiveRemainingBenefits() {
	s.clickCorner(s.Phone.GetByText("我自愿放弃以上权益"))
	s.must(expect.Locator(s.Phone.GetByRole("checkbox")).ToBeChecked())
}
