package httpapi

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
)

const (
	maxForm   = 64 << 10
	maxFields = 64
	// maxText is what a field may hold unless its call says otherwise, in bytes.
	maxText = 512
)

// What a request can fail with before anyone looks at what it wants.
var (
	ErrMediaType    = fault.New(fault.Invalid, "unsupported_media_type", "请求格式不支持")
	ErrBodyTooLarge = fault.New(fault.Invalid, "body_too_large", "请求内容过大")
	ErrFormInvalid  = fault.New(fault.Invalid, "form_invalid", "请求参数有误")
)

// form is a decoded form whose every field stands once. The readers below note the first field that is not as it
// must be; look at err before acting on what they returned.
type form struct {
	fields map[string]string
	err    error
}

// readForm decodes the body of r, which may be no larger than maxForm.
func readForm(w http.ResponseWriter, r *http.Request) (*form, error) {
	kind, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return nil, ErrMediaType
	}
	if charset, given := params["charset"]; given && !strings.EqualFold(charset, "utf-8") {
		return nil, ErrMediaType
	}
	if r.ContentLength > maxForm {
		return nil, ErrBodyTooLarge
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil {
		if tooLarge := new(http.MaxBytesError); errors.As(err, &tooLarge) {
			return nil, ErrBodyTooLarge
		}
		return nil, fmt.Errorf("%w: read the body: %v", ErrFormInvalid, err)
	}
	return parseForm(string(body))
}

// parseForm is strict where net/url is lenient: text must be UTF-8 without control characters, and no field may
// stand twice, because a check of the one value and a use of the other is how checks are passed by.
func parseForm(text string) (*form, error) {
	if strings.Count(text, "&") >= maxFields {
		return nil, fmt.Errorf("%w: more than %d fields", ErrFormInvalid, maxFields)
	}
	values, err := url.ParseQuery(text)
	if err != nil {
		return nil, fmt.Errorf("%w: not a form", ErrFormInvalid)
	}
	f := &form{fields: make(map[string]string, len(values))}
	for key, list := range values {
		if len(list) != 1 {
			return nil, fmt.Errorf("%w: a field stands %d times", ErrFormInvalid, len(list))
		}
		if !plainText(key) || !plainText(list[0]) {
			return nil, fmt.Errorf("%w: a field is not plain UTF-8 text", ErrFormInvalid)
		}
		f.fields[key] = list[0]
	}
	return f, nil
}

func plainText(s string) bool {
	return utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t'
	}) < 0
}

func (f *form) fail(name, why string) {
	if f.err == nil {
		f.err = fmt.Errorf("%w: field %s %s", fault.ErrInvalidInput, name, why)
	}
}

// text is a field that may be missing.
func (f *form) text(name string) string { return f.bounded(name, maxText) }

// bounded is a field that may be missing and may hold up to max bytes.
func (f *form) bounded(name string, max int) string {
	v := f.fields[name]
	if len(v) > max {
		f.fail(name, "is too long")
		return ""
	}
	return v
}

// required is a field that must be there and hold something.
func (f *form) required(name string) string {
	v := f.text(name)
	if v == "" {
		f.fail(name, "is missing")
	}
	return v
}

// integer is a whole number from min to max; otherwise is what a missing field means.
func (f *form) integer(name string, min, max, otherwise int64) int64 {
	v := f.fields[name]
	if v == "" {
		return otherwise
	}
	n, err := wholeNumber(v)
	if err != nil || n < min || n > max {
		f.fail(name, "is not a number in its range")
		return otherwise
	}
	return n
}

// wholeNumber is digits, and a minus before them where it is meant; a plus is one that no form of ours writes.
func wholeNumber(v string) (int64, error) {
	if strings.HasPrefix(v, "+") {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(v, 10, 64)
}

// moment is a time as answers show it, in the providers' clock; a missing field is the zero time.
func (f *form) moment(name string) time.Time {
	v := f.text(name)
	if v == "" {
		return time.Time{}
	}
	t, err := time.ParseInLocation(stampForm, v, beijing.Time)
	if err != nil {
		f.fail(name, "is no time")
		return time.Time{}
	}
	return t
}

// list is a field of parts joined by sep; "" is no parts, and no part may be empty.
func (f *form) list(name, sep string, most int) []string {
	v := f.bounded(name, 4096)
	if v == "" {
		return nil
	}
	parts := strings.Split(v, sep)
	if len(parts) > most {
		f.fail(name, "has too many parts")
		return nil
	}
	for _, p := range parts {
		if p == "" {
			f.fail(name, "has an empty part")
			return nil
		}
	}
	return parts
}

// ids is a list of ids joined by commas.
func (f *form) ids(name string, most int) []int64 {
	parts := f.list(name, ",", most)
	ids := make([]int64, 0, len(parts))
	for _, p := range parts {
		n, err := wholeNumber(p)
		if err != nil || n <= 0 {
			f.fail(name, "has a part that is no id")
			return nil
		}
		ids = append(ids, n)
	}
	return ids
}
