package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

func writeJSON(w http.ResponseWriter, status int, answer any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(answer) // the client is gone: nobody to tell
}

func writeError(w http.ResponseWriter, err error) {
	var refused *Error
	if !errors.As(err, &refused) {
		refused = &Error{http.StatusInternalServerError, "internal", err.Error()}
	}
	writeJSON(w, refused.Status, map[string]*Error{"error": refused})
}

func bad(code, format string, args ...any) *Error {
	return &Error{http.StatusBadRequest, code, fmt.Sprintf(format, args...)}
}

func tooLarge(limit int64) *Error {
	return &Error{http.StatusRequestEntityTooLarge, "body_too_large", fmt.Sprintf("the body is larger than %d bytes", limit)}
}

// fits reports whether a path is one of a pattern's.
func fits(pattern, path string) bool {
	want, got := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i := range want {
		if want[i] != got[i] && (!strings.HasPrefix(want[i], "{") || got[i] == "") {
			return false
		}
	}
	return true
}
