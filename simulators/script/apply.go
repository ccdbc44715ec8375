package script

import (
	"slices"
	"time"

	"marquee/simulators/journal"
)

// DomainFault is a kind of fault of a provider's own domain.
type DomainFault struct {
	Do         string
	Operations []string // that it applies to
	Effect     Effect
}

// Domain returns the kind of fault that is planned by do, with its effect as people who plan faults read it. fields name
// the fields of a Fault that change the effect.
func Domain(do string, operations []string, effect string, fields ...string) DomainFault {
	return DomainFault{do, operations, Does(effect, fields...)}
}

// NewProvider returns what a provider declares to the plan: its operations and the faults of its own domain.
func NewProvider(name string, operations []string, faults ...DomainFault) Provider {
	p := Provider{Name: name, Operations: operations, Words: map[string][]string{}, Effects: map[string]Effect{}}
	for _, f := range faults {
		p.Words[f.Do] = slices.Clone(f.Operations)
		p.Effects[f.Do] = f.Effect
	}
	return p
}

// Apply returns the planned fault that this call of the operation suffers, out of the kinds in words, and writes it into
// the call's journal note. The second result is false when the plan holds none.
func (p *Plan) Apply(note *journal.Note, provider, operation string, words ...string) (Fault, bool) {
	fault, hit := p.Take(provider, operation, words...)
	if hit {
		note.Suffer(fault.ID, fault.Do)
	}
	return fault, hit
}

// Delay is the fault's DelayS as business time; fallback where the fault names no delay.
func (f Fault) Delay(fallback time.Duration) time.Duration {
	if f.DelayS > 0 {
		return time.Duration(f.DelayS) * time.Second
	}
	return fallback
}
