package httpapi

import (
	"maps"
	"slices"

	"marquee/server/account"
	"marquee/server/cards"
	"marquee/server/content"
	"marquee/server/httpapi/wire"
	"marquee/server/input"
	"marquee/server/money"
	"marquee/server/order"
)

// OrderNumber is an order number. A text of more than 64 bytes cannot be one of the shop's, and gets the same answer as
// another buyer's order: order.ErrOrderNotFound.
type OrderNumber string

// ReadField reads the number.
func (no *OrderNumber) ReadField(f *wire.Form, name string) {
	text := f.Fields()[name]
	if len(text) > 64 {
		f.Reject(order.ErrOrderNotFound)
		return
	}
	*no = OrderNumber(text)
}

// FieldSchema describes an order number.
func (*OrderNumber) FieldSchema() map[string]any { return textSchema("26050117") }

// CardIDs are the ids of chosen cards, joined by commas.
type CardIDs []int64

// ReadField reads the ids of at most as many cards as can pay for one order.
func (ids *CardIDs) ReadField(f *wire.Form, name string) { *ids = f.IDs(name, cards.MaxChosen) }

// FieldSchema describes the list.
func (*CardIDs) FieldSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^(\d+(,\d+)*)?$`}
}

// PhoneNumber is a phone number as people type it.
type PhoneNumber string

// ReadField reads the number without separators and other characters that do not belong to it.
func (n *PhoneNumber) ReadField(f *wire.Form, name string) {
	if len(f.Fields()[name]) > 512 {
		f.Reject(account.ErrPhoneInvalid)
		return
	}
	*n = PhoneNumber(f.Input(name, input.Phone))
}

// FieldSchema describes the number.
func (*PhoneNumber) FieldSchema() map[string]any { return textSchema("13800000000") }

// SMSCode is a code from a text message as people type it.
type SMSCode string

// ReadField reads the code without separators.
func (c *SMSCode) ReadField(f *wire.Form, name string) { *c = SMSCode(f.Input(name, input.Code)) }

// FieldSchema describes the code.
func (*SMSCode) FieldSchema() map[string]any { return textSchema("123456") }

// CardNumber is a card number or a coupon code as people type it.
type CardNumber string

// ReadField reads the number without separators.
func (n *CardNumber) ReadField(f *wire.Form, name string) { *n = CardNumber(f.Input(name, input.Card)) }

// FieldSchema describes the number.
func (*CardNumber) FieldSchema() map[string]any { return textSchema("8001000000000001") }

// CardPassword is the password of a card as people type it.
type CardPassword string

// ReadField reads the password without separators.
func (p *CardPassword) ReadField(f *wire.Form, name string) {
	*p = CardPassword(f.Input(name, input.CardPassword))
}

// FieldSchema describes the password.
func (*CardPassword) FieldSchema() map[string]any { return textSchema("123456") }

// PointsText is a number of points as people type it.
type PointsText string

// ReadField reads the number without separators. It does not check that the text is a number: the handler parses it.
func (p *PointsText) ReadField(f *wire.Form, name string) {
	*p = PointsText(f.Input(name, input.Points))
}

// FieldSchema describes the number.
func (*PointsText) FieldSchema() map[string]any { return textSchema("100") }

// PolicyID selects a policy: "1" in the form is the privacy policy, "2" the usage rules. Its value is the key of the
// text.
type PolicyID content.Key

var policies = map[string]content.Key{"1": content.Privacy, "2": content.UsageRules}

// ReadField reads the id. It rejects an unknown one with content.ErrTextNotFound.
func (id *PolicyID) ReadField(f *wire.Form, name string) {
	key, known := policies[f.Fields()[name]]
	if !known {
		f.Reject(content.ErrTextNotFound)
	}
	*id = PolicyID(key)
}

// FieldSchema describes the id.
func (*PolicyID) FieldSchema() map[string]any { return enumSchema(slices.Sorted(maps.Keys(policies))) }

// CodePurpose is what a code to the buyer's own phone is for: "safety", "closing" or "session".
type CodePurpose account.Purpose

var codePurposes = []string{string(account.ForSecurity), string(account.ForClosing), string(account.ForSession)}

// ReadField reads the purpose. It rejects one for which no code is sent.
func (p *CodePurpose) ReadField(f *wire.Form, name string) {
	if text := f.Fields()[name]; slices.Contains(codePurposes, text) {
		*p = CodePurpose(text)
		return
	}
	f.Reject(errPurpose)
}

// FieldSchema describes the purpose.
func (*CodePurpose) FieldSchema() map[string]any { return enumSchema(codePurposes) }

// PointsAmount is a required number of points with at most two decimals.
type PointsAmount money.Points

// ReadField reads the points.
func (p *PointsAmount) ReadField(f *wire.Form, name string) {
	points, err := money.ParsePoints(f.Text(name))
	if err != nil {
		f.Invalid(name, "must be an amount of points")
	}
	*p = PointsAmount(points)
}

// FieldSchema describes the points.
func (*PointsAmount) FieldSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^\d+(\.\d{1,2})?$`}
}

// enumSchema describes a text by its values.
func enumSchema(values []string) map[string]any {
	return map[string]any{"type": "string", "enum": values}
}

// textSchema describes a text by an example.
func textSchema(example string) map[string]any {
	return map[string]any{"type": "string", "examples": []string{example}}
}
