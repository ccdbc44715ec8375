package pages

import (
	"regexp"
)

// Recharge is where a card is recharged.
type Recharge struct{ *Visit }

// Recharge waits for it.
func (v cardPages) Recharge() Recharge {
	v.At("/package")
	v.sees(v.role("button", payText))
	return Recharge{v.Visit}
}

// RechargeOf opens it by its address.
func (v cardPages) RechargeOf(id string) Recharge {
	v.Open("/package?cardId=" + id)
	return v.Recharge()
}

// Choose takes a package: 100 点.
func (r Recharge) Choose(points string) {
	name := regexp.MustCompile("^" + points + " 点")
	choice := r.role("radio", name)
	r.click(r.text(points + " 点"))
	r.must(expect.Locator(choice).ToBeChecked())
}

// Type types points of one's own choice, key by key, and tells what then stands in the field.
func (r Recharge) Type(points string) string {
	r.click(r.role("button", regexp.MustCompile("^自定义")))
	field := r.field("充值点数")
	r.must(field.Fill(""))
	r.must(field.PressSequentially(points))
	stands, err := field.InputValue()
	r.must(err)
	return stands
}

// ShowsPrice waits until the bar says what is paid and what comes of it.
func (r Recharge) ShowsPrice(yuan, points string) {
	r.SeesText("到账 " + points + " 点")
	r.must(expect.Locator(r.Phone.GetByRole("main")).ToContainText("¥" + yuan))
}

// Pay presses the button.
func (r Recharge) Pay() {
	r.must(expect.Locator(r.role("button", payText)).ToBeEnabled())
	r.click(r.role("button", payText))
}

// PayNamed presses the button on a phone whose owner the shop does not know yet: the way leads to the messaging app and
// back first, and the payment then goes on by itself.
func (r Recharge) PayNamed() {
	_, err := r.Phone.ExpectResponse(regexp.MustCompile(`/Login/getopenid$`), func() error { r.Pay(); return nil })
	r.must(err)
}
