package faults

import (
	"fmt"
	"math/rand/v2"
)

// State is a plan in a snapshot. The schema PlanState of the control API describes it.
type State struct {
	Faults []PlannedState `json:"faults"` // oldest first
	LastID int            `json:"last_id"`
}

// PlannedState is a fault in a snapshot.
type PlannedState struct {
	Planned
	Chance []byte `json:"chance,omitempty"` // state of the generator of its probability
}

// Save returns the present state.
func (p *Plan) Save() State {
	p.mu.Lock()
	defer p.mu.Unlock()
	saved := State{Faults: []PlannedState{}, LastID: p.lastID}
	for _, e := range p.faults {
		s := PlannedState{Planned: e.Planned}
		if e.generator != nil {
			s.Chance, _ = e.generator.MarshalBinary() // it never returns an error
		}
		saved.Faults = append(saved.Faults, s)
	}
	return saved
}

// Load replaces the plan by one that was saved. If one of its faults cannot be planned here the plan stays as it is;
// the error names the fault.
func (p *Plan) Load(saved State) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	var faults []*entry
	for _, s := range saved.Faults {
		f := s.Fault
		if f.Nth > 0 {
			f.Skip, f.Times = 0, 0
		}
		if err := p.check(f); err != nil {
			return fmt.Errorf("fault %s: %w", s.ID, err)
		}
		e := newEntry(s.Planned)
		if e.generator != nil {
			if err := e.generator.UnmarshalBinary(s.Chance); err != nil {
				return fmt.Errorf("fault %s: %w", s.ID, err)
			}
			e.random = rand.New(e.generator)
		}
		faults = append(faults, e)
	}
	p.faults, p.lastID = faults, saved.LastID
	p.changed()
	return nil
}

func newEntry(planned Planned) *entry {
	e := &entry{Planned: planned}
	if e.Probability > 0 {
		e.generator = rand.NewPCG(e.Seed, 0x6d617271)
		e.random = rand.New(e.generator)
	}
	return e
}
