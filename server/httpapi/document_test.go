package httpapi

import (
	"encoding"
	"encoding/json"
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"marquee/server/account"
	"marquee/server/fault"
	"marquee/server/httpapi/wire"
)

var update = flag.Bool("update", false, "write the generated files of contracts")

const documentFile = "../../contracts/shop.openapi.json"

// TestDocument_DescribesTheOperations compares contracts/shop.openapi.json with the operations:
//
//	go test ./server/httpapi -run TestDocument -update
func TestDocument_DescribesTheOperations(t *testing.T) {
	t.Parallel()
	d := newDescriber(t)
	made, err := json.MarshalIndent(d.document(append(routes(Config{}), pictureUpload)), "", "  ")
	require.NoError(t, err)
	made = append(made, '\n')
	if *update {
		require.NoError(t, os.WriteFile(documentFile, made, 0o644))
	}
	written, err := os.ReadFile(documentFile)
	require.NoError(t, err)
	require.True(t, string(made) == string(written), "%s is stale: run this test with -update, then npm run generate",
		documentFile)
	// Failures have the status 200.
	lint := exec.Command("node", "../../contracts/lint-openapi.mjs", documentFile, "operation-4xx-response")
	findings, err := lint.CombinedOutput()
	require.NoError(t, err, "%s", findings)
}

// A call declares the codes of errors that its description names.
func TestDocument_DescriptionsNameDeclaredErrors(t *testing.T) {
	t.Parallel()
	d := newDescriber(t)
	list := append(routes(Config{}), pictureUpload)
	d.document(list)
	code := regexp.MustCompile(`\b[a-z]+(_[a-z]+)+\b`)
	for _, rt := range list {
		declared := map[string]bool{}
		for _, f := range rt.declared() {
			declared[f.Code] = true
		}
		for _, v := range rt.variants() {
			for _, word := range code.FindAllString(d.comments[v.handler], -1) {
				if _, isCode := d.errors[word]; isCode {
					assert.True(t, declared[word], "%s names %s, but does not declare it", rt.path, word)
				}
			}
		}
	}
}

// npm run generate writes the types of the web's calls, and a schema for each object of an answer.
func TestDocument_TheTypesAndSchemasOfTheWebAreGeneratedFromIt(t *testing.T) {
	t.Parallel()
	generated, err := filepath.Glob("../../web/src/wire/generated/*")
	require.NoError(t, err)
	for _, file := range append(generated, documentFile, "../../web/generate.js", "../../package.json") {
		_, err := os.ReadFile(file) // go test repeats the test after a change of the file
		require.NoError(t, err)
	}
	check := exec.Command("npm", "run", "--silent", "generate", "--", "--check")
	check.Dir = "../.."
	out, err := check.CombinedOutput()
	require.NoError(t, err, "run npm run generate: %s", out)
}

// Orders of goods have the numbers that ticket orders of newmovie have.
func TestDocument_AStateHasTheNumbersOfEveryOrder(t *testing.T) {
	t.Parallel()
	var want []string
	for _, number := range (OrderStatus{}).numbers() {
		want = append(want, strconv.Itoa(number))
	}
	for _, of := range []reflect.Type{reflect.TypeFor[GoodsOrder](), reflect.TypeFor[PaidGoods]()} {
		state, ok := of.FieldByName("State")
		require.True(t, ok)
		require.Equal(t, strings.Join(want, ","), state.Tag.Get("enum"), of)
	}
}

// A handler that a method returns is named after the method, also where the compiler inlines the method.
func TestNameOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, "httpapi.goodsPages.detail", nameOf(goodsPages{}.detail))
	require.Equal(t, "httpapi.goodsPages.list", nameOf(goodsPages{}.list(allGoods)))
}

type object = map[string]any

// comments are the comments in the source files of types ("httpapi.Goods"), fields ("httpapi.Goods.Price") and methods
// ("httpapi.goodsPages.list").
type comments map[string]string

func readComments(t *testing.T, folders ...string) comments {
	t.Helper()
	found := comments{}
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
			require.NoError(t, err)
			found.read(file.Name.Name, file)
		}
	}
	return found
}

