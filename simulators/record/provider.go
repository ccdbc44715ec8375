package record

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// provider has the properties of a provider for recording, redacting, signing and replaying. Names of fields are in
// lower case.
type provider struct {
	name  string
	mount string // the path at which the simulators serve it

	// operation returns the name of a call, and whether the call may change something at the provider. write is false
	// only for calls that are known to be reads.
	operation func(q *Request) (name string, write bool)
	// code returns the provider's result code in an answer; "" if there is none.
	code func(status int, answer any) string
	// rejectsCaller reports whether a result code rejects the caller, for example because of a wrong signature. Such a
	// call is not replayed, since the replay signs it correctly and gets another result.
	rejectsCaller func(code string) bool

	secrets       []string          // fields to redact, in addition to secretAnywhere
	persons       map[string]string // fields that contain a person's id, each with the word that begins its placeholder
	fromAnswers   map[string]string // fields whose values later calls take from answers, each with the kind of value
	callerNumbers map[string]string // numbers that the caller chooses, new in every replay, each with its kind of value
	entityKinds   []string          // kinds of values that identify an object, such as seat
	headers       []string          // headers that identify a call, in addition to the content type

	// stateKeys describes the state of an entity, so that a recorded seat is replaced by a seat in the same state: the
	// first text contains everything, the second only the most important part. It is nil without entityKinds.
	stateKeys func(object map[string]any) []string
	// prepare puts the replay's account into a call before it is encoded. It also replaces values that would affect the
	// parties of the recording, such as the address for notifications.
	prepare func(q *Request, keys dataset.Credentials, now time.Time) error
	// authorize signs an encoded call. It is nil if prepare signs it, or if the call is authorized by a bearer token.
	authorize func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error
	// account lists the credentials that signing needs, by their names in a file of credentials.
	account func(keys dataset.Credentials) map[string]string
}

// providers are the providers that can be recorded.
var providers = []*provider{gateway, newmovie, wechatPay, sms, smsTencent}

// Providers lists the names of the providers that can be recorded.
func Providers() (names []string) {
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

// providerOf returns the provider of a name. The error is an *Error.
func providerOf(name string) (*provider, error) {
	for _, p := range providers {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fail("unknown_provider", "unknown provider %q; valid: %s", name, strings.Join(Providers(), ", "))
}

// field returns the value at a path of names in decoded JSON, or nil if one of them is missing.
func field(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

// oneOf returns a function that reports whether a code is among codes.
func oneOf(codes ...string) func(string) bool {
	return func(code string) bool { return slices.Contains(codes, code) }
}

// set replaces the value of a field at the top level of the body or in the query, if it exists. With the value "" it
// does nothing.
func (q *Request) set(name, value string) {
	if value == "" {
		return
	}
	for _, form := range []map[string][]string{q.Query, q.Body.Form} {
		if _, ok := form[name]; ok {
			form[name] = []string{value}
		}
	}
	if object, ok := q.Body.JSON.(map[string]any); ok {
		if _, ok := object[name]; ok {
			object[name] = value
		}
	}
}

// formValue is the first value of a form field; "" where it is missing.
func (q *Request) formValue(name string) string {
	if values := q.Body.Form[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}
