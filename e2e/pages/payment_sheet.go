package pages

import "github.com/mxschmitt/playwright-go"

// PaymentSheet is the pay sheet that the messaging app shows above the page.
type PaymentSheet struct{ *Visit }

// PaymentSheet waits for the pay sheet.
func (v bookingPages) PaymentSheet() PaymentSheet {
	app := PaymentSheet{v.Visit}
	v.sees(app.sheet().GetByText("模拟支付，不会真实扣款"))
	return app
}

// ShowsAmount waits until the sheet shows the amount: ¥69.80.
func (a PaymentSheet) ShowsAmount(amount string) PaymentSheet {
	a.sees(a.sheet().GetByText(amount, exactly))
	return a
}

// ApprovePay pays.
func (a PaymentSheet) ApprovePay() { a.choose("支付") }

// CancelPay closes the sheet without paying.
func (a PaymentSheet) CancelPay() { a.choose("取消") }

// FailPay tries to pay and fails.
func (a PaymentSheet) FailPay() { a.choose("模拟支付失败") }

func (a PaymentSheet) choose(button string) {
	a.click(a.sheet().GetByRole("button", named(button)))
}

func (a PaymentSheet) sheet() playwright.Locator { return a.dialog("确认支付") }

// H5Page is the messaging app's payment page, to which a payment in an ordinary browser leads.
type H5Page struct{ *Visit }

// H5Page waits until the messaging app's payment page is shown, and returns it.
func (v bookingPages) H5Page() H5Page {
	v.sees(v.button("取消")) // not At: the page is on another origin than the shop's
	return H5Page{v.Visit}
}

// Pay pays and returns to the shop.
func (p H5Page) Pay() { p.press("支付") }

// Cancel leaves the trade unpaid and returns to the shop.
func (p H5Page) Cancel() { p.press("取消") }
