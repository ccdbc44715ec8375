package wire

import (
	"fmt"
	"reflect"
	"strconv"
	"time"

	"marquee/server/money"
)

// Field is a type that reads itself from a field of a form: an id, or a text that people type.
type Field interface {
	// ReadField reads the field with a name. It records what is wrong with it in the form.
	ReadField(f *Form, name string)
	// FieldSchema describes the accepted values in the terms of JSON Schema.
	FieldSchema() map[string]any
}

// A Decoder reads forms into structs of one type. The tag form:"name" of a struct's field is the name of the form's
// field, and its type determines how it is read:
//
//	string      at most 64 bytes; with max:"512" more
//	int         with min, max and default, a whole number in the range
//	*money.Fen  yuan with at most two decimals, or with unit:"fen" a whole number from min to max; nil if missing
//	time.Time   in TimeLayout
//	[]string    joined by sep, at most max parts
//	[]byte      a file of a multipart form, which the call reads itself
//	Field       as its ReadField reads it
//
// With required:"true" a missing or empty field is an error. The fields of embedded structs belong to the form as well.
type Decoder struct{ fields []formField }

// formField is a field of a form, with the struct's field into which it is read.
type formField struct {
	FieldDescription
	index []int
	read  func(f *Form, name string, into reflect.Value)
}

// FieldDescription describes a field of a form.
type FieldDescription struct {
	Name     string
	Required bool
	Schema   map[string]any // in the terms of JSON Schema
	Struct   reflect.Type   // the struct that declares the field
	GoName   string
}

// NewDecoder returns the decoder of a struct type. It panics if a tag or a type of the struct cannot be read.
func NewDecoder(of reflect.Type) *Decoder {
	d := &Decoder{}
	d.add(of, nil)
	return d
}

func (d *Decoder) add(of reflect.Type, index []int) {
	for i := range of.NumField() {
		at := append(index[:len(index):len(index)], i)
		switch field := of.Field(i); {
		case field.Anonymous:
			d.add(field.Type, at)
		default:
			d.fields = append(d.fields, newFormField(of, field, at))
		}
	}
}

// Fields describes the form's fields in the order of the struct.
func (d *Decoder) Fields() []FieldDescription {
	list := make([]FieldDescription, len(d.fields))
	for i, field := range d.fields {
		list[i] = field.FieldDescription
	}
	return list
}

// Decode reads a form into a struct. It returns the first error of a field.
func (d *Decoder) Decode(f *Form, into reflect.Value) error {
	for _, field := range d.fields {
		if field.Required && f.fields[field.Name] == "" {
			f.Invalid(field.Name, "is missing")
			continue
		}
		field.read(f, field.Name, into.FieldByIndex(field.index))
	}
	return f.Err()
}

func newFormField(of reflect.Type, field reflect.StructField, index []int) formField {
	name := field.Tag.Get("form")
	if name == "" {
		panic(fmt.Sprintf("%s.%s has no tag form", of, field.Name))
	}
	made := formField{FieldDescription: FieldDescription{
		Name: name, Required: field.Tag.Get("required") == "true", Struct: of, GoName: field.Name,
	}, index: index}
	if self, ok := reflect.New(field.Type).Interface().(Field); ok {
		made.Schema = self.FieldSchema()
		made.read = func(f *Form, name string, into reflect.Value) { into.Addr().Interface().(Field).ReadField(f, name) }
		return made
	}
	made.Schema, made.read = kindOfField(of, field)
	return made
}

// kindOfField returns the schema and the reader of a field whose type does not implement Field. It panics if no form
// can hold the type.
func kindOfField(of reflect.Type, field reflect.StructField) (map[string]any, func(*Form, string, reflect.Value)) {
	number := func(tag string, otherwise int64) int64 { return tagNumber(of, field, tag, otherwise) }
	switch reflect.Zero(field.Type).Interface().(type) {
	case string:
		limit := int(number("max", maxText))
		return map[string]any{"type": "string", "maxLength": limit}, func(f *Form, name string, into reflect.Value) {
			into.SetString(f.Bounded(name, limit))
		}
	case int, int64:
		lowest, highest, missing := number("min", 0), number("max", 1<<62), number("default", 0)
		schema := map[string]any{"type": "integer", "minimum": lowest, "maximum": highest, "default": missing}
		return schema, func(f *Form, name string, into reflect.Value) {
			into.SetInt(f.Integer(name, lowest, highest, missing))
		}
	case *money.Fen:
		if field.Tag.Get("unit") == "fen" {
			lowest, highest := number("min", 0), number("max", 1e9)
			schema := map[string]any{"type": "integer", "minimum": lowest, "maximum": highest}
			return schema, func(f *Form, name string, into reflect.Value) {
				into.Set(reflect.ValueOf(f.Fen(name, lowest, highest)))
			}
		}
		schema := map[string]any{"type": "string", "pattern": `^\d+(\.\d{1,2})?$`}
		return schema, func(f *Form, name string, into reflect.Value) { into.Set(reflect.ValueOf(f.Yuan(name))) }
	case time.Time:
		schema := map[string]any{"type": "string", "examples": []string{TimeLayout}}
		return schema, func(f *Form, name string, into reflect.Value) { into.Set(reflect.ValueOf(f.Time(name))) }
	case []byte:
		return map[string]any{"type": "string", "format": "binary"}, func(*Form, string, reflect.Value) {}
	case []string:
		separator, most := field.Tag.Get("sep"), int(number("max", maxFields))
		return map[string]any{"type": "string", "maxLength": maxList}, func(f *Form, name string, into reflect.Value) {
			into.Set(reflect.ValueOf(f.List(name, separator, most)))
		}
	}
	panic(fmt.Sprintf("%s.%s has a type that no form holds", of, field.Name))
}

// tagNumber returns the number in a tag, or the parameter otherwise if the tag is missing.
func tagNumber(of reflect.Type, field reflect.StructField, tag string, otherwise int64) int64 {
	text, given := field.Tag.Lookup(tag)
	if !given {
		return otherwise
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(fmt.Sprintf("%s.%s: tag %s: %v", of, field.Name, tag, err))
	}
	return n
}

// ID is a required id: a whole number above zero.
type ID int64

// ReadField reads the id.
func (id *ID) ReadField(f *Form, name string) { *id = ID(f.ID(name)) }

// FieldSchema describes an id.
func (id *ID) FieldSchema() map[string]any { return map[string]any{"type": "integer", "minimum": 1} }