func (c comments) read(pkg string, file *ast.File) {
	for _, declaration := range file.Decls {
		switch n := declaration.(type) {
		case *ast.FuncDecl:
			if n.Recv != nil {
				c[pkg+"."+typeName(n.Recv.List[0].Type)+"."+n.Name.Name] = sentence(n.Doc.Text(), n.Name.Name)
			}
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if s, ok := spec.(*ast.TypeSpec); ok {
					c.readType(pkg+"."+s.Name.Name, s, n.Doc)
				}
			}
		}
	}
}

func (c comments) readType(name string, s *ast.TypeSpec, doc *ast.CommentGroup) {
	c[name] = sentence(doc.Text()+s.Doc.Text(), "")
	fields, ok := s.Type.(*ast.StructType)
	if !ok {
		return
	}
	for _, f := range fields.Fields.List {
		for _, field := range f.Names {
			c[name+"."+field.Name] = sentence(f.Doc.Text()+f.Comment.Text(), "")
		}
	}
}

// of returns the comment of a type, or of a field of it; it fails the test if there is none.
func (c comments) of(t *testing.T, typ reflect.Type, field string) string {
	t.Helper()
	name, _, _ := strings.Cut(path.Base(typ.PkgPath())+"."+typ.Name(), "[")
	if field != "" {
		name += "." + field
	}
	require.NotEmpty(t, c[name], "%s has no comment", name)
	return c[name]
}

func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.Ident:
		return e.Name
	}
	return ""
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

// describer makes the document.
type describer struct {
	t        *testing.T
	comments comments
	schemas  object // by the names of their types
	errors   object // messages by code
}

func newDescriber(t *testing.T) describer {
	t.Helper()
	found := readComments(t, ".", "wire", "avatars", "../goods", "../personal")
	return describer{t: t, comments: found, schemas: object{}, errors: object{}}
}

func (d describer) document(list []route) object {
	paths := object{}
	for _, rt := range list {
		paths[rt.path] = object{strings.ToLower(rt.method): d.operation(rt)}
	}
	return object{
		"openapi": "3.1.0",
		"info": object{
			"title": "marquee", "version": "1",
			"description": "The calls of the shop. Conventions are in server/httpapi/README.md. Generated from " +
				"server/httpapi: do not edit.",
		},
		"servers":  []object{{"url": "/"}},
		"paths":    paths,
		"x-errors": d.errors,
		"components": object{
			"schemas": d.schemas,
			"securitySchemes": object{
				"token": object{"type": "apiKey", "in": "query", "name": "token",
					"description": "The token of a session: a field of the form, or of the query of a GET."},
			},
		},
	}
}

// accessOf describes the session that a call needs.
func accessOf(rt route) string {
	switch {
	case !rt.traits.has(buyer):
		return "no session"
	case rt.traits.has(trusted):
		return "a session with full access"
	case rt.traits.has(anyAccess):
		return "a session"
	}
	return "a session with more than limited access"
}

// variants returns the operations of a path.
func (rt route) variants() []choice {
	if len(rt.choices) == 0 {
		return []choice{{operation: rt.operation}}
	}
	return rt.choices
}

func (d describer) operation(rt route) object {
	variants := rt.variants()
	var forms, answers []any
	var texts []string
	for _, v := range variants {
		forms = append(forms, d.form(rt, v))
		answers = append(answers, d.schemaOf(v.data))
		text := d.comments[v.handler]
		require.NotEmpty(d.t, text, "%s: %s has no comment", rt.path, v.handler)
		texts = append(texts, text)
	}
	made := object{
		"operationId": operationID(rt.path),
		"summary":     texts[0],
		"description": strings.Join(texts, "\n") + "\nIt needs " + accessOf(rt) + ".",
		"tags":        []string{strings.Split(rt.path, "/")[1]},
		"responses":   object{"200": d.answer(rt, anyOf(answers))},
	}
	made["security"] = []object{}
	if rt.traits.has(buyer) {
		made["security"] = []object{{"token": []string{}}}
	}
	if rt.method == get {
		made["parameters"] = parameters(forms[0].(object))
		return made
	}
	made["requestBody"] = object{
		"required": true, "content": object{mediaTypeOf(variants[0].form): object{"schema": anyOf(forms)}},
	}
	return made
}

// mediaTypeOf returns the media type of a form, which is multipart if the form has a file.
func mediaTypeOf(form *wire.Decoder) string {
	for _, f := range form.Fields() {
		if f.Schema["format"] == "binary" {
			return "multipart/form-data"
		}
	}
	return "application/x-www-form-urlencoded"
}

