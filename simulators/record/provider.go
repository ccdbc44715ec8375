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

	// operation returns the name of a call and whether it may change something, as any call that is not known to be a
	// read may.
	operation func(q *Request) (name string, write bool)
	// code is the provider's own result code in an answer; "" where it has none.
	code func(status int, answer any) string
	// rejectsCaller reports whether a code rejects the caller: such a call has another result under another signature.
	rejectsCaller func(code string) bool

	secrets     []string          // fields to redact, in addition to secretAnywhere
	persons     map[string]string // fields that hold a person's id, and the placeholder's word
	carried     map[string]string // fields whose values go from answers into later calls, and the kind of value
	chosen      map[string]string // fields that the caller chooses and that are new in every replay, and their kind
	entityKinds []string          // kinds of values that identify an object
	headers     []string          // headers that identify a call, in addition to the content type

	// conditions describe the state of an entity: first completely, then by what matters most. It is nil without
	// entityKinds.
	conditions func(object map[string]any) []string
	// prepare puts the replay's account into a call before it is encoded, and removes what would reach the parties of
	// the recording.
	prepare func(q *Request, keys dataset.Credentials, now time.Time) error
	// authorize signs an encoded call; nil: prepare or the bearer token does.
	authorize func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error
	// account lists the credentials that signing needs, by their names in a file of credentials.
	account func(keys dataset.Credentials) map[string]string
}

// providers are those that can be recorded.
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

// field follows names into decoded JSON; nil where one of them is missing.
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

// set replaces a field at the top of the body or in the query. It adds none, and "" leaves the field as it is.
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
