package control

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// contentType refuses a body that is declared to be something else than JSON. What curl says of -d passes, so that
// every call can be typed without a header.
func contentType(r *http.Request) error {
	text := r.Header.Get("Content-Type")
	if r.ContentLength == 0 || text == "" {
		text = "application/json"
	}
	kind, parameters, err := mime.ParseMediaType(text)
	charset := strings.ToLower(parameters["charset"])
	encoding := r.Header.Get("Content-Encoding")
	switch {
	case err != nil || kind != "application/json" && kind != "application/x-www-form-urlencoded":
		return &Error{http.StatusUnsupportedMediaType, "wrong_content_type", fmt.Sprintf("the body is JSON: send Content-Type application/json and not %q", text)}
	case charset != "" && charset != "utf-8":
		return &Error{http.StatusUnsupportedMediaType, "wrong_content_type", fmt.Sprintf("the body is JSON in UTF-8 and not in %s", charset)}
	case encoding != "" && encoding != "identity":
		return &Error{http.StatusUnsupportedMediaType, "wrong_content_type", fmt.Sprintf("the body is read as it comes: send it without Content-Encoding %s", encoding)}
	}
	return nil
}

// decode reads a JSON body strictly; fields names the valid ones for the error.
func decode(r *http.Request, into any, fields string) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return decodeError(err, fields)
	}
	return decodeText(body, into, fields)
}

// decodeOptional is decode, and a body that is not there is one without fields.
func decodeOptional(r *http.Request, into any, fields string) error {
	body, err := io.ReadAll(r.Body)
	switch {
	case err != nil:
		return decodeError(err, fields)
	case len(bytes.TrimSpace(body)) == 0:
		return nil
	}
	return decodeText(body, into, fields)
}

func decodeText(body []byte, into any, fields string) error {
	switch {
	case !utf8.Valid(body):
		return bad("bad_json", "the body is not UTF-8")
	case string(bytes.TrimSpace(body)) == "null":
		return bad("wrong_type", "the body must be a JSON object and not a null; valid fields: %s", fields)
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return decodeError(err, fields)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return bad("bad_json", "the body goes on after its JSON object")
	}
	return checkNames(body, fields)
}

// checkNames refuses what the decoder forgives: a name in another case, and a field that stands twice.
func checkNames(body []byte, fields string) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	_, _ = decoder.Token() // the body was decoded already
	var seen []string
	for decoder.More() {
		token, _ := decoder.Token()
		name := fmt.Sprint(token)
		switch {
		case !slices.Contains(strings.Split(fields, ", "), name):
			return bad("unknown_field", "unknown field %q; valid fields: %s", name, fields)
		case slices.Contains(seen, name):
			return bad("bad_json", "%s stands more than once in the body", name)
		}
		seen = append(seen, name)
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return bad("bad_json", "the body is not one JSON object: %s", err)
		}
	}
	return nil
}

func decodeError(err error, fields string) error {
	var (
		tooBig  *http.MaxBytesError
		typeErr *json.UnmarshalTypeError
		timeErr *time.ParseError
	)
	switch {
	case errors.As(err, &tooBig):
		return tooLarge(tooBig.Limit)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return bad("bad_json", "the body ends before its JSON object does; valid fields: %s", fields)
	case errors.As(err, &typeErr) && typeErr.Field == "":
		return bad("wrong_type", "the body must be a JSON object and not a %s; valid fields: %s", typeErr.Value, fields)
	case errors.As(err, &typeErr):
		return bad("wrong_type", "%s must be %s and not a %s; valid fields: %s", typeErr.Field, inWords(typeErr.Type), typeErr.Value, fields)
	case errors.As(err, &timeErr):
		return bad("bad_time", "%s is no time like 2026-01-02T15:04:05+08:00", timeErr.Value)
	case strings.Contains(err.Error(), "Time.UnmarshalJSON"):
		return bad("bad_time", "a time is a text like \"2026-01-02T15:04:05+08:00\"; valid fields: %s", fields)
	case strings.HasPrefix(err.Error(), "json: unknown field"):
		return bad("unknown_field", "%s; valid fields: %s", strings.TrimPrefix(err.Error(), "json: "), fields)
	default:
		return bad("bad_json", "the body is not one JSON object: %s", err)
	}
}

// inWords names a Go type as JSON has it.
func inWords(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.String:
		return "a text"
	case t.Kind() == reflect.Bool:
		return "true or false"
	case t.Kind() >= reflect.Uint && t.Kind() <= reflect.Uint64:
		return "a whole number from 0"
	case t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64:
		return "a whole number"
	case t.Kind() == reflect.Float64:
		return "a number"
	default:
		return "an object"
	}
}

// number reads a whole number of the query; without one it is fallback.
func number(r *http.Request, name string, fallback, least, most int64) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return fallback, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, bad("bad_"+name, "%s must be a whole number from %d to %d", name, least, most)
	}
	return n, nil
}
