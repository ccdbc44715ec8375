package control

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
)

// openapiJSON describes every call of the API: parameters, bodies, answers, error codes and units. Parameters and
// bodies are checked against it. A property or a parameter may say with which error code it is refused, as
// x-error-code: one code, or an object of codes by the keyword that refuses ("minimum").
//
//go:embed openapi.json
var openapiJSON []byte

// document parses openapiJSON when it is first needed, which takes about 60 ms.
var document = sync.OnceValue(func() *openapi3.T {
	parsed, err := openapi3.NewLoader().LoadFromData(openapiJSON)
	if err != nil {
		panic(fmt.Sprintf("openapi.json: %v", err)) // a test loads it
	}
	return parsed
})

// operationOf finds a call in the document. The route is "GET /sim/v1/clock".
func operationOf(route string) *openapi3.Operation {
	method, path, _ := strings.Cut(route, " ")
	return document().Paths.Value(path).GetOperation(method)
}

// successOf returns the 2xx status of an operation.
func successOf(operation *openapi3.Operation) int {
	for _, status := range []int{http.StatusCreated, http.StatusOK} {
		if operation.Responses.Status(status) != nil {
			return status
		}
	}
	panic("openapi.json: " + operation.OperationID + " has no successful answer") // a test calls each operation
}

// parameters checks the query of a call against its operation and returns the values by name: an int64 for an integer,
// else a string. A parameter that is missing or empty has its default.
func parameters(operation *openapi3.Operation, rawQuery string) (map[string]any, error) {
	query, err := url.ParseQuery(rawQuery)
	if err != nil {
		return nil, bad("bad_query", "the query cannot be read: %s", err)
	}
	var valid []string
	values := map[string]any{}
	for _, ref := range operation.Parameters {
		p := ref.Value
		if p.In != openapi3.ParameterInQuery {
			continue
		}
		valid = append(valid, p.Name)
		if len(query[p.Name]) > 1 {
			return nil, bad("repeated_parameter", "%s stands %d times", p.Name, len(query[p.Name]))
		}
		if values[p.Name], err = parameter(p, query.Get(p.Name)); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(valid, name) {
			return nil, bad("unknown_parameter", "unknown parameter %q; valid: %s", name, strings.Join(valid, ", "))
		}
	}
	return values, nil
}

// parameter checks one value. Without an x-error-code its codes are unknown_{name} for an enumeration, else bad_{name}.
func parameter(p *openapi3.Parameter, text string) (any, error) {
	schema := p.Schema.Value
	if text == "" {
		if schema.Default == nil {
			return "", nil
		}
		text = fmt.Sprintf("%.0f", schema.Default) // only numbers have one
	}
	var value, checked any = text, text
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && schema.Type.Is(openapi3.TypeInteger) {
		value, checked = n, float64(n)
	}
	err := schema.VisitJSON(checked)
	if err == nil {
		return value, nil
	}
	v := violation{SchemaError: schemaError(err), parameter: p.Name}
	code := codeOf(schema, v.SchemaField)
	if code == "" && schema.Enum != nil {
		code = "unknown_" + p.Name
	} else if code == "" {
		code = "bad_" + p.Name
	}
	return nil, &Error{http.StatusBadRequest, code, v.text()}
}

// contentType refuses a body that is declared to be something else than JSON in UTF-8. The form type passes, since curl
// declares it for -d, so that every call can be typed without a header.
func contentType(r *http.Request) error {
	text := r.Header.Get("Content-Type")
	if r.ContentLength == 0 || text == "" {
		text = "application/json"
	}
	kind, parameters, err := mime.ParseMediaType(text)
	charset, encoding := strings.ToLower(parameters["charset"]), r.Header.Get("Content-Encoding")
	problem := ""
	switch {
	case err != nil || kind != "application/json" && kind != "application/x-www-form-urlencoded":
		problem = fmt.Sprintf("the body is JSON: send Content-Type application/json and not %q", text)
	case charset != "" && charset != "utf-8":
		problem = "the body is JSON in UTF-8 and not in " + charset
	case encoding != "" && encoding != "identity":
		problem = "the body is read as it comes: send it without Content-Encoding " + encoding
	default:
		return nil
	}
	return &Error{http.StatusUnsupportedMediaType, "wrong_content_type", problem}
}

