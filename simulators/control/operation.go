package control

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"marquee/simulators/schema"
)

// Operation is one call of the API: its method and path, its input and answer, and its errors. The API's OpenAPI
// document is generated from the operations.
type Operation struct {
	Method, Path string
	Tag          string
	Name         string       // of its handler, whose comment describes the call
	In           reflect.Type // fields with the tags path, query and header; the field Body is the body
	Out          reflect.Type
	Status       int      // of success
	Media        []string // of an answer that is not JSON
	Errors       []*Error // all possible ones

	serve func(s *server, w World, in any, r *http.Request, rw http.ResponseWriter) (answer any, err error)
}

// InWorld is part of the input of a call in one world.
type InWorld struct {
	// World is the id of the world. If it is missing or default, the call is in the default world.
	World string `query:"world"`
}

func (in InWorld) worldID() string { return in.World }

// Waiting is part of the input of a call that waits.
type Waiting struct {
	// Timeout is how many seconds of real time the call waits at most for a result.
	Timeout int64 `query:"timeout" min:"0" max:"120" default:"30"`
}

func (in Waiting) timeout() time.Duration { return time.Duration(in.Timeout) * time.Second }

// Paged is part of the input of a call that lists something page by page.
type Paged struct {
	// Limit is the maximum length of the list.
	Limit int `query:"limit" min:"1" max:"1000" default:"100"`
	// Offset is the number of items to skip at the start.
	Offset int `query:"offset" min:"0" default:"0"`
}

// page returns the requested part of a list.
func page[T any](list []T, p Paged) []T {
	from := min(p.Offset, len(list))
	return list[from:min(from+p.Limit, len(list))]
}

// Nothing is the input of a call without parameters.
type Nothing struct{}

// File is an answer that is not a JSON object.
type File struct {
	ContentType, Name string
	Body              []byte
}

// about declares a call about the simulators or their worlds: the world, if any, is in the path.
func about[In, Out any](handler func(Worlds, In) (Out, error), errors ...*Error) Operation {
	return declare[In, Out](handler, errors,
		func(s *server, _ World, in any, _ *http.Request, _ http.ResponseWriter) (any, error) {
			return handler(s.worlds, in.(In))
		})
}

// inWorld declares a call in the world given in the query.
func inWorld[In interface{ worldID() string }, Out any](
	handler func(World, In) (Out, error), errors ...*Error,
) Operation {
	return declare[In, Out](handler, append(errors, errWorldUnknown),
		func(_ *server, w World, in any, _ *http.Request, _ http.ResponseWriter) (any, error) {
			return handler(w, in.(In))
		})
}

// waits declares a call in the world given in the query, which may wait. Its context ends at the timeout, when the
// client disconnects or when the world is deleted.
func waits[In interface {
	worldID() string
	timeout() time.Duration
}, Out any](handler func(context.Context, World, In) (Out, error), errors ...*Error) Operation {
	return declare[In, Out](handler, append(errors, errWorldUnknown, errWorldGone, errTooManyWaiting),
		func(s *server, w World, in any, r *http.Request, _ http.ResponseWriter) (answer any, err error) {
			waitErr := s.wait(r.Context(), w, in.(In).timeout(), func(ctx context.Context) {
				answer, err = handler(ctx, w, in.(In))
			})
			return answer, cmp.Or(waitErr, err)
		})
}

// declare makes an operation that a handler serves. The caller completes it with the method at.
func declare[In, Out any](
	handler any, errors []*Error, serve func(*server, World, any, *http.Request, http.ResponseWriter) (any, error),
) Operation {
	full := runtime.FuncForPC(reflect.ValueOf(handler).Pointer()).Name()
	return Operation{
		In: reflect.TypeFor[In](), Out: reflect.TypeFor[Out](), Name: full[strings.LastIndex(full, ".")+1:],
		Errors: errors, Status: http.StatusOK, serve: serve,
	}
}

// creates sets the status of success to 201.
func (o Operation) creates() Operation {
	o.Status = http.StatusCreated
	return o
}

// as sets the media types of the answer.
func (o Operation) as(media ...string) Operation {
	o.Media = media
	return o
}

