package record

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"marquee/simulators/dataset"
)

// provider is what has to be known of a provider to record, redact, sign and carry values. Names of fields are in lower
// case.
type provider struct {
	name string
	// operation names a call, and says whether it may change something. What is not known may.
	operation func(q *Request) (name string, write bool)
	// code is the provider's own verdict in an answer; a success has one too, or "".
	code func(status int, answer any) string
	// refusedCaller says whether a code refuses the caller and not the call: another signature gets another answer.
	refusedCaller func(code string) bool
	secrets       []string          // besides secretAnywhere
	persons       map[string]string // fields that hold a person's id
	carried       map[string]string // fields whose values come out of answers into later calls, and the kind of value
	fresh         map[string]string // fields that the caller chooses and that must be new in every replay
	primary       []string          // kinds, by which elements of an array are told apart
	// traits are the condition of an element, from the whole of it to what matters most; nil: elements have none.
	traits  func(element map[string]any) []string
	headers []string // of a call that say what it is; they are kept
	mount   string   // where the simulators serve it
	// prepare puts the caller's own account into a call, before it is encoded. It changes nothing else: a proxy that signs
	// anew does it to calls that count.
	prepare func(q *Request, keys dataset.Credentials, now time.Time) error
	// disarm takes out of a replayed call what would reach somebody of the recording; nil: nothing would.
	disarm func(q *Request)
	// authorize signs an encoded call.
	authorize func(r *http.Request, body []byte, keys dataset.Credentials, now time.Time) error
}

var providers = []*provider{gateway, newmovie, wechatPay, sms, smsTencent}

// Providers are the names that can be recorded.
func Providers() (names []string) {
	for _, p := range providers {
		names = append(names, p.name)
	}
	return names
}

func providerOf(name string) (*provider, error) {
	for _, p := range providers {
		if p.name == name {
			return p, nil
		}
	}
	return nil, fail("unknown_provider", "unknown provider %q; valid: %s", name, strings.Join(Providers(), ", "))
}

// at follows names into decoded JSON; nil when the way ends.
func at(v any, names ...string) any {
	for _, name := range names {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func oneOf(codes ...string) func(string) bool {
	return func(code string) bool { return slices.Contains(codes, code) }
}

// set replaces a field of a body or query wherever it stands at the top; it adds none. An empty value leaves it.
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

func (q *Request) formValue(name string) string {
	if values := q.Body.Form[name]; len(values) > 0 {
		return values[0]
	}
	return ""
}
