package pages

import "github.com/mxschmitt/playwright-go"

// CouponCode is the page to bind a voucher by its code.
type CouponCode struct{ *Visit }

// CouponCode waits until the page to bind a voucher is shown, and returns it.
func (v cardPages) CouponCode() CouponCode {
	v.At("/couponCode")
	v.sees(v.button("立即绑定"))
	return CouponCode{v.Visit}
}

// Fill fills the form in.
func (c CouponCode) Fill(number, password string) {
	c.fill("卡号", number)
	c.fill("密码", password)
}

// Submit fills the form in and sends it.
func (c CouponCode) Submit(number, password string) {
	c.Fill(number, password)
	c.SubmitAgain()
}

// SubmitOnlyCode checks the box for coupons that have only a code, types the code and sends the form.
func (c CouponCode) SubmitOnlyCode(code string) {
	c.click(c.Phone.GetByText("只有券码，没有密码"))
	c.must(expect.Locator(c.field("密码")).ToHaveCount(0))
	c.fill("卡号", code)
	c.SubmitAgain()
}

// SubmitAgain sends the form as it is.
func (c CouponCode) SubmitAgain() { c.press("立即绑定") }

// Coupon goes from the page to bind cards to the one for coupons.
func (b BindCard) Coupon() CouponCode {
	b.press("使用券码绑定")
	return b.CouponCode()
}

// Scan opens the scanner.
func (b BindCard) Scan() { b.press("扫一扫") }

// ScanCode makes the messaging app's scanner return a code.
func (b BindCard) ScanCode(content string) {
	sheet := b.scanner()
	b.must(sheet.GetByLabel("二维码或条形码内容").Fill(content))
	b.click(sheet.GetByRole("button", named(contains("完成"))))
}

// CloseScanner closes the messaging app's scanner.
func (b BindCard) CloseScanner() {
	b.click(b.scanner().GetByRole("button", named(contains("取消"))))
	b.must(expect.Locator(b.dialog("扫一扫")).ToHaveCount(0))
}

func (b BindCard) scanner() playwright.Locator {
	sheet := b.dialog("扫一扫")
	b.sees(sheet)
	return sheet
}