// at completes an operation with its tag and route, and with the errors that result from its route and its input. It
// panics if the tag of an input field contains an error code that is not in fieldErrors.
func (o Operation) at(tag, route string) Operation {
	o.Tag = tag
	o.Method, o.Path, _ = strings.Cut(route, " ")
	list := append(o.Errors, errUnknownParameter, errBadQuery, ErrForeignHost)
	for _, f := range schema.Fields(o.In, "query") {
		list = append(list, errRepeatedParameter)
		if code := f.ParameterCode(); code != "" {
			list = append(list, declared(code))
		}
	}
	if o.Method != http.MethodGet {
		list = append(list, errCrossOrigin, errBodyTimeout, errBodyTooLarge, errContentType)
	}
	if body, _ := o.Body(); o.Method != http.MethodGet && body != fileType {
		list = append(list, errBadJSON, errWrongType, errUnknownField)
		list = append(list, errorsOfBody(body, o.bodyCode())...)
	}
	errors := byCode(list...)
	o.Errors = nil
	for _, code := range slices.Sorted(maps.Keys(errors)) {
		o.Errors = append(o.Errors, errors[code])
	}
	return o
}

// declared returns the error with the code in a field's tag. It panics if fieldErrors does not contain the code.
func declared(code string) *Error {
	e := fieldErrors[code]
	if e == nil {
		panic("control: the error " + code + " of a field is not declared")
	}
	return e
}

// Body returns the type of the body, and whether it may be missing. An operation without a Body field has an optional
// body, an object without fields.
func (o Operation) Body() (of reflect.Type, optional bool) {
	body, has := o.In.FieldByName("Body")
	if !has {
		return reflect.TypeFor[Nothing](), true
	}
	return body.Type, body.Tag.Get("body") == "optional"
}

// bodyCode returns the error code for wrong and missing values of the fields of the body that declare no code; "" means
// the default codes.
func (o Operation) bodyCode() string {
	body, _ := o.In.FieldByName("Body")
	return body.Tag.Get("code")
}

// errorsOfBody lists the errors declared by the fields of a body.
func errorsOfBody(of reflect.Type, code string) (list []*Error) {
	for _, f := range schema.Fields(of, "json") {
		if f.OnlyAnswer {
			continue
		}
		if f.Required {
			list = append(list, declared(cmp.Or(f.CodeMissed, code, errMissingField.Code)))
		}
		if f.Rules.Restrict() {
			list = append(list, declared(cmp.Or(f.Code, code, errWrongType.Code)))
		}
		switch inner := f.Type; {
		case inner.Kind() == reflect.Pointer && inner.Elem() == reflect.TypeFor[time.Time]():
			list = append(list, ErrBadTime)
		case inner.Kind() == reflect.Struct:
			list = append(list, errorsOfBody(inner, code)...)
		}
	}
	return list
}

// fileType is the type of a body that is passed to the handler without decoding.
var fileType = reflect.TypeFor[SnapshotFile]()

// read reads and checks the input of a call. A call with several errors gets the first one, and clients rely on the
// order of the checks. The world is nil for a call that was declared with about.
func (o Operation) read(s *server, r *http.Request) (in any, w World, err error) {
	value := reflect.New(o.In)
	if err := o.readQuery(r.URL.RawQuery, value); err != nil {
		return nil, nil, err
	}
	for _, f := range schema.Fields(o.In, "path") {
		value.Elem().FieldByName(f.GoName).SetString(r.PathValue(f.Name))
	}
	for _, f := range schema.Fields(o.In, "header") {
		value.Elem().FieldByName(f.GoName).SetString(r.Header.Get(f.Name))
	}
	if err := contentType(r); err != nil {
		return nil, nil, err
	}
	if here, ok := value.Interface().(interface{ worldID() string }); ok {
		if w, err = worldOf(s.worlds, here.worldID()); err != nil {
			return nil, nil, err
		}
	}
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		err = o.readBody(r, value.Elem())
	}
	return value.Elem().Interface(), w, err
}

func (o Operation) readQuery(raw string, into reflect.Value) error {
	query, err := url.ParseQuery(raw)
	if err != nil {
		return errBadQuery.With("the query cannot be read: %s", err)
	}
	var valid []string
	for _, f := range schema.Fields(o.In, "query") {
		valid = append(valid, f.Name)
		if n := len(query[f.Name]); n > 1 {
			return errRepeatedParameter.With("%s occurs %d times", f.Name, n)
		}
	}
	if p := (*schema.Problem)(nil); errors.As(schema.DecodeQuery(query, into.Interface()), &p) {
		return declared(p.Code).With("%s", p)
	}
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if !slices.Contains(valid, name) {
			return errUnknownParameter.With("unknown parameter %q; valid: %s", name, strings.Join(valid, ", "))
		}
	}
	return nil
}