// operationID makes one name of a path: /movie/route/Movie/citylist is movieCitylist.
func operationID(at string) string {
	var words []string
	short := strings.NewReplacer("/movie/route/Movie/", "/movie/", "/api/api.php/", "/").Replace(at)
	for part := range strings.SplitSeq(short, "/") {
		if part == "" || part == "api" || part == "seat" && len(words) > 0 {
			continue
		}
		if len(words) > 0 {
			part = strings.ToUpper(part[:1]) + part[1:]
		} else {
			part = strings.ToLower(part[:1]) + part[1:]
		}
		words = append(words, strings.ReplaceAll(part, "_", ""))
	}
	return strings.Join(words, "")
}

// anyOf joins alternatives, each once.
func anyOf(schemas []any) any {
	var list []any
	for _, schema := range schemas {
		alternatives := []any{schema}
		if inner, ok := schema.(object)["anyOf"].([]any); ok {
			alternatives = inner
		}
		for _, alternative := range alternatives {
			if !slices.ContainsFunc(list, func(known any) bool { return reflect.DeepEqual(known, alternative) }) {
				list = append(list, alternative)
			}
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	return object{"anyOf": list}
}

// form describes the fields of an operation, with those that every call has.
func (d describer) form(rt route, v choice) object {
	properties, required := object{}, []string{}
	add := func(name string, schema object, must bool) {
		properties[name] = schema
		if must {
			required = append(required, name)
		}
	}
	add("channel_no", object{"type": "string", "description": "The number of the channel."}, rt.method == post)
	if rt.traits.has(signed) {
		add("appkey", object{"type": "string", "description": "The key of the channel."}, true)
		add("timestamp", object{"type": "string", "description": "When the call is made, within ten minutes."}, true)
		add("v", object{"const": "2.0", "description": "The version of the signature."}, true)
		add("sign", object{"type": "string", "description": "The channel's signature."}, true)
	}
	if v.name != "" && v.value != "" {
		add(v.name, object{"const": v.value, "description": "Chooses the operation."}, true)
	}
	for _, f := range v.form.Fields() {
		schema := maps.Clone(f.Schema)
		schema["description"] = d.comments.of(d.t, f.Struct, f.GoName)
		add(f.Name, schema, f.Required || f.Name == v.name)
	}
	return object{"type": "object", "properties": properties, "required": required}
}

// parameters makes a query of the fields.
func parameters(form object) (list []object) {
	properties := form["properties"].(object)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		schema := maps.Clone(properties[name].(object))
		description := schema["description"]
		delete(schema, "description")
		list = append(list, object{
			"in": "query", "name": name, "schema": schema, "description": description,
			"required": slices.Contains(form["required"].([]string), name),
		})
	}
	return list
}

// answer describes both envelopes of a route's answer, and its errors.
func (d describer) answer(rt route, data any) object {
	codes := map[string]bool{}
	for _, f := range rt.declared() {
		codes[f.Code], d.errors[f.Code] = true, f.Message
	}
	list := slices.Sorted(maps.Keys(codes))
	success := fillIn(wire.BackendOf(rt.path).Success(json.RawMessage(`"data"`)), data)
	failure := d.failure(rt)
	for _, name := range []string{"error", "error_code"} {
		if code, ok := failure["properties"].(object)[name].(object); ok && code["type"] == "string" {
			code["enum"] = list
		}
	}
	return object{
		"description": "The data, or an error with one of these codes; x-errors has the messages.",
		"content":     object{"application/json": object{"schema": object{"oneOf": []any{success, failure}}}},
	}
}

// failure describes the envelope of an error. Its code shows whether a login is required.
func (d describer) failure(rt route) object {
	backend := wire.BackendOf(rt.path)
	details := any(object{"type": "null"})
	if backend != wire.Gateway {
		details = anyOf([]any{d.schemaOf(reflect.TypeFor[wire.Details]()), details})
	}
	made := fillIn(backend.Failure(fault.New(fault.Invalid, "code", "text")), details)
	code, ok := made["properties"].(object)["code"].(object)
	if needsLogin := slices.Contains(rt.declared(), account.ErrLoginRequired); ok && needsLogin {
		text, _ := json.Marshal(backend.Failure(account.ErrLoginRequired))
		var example object
		require.NoError(d.t, json.Unmarshal(text, &example))
		made["properties"].(object)["code"] = object{"enum": []any{code["const"], example["code"]}}
	}
	return made
}

// fillIn describes an envelope by an example of it, with the schema of its data.
func fillIn(envelope, data any) object {
	text, _ := json.Marshal(envelope)
	var example object
	_ = json.Unmarshal(text, &example)
	properties := object{}
	for name, value := range example {
		switch v := value.(type) {
		case string:
			properties[name] = object{"type": "string"}
		case object:
			properties[name] = fillIn(v, nil)
		case nil:
			properties[name] = object{}
		default:
			properties[name] = object{"const": v}
		}
		if name == "data" && data != nil {
			properties[name] = data
		}
	}
	return object{"type": "object", "properties": properties, "required": slices.Sorted(maps.Keys(properties))}
}

// varied is implemented by types whose JSON is one of several objects.
type varied interface{ Variants() []any }

// described is implemented by types whose JSON is not that of their Go type.
type described interface{ JSONSchema() map[string]any }

// schemaOf describes a type of answers. Structs with a name become separate schemas.
func (d describer) schemaOf(of reflect.Type) any {
	if self, ok := reflect.Zero(of).Interface().(described); ok {
		return self.JSONSchema()
	}
	if self, ok := reflect.Zero(of).Interface().(varied); ok {
		var schemas []any
		for _, variant := range self.Variants() {
			schemas = append(schemas, d.schemaOf(reflect.TypeOf(variant)))
		}
		return anyOf(schemas)
	}
	switch of.Kind() {
	case reflect.Pointer:
		return d.schemaOf(of.Elem())
	case reflect.Slice:
		return object{"type": "array", "items": d.schemaOf(of.Elem())}
	case reflect.Map:
		return object{"type": "object", "additionalProperties": d.schemaOf(of.Elem())}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Struct:
		if of.NumField() == 0 {
			return object{"type": "object"}
		}
		return d.structSchema(of)
	}
	if of.Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
		return object{"type": "string"}
	}
	require.Fail(d.t, "no schema", "%s", of)
	return nil
}

