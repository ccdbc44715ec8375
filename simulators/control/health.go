package control

import (
	"time"

	"marquee/simulators/dataset"
)

// Health is the state of a world.
type Health struct {
	// Status is ok.
	Status string `json:"status"`
	// World is the id of the world.
	World string `json:"world"`
	// Seed is the seed from which the world's data are generated.
	Seed uint64 `json:"seed"`
	// Now is business time.
	Now time.Time `json:"now"`
	// Providers are the names of the simulated providers.
	Providers []string `json:"providers"`
}

// getHealth reports whether a world exists, and which providers it has.
func getHealth(w World, _ InWorld) (Health, error) {
	var names []string
	for _, p := range w.Faults().Providers() {
		names = append(names, p.Name)
	}
	return Health{"ok", w.ID(), w.Country().Seed(), w.Clock().Now().In(dataset.Zone), names}, nil
}
