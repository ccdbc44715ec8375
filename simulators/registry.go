package simulators

import (
	"cmp"
	"crypto/rand"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/journal"
	"marquee/simulators/provider"
	"marquee/simulators/testclock"
)

// registry finds the world of a credential, and removes worlds that are idle.
type registry struct {
	sims *Simulators

	mu     sync.RWMutex
	worlds map[string]*World // without the default one
	by     map[provider.Credential]*World
	totals map[journal.Verdict]int64 // number of calls in the worlds that were removed
}

func newRegistry(s *Simulators) *registry {
	r := &registry{sims: s, worlds: map[string]*World{}, by: map[provider.Credential]*World{},
		totals: map[journal.Verdict]int64{}}
	for _, c := range credentialsOf(s.base) {
		r.by[c] = s.base
	}
	return r
}

// find returns the world with a credential, or nil.
func (r *registry) find(c provider.Credential) *World {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.by[c]
}

// byID returns the world with an id, or nil. "" and "default" are the default world.
func (r *registry) byID(id string) *World {
	return r.find(provider.Credential{Kind: provider.World, Value: cmp.Or(id, control.DefaultWorld)})
}

// reserved are names that have another meaning where a world's id is used, in paths and host names.
var reserved = []string{control.DefaultWorld, "phone", "inapp", "restore"}

// NewWorld creates a world. The error is a *control.Error: bad_time, bad_world_id, world_exists or too_many_worlds.
func (s *Simulators) NewWorld(o control.NewWorld) (*World, error) {
	if o.Now != nil && (o.Now.Year() < 2020 || o.Now.Year() > 2046) {
		return nil, control.ErrBadTime
	}
	return s.addWorld(o, func(*World) error { return nil })
}

// addWorld creates a world, prepares it and adds it to the registry. If the id is random and another world has it, or
// has the same credential, addWorld tries another id.
func (s *Simulators) addWorld(o control.NewWorld, prepare func(*World) error) (*World, error) {
	for {
		w, err := s.makeWorld(o)
		if err != nil {
			return nil, err
		}
		if err := prepare(w); err != nil {
			w.end()
			return nil, err
		}
		rejected := s.worlds.add(w)
		if rejected == nil {
			return w, nil
		}
		w.end()
		if o.ID != "" || !errors.Is(rejected, control.ErrWorldExists) {
			return nil, rejected
		}
	}
}

// randomID returns the id of a world for which the caller gives none.
func randomID() string {
	return "w" + strings.ToLower(rand.Text()[:10])
}

// makeWorld creates a world. Calls cannot reach it until it is added to the registry.
func (s *Simulators) makeWorld(o control.NewWorld) (*World, error) {
	o.Seed = cmp.Or(o.Seed, s.options.Seed)
	if o.ID == "" {
		o.ID = s.newID()
	}
	if !provider.IsWorldID(o.ID) || slices.Contains(reserved, o.ID) {
		return nil, control.ErrBadWorldID.With(
			"id must be 3 to 32 of a-z, 0-9 and -, with a letter first and no - last, and none of %s",
			strings.Join(reserved, ", "))
	}
	clock := testclock.New()
	if o.Now != nil {
		clock = testclock.NewAt(*o.Now)
	}
	if o.Frozen {
		now := clock.Now()
		if o.Now != nil {
			now = *o.Now
		}
		clock.Set(testclock.State{Now: now, Frozen: true})
	}
	return s.newWorld(o.ID, o, clock), nil
}

// add adds a world, so that calls can reach it. It returns ErrTooManyWorlds at the limit, and ErrWorldExists if another
// world has one of its credentials.
func (r *registry) add(w *World) *control.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.worlds) >= r.sims.options.MaxWorlds {
		return control.ErrTooManyWorlds.With(
			"there are %d worlds, which is the limit: delete one, or wait until idle ones expire", len(r.worlds))
	}
	keys := credentialsOf(w)
	for _, c := range keys {
		if r.by[c] != nil {
			return control.ErrWorldExists.With("a world already has the id or a credential of %s", w.id)
		}
	}
	for _, c := range keys {
		r.by[c] = w
	}
	r.worlds[w.id] = w
	return nil
}

// remove deletes a world. It returns false if there is none with the id.
func (r *registry) remove(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.worlds[id]
	if !ok {
		return false
	}
	delete(r.worlds, id)
	for verdict, n := range w.journal.Totals() {
		r.totals[verdict] += n
	}
	for _, c := range credentialsOf(w) {
		delete(r.by, c)
	}
	w.end()
	return true
}

var _ control.Worlds = (*registry)(nil)

// World implements control.Worlds.
func (r *registry) World(id string) (control.World, bool) {
	w := r.byID(id)
	if w == nil {
		return nil, false
	}
	w.activity.touch()
	return w, true
}

// List implements control.Worlds.
func (r *registry) List() (list []control.World) {
	for _, w := range r.list() {
		list = append(list, w)
	}
	return list
}

// Create implements control.Worlds.
func (r *registry) Create(q control.NewWorld) (control.World, error) {
	w, err := r.sims.NewWorld(q)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Restore implements control.Worlds.
func (r *registry) Restore(snapshot []byte, q control.NewWorld) (control.World, error) {
	w, err := r.sims.Restore(snapshot, q)
	if err != nil {
		return nil, err
	}
	return w, nil
}

// Delete implements control.Worlds.
func (r *registry) Delete(id string) bool { return r.remove(id) }

// CertificatePEM implements control.Worlds.
func (r *registry) CertificatePEM() ([]byte, error) { return r.sims.CertificatePEM() }

// list returns every world, the default one first, then by age.
func (r *registry) list() []*World {
	r.mu.RLock()
	list := []*World{}
	for _, w := range r.worlds {
		list = append(list, w)
	}
	r.mu.RUnlock()
	slices.SortFunc(list, func(a, b *World) int { return a.created.Compare(b.created) })
	return append([]*World{r.sims.base}, list...)
}

// Totals returns the number of calls by verdict, in all worlds, including removed ones.
func (s *Simulators) Totals() map[journal.Verdict]int64 {
	s.worlds.mu.RLock()
	defer s.worlds.mu.RUnlock()
	totals := maps.Clone(s.worlds.totals)
	add := func(w *World) {
		for verdict, n := range w.journal.Totals() {
			totals[verdict] += n
		}
	}
	add(s.base)
	for _, w := range s.worlds.worlds {
		add(w)
	}
	return totals
}

// watch removes idle worlds until stop is closed.
func (r *registry) watch(stop <-chan struct{}) {
	tick := time.NewTicker(max(min(r.sims.options.Idle/4, time.Minute), time.Millisecond))
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case now := <-tick.C:
			r.expire(now)
		}
	}
}

// expire removes the worlds that are idle at a given real time.
func (r *registry) expire(now time.Time) {
	for _, w := range r.list()[1:] {
		if w.activity.idle(now) >= r.sims.options.Idle {
			r.remove(w.id)
			r.sims.options.Logger.Info("idle world removed", "world", w.id)
		}
	}
}
