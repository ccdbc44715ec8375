package pages

import "github.com/mxschmitt/playwright-go"

// PhoneApp is what the messaging app shows above the page: its pay sheet.
type PhoneApp struct{ *Visit }

// PhoneApp waits for the pay sheet.
func (v booking) PhoneApp() PhoneApp {
	app := PhoneApp{v.Visit}
	v.sees(app.sheet().GetByText("模拟支付，不会真实扣款"))
	return app
}

// Asks waits until the sheet shows the amount: ¥69.80.
func (a PhoneApp) Asks(amount string) PhoneApp {
	a.sees(a.sheet().GetByText(amount, exactly))
	return a
}

// ApprovePay pays.
func (a PhoneApp) ApprovePay() { a.choose("支付") }

// CancelPay closes the sheet without paying.
func (a PhoneApp) CancelPay() { a.choose("取消") }

// FailPay tries to pay and fails.
func (a PhoneApp) FailPay() { a.choose("支付失败") }

func (a PhoneApp) choose(button string) {
	a.must(a.sheet().GetByRole("button", named(button)).Click())
}

func (a PhoneApp) sheet() playwright.Locator { return a.dialog("确认支付") }