var noFields = openapi3.NewObjectSchema().WithoutAdditionalProperties()

// checkBody checks the body of a call against its operation. A call without a described body takes an object without
// fields, or nothing. A field that is null counts as missing.
func checkBody(operation *openapi3.Operation, body []byte) error {
	schema, required := noFields, false
	if described := operation.RequestBody; described != nil {
		schema, required = described.Value.Content.Get("application/json").Schema.Value, described.Value.Required
	}
	valid := fieldsOf(schema)
	if len(bytes.TrimSpace(body)) == 0 {
		if required {
			return bad("bad_json", "the body is empty; valid fields: %s", valid)
		}
		return nil
	}
	object, err := decodeObject(body, valid)
	if err != nil {
		return err
	}
	for name, value := range object {
		if value == nil && schema.Properties[name] != nil {
			delete(object, name)
		}
	}
	err = schema.VisitJSON(object, openapi3.MultiErrors())
	if err == nil {
		return nil
	}
	v := violation{SchemaError: schemaError(err), body: schema}
	return bad(v.code(), "%s; valid fields: %s", v.text(), valid)
}

// decodeObject decodes a JSON object. Other than json.Unmarshal it refuses a field that occurs twice.
func decodeObject(body []byte, valid string) (map[string]any, error) {
	if !utf8.Valid(body) {
		return nil, bad("bad_json", "the body is not UTF-8")
	}
	unreadable := func(err error) error {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return bad("bad_json", "the body ends before its JSON object does; valid fields: %s", valid)
		}
		return bad("bad_json", "the body is not one JSON object: %s", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	begin, err := decoder.Token()
	if err != nil {
		return nil, unreadable(err)
	}
	if begin != json.Delim('{') {
		return nil, bad("wrong_type", "the body must be a JSON object; valid fields: %s", valid)
	}
	object := map[string]any{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return nil, unreadable(err)
		}
		name, _ := token.(string)
		if _, twice := object[name]; twice {
			return nil, bad("bad_json", "%s stands more than once in the body", name)
		}
		var value any
		if err := decoder.Decode(&value); err != nil {
			return nil, unreadable(err)
		}
		object[name] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, unreadable(err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, bad("bad_json", "the body goes on after its JSON object")
	}
	return object, nil
}

// CheckSnapshot checks a snapshot file against its schema in the document. The error is an *Error that names the path
// of the part: bad_address for an address, else bad_snapshot.
func CheckSnapshot(file []byte) error {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(file))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return bad("bad_snapshot", "the snapshot cannot be read: %s", DecodeProblem(err))
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return bad("bad_snapshot", "the snapshot goes on after its JSON object")
	}
	err := document().Components.Schemas["Snapshot"].Value.VisitJSON(value)
	if err == nil {
		return nil
	}
	v := violation{SchemaError: schemaError(err)}
	at, kind := v.path(), v.Schema.Type
	problem := "snapshot." + v.text()
	switch {
	case v.SchemaField == "pattern" && v.code() == "bad_address":
		return bad("bad_address", "the snapshot's %s", v.text())
	case v.SchemaField == "pattern":
		problem = "its " + v.text()
	case v.SchemaField == "required":
		problem = "it has no " + at
	case v.Value == nil:
		problem = "its " + at + " is null"
	case v.Schema.Format == "date-time":
		problem = "its " + at + " cannot be read"
	case v.SchemaField == "type" && kind.Is(openapi3.TypeObject):
		problem = "its " + at + " is not an object"
	case v.SchemaField == "type" && kind.Is(openapi3.TypeArray):
		problem = "its " + at + " is not a list"
	}
	return bad("bad_snapshot", "the snapshot does not fit together: %s", problem)
}

// schemaError returns the first violation of a schema, or an unknown field if there is one.
func schemaError(err error) *openapi3.SchemaError {
	var first *openapi3.SchemaError
	if !errors.As(err, &first) {
		panic(err) // the document itself is wrong, which a test excludes
	}
	if all := (openapi3.MultiError)(nil); errors.As(err, &all) {
		for _, one := range all {
			if found := (*openapi3.SchemaError)(nil); errors.As(one, &found) && found.SchemaField == "properties" {
				return found
			}
		}
	}
	return first
}

