package faults

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"marquee/simulators/schema"
)

// Kinds of faults that can be planned for every provider. They are faults of HTTP and TCP. The provider "acts" if it
// executes the call, for example locks the seats.
const (
	Latency      = "latency"        // answers after LatencyMS
	Status       = "status"         // does not act, answers Status and Body
	HTML         = "html"           // does not act, answers an HTML page like a proxy's
	Error        = "error"          // does not act, answers an error of the provider with Code and Message
	Reset        = "reset"          // does not act, resets the connection
	Hang         = "hang"           // does not act, never answers
	ActThenReset = "act-then-reset" // acts, then resets the connection
	ActThenHang  = "act-then-hang"  // acts, then never answers
	Truncate     = "truncate"       // acts, sends half of the answer
	Malformed    = "malformed"      // acts, answers undecodable text
)

// WireKind is a kind of fault that can be planned for every provider, with its effect.
type WireKind struct {
	// Do is the name of the kind.
	Do string `json:"do"`
	Effect
}

var wireKinds = []WireKind{
	{Latency, effect("answers as usual, after latency_ms of real time", "latency_ms")},
	{Status, effect("does not act; answers status (500) with body", "status", "body", "latency_ms")},
	{HTML, effect("does not act; answers an HTML page with status (502), like a proxy",
		"status", "body", "latency_ms")},
	{Error, effect("does not act; answers an error of the provider", "code", "message", "latency_ms")},
	{Reset, effect("does not act; resets the connection", "latency_ms")},
	{Hang, effect("does not act; never answers: the connection ends after latency_ms (60000)", "latency_ms")},
	{ActThenReset, effect("acts, then resets the connection: the caller does not learn the result", "latency_ms")},
	{ActThenHang, effect("acts, then never answers: the connection ends after latency_ms (60000)", "latency_ms")},
	{Truncate, effect("acts; sends half of the answer", "latency_ms")},
	{Malformed, effect("acts; answers undecodable text, or body", "body", "latency_ms")},
}

var wireNames = func() (names []string) {
	for _, k := range wireKinds {
		names = append(names, k.Do)
	}
	return names
}()

// WireKinds lists the kinds of faults that can be planned for every provider.
func WireKinds() []WireKind { return slices.Clone(wireKinds) }

// Effect describes what a kind of fault does, for people who plan faults.
type Effect struct {
	// Text is the description of the effect.
	Text string `json:"text"`
	// Fields are the fields of a fault that change the effect.
	Fields []string `json:"fields"`
}

func effect(text string, fields ...string) Effect {
	return Effect{Text: text, Fields: append([]string{}, fields...)}
}

// Provider declares which faults can be planned for a provider.
type Provider struct {
	// Name identifies the provider in plans and in the journal.
	Name string `json:"name"`
	// Operations are the calls that the provider answers and makes.
	Operations []string `json:"operations"`
	// DomainKinds are the kinds of faults specific to the provider, each with the operations that it applies to.
	DomainKinds map[string][]string `json:"domain_kinds"`
	// Effects are the effects of these kinds of faults.
	Effects map[string]Effect `json:"effects"`
	Numeric bool              `json:"-"` // its error codes are integers
	// Simulated contains the Operation functions of the provider's endpoints. If one of them returns an operation for
	// the calls of a stub, AddStub rejects the stub: such calls are simulated, so the stub would never be used.
	Simulated []func(r *http.Request, body []byte) string `json:"-"`
}

// DomainFault is a kind of fault that a provider declares, in addition to the kinds that all providers have.
type DomainFault struct {
	Do         string
	Operations []string // that it applies to
	Effect     Effect
}

// NewDomainFault returns a kind of fault of a provider. do is its name, text describes its effect for people who plan
// faults, and fields are the fields of a Fault that change the effect.
func NewDomainFault(do string, operations []string, text string, fields ...string) DomainFault {
	return DomainFault{do, operations, effect(text, fields...)}
}

