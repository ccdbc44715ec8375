// Package faults plans faults and stubs for the calls of a provider, and applies them. The faults of a Plan affect
// calls of simulated operations; Stubs answer calls that are not simulated. Endpoint wraps a provider's handler: it
// applies the faults of HTTP and TCP and the stubs, and writes every call into the journal. A provider's handlers get
// the provider's specific faults from the Plan. A plan is deterministic: only a fault with a probability is random, and
// that has a seed.
package faults

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"marquee/simulators/journal"
)

// Fault is the description of a fault: which calls it hits, and its effect on them.
type Fault struct {
	// ID is assigned by the plan.
	ID string `json:"id" only:"answer"`
	// Provider is the name of a provider.
	Provider string `json:"provider"`
	// Operation is an operation of the provider, or * for all of them.
	Operation string `json:"operation"`
	// Do is the kind of fault: a general one that every provider has, such as "status" or "reset", or one of this
	// provider, such as "seat-taken". GET /sim/v1/faults lists all kinds.
	Do string `json:"do"`
	// Host limits the fault to calls to one host name, such as api.mch.weixin.qq.com; empty or missing: to any host.
	Host string `json:"host,omitempty"`

	// Nth hits only the call with this number, counted from 1: the same as skip n-1 and times 1.
	Nth int `json:"nth,omitempty" min:"1"`
	// Skip is the number of matching calls that are not hit before the first hit.
	Skip int `json:"skip,omitempty" min:"0"`
	// Times is the number of calls that are hit; 0 or missing: every one.
	Times int `json:"times,omitempty" min:"0"`
	// Probability is the chance that a matching call is hit; missing: every call is hit. The same seed leads to the
	// same hits.
	Probability float64 `json:"probability,omitempty" above:"0" max:"1"`
	// Seed is the seed of the random draws.
	Seed uint64 `json:"seed,omitempty"`

	// LatencyMS is the number of real milliseconds from the call to the effect; for the kinds "hang" and
	// "act-then-hang", until the connection ends (60,000 if it is 0 or missing).
	LatencyMS int `json:"latency_ms,omitempty" min:"0" max:"600000"`
	// Status is the HTTP status of the answer, for the kinds "status" (500 if it is 0 or missing) and "html" (502).
	Status int `json:"status,omitempty" min:"0" max:"599"`
	// Body is the body of the answer, for the kinds "status", "html" and "malformed".
	Body string `json:"body,omitempty"`
	// Code is an error code of the provider, for the kind "error" and for some of the provider's kinds.
	Code string `json:"code,omitempty"`
	// Message is the error text, for the kind "error" and for some of the provider's kinds.
	Message string `json:"message,omitempty"`
	// DelayS is the delay of a fault such as a late push, in business seconds; 0 or missing: the default of its kind.
	DelayS int `json:"delay_s,omitempty" min:"0" max:"34560000"`
}

// Delay is the fault's DelayS as business time; fallback if the fault has no delay.
func (f Fault) Delay(fallback time.Duration) time.Duration {
	if f.DelayS > 0 {
		return time.Duration(f.DelayS) * time.Second
	}
	return fallback
}

// PlannedFault is a fault in a plan, with its counts of calls.
type PlannedFault struct {
	Fault
	// Seen is the number of calls that matched, including those that were not hit because of skip or probability. Calls
	// after the last hit do not count.
	Seen int `json:"seen"`
	// Hits is the number of calls that the fault changed.
	Hits int `json:"hits"`
}

// Plan holds the faults of a world. It is safe for concurrent use.
type Plan struct {
	mu        sync.Mutex
	providers map[string]Provider
	faults    []*entry
	lastID    int
	changed   func()
	stubs     Stubs
}

// entry is a fault with the random generator of its hits, if it has a probability.
type entry struct {
	PlannedFault
	generator *rand.PCG  // its state is saved in snapshots
	random    *rand.Rand // draws from generator
}

// NewPlan returns an empty plan.
func NewPlan() *Plan {
	return &Plan{providers: map[string]Provider{}, changed: func() {}, stubs: Stubs{changed: func() {}}}
}

