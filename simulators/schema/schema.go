// Package schema reads JSON and queries into Go values, and accepts only what the fields of their types declare. The
// same declarations describe the types in the control API's document. These tags of a field restrict its values:
//
//	json:"name"       the name; the field is required unless it has omitempty or omitzero
//	min, max, above   bounds of a number, or of each number in a list
//	minItems, maxItems, minLength: bounds of the length of a list or of a text
//	format            one of Formats, for a text
//	default           of a parameter
//	code              the error code of a wrong value; with ",missing" also that of a missing value
//	only:"answer"     the field is not part of a request
//	rest:"true"       a map that gets all fields of the object that the struct does not declare
package schema

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Format restricts strings.
type Format struct {
	Pattern *regexp.Regexp
	Text    string // describes valid texts, after "must be"
	Code    string // the error code for an invalid text
}

// Formats are the values of the tag format.
var Formats = map[string]Format{
	"address": {regexp.MustCompile(`^(https?://[^/?#\s]+([/?#]\S*)?)?$`),
		"an address like http://127.0.0.1:8080, or empty", "bad_address"},
	"url": {regexp.MustCompile(`^https?://[^/?#\s]+([/?#]\S*)?$`), "an address like http://127.0.0.1:8080/notify",
		"bad_address"},
	"world-id": {regexp.MustCompile(`^[a-z][a-z0-9-]{1,30}[a-z0-9]$`),
		"3 to 32 of a-z, 0-9 and -, with a letter first and no - last, and none of default, phone, inapp, restore",
		"bad_world_id"},
	"phone":  {regexp.MustCompile(`^1[3-9][0-9]{9}$`), "a mainland mobile number of 11 digits", "bad_phone"},
	"openid": {regexp.MustCompile(`^[0-9A-Za-z_-]{6,128}$`), "an openid of 6 to 128 letters, digits, _ and -", "bad_openid"},
}

// enumerated is a string type with a fixed set of values.
type enumerated interface{ Values() []string }

// Field is a field of a type, as its tags declare it.
type Field struct {
	Name       string
	Required   bool
	OnlyAnswer bool
	Rest       bool
	Code       string // of a wrong value; "" if the field declares none
	CodeMissed string // of a missing value; "" if the field declares none
	Type       reflect.Type
	Struct     reflect.Type // the type that declares the field
	GoName     string
	Rules      Rules

	index []int
}

// Rules restrict the values of a field. A nil bound means no limit.
type Rules struct {
	Min, Max, Above               *float64
	MinItems, MaxItems, MinLength *int
	Format                        string
	Enum                          []string
	Default                       string
}

var fieldsOf sync.Map // caches the results of Fields, by type and tag

// Fields returns the fields of a struct that have a tag: "json", "query" or "path". Fields of embedded structs are
// included. It panics if a tag cannot be read.
func Fields(of reflect.Type, tag string) []Field {
	type key struct {
		of  reflect.Type
		tag string
	}
	if known, ok := fieldsOf.Load(key{of, tag}); ok {
		return known.([]Field)
	}
	var list []Field
	for i := range of.NumField() {
		f := of.Field(i)
		text, tagged := f.Tag.Lookup(tag)
		switch {
		case f.Anonymous && f.Type.Kind() == reflect.Struct && !tagged:
			for _, inner := range Fields(f.Type, tag) {
				inner.index = append([]int{i}, inner.index...)
				list = append(list, inner)
			}
		case f.IsExported() && (text != "-" || f.Tag.Get("rest") != "") && (tagged || tag == "json"):
			list = append(list, newField(of, f, text, i))
		}
	}
	fieldsOf.Store(key{of, tag}, list)
	return list
}

func newField(of reflect.Type, f reflect.StructField, text string, i int) Field {
	name, options, _ := strings.Cut(text, ",")
	if name == "" {
		name = f.Name
	}
	made := Field{
		Name: name, Required: !strings.HasPrefix(options, "omit"), OnlyAnswer: f.Tag.Get("only") == "answer",
		Rest: f.Tag.Get("rest") == "true", Type: f.Type, Struct: of, GoName: f.Name, index: []int{i},
		Rules: Rules{
			Min: number[float64](f, "min"), Max: number[float64](f, "max"), Above: number[float64](f, "above"),
			MinItems: number[int](f, "minItems"), MaxItems: number[int](f, "maxItems"),
			MinLength: number[int](f, "minLength"), Format: f.Tag.Get("format"), Default: f.Tag.Get("default"),
			Enum: ValuesOf(f.Type),
		},
	}
	code, missing, _ := strings.Cut(f.Tag.Get("code"), ",")
	made.Code = code
	if missing != "" {
		made.CodeMissed = code
	}
	if format, known := Formats[made.Rules.Format]; known && code == "" {
		made.Code = format.Code
	} else if !known && made.Rules.Format != "" {
		panic(fmt.Sprintf("%s.%s: there is no format %s", of, f.Name, made.Rules.Format))
	}
	return made
}

func number[N int | float64](f reflect.StructField, tag string) *N {
	text, given := f.Tag.Lookup(tag)
	if !given {
		return nil
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(fmt.Sprintf("field %s: tag %s: %v", f.Name, tag, err))
	}
	value := N(n)
	return &value
}

