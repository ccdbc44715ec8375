package simulators

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"marquee/simulators/control"
	"marquee/simulators/provider"
	"marquee/simulators/testclock"
)

// registry finds the world of a credential.
type registry struct {
	sims *Simulators

	mu     sync.RWMutex
	worlds map[string]*World // without the default one
	by     map[provider.Credential]*World
}

func newRegistry(s *Simulators) *registry {
	r := &registry{sims: s, worlds: map[string]*World{}, by: map[provider.Credential]*World{}}
	for _, c := range credentialsOf(s.base) {
		r.by[c] = s.base
	}
	return r
}

// find is the world of a credential, nil when there is none.
func (r *registry) find(c provider.Credential) *World {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.by[c]
}

// byID is the world with an id, nil when there is none. "" and "default" are the default world.
func (r *registry) byID(id string) *World {
	return r.find(provider.Credential{Kind: provider.World, Value: cmp.Or(id, DefaultID)})
}

// reserved are names that mean something else where a world's could stand.
var reserved = []string{DefaultID, "phone", "inapp", "restore"}

// NewWorld makes a world. The error is a *control.Error: the id is taken or ill-formed, or there are too many worlds.
func (s *Simulators) NewWorld(o WorldOptions) (*World, error) {
	w, err := s.makeWorld(o)
	if err != nil {
		return nil, err
	}
	if refused := s.worlds.add(w); refused != nil {
		w.end()
		return nil, refused
	}
	return w, nil
}

// makeWorld makes a world that nobody can call yet.
func (s *Simulators) makeWorld(o WorldOptions) (*World, error) {
	o.Seed = cmp.Or(o.Seed, s.options.Seed)
	if o.ID == "" {
		o.ID = "w" + randomDigits()
	}
	if !provider.IsWorldID(o.ID) || slices.Contains(reserved, o.ID) {
		return nil, &control.Error{Status: http.StatusBadRequest, Code: "bad_world_id", Message: "id must be 3 to 32 of a-z, 0-9 and -, with a letter first and no - last, and none of default, phone, inapp, restore"}
	}
	clock := testclock.New()
	if !o.Now.IsZero() {
		clock = testclock.NewAt(o.Now)
	}
	if o.Frozen {
		clock.Set(testclock.State{Now: cmp.Or(o.Now, clock.Now()), Frozen: true})
	}
	return s.newWorld(o.ID, o, clock), nil
}

func (r *registry) add(w *World) *control.Error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.worlds) >= r.sims.options.MaxWorlds {
		return &control.Error{Status: http.StatusTooManyRequests, Code: "too_many_worlds", Message: fmt.Sprintf("there are %d worlds, which is the limit: delete one, or wait until idle ones expire", len(r.worlds))}
	}
	keys := credentialsOf(w)
	for _, c := range keys {
		if r.by[c] != nil {
			return &control.Error{Status: http.StatusConflict, Code: "world_exists", Message: "a world has the id or a credential of " + w.id + " already"}
		}
	}
	for _, c := range keys {
		r.by[c] = w
	}
	r.worlds[w.id] = w
	return nil
}

func (r *registry) remove(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	w, ok := r.worlds[id]
	if !ok {
		return false
	}
	delete(r.worlds, id)
	for _, c := range credentialsOf(w) {
		delete(r.by, c)
	}
	w.end()
	return true
}

// list is every world, the default one first, then by age.
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

// watch lets idle worlds expire until stop is closed.
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

func (r *registry) expire(now time.Time) {
	for _, w := range r.list()[1:] {
		if w.activity.idle(now) >= r.sims.options.Idle {
			r.remove(w.id)
			r.sims.options.Logger.Info("an idle world expired", "world", w.id)
		}
	}
}
