package legacygateway

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// hall is the data of opi.seat.
type hall struct {
	Opi   opi        `json:"opi"`
	Seats []wireSeat `json:"seatList"`
}

// plainAnswer reads a successful answer in one pass and tells whether it could: the hundreds of seats of a hall, read
// at every lock, are most of all that the shop decodes.
func (h *hall) plainAnswer(body []byte) bool {
	var read hall
	p := plainJSON{rest: body}
	var success, data bool
	p.object(func(key []byte) {
		switch string(key) {
		case "success":
			success = p.word("true")
		case "error":
			p.word("null")
		case "data":
			p.odd = data // again
			data = true
			p.object(func(key []byte) {
				switch string(key) {
				case "opi":
					p.other(&read.Opi)
				case "seatList":
					p.odd = read.Seats != nil // again
					read.Seats = p.seats()
				default:
					p.odd = true
				}
			})
		default:
			p.odd = true
		}
	})
	p.space()
	if p.odd || len(p.rest) > 0 || !success || !data {
		return false
	}
	*h = read
	return true
}

func (p *plainJSON) seats() []wireSeat {
	list := make([]wireSeat, 0, 256)
	p.each('[', ']', func() {
		var w wireSeat
		p.object(func(key []byte) {
			switch string(key) {
			case "seatid":
				w.ID = p.text("")
			case "name":
				w.Name = p.text("")
			case "row":
				w.Row = p.number()
			case "column":
				w.Column = p.number()
			case "rowname":
				w.RowName = p.text(last(list).RowName)
			case "area":
				w.Area = p.text(last(list).Area)
			case "status":
				status := p.number()
				w.Status = &status
			case "flag":
				w.Flag = p.number()
			default:
				p.odd = true
			}
		})
		list = append(list, w)
	})
	return list
}

func last(list []wireSeat) wireSeat {
	if len(list) == 0 {
		return wireSeat{}
	}
	return list[len(list)-1]
}

// plainJSON reads JSON that is written the plain way: the names we know in their own case, strings without escapes,
// whole numbers. Anything else, well-formed or not, is odd, and encoding/json has the say about it.
type plainJSON struct {
	rest []byte
	odd  bool
}

func (p *plainJSON) space() {
	for len(p.rest) > 0 && (p.rest[0] == ' ' || p.rest[0] == '\n' || p.rest[0] == '\t' || p.rest[0] == '\r') {
		p.rest = p.rest[1:]
	}
}

// next takes c, if that comes next.
func (p *plainJSON) next(c byte) bool {
	p.space()
	if len(p.rest) == 0 || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

func (p *plainJSON) expect(c byte) { p.odd = !p.next(c) || p.odd }

func (p *plainJSON) word(w string) bool {
	p.space()
	var ok bool
	p.rest, ok = bytes.CutPrefix(p.rest, []byte(w))
	p.odd = p.odd || !ok
	return ok
}

// each calls entry for what stands between open and end, commas apart.
func (p *plainJSON) each(open, end byte, entry func()) {
	p.expect(open)
	for first := true; !p.odd && !p.next(end); first = false {
		if !first {
			p.expect(',')
		}
		if !p.odd {
			entry()
		}
	}
}

func (p *plainJSON) object(field func(key []byte)) {
	p.each('{', '}', func() {
		key := p.quoted()
		p.expect(':')
		if !p.odd {
			field(key)
		}
	})
}

// quoted is a string without its quotes.
func (p *plainJSON) quoted() []byte {
	p.expect('"')
	for i, c := range p.rest {
		switch {
		case p.odd || c < ' ' || c == '\\':
			p.odd = true
			return nil
		case c == '"':
			s := p.rest[:i]
			p.rest = p.rest[i+1:]
			p.odd = !utf8.Valid(s)
			return s
		}
	}
	p.odd = true
	return nil
}

// text is a string; one that is like the given one shares its memory.
func (p *plainJSON) text(like string) string {
	s := p.quoted()
	if string(s) == like {
		return like
	}
	return string(s)
}

// mostDigits keeps numbers far from any overflow.
const mostDigits = 9

func (p *plainJSON) number() int {
	p.space()
	n, digits := 0, 0
	for digits < len(p.rest) && '0' <= p.rest[digits] && p.rest[digits] <= '9' && digits <= mostDigits {
		n = 10*n + int(p.rest[digits]-'0')
		digits++
	}
	p.odd = p.odd || digits == 0 || digits > mostDigits || digits > 1 && p.rest[0] == '0'
	p.rest = p.rest[digits:] // a fraction or an exponent is then neither a comma nor an end
	return n
}

// other is an object without objects inside, which encoding/json decodes.
func (p *plainJSON) other(into any) {
	p.space()
	end := bytes.IndexByte(p.rest, '}') + 1
	p.odd = p.odd || end == 0 || json.Unmarshal(p.rest[:end], into) != nil
	p.rest = p.rest[end:]
}
