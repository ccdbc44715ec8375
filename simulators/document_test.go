package simulators_test

import (
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"marquee/simulators"
	controlapi "marquee/simulators/control"
	"marquee/simulators/faults"
	"marquee/simulators/schema"
)

var update = flag.Bool("update", false, "write control/openapi.json")

const documentFile = "control/openapi.json"

// TestDocument_DescribesTheOperations compares control/openapi.json with the operations:
//
//	go test ./simulators -run TestDocument_Describes -update
func TestDocument_DescribesTheOperations(t *testing.T) {
	t.Parallel()
	made, err := json.MarshalIndent(newDescriber(t).document(), "", "  ")
	require.NoError(t, err)
	made = append(made, '\n')
	if *update {
		require.NoError(t, os.WriteFile(documentFile, made, 0o644)) //nolint:gosec // it is part of the sources
	}
	written, err := os.ReadFile(documentFile)
	require.NoError(t, err)
	require.True(t, string(made) == string(written),
		"%s is stale: run this test with -update, then npm run generate:console", documentFile)
	findings, err := exec.Command("node", "../contracts/lint-openapi.mjs", documentFile).CombinedOutput()
	require.NoError(t, err, "%s", findings)
}

// npm run generate:console writes the types of the console.
func TestDocument_TheTypesOfTheConsoleAreGeneratedFromIt(t *testing.T) {
	t.Parallel()
	for _, file := range []string{documentFile, "../web/src/console/api/generated/control.ts", "../package.json"} {
		_, err := os.ReadFile(file) // go test repeats the test after a change of the file
		require.NoError(t, err)
	}
	check := exec.Command("npm", "run", "--silent", "generate:console", "--", "--check")
	check.Dir = ".."
	out, err := check.CombinedOutput()
	require.NoError(t, err, "run npm run generate:console: %s", out)
}

type node = map[string]any

// describer generates the document. Its texts are the comments of types, fields and handlers.
type describer struct {
	t        *testing.T
	comments map[string]string // by "control.Clock", "control.Clock.Now", "control.getClock"
	schemas  node
	examples node
	types    map[string]reflect.Type // of the schemas

	responsesByName node // with one or two errors, by their codes

	declared map[string][]string // the values of fields that the providers declare, by "faults.Fault.Provider"
}

func newDescriber(t *testing.T) describer {
	t.Helper()
	d := describer{t: t, comments: map[string]string{}, schemas: node{}, examples: node{},
		types: map[string]reflect.Type{}, responsesByName: node{}, declared: declaredValues(t)}
	for _, folder := range []string{"boxoffice", "control", "dataset", "faults", "journal", "testclock", "webhook"} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			require.NoError(t, err)
			d.read(folder, file)
		}
	}
	return d
}

// declaredValues returns the valid values of the fields, such as faults.Fault.Operation, whose values the providers
// declare in their tables of operations and faults.
func declaredValues(t *testing.T) map[string][]string {
	t.Helper()
	var providers, operations []string
	kinds := []string{}
	for _, kind := range faults.WireKinds() {
		kinds = append(kinds, kind.Do)
	}
	for _, p := range start(t, simulators.Options{}).Default().Faults().Providers() {
		providers = append(providers, p.Name)
		operations = append(operations, p.Operations...)
		kinds = slices.AppendSeq(kinds, maps.Keys(p.DomainKinds))
	}
	unique := func(list []string) []string {
		slices.Sort(list)
		return slices.Compact(list)
	}
	providers, operations = unique(providers), unique(operations)
	return map[string][]string{
		"faults.Fault.Provider": providers, "faults.Fault.Operation": append([]string{"*"}, operations...),
		"faults.Fault.Do": unique(kinds), "control.JournalFilter.Provider": providers,
		"control.JournalFilter.Operation": operations,
		"control.Showing.Provider":        controlapi.TicketProvider("").Values(),
	}
}