// Stubs returns the plan's stubs, which answer calls that are not simulated.
func (p *Plan) Stubs() *Stubs { return &p.stubs }

// AddStub adds a stub of a known provider, for calls that are not simulated. The error is an *Invalid.
func (p *Plan) AddStub(s Stub) (Stub, error) {
	names := []string{}
	for _, known := range p.Providers() {
		if names = append(names, known.Name); known.Name != s.Provider {
			continue
		}
		if call, operation := s.simulatedCall(known.Simulated); operation != "" {
			return Stub{},
				invalid("%s is simulated as %s, so that the stub would never answer: plan a fault of that operation",
					call, operation)
		}
		return p.stubs.Add(s)
	}
	return Stub{}, invalid("unknown provider %q; valid: %s", s.Provider, join(names))
}

// OnChange calls f when a fault or a stub was added, removed or applied to a call. It replaces an earlier function. f
// must not call the plan.
func (p *Plan) OnChange(f func()) {
	p.mu.Lock()
	p.changed = f
	p.mu.Unlock()
	p.stubs.mu.Lock()
	p.stubs.changed = f
	p.stubs.mu.Unlock()
}

// Declare registers a provider. Faults of unknown providers are rejected.
func (p *Plan) Declare(provider Provider) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.providers[provider.Name] = provider
}

// Providers lists the declared providers, by name.
func (p *Plan) Providers() []Provider {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := make([]Provider, 0, len(p.providers))
	for _, v := range p.providers {
		list = append(list, v)
	}
	slices.SortFunc(list, func(a, b Provider) int { return strings.Compare(a.Name, b.Name) })
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
	p.faults = append(p.faults, newEntry(PlannedFault{Fault: f}))
	p.changed()
	return f, nil
}

func newEntry(planned PlannedFault) *entry {
	e := &entry{PlannedFault: planned}
	if e.Probability > 0 {
		e.generator = rand.NewPCG(e.Seed, 0x6d617271)
		e.random = rand.New(e.generator)
	}
	return e
}

// Faults lists the planned faults, oldest first.
func (p *Plan) Faults() []PlannedFault {
	p.mu.Lock()
	defer p.mu.Unlock()
	return each(p.faults, func(e *entry) PlannedFault { return e.PlannedFault })
}

// each returns the result of the function value for every element of a list. It is never nil, so that an empty list is
// [] in JSON.
func each[E, V any](list []E, value func(E) V) []V {
	out := make([]V, len(list))
	for i, e := range list {
		out[i] = value(e)
	}
	return out
}

// Remove removes one fault and reports whether it existed.
func (p *Plan) Remove(id string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.faults, func(e *entry) bool { return e.ID == id })
	if i < 0 {
		return false
	}
	p.faults = slices.Delete(p.faults, i, i+1)
	p.changed()
	return true
}

// Clear removes all faults.
func (p *Plan) Clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.faults) == 0 {
		return
	}
	p.faults = nil
	p.changed()
}

// Apply reports whether a fault of one of the kinds hits a call of the operation, and returns that fault. It writes
// the fault into the call's journal note. If several faults match, the oldest one hits. A fault that matches but does
// not hit, because of its Skip or Probability, still counts the call in Seen.
func (p *Plan) Apply(note *journal.Note, provider, operation string, kinds ...string) (Fault, bool) {
	if operation == "" { // the call is not simulated
		return Fault{}, false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.faults {
		if e.Provider != provider || e.Operation != "*" && e.Operation != operation || !slices.Contains(kinds, e.Do) {
			continue
		}
		if e.Times > 0 && e.Hits >= e.Times || e.Host != "" && e.Host != note.Host {
			continue
		}
		e.Seen++
		p.changed()
		if e.Seen <= e.Skip || e.random != nil && e.random.Float64() >= e.Probability {
			continue
		}
		e.Hits++
		note.AddFault(e.ID, e.Do)
		return e.Fault, true
	}
	return Fault{}, false
}
