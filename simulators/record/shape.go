package record

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// shape is what many values have in common: their types, and of objects and arrays what is in them.
type shape struct {
	seen    int
	types   map[string]bool
	objects int               // how many of them were objects
	fields  map[string]*shape // of the objects
	element *shape            // of all elements of the arrays; nil while none was seen
}

func newShape() *shape { return &shape{types: map[string]bool{}, fields: map[string]*shape{}} }

func typeOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case json.Number, float64:
		return "number"
	case []any:
		return "array"
	}
	return "object"
}

func (s *shape) add(v any) {
	s.seen++
	s.types[typeOf(v)] = true
	switch v := v.(type) {
	case map[string]any:
		s.objects++
		for name, inner := range v {
			if s.fields[name] == nil {
				s.fields[name] = newShape()
			}
			s.fields[name].add(inner)
		}
	case []any:
		for _, inner := range v {
			if s.element == nil {
				s.element = newShape()
			}
			s.element.add(inner)
		}
	}
}

func (s *shape) names() string { return strings.Join(slices.Sorted(maps.Keys(s.types)), " or ") }

// finding is one difference of two shapes.
type finding struct{ path, kind, recorded, now string }

// differ tells where the replay's answers have another shape than the recorded ones. What only one side has shown, an
// array's elements for instance, is no difference: it is told as unseen.
func differ(path string, recorded, now *shape, tell func(finding), unseen func(path string)) {
	fresh, common := false, false
	for t := range now.types {
		if recorded.types[t] {
			common = true
		} else {
			fresh = true
		}
	}
	if fresh || !common {
		tell(finding{path, "type", recorded.names(), now.names()})
	}
	if recorded.objects > 0 && now.objects > 0 {
		differFields(path, recorded, now, tell, unseen)
	}
	switch {
	case recorded.element != nil && now.element != nil:
		differ(path+"[]", recorded.element, now.element, tell, unseen)
	case recorded.element != nil && now.types["array"], now.element != nil && recorded.types["array"]:
		unseen(path + "[]")
	}
}

func differFields(path string, recorded, now *shape, tell func(finding), unseen func(path string)) {
	names := map[string]bool{}
	for name := range recorded.fields {
		names[name] = true
	}
	for name := range now.fields {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		inner := name
		if path != "" {
			inner = path + "." + name
		}
		was, is := recorded.fields[name], now.fields[name]
		switch {
		case is == nil:
			tell(finding{inner, "missing", was.names(), ""})
		case was == nil:
			tell(finding{inner, "extra", "", is.names()})
		default:
			if was.seen == recorded.objects && is.seen < now.objects {
				tell(finding{inner, "sometimes-missing", "always", "not always"})
			}
			differ(inner, was, is, tell, unseen)
		}
	}
}
