// Package script plans what goes wrong: faults of HTTP and TCP, which one wrapper applies to every provider, and
// faults of a provider's own domain, which its handlers ask for. A plan is exact: nothing fails by chance unless
// a probability with a seed was asked for.
package script

import (
	"math/rand/v2"
	"slices"
	"sort"
	"strconv"
	"sync"
)

// Fault is one planned fault. Provider, Operation and Do are required; Operation "*" means every operation.
type Fault struct {
	ID        string `json:"id"`
	Provider  string `json:"provider"`
	Operation string `json:"operation"`
	Do        string `json:"do"`

	Nth         int     `json:"nth,omitempty"`         // hits the nth call alone, from 1; short for skip n-1, times 1
	Skip        int     `json:"skip,omitempty"`        // calls to let through first
	Times       int     `json:"times,omitempty"`       // calls to hit; 0: every one
	Probability float64 `json:"probability,omitempty"` // chance of a hit, drawn from Seed; 0: always
	Seed        uint64  `json:"seed,omitempty"`

	LatencyMS int    `json:"latency_ms,omitempty"` // real time: how long to wait (latency), or to hang (default 60,000)
	Status    int    `json:"status,omitempty"`     // HTTP status of "status" (default 500) and "html" (default 502)
	Body      string `json:"body,omitempty"`       // body of "status", "html" and "malformed"
	Code      string `json:"code,omitempty"`       // the provider's own error code, for "error" and some domain words
	Message   string `json:"message,omitempty"`    // the provider's own error text
	DelayS    int    `json:"delay_s,omitempty"`    // business seconds, for domain words that are late
}

// What any provider can suffer.
const (
	Latency      = "latency"        // answers after LatencyMS
	Status       = "status"         // does not act, answers Status and Body
	HTML         = "html"           // does not act, answers an HTML page, as a proxy in between would
	Error        = "error"          // does not act, answers the provider's own error Code and Message
	Reset        = "reset"          // does not act, resets the connection
	Hang         = "hang"           // does not act, never answers
	ActThenReset = "act-then-reset" // acts, then resets the connection
	ActThenHang  = "act-then-hang"  // acts, then never answers
	Truncate     = "truncate"       // acts, sends half of the answer
	Malformed    = "malformed"      // acts, answers something that cannot be decoded
)

var wireWords = []string{Latency, Status, HTML, Error, Reset, Hang, ActThenReset, ActThenHang, Truncate, Malformed}

// WireWord is a fault that any provider can suffer.
type WireWord struct {
	Do string `json:"do"`
	Effect
}

// WireWords are the faults that any provider can suffer.
func WireWords() []WireWord {
	return []WireWord{
		{Latency, Does("answers as usual, latency_ms of real time later", "latency_ms")},
		{Status, Does("does not act; answers status (500) with body", "status", "body")},
		{HTML, Does("does not act; answers an HTML page with status (502), as a proxy in between would", "status", "body")},
		{Error, Does("does not act; answers the provider's own error", "code", "message")},
		{Reset, Does("does not act; resets the connection")},
		{Hang, Does("does not act; never answers: the connection ends after latency_ms (60000)", "latency_ms")},
		{ActThenReset, Does("acts, then resets the connection: the caller cannot know")},
		{ActThenHang, Does("acts, then never answers: the connection ends after latency_ms (60000)", "latency_ms")},
		{Truncate, Does("acts; sends half of the answer")},
		{Malformed, Does("acts; answers something that cannot be decoded, or body", "body")},
	}
}

// Provider declares what can be planned for a provider.
type Provider struct {
	Name       string              `json:"name"`
	Operations []string            `json:"operations"`
	Words      map[string][]string `json:"words"`   // its domain words, each with the operations it applies to
	Effects    map[string]Effect   `json:"effects"` // of its domain words
	Numeric    bool                `json:"-"`       // its own codes are whole numbers
}

// Effect says what a word does, for people who plan faults.
type Effect struct {
	Text   string   `json:"text"`
	Fields []string `json:"fields"` // of a fault, that matter to this word
}

// Does is an effect that the named fields change.
func Does(text string, fields ...string) Effect {
	return Effect{Text: text, Fields: append([]string{}, fields...)}
}

// Planned is a fault with what has become of it.
type Planned struct {
	Fault
	Seen int `json:"seen"` // calls that matched
	Hits int `json:"hits"` // calls that were hit
}

// Plan holds the faults of a world.
type Plan struct {
	mu        sync.Mutex
	providers map[string]Provider
	faults    []*entry
	lastID    int
	changed   func()
}

type entry struct {
	Planned
	source *rand.PCG // of chance
	chance *rand.Rand
}

// NewPlan returns an empty plan.
func NewPlan() *Plan { return &Plan{providers: map[string]Provider{}, changed: func() {}} }

// OnChange calls f when a fault was planned, removed or met by a call. It replaces an earlier one. f must not call
// the plan.
func (p *Plan) OnChange(f func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changed = f
}

// Declare makes a provider known. Faults of unknown providers are refused.
func (p *Plan) Declare(provider Provider) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.providers[provider.Name] = provider
}

// Providers lists what was declared, by name.
func (p *Plan) Providers() []Provider {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Provider, 0, len(p.providers))
	for _, v := range p.providers {
		list = append(list, v)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Add plans a fault and returns it with its id. The error is an *Invalid.
func (p *Plan) Add(f Fault) (Fault, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.check(f); err != nil {
		return Fault{}, err
	}
	p.lastID++
	f.ID = strconv.Itoa(p.lastID)
	if f.Nth > 0 {
		f.Skip, f.Times = f.Nth-1, 1
	}
	p.faults = append(p.faults, newEntry(Planned{Fault: f}))
	p.changed()
	return f, nil
}

// Faults lists the planned faults, oldest first.
func (p *Plan) Faults() []Planned {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Planned, len(p.faults))
	for i, e := range p.faults {
		list[i] = e.Planned
	}
	return list
}

// Remove forgets one fault and reports whether it was there.
func (p *Plan) Remove(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := len(p.faults)
	defer p.changed()
	p.faults = slices.DeleteFunc(p.faults, func(e *entry) bool { return e.ID == id })
	return len(p.faults) < n
}

// Clear forgets all faults.
func (p *Plan) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.faults = nil
	p.changed()
}

// Take asks whether a call of the operation is to suffer one of the words now, and counts it. The oldest fault
// that hits wins; faults that only saw the call count it as skipped.
func (p *Plan) Take(provider, operation string, words ...string) (Fault, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.faults {
		if e.Provider != provider || e.Operation != "*" && e.Operation != operation || !slices.Contains(words, e.Do) {
			continue
		}
		if e.Times > 0 && e.Hits >= e.Times {
			continue
		}
		e.Seen++
		p.changed()
		if e.Seen <= e.Skip || e.chance != nil && e.chance.Float64() >= e.Probability {
			continue
		}
		e.Hits++
		return e.Fault, true
	}
	return Fault{}, false
}
