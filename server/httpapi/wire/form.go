package wire

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"marquee/server/beijing"
	"marquee/server/fault"
	"marquee/server/input"
	"marquee/server/money"
)

const (
	// MaxForm is the largest form that is read, in bytes.
	MaxForm   = 64 << 10
	maxFields = 64
	maxText   = 64   // bytes of an id, a code, a key or a password, which errors in the log may quote
	longText  = 512  // bytes of another text
	maxList   = 4096 // bytes of a field that holds a list
)

// TimeLayout is the format of times in forms and answers, on the cinemas' clocks (Asia/Shanghai).
const TimeLayout = time.DateTime

// Errors of reading a body, before any field is checked.
var (
	ErrMediaType    = fault.New(fault.Invalid, "unsupported_media_type", "请求格式不支持")
	ErrBodyTooLarge = fault.New(fault.Invalid, "body_too_large", "请求内容过大")
	ErrFormInvalid  = fault.New(fault.Invalid, "form_invalid", "请求参数有误")
)

// Form is a decoded form in which every field occurs once. The readers return a zero value for a field that is
// wrong and record the first such field: check Err before using what they returned.
type Form struct {
	fields map[string]string
	err    error
}

// NewForm returns a form of the first value of each field.
func NewForm(values url.Values) *Form {
	f := &Form{fields: make(map[string]string, len(values))}
	for name := range values {
		f.fields[name] = values.Get(name)
	}
	return f
}

// ReadForm decodes the body of r. It returns ErrMediaType unless the body is a UTF-8 form, ErrBodyTooLarge above
// MaxForm, and ErrFormInvalid as ParseForm does.
func ReadForm(w http.ResponseWriter, r *http.Request) (*Form, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, ErrMediaType
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return nil, ErrMediaType
	}
	body, err := ReadBody(w, r)
	if err != nil {
		return nil, err
	}
	return ParseForm(string(body))
}

// ReadBody reads a body of at most MaxForm bytes. It returns ErrBodyTooLarge or ErrFormInvalid.
func ReadBody(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	if r.ContentLength > MaxForm {
		return nil, ErrBodyTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, MaxForm))
	if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
		return nil, ErrBodyTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("%w: read the body: %v", ErrFormInvalid, err)
	}
	return body, nil
}

// ParseForm decodes a form or a query. It is stricter than net/url and returns ErrFormInvalid for more than 64
// fields, for text that is not UTF-8 or holds control characters, and for a field that occurs twice: otherwise one
// value could be checked and the other used.
func ParseForm(text string) (*Form, error) {
	if strings.Count(text, "&") >= maxFields {
		return nil, fmt.Errorf("%w: more than %d fields", ErrFormInvalid, maxFields)
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil, fmt.Errorf("%w: not a form", ErrFormInvalid)
	}
	for key, list := range values {
		if len(list) != 1 {
			return nil, fmt.Errorf("%w: a field occurs %d times", ErrFormInvalid, len(list))
		}
		if !plainText(key) || !plainText(list[0]) {
			return nil, fmt.Errorf("%w: a field is not plain UTF-8 text", ErrFormInvalid)
		}
	}
	return NewForm(values), nil
}

// plainText reports whether s is UTF-8 without control characters other than line breaks and tabs.
func plainText(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	}) < 0
}

// Err returns the first error that a reader recorded.
func (f *Form) Err() error { return f.err }

// Fields returns the decoded fields as they were sent.
func (f *Form) Fields() map[string]string { return f.fields }

