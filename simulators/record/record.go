// Package record tells how true the simulators are. A proxy in front of a real provider writes down what is asked and
// answered, without anything secret; a replay asks the same of another address, signed anew; a comparison says where the
// simulator's answers have another shape than the provider's.
package record

import (
	"fmt"
	"time"
)

// Error is why nothing could be recorded, replayed or compared. Codes are stable.
type Error struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Code + ": " + e.Message }

func fail(code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// DefaultTimeout is how long a provider may take for one answer.
const DefaultTimeout = 30 * time.Second

// DefaultPatience is how long a target may be silent before nothing more is asked of it.
const DefaultPatience = 10 * time.Second

const (
	maxRequest = 1 << 20  // bytes of a request's body
	maxAnswer  = 32 << 20 // bytes of an answer's body
)

// Call is one call and its answer, or why there is none. What was secret in it is a placeholder.
type Call struct {
	ID        int       `json:"id"`
	At        time.Time `json:"at"` // real time
	Operation string    `json:"operation"`
	Write     bool      `json:"write,omitempty"` // it may change something at the provider
	Request   Request   `json:"request"`
	Answer    *Answer   `json:"answer,omitempty"`
	Failure   string    `json:"failure,omitempty"` // why no answer came: timeout, reset, unreachable, too_big, unsigned
}

// Request is what was asked. Path is relative to the provider's address.
type Request struct {
	Method  string              `json:"method"`
	Path    string              `json:"path"`
	Query   map[string][]string `json:"query,omitempty"`
	Headers map[string]string   `json:"headers,omitempty"` // those few that say what the call is
	Body    Body                `json:"body"`
}

// Answer is what was answered.
type Answer struct {
	Status int   `json:"status"`
	Body   Body  `json:"body"`
	Millis int64 `json:"millis"`
}

// Kinds of a body. Of one that is neither JSON nor a form only the size is kept: nobody can tell what is secret in it.
const (
	bodyEmpty = "empty"
	bodyJSON  = "json"
	bodyForm  = "form"
	bodyHTML  = "html"
	bodyOther = "other"
)

// Body is a decoded body.
type Body struct {
	Kind  string              `json:"kind"`
	JSON  any                 `json:"json,omitempty"` // numbers are json.Number
	Form  map[string][]string `json:"form,omitempty"`
	Bytes int                 `json:"bytes,omitempty"`
}
