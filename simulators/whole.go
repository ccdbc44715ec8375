package simulators

import (
	"cmp"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

var textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

// whole tells which part of a JSON text is missing, null or of another kind than t has there, by its path. Only what t
// may leave out may be missing: decoding alone takes a missing part for an empty one.
func whole(text json.RawMessage, t reflect.Type, path string) error {
	if t == reflect.TypeFor[json.RawMessage]() {
		return nil // whose it is reads it
	}
	if string(text) == "null" {
		return fmt.Errorf("its %s is null", path)
	}
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		if err := json.Unmarshal(text, reflect.New(t).Interface()); err != nil {
			return fmt.Errorf("its %s cannot be read: %w", path, err)
		}
		return nil
	}
	switch t.Kind() {
	case reflect.Struct:
		return wholeFields(text, t, path)
	case reflect.Map:
		return wholeElements(text, t, path, map[string]json.RawMessage{}, "an object")
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil // base64
		}
		return wholeElements(text, t, path, []json.RawMessage{}, "a list")
	default: // a text, a number or a flag, of which the decoder says what is wrong
		return nil
	}
}

func wholeElements[C []json.RawMessage | map[string]json.RawMessage](text json.RawMessage, t reflect.Type, path string, all C, kind string) error {
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("its %s is not %s", path, kind)
	}
	for at, element := range reflect.ValueOf(all).Seq2() {
		raw, _ := element.Interface().(json.RawMessage)
		if err := whole(raw, t.Elem(), fmt.Sprintf("%s[%v]", path, at)); err != nil {
			return err
		}
	}
	return nil
}

func wholeFields(text json.RawMessage, t reflect.Type, path string) error {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		if path == "" {
			return errors.New("it is not one JSON object")
		}
		return fmt.Errorf("its %s is not an object", path)
	}
	for _, field := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous || !field.IsExported() {
			continue // the fields of an embedded one are visible too
		}
		name = cmp.Or(name, field.Name)
		at := strings.TrimPrefix(path+"."+name, ".")
		value, there := all[name]
		switch optional := strings.Contains(options, "omit"); {
		case optional && (!there || string(value) == "null"):
			continue
		case !there:
			return fmt.Errorf("it has no %s", at)
		}
		if err := whole(value, field.Type, at); err != nil {
			return err
		}
	}
	return nil
}
