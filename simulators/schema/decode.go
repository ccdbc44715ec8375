package schema

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Decode reads JSON into the value that a pointer points to. It rejects everything that the type does not declare:
// unknown fields, fields that occur twice, values of another type and values that the rules do not allow. Missing
// optional fields are not changed; null counts as missing. The error is a *Problem.
func Decode(text []byte, into any) error { return decodeInto(text, into, decoder{}) }

// DecodeRequest is Decode for requests: it also rejects the fields that only answers have.
func DecodeRequest(text []byte, into any) error {
	return decodeInto(text, into, decoder{request: true})
}

func decodeInto(text []byte, into any, d decoder) error {
	text = bytes.TrimPrefix(text, []byte("\ufeff")) // a byte-order mark, which editors on Windows add to saved files
	if !utf8.Valid(text) {
		return &Problem{Kind: Syntax, Text: "is not UTF-8"}
	}
	value := json.NewDecoder(bytes.NewReader(text))
	var raw json.RawMessage
	if err := value.Decode(&raw); err != nil {
		return unreadable(err)
	}
	if _, err := value.Token(); !errors.Is(err, io.EOF) {
		return &Problem{Kind: Syntax, Text: "continues after its JSON object"}
	}
	if p := d.decode(raw, reflect.ValueOf(into).Elem(), ""); p != nil {
		return p
	}
	return nil
}

func unreadable(err error) *Problem {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Problem{Kind: Syntax, Text: "ends before its JSON object does"}
	}
	return &Problem{Kind: Syntax, Text: "is not one JSON object: " + err.Error()}
}

// decoder decodes JSON. If request is true, fields that are only part of answers are unknown fields.
type decoder struct{ request bool }

// decode decodes a JSON value, whose syntax is already checked. path is its path in the entire text, for the problem.
func (d decoder) decode(raw json.RawMessage, into reflect.Value, path string) *Problem {
	_, own := into.Addr().Interface().(json.Unmarshaler)
	_, text := into.Addr().Interface().(encoding.TextUnmarshaler)
	switch kind := into.Kind(); {
	case kind == reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return d.decode(raw, into.Elem(), path)
	case own || text:
	case kind == reflect.Struct:
		return d.object(raw, into, path)
	case kind == reflect.Map:
		return d.mapOf(raw, into, path)
	case kind == reflect.Slice && into.Type().Elem().Kind() != reflect.Uint8:
		return d.list(raw, into, path)
	}
	if err := json.Unmarshal(raw, into.Addr().Interface()); err == nil && (string(raw) != "null" || own) {
		return nil
	}
	if into.Type() == timeType {
		text := "must be a time like 2026-01-02T15:04:05+08:00"
		if raw[0] == '"' {
			text = "is " + shown(strings.Trim(string(raw), `"`)) + " and must be like 2026-01-02T15:04:05+08:00"
		}
		return &Problem{Kind: Time, Path: path, Text: text}
	}
	return wrongType(path, wanted(into.Type()))
}

func wrongType(path, want string) *Problem {
	return &Problem{Kind: Type, Path: path, Text: "must be " + want, Want: want}
}

// wanted is the name of the JSON type of a Go type.
func wanted(of reflect.Type) string {
	switch of.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Uint64:
		return "a whole number of at least 0"
	case reflect.Float64:
		return "a number"
	}
	return "a text"
}

// object reads a struct.
func (d decoder) object(raw json.RawMessage, into reflect.Value, path string) *Problem {
	found, p := members(raw, path)
	if p != nil {
		return p
	}
	var fields []Field
	var rest *Field
	for _, f := range Fields(into.Type(), "json") {
		switch {
		case f.Rest:
			rest = &f
		case !d.request || !f.OnlyAnswer:
			fields = append(fields, f)
		}
	}
	others := maps.Clone(found)
	for _, f := range fields {
		delete(others, f.Name)
	}
	if rest != nil {
		into.FieldByIndex(rest.index).Set(reflect.ValueOf(others))
	} else if len(others) > 0 {
		name := slices.Sorted(maps.Keys(others))[0]
		return &Problem{Kind: Unknown, Path: join(path, name), Text: "is not a field"}
	}
	for _, f := range fields {
		at := join(path, f.Name)
		value, given := found[f.Name]
		null := string(value) == "null"
		switch {
		case null && f.Required && f.Type != rawType && f.Type.Kind() != reflect.Pointer:
			return &Problem{Kind: Null, Path: at, Text: "is missing", Code: f.CodeMissed}
		case !given && f.Required:
			return &Problem{Kind: Missing, Path: at, Text: "is missing", Code: f.CodeMissed}
		case !given || null:
			continue
		}
		field := into.FieldByIndex(f.index)
		if p := d.decode(value, field, at); p != nil {
			return p
		}
		if p := f.check(field, at); p != nil {
			return p
		}
	}
	return nil
}