func (d describer) read(pkg string, file *ast.File) {
	for _, declaration := range file.Decls {
		switch n := declaration.(type) {
		case *ast.FuncDecl:
			if n.Recv == nil {
				d.comments[pkg+"."+n.Name.Name] = sentence(n.Doc.Text(), n.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				s, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				text := strings.TrimPrefix(n.Doc.Text()+s.Doc.Text(), s.Name.Name+" is ")
				d.comments[pkg+"."+s.Name.Name] = sentence(text, "")
				if fields, ok := s.Type.(*ast.StructType); ok {
					for _, f := range fields.Fields.List {
						for _, field := range f.Names {
							text := strings.TrimPrefix(strings.TrimPrefix(f.Doc.Text(), field.Name+" is "), field.Name+" are ")
							d.comments[pkg+"."+s.Name.Name+"."+field.Name] = sentence(text, "")
						}
					}
				}
			}
		}
	}
}

// sentence makes one line of a comment, without the name that Go's comments of functions begin with.
func sentence(comment, name string) string {
	text := strings.Join(strings.Fields(strings.TrimPrefix(comment, name+" ")), " ")
	first, size := utf8.DecodeRuneInString(text)
	if size == 0 {
		return ""
	}
	return string(unicode.ToUpper(first)) + text[size:]
}

// comment returns the comment of a type, or of a field of it; it fails the test if there is none.
func (d describer) comment(of reflect.Type, field string) string {
	d.t.Helper()
	name := strings.TrimSuffix(path.Base(of.PkgPath())+"."+of.Name()+"."+field, ".")
	require.NotEmpty(d.t, d.comments[name], "%s has no comment", name)
	return d.comments[name]
}

// tags are the areas of the API, in the order of the document.
var tags = [][2]string{
	{"worlds", "isolated tenants"},
	{"clock", "business time of a world"},
	{"faults", "what is planned to go wrong"},
	{"stubs", "answers to calls that are not simulated"},
	{"webhooks", "what the providers send to the shop"},
	{"journal", "the calls that the providers received and sent"},
	{"sms", "the text messages that were sent"},
	{"payment", "payments, and the merchant's account"},
	{"catalogue", "every value that a client needs"},
	{"events", "the changes of a world as they happen"},
	{"showings", "what the ticketing providers list"},
	{"orders", "tickets, payments and refunds"},
	{"health", "whether the simulators serve"},
	{"document", "this document and the certificate of HTTPS"},
}

func (d describer) document() node {
	paths := map[string]node{}
	for _, o := range controlapi.Operations() {
		if paths[o.Path] == nil {
			paths[o.Path] = node{}
		}
		paths[o.Path][strings.ToLower(o.Method)] = d.operation(o)
	}
	var areas []node
	for _, tag := range tags {
		areas = append(areas, node{"name": tag[0], "description": tag[1]})
	}
	for _, e := range []*controlapi.Error{controlapi.ErrNotFound, controlapi.ErrMethodNotAllowed} {
		d.sharedFailure(e.Status, []*controlapi.Error{e})
	}
	d.schemas["Error"].(node)["properties"].(node)["code"].(node)["enum"] = slices.Sorted(maps.Keys(d.examples))
	return node{
		"openapi": "3.1.0",
		"info": node{
			"title": "marquee simulators: control API", "version": "1",
			"description": "Worlds, clocks, faults, journal, text messages and payments of the simulated providers. " +
				"Generated from simulators/control: do not edit.\n\nJSON both ways; `Content-Type: application/json`, " +
				"and what curl sends with `-d` passes. An error has the body `{\"error\":{\"code\",\"message\"}}`. It is a " +
				"4xx and changes nothing, or it is 500 `internal`, after which anything may have changed. The examples of " +
				"an answer are the codes that it can have. A path that does not exist answers 404 `not_found`, a method " +
				"that does not 405 `method_not_allowed` with the header Allow. HEAD is possible wherever GET " +
				"is.\n\nTimes are RFC 3339. Business time is a world's own and can be moved; real " +
				"time cannot. Amounts are whole numbers of fen (1/100 yuan), points of 1/100 point.",
		},
		"servers":  []node{{"url": "http://127.0.0.1:9090"}},
		"security": []node{},
		"tags":     areas,
		"paths":    paths,
		"components": node{
			"schemas": d.schemas, "examples": d.examples, "responses": d.responsesByName,
		},
	}
}

func (d describer) operation(o controlapi.Operation) node {
	text := d.comments["control."+o.Name]
	require.NotEmpty(d.t, text, "%s %s: %s has no comment", o.Method, o.Path, o.Name)
	summary, _, _ := strings.Cut(text, ". ")
	made := node{
		"operationId": o.Name, "summary": strings.TrimSuffix(summary, "."), "description": text,
		"tags": []string{o.Tag}, "responses": d.responses(o),
	}
	var parameters []node
	for _, in := range []string{"path", "query", "header"} {
		for _, f := range schema.Fields(o.In, in) {
			parameters = append(parameters, node{
				"in": in, "name": f.Name, "required": in == "path", "schema": d.valueOf(f, false),
				"description": d.comment(f.Struct, f.GoName),
			})
		}
	}
	if parameters != nil {
		made["parameters"] = parameters
	}
	if _, has := o.In.FieldByName("Body"); has {
		body, optional := o.Body()
		made["requestBody"] = node{
			"required": !optional, "content": node{"application/json": node{"schema": d.schemaOf(body, true)}},
		}
	}
	return made
}

func (d describer) responses(o controlapi.Operation) node {
	content := node{}
	if o.Media == nil {
		content["application/json"] = node{"schema": d.schemaOf(o.Out, false)}
	}
	for _, media := range o.Media {
		file := node{"type": "string"}
		if media == "application/json" {
			file = node{"type": "object"}
		}
		if media == "text/event-stream" {
			events := node{}
			for name, data := range controlapi.Events {
				events[name] = d.schemaOf(reflect.TypeOf(data), false)
			}
			file["x-events"] = events
		}
		content[media] = node{"schema": file}
	}
	responses := node{strconv.Itoa(o.Status): node{"description": d.comment(o.Out, ""), "content": content}}
	byStatus := map[int][]*controlapi.Error{}
	for _, e := range o.Errors {
		byStatus[e.Status] = append(byStatus[e.Status], e)
	}
	for status, errors := range byStatus {
		responses[strconv.Itoa(status)] = d.sharedFailure(status, errors)
	}
	return responses
}

// sharedFailure describes the answer with the errors of a status. If there are one or two errors, the description is a
// component of the document, to which all calls with these errors refer.
func (d describer) sharedFailure(status int, errors []*controlapi.Error) node {
	if len(errors) > 2 {
		return d.failure(status, errors)
	}
	name := ""
	for _, e := range errors {
		for word := range strings.SplitSeq(e.Code, "_") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
	}
	d.responsesByName[name] = d.failure(status, errors)
	return node{"$ref": "#/components/responses/" + name}
}

// failure describes the answer with the errors of a status; each error is an example.
func (d describer) failure(status int, errors []*controlapi.Error) node {
	examples := node{}
	for _, e := range errors {
		examples[e.Code] = node{"$ref": "#/components/examples/" + e.Code}
		d.examples[e.Code] = node{"value": controlapi.Failure{Error: *e}}
	}
	failure := d.schemaOf(reflect.TypeFor[controlapi.Failure](), false)
	return node{
		"description": http.StatusText(status),
		"content":     node{"application/json": node{"schema": failure, "examples": examples}},
	}
}

// shaped is implemented by answers and bodies whose JSON is that of another type.
type shaped interface{ Shape() any }

// schemaOf describes a type. Structs and enumerations become separate schemas.
func (d describer) schemaOf(of reflect.Type, request bool) node {
	if s, ok := reflect.Zero(of).Interface().(shaped); ok {
		return d.schemaOf(reflect.TypeOf(s.Shape()), request)
	}
	if of == reflect.TypeFor[json.RawMessage]() || of == reflect.TypeFor[controlapi.Document]() {
		return node{"type": "object"}
	}
	if values := schema.ValuesOf(of); values != nil && of.Kind() == reflect.String {
		d.schemas[of.Name()] = node{"type": "string", "enum": values, "description": d.comment(of, "")}
		return node{"$ref": "#/components/schemas/" + of.Name()}
	}
	switch of.Kind() {
	case reflect.Pointer:
		return d.schemaOf(of.Elem(), request)
	case reflect.Slice:
		if of.Elem().Kind() == reflect.Uint8 {
			return node{"type": "string"}
		}
		return node{"type": "array", "items": d.schemaOf(of.Elem(), request)}
	case reflect.Map:
		return node{"type": "object", "additionalProperties": d.schemaOf(of.Elem(), request)}
	case reflect.String:
		return node{"type": "string"}
	case reflect.Bool:
		return node{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return node{"type": "integer"}
	case reflect.Uint64:
		return node{"type": "integer", "minimum": 0}
	case reflect.Float64:
		return node{"type": "number"}
	case reflect.Struct:
		if of == reflect.TypeFor[time.Time]() {
			return node{"type": "string", "format": "date-time"}
		}
		return d.structSchema(of, request)
	}
	require.Fail(d.t, "no schema", "%s", of)
	return nil
}

func (d describer) structSchema(of reflect.Type, request bool) node {
	require.True(d.t, ast.IsExported(of.Name()), "%s is a body that no other package can use", of)
	name, fields := of.Name(), schema.Fields(of, "json")
	if request && slices.ContainsFunc(fields, func(f schema.Field) bool { return f.OnlyAnswer }) {
		name = "New" + name
		fields = slices.DeleteFunc(slices.Clone(fields), func(f schema.Field) bool { return f.OnlyAnswer })
	}
	ref := node{"$ref": "#/components/schemas/" + name}
	if known, made := d.types[name]; made {
		require.Equal(d.t, known, of, "two types have the name %s", name)
		return ref
	}
	d.types[name] = of
	properties, required, others := node{}, []string{}, any(false)
	made := node{"type": "object", "properties": properties, "description": d.comment(of, "")}
	d.schemas[name] = made
	for _, f := range fields {
		if f.Rest {
			others = d.schemaOf(f.Type.Elem(), request)
			continue
		}
		value := d.valueOf(f, request)
		value["description"] = d.comment(f.Struct, f.GoName)
		properties[f.Name] = value
		if f.Required {
			required = append(required, f.Name)
		}
	}
	made["additionalProperties"] = others
	if len(required) > 0 {
		made["required"] = required
	}
	return ref
}

// valueOf describes the values of a field, with its rules.
func (d describer) valueOf(f schema.Field, request bool) node {
	made := d.schemaOf(f.Type, request)
	if values, has := d.declared[path.Base(f.Struct.PkgPath())+"."+f.Struct.Name()+"."+f.GoName]; has {
		made["enum"] = values
	}
	bounded, r := made, f.Rules
	if items, is := made["items"].(node); is {
		bounded = items
	}
	for keyword, bound := range map[string]*float64{"minimum": r.Min, "maximum": r.Max, "exclusiveMinimum": r.Above} {
		if bound != nil {
			bounded[keyword] = *bound
		}
	}
	for keyword, bound := range map[string]*int{
		"minItems": r.MinItems, "maxItems": r.MaxItems, "minLength": r.MinLength,
	} {
		if bound != nil {
			made[keyword] = *bound
		}
	}
	if format, has := schema.Formats[r.Format]; has {
		made["pattern"] = format.Pattern.String()
		if !f.Required {
			made["pattern"] = "^$|" + format.Pattern.String()
		}
	}
	if n, err := strconv.Atoi(r.Default); err == nil {
		made["default"] = n
	}
	if f.Type.Kind() == reflect.Pointer && f.Required {
		return node{"anyOf": []node{made, {"type": "null"}}}
	}
	return made
}
