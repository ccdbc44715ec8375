package ticketing

import (
	"encoding/json"
	"strconv"
	"strings"
)

// Text is a text that is only shown, such as a score or an address. A provider may send a number in its place, which is
// read as it is written, or null, true, a list or an object, which are read as "": the row is worth more than the field.
// Ids, prices and times are no Text.
type Text string

// UnmarshalJSON implements json.Unmarshaler. It returns no error.
func (t *Text) UnmarshalJSON(value []byte) error {
	var text string
	var number json.Number
	*t = ""
	switch {
	case json.Unmarshal(value, &text) == nil:
		*t = Text(text)
	case json.Unmarshal(value, &number) == nil:
		*t = Text(number)
	}
	return nil
}

// Number is a whole number that is only shown or sorted by, such as minutes or a count of wishes. A provider may send
// it as text or with decimals, which are cut. What is not a number is 0.
type Number int

// mostNumber bounds a Number: every number of this kind is far below.
const mostNumber = 1e15

// UnmarshalJSON implements json.Unmarshaler. It returns no error.
func (n *Number) UnmarshalJSON(value []byte) error {
	*n = 0
	var text Text
	_ = text.UnmarshalJSON(value) // has no error
	if v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil && v > -mostNumber && v < mostNumber {
		*n = Number(v)
	}
	return nil
}