var rawType = reflect.TypeFor[json.RawMessage]()

// members reads an object. Unlike json.Unmarshal, it rejects a field that occurs twice.
func members(raw json.RawMessage, path string) (map[string]json.RawMessage, *Problem) {
	if raw[0] != '{' {
		return nil, wrongType(path, "a JSON object")
	}
	found := map[string]json.RawMessage{}
	values := json.NewDecoder(bytes.NewReader(raw))
	_, _ = values.Token() // the text is valid JSON
	for values.More() {
		token, _ := values.Token()
		name, _ := token.(string)
		var value json.RawMessage
		_ = values.Decode(&value)
		if _, twice := found[name]; twice {
			return nil, &Problem{Kind: Syntax, Path: join(path, name), Text: "occurs more than once"}
		}
		found[name] = value
	}
	return found, nil
}

func (d decoder) mapOf(raw json.RawMessage, into reflect.Value, path string) *Problem {
	found, p := members(raw, path)
	if p != nil {
		return p
	}
	into.Set(reflect.MakeMap(into.Type()))
	for name, value := range found {
		element := reflect.New(into.Type().Elem()).Elem()
		if p := d.decode(value, element, join(path, name)); p != nil {
			return p
		}
		into.SetMapIndex(reflect.ValueOf(name), element)
	}
	return nil
}

func (d decoder) list(raw json.RawMessage, into reflect.Value, path string) *Problem {
	var values []json.RawMessage
	if raw[0] != '[' || json.Unmarshal(raw, &values) != nil {
		return wrongType(path, "a list")
	}
	into.Set(reflect.MakeSlice(into.Type(), len(values), len(values)))
	for i, value := range values {
		if p := d.decode(value, into.Index(i), fmt.Sprintf("%s[%d]", path, i)); p != nil {
			return p
		}
	}
	return nil
}

// DecodeQuery reads the parameters of a query into the fields of a struct that have the tag query. A parameter that is
// missing or empty has its default. The error is a *Problem; the code of a wrong value is unknown_{name} for an
// enumerated type, else bad_{name}.
func DecodeQuery(query url.Values, into any) error {
	value := reflect.ValueOf(into).Elem()
	for _, f := range Fields(value.Type(), "query") {
		text := query.Get(f.Name)
		if text == "" {
			text = f.Rules.Default
		}
		if text == "" {
			continue
		}
		f.Code = f.ParameterCode()
		field := value.FieldByIndex(f.index)
		switch field.Kind() {
		case reflect.String:
			field.SetString(text)
		default:
			n, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				return &Problem{Kind: Value, Path: f.Name, Code: f.Code,
					Text: "must be a whole number " + f.Rules.Bounds()}
			}
			field.SetInt(n)
		}
		if p := f.check(field, f.Name); p != nil {
			return p
		}
	}
	return nil
}

// ParameterCode is the error code of a wrong value of a parameter; "" if every value is valid.
func (f Field) ParameterCode() string {
	switch {
	case f.Code != "":
		return f.Code
	case f.Rules.Enum != nil:
		return "unknown_" + f.Name
	case f.Type.Kind() == reflect.String:
		return ""
	}
	return "bad_" + f.Name
}

// Names lists the fields of a request's body in alphabetical order.
func Names(of reflect.Type) (names []string) {
	for _, f := range Fields(of, "json") {
		if !f.OnlyAnswer {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	return names
}
