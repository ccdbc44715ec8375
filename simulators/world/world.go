package world

// World is the seeded country. It is immutable and safe for concurrent use.
type World struct {
	seed uint64
}

// New returns the world of a seed.
func New(seed uint64) *World { return &World{seed: seed} }

// Seed is the seed the world follows from.
func (w *World) Seed() uint64 { return w.seed }
