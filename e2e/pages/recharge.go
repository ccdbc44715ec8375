package pages

import (
	"regexp"
)

// Recharge is the page to recharge a card.
type Recharge struct{ *Visit }

// Recharge waits until the page to recharge a card is shown, and returns it.
func (v cardPages) Recharge() Recharge {
	v.At("/package")
	v.sees(v.role("button", payText))
	return Recharge{v.Visit}
}

// RechargeOf opens the page to recharge the card with an id, by its address.
func (v cardPages) RechargeOf(id string) Recharge {
	v.Open("/package?cardId=" + id)
	return v.Recharge()
}

// Choose chooses a package by its number of points, such as 100.
func (r Recharge) Choose(points string) {
	name := regexp.MustCompile("^" + points + " 点")
	choice := r.role("radio", name)
	r.click(r.text(points + " 点"))
	r.must(expect.Locator(choice).ToBeChecked())
}

// Type types a custom number of points, key by key, and returns the content of the field.
func (r Recharge) Type(points string) string {
	r.click(r.role("button", regexp.MustCompile("^自定义")))
	field := r.field("充值点数")
	r.must(field.Fill(""))
	r.must(field.PressSequentially(points))
	content, err := field.InputValue()
	r.must(err)
	return content
}

// ShowsPrice waits until the bar shows the price and the points.
func (r Recharge) ShowsPrice(yuan, points string) {
	r.SeesText("到账 " + points + " 点")
	r.must(expect.Locator(r.Phone.GetByRole("main")).ToContainText("¥" + yuan))
}

// Pay presses the pay button.
func (r Recharge) Pay() {
	r.must(expect.Locator(r.role("button", payText)).ToBeEnabled())
	r.click(r.role("button", payText))
}

// PayWithoutIdentity presses the pay button for a buyer without an identity: the page redirects to the messaging app
// and back, and the payment then continues automatically. PayWithoutIdentity waits until the shop has the identity.
func (r Recharge) PayWithoutIdentity() {
	_, err := r.Phone.ExpectResponse(regexp.MustCompile(`/Login/getopenid$`), func() error { r.Pay(); return nil })
	r.must(err)
}
