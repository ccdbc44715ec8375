package httpapi

import (
	"marquee/server/cards"
	"marquee/server/httpapi/wire"
	"marquee/server/input"
	"marquee/server/order"
)

// OrderNumber is a required order number. One that is too long to be the shop's is answered as another buyer's is.
type OrderNumber string

// ReadField reads the number.
func (no *OrderNumber) ReadField(f *wire.Form, name string) {
	switch text := f.Fields()[name]; {
	case text == "":
		f.Invalid(name, "is missing")
	case len(text) > 64:
		f.Reject(order.ErrOrderNotFound)
	default:
		*no = OrderNumber(text)
	}
}

// FieldSchema describes an order number.
func (*OrderNumber) FieldSchema() map[string]any { return textSchema("26050117") }

// CardIDs are the ids of chosen cards, joined by commas.
type CardIDs []int64

// ReadField reads at most as many ids as an order may be paid with.
func (ids *CardIDs) ReadField(f *wire.Form, name string) { *ids = f.IDs(name, cards.MaxChosen) }

// FieldSchema describes the list.
func (*CardIDs) FieldSchema() map[string]any {
	return map[string]any{"type": "string", "pattern": `^(\d+(,\d+)*)?$`}
}

// PhoneNumber is a phone number as people type it.
type PhoneNumber string

// ReadField reads the number without what does not belong to it.
func (n *PhoneNumber) ReadField(f *wire.Form, name string) {
	*n = PhoneNumber(f.Input(name, input.Phone))
}

// FieldSchema describes the number.
func (*PhoneNumber) FieldSchema() map[string]any { return textSchema("13800000000") }

// SMSCode is a code from a text message as people type it.
type SMSCode string

// ReadField reads the code without what does not belong to it.
func (c *SMSCode) ReadField(f *wire.Form, name string) { *c = SMSCode(f.Input(name, input.Code)) }

// FieldSchema describes the code.
func (*SMSCode) FieldSchema() map[string]any { return textSchema("123456") }

// textSchema describes a text by an example.
func textSchema(example string) map[string]any {
	return map[string]any{"type": "string", "examples": []string{example}}
}