// NewProvider returns a provider's declaration for the plan: its operations and its DomainFaults.
func NewProvider(name string, operations []string, faults ...DomainFault) Provider {
	p := Provider{Name: name, Operations: operations, DomainKinds: map[string][]string{}, Effects: map[string]Effect{}}
	for _, f := range faults {
		p.DomainKinds[f.Do] = slices.Clone(f.Operations)
		p.Effects[f.Do] = f.Effect
	}
	return p
}

// Invalid is the error of a fault that cannot be planned. Its text contains the valid values.
type Invalid struct{ Reason string }

// Error is the reason.
func (e *Invalid) Error() string { return e.Reason }

const maxFaults = 1000

// check returns an *Invalid if a fault cannot be planned. The caller holds the lock.
func (p *Plan) check(f Fault) error {
	provider, known := p.providers[f.Provider]
	if problem := schema.Check(f); problem != nil {
		return invalid("%s", problem)
	}
	switch {
	case !known:
		return invalid("unknown provider %q; valid: %s", f.Provider, join(slices.Sorted(maps.Keys(p.providers))))
	case f.Operation != "*" && !slices.Contains(provider.Operations, f.Operation):
		return invalid("unknown operation %q of %s; valid: *, %s", f.Operation, f.Provider, join(provider.Operations))
	case len(p.faults) >= maxFaults:
		return invalid("there are %d faults already; remove some", maxFaults)
	case f.Nth > 0 && (f.Skip != 0 || f.Times != 0):
		return invalid("nth is short for skip and times: use either nth or those two")
	case f.Do == Latency && f.LatencyMS == 0:
		return invalid("latency needs latency_ms")
	case f.Host != "" && strings.Contains(f.Host, ":"):
		return invalid("host must be a name without a port")
	case f.Status != 0 && f.Status < 200:
		return invalid("status must be from 200 to 599")
	case withoutBody(f.Status) && (f.Body != "" || f.Do == HTML):
		return invalid("an answer of status %d has no body", f.Status)
	case f.Code != "" && provider.Numeric && !wholeNumber(f.Code):
		return invalid("code of %s must be a whole number, like all of its codes", f.Provider)
	}
	if i := slices.Index(wireNames, f.Do); i >= 0 {
		return f.onlyFieldsOf(wireKinds[i].Effect)
	}
	operations, known := provider.DomainKinds[f.Do]
	if !known {
		valid := append(slices.Clone(wireNames), slices.Sorted(maps.Keys(provider.DomainKinds))...)
		return invalid("unknown do %q of %s; valid: %s", f.Do, f.Provider, join(valid))
	}
	if f.Operation != "*" && !slices.Contains(operations, f.Operation) {
		return invalid("%s does not apply to %s; valid: *, %s", f.Do, f.Operation, join(operations))
	}
	return f.onlyFieldsOf(provider.Effects[f.Do])
}

// onlyFieldsOf returns an *Invalid if a field is set that does not change the fault's effect.
func (f Fault) onlyFieldsOf(e Effect) error {
	for _, field := range []struct {
		name string
		set  bool
	}{
		{"latency_ms", f.LatencyMS != 0}, {"status", f.Status != 0}, {"body", f.Body != ""}, {"code", f.Code != ""},
		{"message", f.Message != ""}, {"delay_s", f.DelayS != 0},
	} {
		if field.set && !slices.Contains(e.Fields, field.name) {
			fields := "none"
			if len(e.Fields) > 0 {
				fields = join(e.Fields)
			}
			return invalid("%s would not change %s; fields that do: %s", field.name, f.Do, fields)
		}
	}
	return nil
}

// withoutBody reports whether HTTP forbids a body in an answer with a status.
func withoutBody(status int) bool {
	return status == http.StatusNoContent || status == http.StatusNotModified
}

func wholeNumber(text string) bool {
	_, err := strconv.Atoi(text)
	return err == nil
}

func invalid(format string, args ...any) error { return &Invalid{Reason: fmt.Sprintf(format, args...)} }

func join(list []string) string { return strings.Join(list, ", ") }