func (d describer) structSchema(of reflect.Type) object {
	name := schemaName(of)
	require.True(d.t, ast.IsExported(name), "%s is an answer that no other package can decode into", of)
	if _, made := d.schemas[name]; !made {
		d.schemas[name] = object{} // for types that contain themselves
		properties, required := d.properties(of)
		d.schemas[name] = object{
			"type": "object", "properties": properties, "required": required, "description": d.comments.of(d.t, of, ""),
		}
	}
	return object{"$ref": "#/components/schemas/" + name}
}

// schemaName returns the name of a type; that of Page[Goods] is GoodsPage.
func schemaName(of reflect.Type) string {
	generic, parameter, is := strings.Cut(of.Name(), "[")
	if !is {
		return of.Name()
	}
	parameter = path.Base(strings.TrimSuffix(parameter, "]"))
	return parameter[strings.LastIndex(parameter, ".")+1:] + generic
}

// enumOf reads the values of a tag, which are joined by commas.
func enumOf(t *testing.T, kind any, values string) (list []any) {
	t.Helper()
	for value := range strings.SplitSeq(values, ",") {
		if kind == "string" {
			list = append(list, value)
			continue
		}
		number, err := strconv.Atoi(value)
		require.NoError(t, err)
		list = append(list, number)
	}
	return list
}

func (d describer) properties(of reflect.Type) (properties object, required []string) {
	properties, required = object{}, []string{}
	for i := range of.NumField() {
		field := of.Field(i)
		if field.Anonymous {
			inner, must := d.properties(field.Type)
			maps.Copy(properties, inner)
			required = append(required, must...)
			continue
		}
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		schema, ok := d.schemaOf(field.Type).(object)
		require.True(d.t, ok)
		optional := strings.Contains(options, "omitempty")
		if field.Type.Kind() == reflect.Pointer && !optional {
			schema = object{"anyOf": []any{schema, object{"type": "null"}}}
		}
		schema = maps.Clone(schema)
		schema["description"] = d.comments.of(d.t, of, field.Name)
		if values, ok := field.Tag.Lookup("enum"); ok {
			schema["enum"] = enumOf(d.t, schema["type"], values)
		}
		properties[name] = schema
		if !optional {
			required = append(required, name)
		}
	}
	return properties, required
}