// ValuesOf returns the values of an enumerated type, or of the items of a list of it; nil for another type.
func ValuesOf(of reflect.Type) []string {
	if of.Kind() == reflect.Slice || of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if e, ok := reflect.Zero(of).Interface().(enumerated); ok {
		return e.Values()
	}
	return nil
}

// Kind is the kind of a Problem.
type Kind int

// The kinds of problems.
const (
	Syntax  Kind = iota // the text is not JSON, or an object has a field twice
	Unknown             // the type does not have the field
	Missing             // a required field is missing
	Null                // a required field is null
	Type                // the value has another JSON type
	Time                // the value is not a time in the form of RFC 3339
	Value               // the value has the right type, but the rules do not allow it
)

// Problem describes a value that does not match its type.
type Problem struct {
	Kind Kind
	Path string // such as trades[0].order; "" for the value itself
	Text string // what is wrong, and which values are valid
	Code string // that the field declares; "" for none
	Want string // the JSON type in a problem of the kind Type, with its article
}

// Error is the path and the text.
func (p *Problem) Error() string { return strings.TrimSpace(p.Path + " " + p.Text) }

// In returns the problem of a part of a value as a problem of the entire value: it adds part, the name of that part, in
// front of the path.
func (p *Problem) In(part string) *Problem {
	inner := *p
	inner.Path = join(part, p.Path)
	return &inner
}

func join(path, name string) string {
	if path == "" || name == "" || strings.HasPrefix(name, "[") {
		return path + name
	}
	return path + "." + name
}

// Check checks the fields of a struct that are not zero against their rules, and returns the first problem or nil.
func Check(v any) *Problem {
	value := reflect.ValueOf(v)
	for _, f := range Fields(value.Type(), "json") {
		field := value.FieldByIndex(f.index)
		if field.IsZero() {
			continue
		}
		if p := f.check(field, f.Name); p != nil {
			return p
		}
		if field.Kind() == reflect.Struct && field.Type() != timeType {
			if p := Check(field.Interface()); p != nil {
				return p.In(f.Name)
			}
		}
	}
	return nil
}

// check checks a value of the field's type against the rules.
func (f Field) check(v reflect.Value, path string) *Problem {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	text := ""
	switch r := f.Rules; v.Kind() {
	case reflect.Slice:
		if r.MinItems != nil && v.Len() < *r.MinItems || r.MaxItems != nil && v.Len() > *r.MaxItems {
			text = "must have " + r.Items()
			break
		}
		for i := range v.Len() {
			if p := f.check(v.Index(i), fmt.Sprintf("%s[%d]", path, i)); p != nil {
				return p
			}
		}
	case reflect.String:
		text = r.checkText(v.String(), f.Required)
	case reflect.Int, reflect.Int64:
		text = r.checkNumber(float64(v.Int()))
	case reflect.Uint64:
		text = r.checkNumber(float64(v.Uint()))
	case reflect.Float64:
		text = r.checkNumber(v.Float())
	}
	if text == "" {
		return nil
	}
	return &Problem{Kind: Value, Path: path, Text: text, Code: f.Code}
}

// Restrict reports whether there is any rule.
func (r Rules) Restrict() bool {
	return r.Min != nil || r.Max != nil || r.Above != nil || r.MinItems != nil || r.MaxItems != nil ||
		r.MinLength != nil || r.Format != "" || r.Enum != nil
}

func (r Rules) checkText(text string, required bool) string {
	format, has := Formats[r.Format]
	switch {
	case r.Enum != nil && !slices.Contains(r.Enum, text) && (required || text != ""):
		return "is " + shown(text) + "; valid: " + strings.Join(r.Enum, ", ")
	case has && !format.Pattern.MatchString(text) && (required || text != ""):
		return "is " + shown(text) + " and must be " + format.Text
	case r.MinLength != nil && len(text) < *r.MinLength:
		return "must not be empty"
	}
	return ""
}

func (r Rules) checkNumber(n float64) string {
	if r.Min != nil && n < *r.Min || r.Max != nil && n > *r.Max || r.Above != nil && n <= *r.Above {
		return "must be " + r.Bounds()
	}
	return ""
}

// Bounds describes the allowed numbers.
func (r Rules) Bounds() string {
	whole := func(n *float64) string { return strconv.FormatFloat(*n, 'f', -1, 64) }
	switch {
	case r.Above != nil && r.Max != nil:
		return "above " + whole(r.Above) + " and at most " + whole(r.Max)
	case r.Min != nil && r.Max != nil:
		return "from " + whole(r.Min) + " to " + whole(r.Max)
	case r.Min != nil:
		return "at least " + whole(r.Min)
	}
	return "a number"
}

// Items describes the allowed length of a list.
func (r Rules) Items() string {
	if r.MinItems == nil {
		return fmt.Sprintf("at most %d items", *r.MaxItems)
	}
	return fmt.Sprintf("from %d to %d items", *r.MinItems, *r.MaxItems)
}

// shown quotes a text of at most 200 bytes.
func shown(text string) string {
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:200], "") + "…"
	}
	return strconv.Quote(text)
}

// timeType is the type of times, which are RFC 3339 strings in JSON.
var timeType = reflect.TypeFor[time.Time]()
