package faults

import (
	"fmt"
	"math/rand/v2"
)

// PlanState is a plan in a snapshot.
type PlanState struct {
	// Faults are the planned faults, oldest first.
	Faults []PlannedState `json:"faults"`
	// LastID is the last assigned id.
	LastID int `json:"last_id"`
}

// PlannedState is a fault in a snapshot.
type PlannedState struct {
	PlannedFault
	// Chance is the state of the random generator that decides which calls are hit; missing without a probability.
	Chance []byte `json:"chance,omitempty"`
}

// Save returns the current state.
func (p *Plan) Save() PlanState {
	p.mu.Lock()
	defer p.mu.Unlock()
	saved := PlanState{Faults: []PlannedState{}, LastID: p.lastID}
	for _, e := range p.faults {
		s := PlannedState{PlannedFault: e.PlannedFault}
		if e.generator != nil {
			s.Chance, _ = e.generator.MarshalBinary() // it never returns an error
		}
		saved.Faults = append(saved.Faults, s)
	}
	return saved
}

// Load replaces the plan by a saved one. If one of its faults cannot be planned with this world's providers, the plan
// is unchanged, and the error contains the id of the fault.
func (p *Plan) Load(saved PlanState) error {
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
		e := newEntry(s.PlannedFault)
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
