package control

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// decode reads a JSON body strictly; fields names the valid ones for the error.
func decode(r *http.Request, into any, fields string) error {
	decoder := json.NewDecoder(r.Body)
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return decodeError(err, fields)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return bad("bad_json", "the body goes on after its JSON object")
	}
	return nil
}

// decodeOptional is decode, and a body that is not there is one without fields.
func decodeOptional(r *http.Request, into any, fields string) error {
	if r.ContentLength == 0 {
		return nil
	}
	return decode(r, into, fields)
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
	case errors.As(err, &typeErr) && typeErr.Field == "":
		return bad("wrong_type", "the body must be a JSON object and not a %s; valid fields: %s", typeErr.Value, fields)
	case errors.As(err, &typeErr):
		return bad("wrong_type", "%s must be of type %s; valid fields: %s", typeErr.Field, typeErr.Type, fields)
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