// Reject records err unless an error is recorded already.
func (f *Form) Reject(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Invalid records fault.ErrInvalidInput for a field; problem completes the sentence "field <name> …" for the log.
func (f *Form) Invalid(name, problem string) {
	f.Reject(InvalidField(name, problem))
}

// InvalidField returns fault.ErrInvalidInput for a field; problem completes the sentence "field <name> …" for the log.
func InvalidField(name, problem string) error {
	return fmt.Errorf("%w: field %s %s", fault.ErrInvalidInput, name, problem)
}

// Text reads an optional field of at most 64 bytes: an id, a code, a key or a password.
func (f *Form) Text(name string) string { return f.Bounded(name, maxText) }

// LongText reads an optional field of at most 512 bytes, which no error may quote.
func (f *Form) LongText(name string) string { return f.Bounded(name, longText) }

// Bounded reads an optional field of at most limit bytes.
func (f *Form) Bounded(name string, limit int) string {
	v := f.fields[name]
	if len(v) > limit {
		f.Invalid(name, "is too long")
		return ""
	}
	return v
}

// Input reads an optional field that people type, without separators and the like. The value may be invalid.
func (f *Form) Input(name string, of input.Field) string { return of.Read(f.LongText(name)) }

// Required reads a field that must not be empty.
func (f *Form) Required(name string) string {
	v := f.Text(name)
	if v == "" {
		f.Invalid(name, "is missing")
	}
	return v
}

// Integer reads a whole number from lowest to highest. A missing field reads as the value of the parameter missing.
func (f *Form) Integer(name string, lowest, highest, missing int64) int64 {
	v := f.fields[name]
	if v == "" {
		return missing
	}
	n, err := parseInteger(v)
	if err != nil || n < lowest || n > highest {
		f.Invalid(name, "is not a number in its range")
		return missing
	}
	return n
}

// parseInteger accepts digits with an optional minus. It rejects a plus, which no form of the app contains.
func parseInteger(v string) (int64, error) {
	if strings.HasPrefix(v, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(v, 10, 64)
}

// ID reads a required id: a whole number above zero.
func (f *Form) ID(name string) int64 {
	n := f.Integer(name, 1, 1<<62, 0)
	if n == 0 {
		f.Invalid(name, "must be an id")
	}
	return n
}

// Time reads an optional time in TimeLayout. A missing field reads as the zero time.
func (f *Form) Time(name string) time.Time {
	v := f.Text(name)
	if v == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation(TimeLayout, v, beijing.Time)
	if err != nil {
		f.Invalid(name, "must be a time")
		return time.Time{}
	}
	return t
}

// Yuan reads an optional amount in yuan with at most two decimals. A missing field reads as nil.
func (f *Form) Yuan(name string) *money.Fen {
	v := f.Text(name)
	if v == "" {
		return nil
	}
	amount, err := money.ParseFen(v)
	if err != nil {
		f.Invalid(name, "must be an amount in yuan")
		return nil
	}
	return &amount
}

// Fen reads an optional amount in fen, from lowest to highest. A missing field reads as nil.
func (f *Form) Fen(name string, lowest, highest int64) *money.Fen {
	if f.fields[name] == "" {
		return nil
	}
	amount := money.Fen(f.Integer(name, lowest, highest, 0))
	return &amount
}

// List reads at most limit parts joined by separator, of 1 to 64 bytes each. An empty field has zero parts.
func (f *Form) List(name, separator string, limit int) []string {
	v := f.Bounded(name, maxList)
	if v == "" {
		return nil
	}
	parts := strings.Split(v, separator)
	if len(parts) > limit {
		f.Invalid(name, "has too many parts")
		return nil
	}
	for _, p := range parts {
		if p == "" || len(p) > maxText {
			f.Invalid(name, "has a part that is empty or too long")
			return nil
		}
	}
	return parts
}

// IDs reads at most limit ids joined by commas.
func (f *Form) IDs(name string, limit int) []int64 {
	parts := f.List(name, ",", limit)
	ids := make([]int64, 0, len(parts))
	for _, p := range parts {
		n, err := parseInteger(p)
		if err != nil || n <= 0 {
			f.Invalid(name, "must be a list of ids")
			return nil
		}
		ids = append(ids, n)
	}
	return ids
}