// violation is a value that does not fit its schema.
type violation struct {
	*openapi3.SchemaError
	parameter string           // its name, "" for a part of a body
	body      *openapi3.Schema // of a part of a body; nil for a parameter and for a snapshot
}

// code returns the stable error code of a part of a body.
func (v violation) code() string {
	schema, code := v.Schema, ""
	switch v.SchemaField {
	case "properties":
		return "unknown_field"
	case "minProperties":
		return "missing_field"
	case "maxProperties":
		return "conflicting_fields"
	case "required":
		pointer := v.JSONPointer()
		code = codeOf(schema.Properties[pointer[len(pointer)-1]].Value, v.SchemaField)
		return cmp.Or(code, codeOf(v.body, ""), "missing_field")
	}
	if schema.Format == "date-time" {
		return "bad_time"
	}
	if v.SchemaField != "type" {
		code = cmp.Or(codeOf(schema, v.SchemaField), codeOf(v.body, ""))
	}
	return cmp.Or(code, "wrong_type")
}

// codeOf reads the x-error-code of a schema for a keyword, "" if it has none.
func codeOf(schema *openapi3.Schema, keyword string) string {
	if schema == nil {
		return ""
	}
	switch code := schema.Extensions["x-error-code"].(type) {
	case string:
		return code
	case map[string]any:
		text, _ := code[keyword].(string)
		return text
	}
	return ""
}

// path is where the value is: "trades[0].order".
func (v violation) path() string {
	path := v.parameter
	for _, part := range v.JSONPointer() {
		if _, err := strconv.Atoi(part); err == nil {
			path += "[" + part + "]"
		} else {
			path = strings.TrimPrefix(path+"."+part, ".")
		}
	}
	return path
}

// text says what is wrong and what would have been valid.
func (v violation) text() string {
	schema, problem := v.Schema, ": "+v.Reason
	switch v.SchemaField {
	case "minProperties":
		return "one of " + fieldsOf(schema) + " is needed"
	case "maxProperties":
		return "only one of " + fieldsOf(schema) + " can be given"
	case "enum":
		problem = " is " + shown(v.Value) + "; valid:"
		for i, one := range schema.Enum {
			problem += fmt.Sprintf("%.*s %v", min(i, 1), ",", one)
		}
	case "pattern":
		problem = " is " + shown(v.Value) + " and must be " + schema.Description
	case "format":
		problem = " is " + shown(v.Value) + " and must be like 2026-01-02T15:04:05+08:00"
	case "minimum", "maximum", "exclusiveMinimum":
		problem = " must be " + bounds(schema)
		if schema.Description != "" {
			problem += ": " + schema.Description
		}
	}
	return v.path() + problem
}

// fieldsOf lists the fields of an object.
func fieldsOf(schema *openapi3.Schema) string {
	return strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ", ")
}

// DecodeProblem says in the words of JSON why a value cannot be decoded. The texts of encoding/json name Go's types.
func DecodeProblem(err error) string {
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return cmp.Or(wrong.Field, "it") + " cannot be of type " + wrong.Value
	}
	return err.Error()
}

// shown is a value as JSON, of at most 200 bytes.
func shown(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return "not JSON"
	}
	if len(text) > 200 {
		return strings.ToValidUTF8(string(text[:200]), "") + "…"
	}
	return string(text)
}

// bounds says which numbers a schema admits. The type of ExclusiveMin changed between releases of kin-openapi; whether
// the lower bound itself is refused is the same in all.
func bounds(schema *openapi3.Schema) string {
	if schema.Min != nil && schema.VisitJSON(*schema.Min) != nil {
		return fmt.Sprintf("above %.0f and at most %.0f", *schema.Min, *schema.Max)
	}
	if schema.Max == nil {
		return fmt.Sprintf("at least %.0f", *schema.Min)
	}
	return fmt.Sprintf("from %.0f to %.0f", *schema.Min, *schema.Max)
}
