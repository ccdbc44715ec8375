package ticketing

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// Text is a text that is only displayed, such as a score or an address. It also accepts a number, whose digits become
// the text, and null, a boolean, a list or an object, which become "": losing the field is better than losing the row.
// Don't use it for ids, prices and times.
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

// Number is an integer that is only displayed or used to sort, such as minutes or how many people want to see a film.
// It also accepts text, and decimals, which are truncated. Anything that is not a number becomes 0.
type Number int

// maxNumber bounds a Number; real values are far below.
const maxNumber = 1e15

// UnmarshalJSON implements json.Unmarshaler. It returns no error.
func (n *Number) UnmarshalJSON(value []byte) error {
	*n = 0
	var text Text
	_ = text.UnmarshalJSON(value) // has no error
	if v, err := strconv.ParseFloat(strings.TrimSpace(string(text)), 64); err == nil && v > -maxNumber && v < maxNumber {
		*n = Number(v)
	}
	return nil
}

// List is a list that is only displayed. Anything that is not a list becomes an empty one.
type List[T any] []T

// UnmarshalJSON implements json.Unmarshaler. It returns no error.
func (l *List[T]) UnmarshalJSON(value []byte) error {
	list := []T{}
	if json.Unmarshal(value, &list) != nil || list == nil {
		list = []T{}
	}
	*l = list
	return nil
}

// SeatName is the name of a seat, or its position in the grid if the provider sent none that can be displayed.
func SeatName(name Text, row, col int) string {
	if name == "" {
		return fmt.Sprintf("%d排%d座", row, col)
	}
	return string(name)
}