func (o Operation) readBody(r *http.Request, into reflect.Value) error {
	text, err := bodyOf(r)
	of, optional := o.Body()
	switch {
	case err != nil:
		return err
	case of == fileType:
		into.FieldByName("Body").Set(reflect.ValueOf(SnapshotFile{text}))
		return nil
	}
	if len(strings.TrimSpace(string(text))) == 0 && optional {
		return nil
	}
	body := reflect.New(of)
	if err := ReadBody(text, o.bodyCode(), body.Interface()); err != nil {
		return err
	}
	if field := into.FieldByName("Body"); field.IsValid() {
		field.Set(body.Elem())
	}
	return nil
}

// ReadBody reads the JSON body of a call into the value that a pointer points to. code is the error code of a wrong or
// missing value whose field has no code; "" means the default codes. The error is an *Error.
func ReadBody(text []byte, code string, into any) error {
	valid := "; valid fields: " + strings.Join(schema.Names(reflect.TypeOf(into).Elem()), ", ")
	if len(strings.TrimSpace(string(text))) == 0 {
		return errBadJSON.With("the body is empty%s", valid)
	}
	if p := (*schema.Problem)(nil); errors.As(schema.DecodeRequest(text, into), &p) {
		return bodyError(p, code).With("%s %s%s", cmp.Or(p.Path, "the body"), p.Text, valid)
	}
	return nil
}

// bodyError returns the error of a problem in a body.
func bodyError(p *schema.Problem, code string) *Error {
	switch p.Kind {
	case schema.Syntax:
		return errBadJSON
	case schema.Unknown:
		return errUnknownField
	case schema.Missing, schema.Null:
		return declared(cmp.Or(p.Code, code, errMissingField.Code))
	case schema.Time:
		return ErrBadTime
	case schema.Value:
		return declared(cmp.Or(p.Code, code, errWrongType.Code))
	}
	return errWrongType
}

// handler serves a call.
func (o Operation) handler(s *server) http.Handler {
	limit := int64(maxBody)
	if body, _ := o.Body(); body == fileType {
		limit = maxSnapshot
	}
	return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.ContentLength > limit {
			s.fail(o, rw, tooLarge(limit))
			return
		}
		r.Body = http.MaxBytesReader(rw, r.Body, limit)
		in, w, err := o.read(s, r)
		if err != nil {
			s.fail(o, rw, err)
			return
		}
		answer, err := o.serve(s, w, in, r, rw)
		switch file, is := answer.(File); {
		case err != nil:
			s.fail(o, rw, err)
		case is:
			rw.Header().Set("Content-Type", file.ContentType)
			rw.Header().Set("Content-Disposition", `attachment; filename="`+file.Name+`"`)
			rw.Header().Set("Cache-Control", "no-store")
			_, _ = rw.Write(file.Body) // fails only if the client is gone
		case answer != nil:
			writeJSON(rw, o.Status, answer)
		}
	})
}

// fail answers an error, and reports one that the operation does not declare.
func (s *server) fail(o Operation, rw http.ResponseWriter, err error) {
	e := errorOf(err)
	if s.undeclared != nil && !slices.ContainsFunc(o.Errors, func(d *Error) bool { return d.Is(e) }) {
		s.undeclared(o.Method+" "+o.Path, e.Code)
	}
	WriteError(rw, e)
}

// errorOf returns an *Error unchanged, and internal for any other error.
func errorOf(err error) *Error {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e
	}
	return errInternal.With("%s", err)
}

// WriteError answers an error of the API.
func WriteError(rw http.ResponseWriter, e *Error) { writeJSON(rw, e.Status, Failure{*e}) }

// Failure is the answer to a failed call. The call has changed nothing.
type Failure struct {
	// Error is the reason of the failure.
	Error Error `json:"error"`
}

func writeJSON(rw http.ResponseWriter, status int, answer any) {
	rw.Header().Set("Content-Type", "application/json; charset=utf-8")
	rw.Header().Set("Cache-Control", "no-store")
	rw.WriteHeader(status)
	encoder := json.NewEncoder(rw)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // fails only if the client is gone
}
