package pages

import (
	"regexp"

	"github.com/mxschmitt/playwright-go"
)

// Recharge is where a card is recharged.
type Recharge struct{ *Visit }

// Recharge waits for it.
func (v *Visit) Recharge() Recharge {
	v.T.Helper()
	v.At("/package")
	v.sees(v.button("微信支付"))
	return Recharge{v}
}

// RechargeOf opens it by its address.
func (v *Visit) RechargeOf(id string) Recharge {
	v.T.Helper()
	v.Open("/package?cardId=" + id)
	return v.Recharge()
}

// Choose takes a package: 100 点.
func (r Recharge) Choose(points string) {
	r.T.Helper()
	name := regexp.MustCompile("^" + points + " 点")
	choice := r.Phone.GetByRole("radio", playwright.PageGetByRoleOptions{Name: name})
	r.must(r.Phone.GetByText(points+" 点", playwright.PageGetByTextOptions{Exact: playwright.Bool(true)}).Click())
	r.must(expect.Locator(choice).ToBeChecked())
}

// Type types points of one's own choice, key by key, and tells what then stands in the field.
func (r Recharge) Type(points string) string {
	r.T.Helper()
	field := r.Phone.GetByLabel("充值点数", playwright.PageGetByLabelOptions{Exact: playwright.Bool(true)})
	r.must(field.Fill(""))
	r.must(field.PressSequentially(points))
	stands, err := field.InputValue()
	r.must(err)
	return stands
}

// Costs waits until the bar says what is paid and what comes of it.
func (r Recharge) Costs(yuan, points string) {
	r.T.Helper()
	r.Reads("到账 " + points + " 点")
	r.must(expect.Locator(r.Phone.GetByRole("main")).ToContainText("¥" + yuan))
}

// Pay presses the button.
func (r Recharge) Pay() {
	r.T.Helper()
	r.must(expect.Locator(r.button("微信支付")).ToBeEnabled())
	r.press("微信支付")
}

// PayNamed presses the button on a phone whose owner the shop does not know yet: the way leads to the messaging app and
// back first, and the payment then goes on by itself.
func (r Recharge) PayNamed() {
	r.T.Helper()
	_, err := r.Phone.ExpectResponse(regexp.MustCompile(`/Login/getopenid$`), func() error { r.Pay(); return nil })
	r.must(err)
}
