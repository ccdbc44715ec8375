package httpapi

import (
	"encoding/json"
	"strconv"
	"time"

	"marquee/server/beijing"
	"marquee/server/catalog"
	"marquee/server/httpapi/wire"
	"marquee/server/money"
)

// each converts a list. Its result is never nil, so that an empty list is [] in JSON and not null.
func each[T, U any](list []T, convert func(T) U) []U {
	out := make([]U, len(list))
	for i, v := range list {
		out[i] = convert(v)
	}
	return out
}

// page returns one page of a list; the first page is 1.
func page[T any](list []T, number, size int64) []T {
	n := int64(len(list))
	from := min((number-1)*size, n)
	return list[from:min(from+size, n)]
}

// Page is a page of a list.
type Page[T any] struct {
	List  []T `json:"list"`  // the rows of the page
	Total int `json:"total"` // the number of rows on all pages
}

// TicketOrGoods is an answer in one of two shapes: that of a ticket order or that of a goods order.
type TicketOrGoods[T, G any] struct {
	Ticket *T // nil for goods
	Goods  *G // nil for tickets
}

// MarshalJSON returns the object that is not nil.
func (o TicketOrGoods[T, G]) MarshalJSON() ([]byte, error) {
	if o.Goods != nil {
		return json.Marshal(o.Goods)
	}
	return json.Marshal(o.Ticket)
}

// UnmarshalJSON reads an object whose field ord_bs, the class, is 2 as goods, and every other one as a ticket.
func (o *TicketOrGoods[T, G]) UnmarshalJSON(text []byte) error {
	var bought struct {
		Class int `json:"ord_bs"`
	}
	if err := json.Unmarshal(text, &bought); err != nil {
		return err
	}
	if bought.Class == 2 {
		return json.Unmarshal(text, &o.Goods)
	}
	return json.Unmarshal(text, &o.Ticket)
}

// Variants returns an empty object of each shape. The OpenAPI document describes both shapes from them.
func (TicketOrGoods[T, G]) Variants() []any { return []any{*new(T), *new(G)} }

// bit is 1 for true and 0 for false.
func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// idText returns an id as answers show it.
func idText(id int64) string { return strconv.FormatInt(id, 10) }

// unix returns seconds since 1970, 0 for the zero time.
func unix(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.Unix()
}

// clockText returns a time in Beijing, in wire.TimeLayout; "" for the zero time.
func clockText(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(beijing.Time).Format(wire.TimeLayout)
}

// degrees returns the position of a cinema with six decimals, which is about 0.1 m; "" for both if it is not known.
func degrees(c catalog.Cinema) (lat, lng string) {
	if c.Lat == 0 && c.Lng == 0 {
		return "", ""
	}
	return strconv.FormatFloat(c.Lat, 'f', 6, 64), strconv.FormatFloat(c.Lng, 'f', 6, 64)
}

// knownPrice returns a price in yuan, or "" for 0, which means that the source has no price.
func knownPrice(f money.Fen) string {
	if f == 0 {
		return ""
	}
	return f.String()
}
